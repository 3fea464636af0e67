"""The names of netperf's omni output, and its columns for people (``-O``).

A block is four lines of headings and one of values, each column as wide as its widest
word (``print_omni_human`` in ``nettest_omni.c`` of netperf). Headings and values begin
at the same place, so a value tells where a column begins.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

NAMES = {
    "Throughput": "THROUGHPUT",
    "Throughput Units": "THROUGHPUT_UNITS",
    "Elapsed Time (sec)": "ELAPSED_TIME",
    "Request Size Bytes": "REQUEST_SIZE",
    "Response Size Bytes": "RESPONSE_SIZE",
    "Direction": "DIRECTION",
    "Protocol": "PROTOCOL",
    "Initial Burst Requests": "BURST_SIZE",
    "Transaction Rate Tran/s": "TRANSACTION_RATE",
    "Mean Latency Microseconds": "MEAN_LATENCY",
    "50th Percentile Latency Microseconds": "P50_LATENCY",
    "90th Percentile Latency Microseconds": "P90_LATENCY",
    "99th Percentile Latency Microseconds": "P99_LATENCY",
    "Local CPU Util %": "LOCAL_CPU_UTIL",
    "Remote CPU Util %": "REMOTE_CPU_UTIL",
    "Local Service Demand": "LOCAL_SD",
    "Remote Service Demand": "REMOTE_SD",
    "Service Demand Units": "SD_UNITS",
    "Confidence Level Percent": "CONFIDENCE_LEVEL",
    "Confidence Width Target": "CONFIDENCE_INTERVAL",
    "Confidence Iterations Run": "CONFIDENCE_ITERATION",
    "Throughput Confidence Width (%)": "THROUGHPUT_CONFID",
    "Local Bytes Sent": "LOCAL_BYTES_SENT",
    "Transport MSS bytes": "TRANSPORT_MSS",
    "Result Tag": "RESULT_BRAND",
    "Command Line": "COMMAND_LINE",
}
Record = dict[str, str]
_HEADINGS, _BLOCK = 4, 6  # lines; a blank one stands between two blocks
_FIRST = re.compile("|".join(sorted({name.split()[0] for name in NAMES})))
_VALUE = re.compile(r"\S+")


def tables(lines: Sequence[str]) -> Iterator[tuple[int, Record]]:
    """The line of the first values of each test, and its values by their names."""
    record: Record = {}
    start = at = 0
    while at + _HEADINGS < len(lines):
        found = _block(lines[at : at + _HEADINGS], lines[at + _HEADINGS])
        if not found:
            at += 1
            continue
        if found.keys() & record.keys():
            yield start, record
            record = {}
        start = start if record else at + _HEADINGS + 1
        record |= found
        at += _BLOCK
    if record:
        yield start, record


def _block(headings: Sequence[str], values: str) -> Record:
    """The values that have a name that is known; none where that is no block."""
    if not _FIRST.match(headings[0]) or not values.strip():
        return {}
    begins = [
        found.start()
        for found in _VALUE.finditer(values)
        if any(_begins(heading, found.start()) for heading in headings)
    ]
    record: Record = {}
    for begin, end in itertools.zip_longest(begins, begins[1:]):
        words = (heading[begin:end].strip() for heading in headings)
        name = " ".join(word for word in words if word)
        if name in NAMES:
            record[NAMES[name]] = values[begin:end].strip().strip('"')
    return record


def _begins(heading: str, at: int) -> bool:
    """Whether a word of the heading begins there."""
    before = at == 0 or heading[at - 1 : at] == " "
    return before and not heading[at : at + 1].isspace() and at < len(heading)
