"""Benchmarks whose logs are known by sight, but not read.

What they say can be had as a benchmark contract: a small CSV or JSON file that the
author, or a script, writes from the log (``docs/how-to/benchmark-contract.md``).
"""

from __future__ import annotations

import re

WAY = "write its results as a benchmark contract (docs/how-to/benchmark-contract.md)"
# What each tool prints at a line's beginning, by its source (ntttcp and memtier: by
# its documentation). What ends in a carriage return before it is a line that the tool
# wrote over.
_TOOLS = (
    (
        "vegeta",
        r"Requests\s+\[total, rate(?:, throughput)?\]\s|Bucket +# +% +Histogram",
    ),
    ("vegeta", r'\s*\{\s*"latencies":\s*\{\s*"total":\s*\d'),
    ("ghz", r"Summary:\s+(?:Name:[^\n]*\n +)?Count:\s|duration \(ms\),status,error"),
    ("ghz", r'\s*\{\s*(?:"name":[^\n]{1,200},\s*)?"endReason":\s*"'),
    (
        "fio",
        r"fio-\d+\.\d|[^\n]{1,99}: \(g=\d+\): rw=|\d;fio-\d|\s*\{\s*\"fio version\"",
    ),
    ("memtier_benchmark", r"\[RUN #\d+\]? ?|ALL STATS\n=|Type +Ops/sec +Hits/sec "),
    ("redis-benchmark", r"====== .{1,99} ======\s*\n +\d+ requests completed in "),
    ("redis-benchmark", r'"test","rps",|[A-Z][\w ()]{1,80}: \d+\.\d+ requests per sec'),
    ("ntttcp", r"NTTTCP for Linux|\S*ntttcp\.exe |Copyright Version \d|<ntttcp[sr]\b"),
    ("perftest --out_json", r'\s*\{\s*"?test_info"?:'),
    ("sysbench", r"sysbench \d+\.\d"),
)
_SIGNS = tuple(
    (tool, re.compile(rf"^(?:[^\n]*\r)?(?:{sign})", re.M)) for tool, sign in _TOOLS
)


def tool_of(text: str) -> str:
    """The tool that wrote a log which begins so; empty where none is known."""
    return next((tool for tool, sign in _SIGNS if sign.search(text)), "")
