"""What the reports of HTTP load generators share: one run, its rate, its latencies."""

from __future__ import annotations

from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result
from analysis.ingest.logs.text import SECONDS, LogText
from analysis.ingest.printed import Resolved


def one_run(log: LogText, *heads: str, **row: Any) -> Result:
    """A result to fill; failed where what a run has once is there twice."""
    out = Result({"position": 1, **row})
    if any(len(list(log.each(head))) > 1 for head in heads):
        out.judge("failed", remark("several_logs"))
    return out


def total_of(log: LogText, pattern: str) -> float:
    """The sum of the numbers in the first line of a pattern; 0 without one."""
    numbers = log.first(pattern)
    each = range(len(numbers.groups)) if numbers else ()
    return sum((numbers.number(index) for index in each if numbers), 0.0)


def count_of(log: LogText, pattern: str) -> int:
    """The sum of the counts in the first line of a pattern; 0 without one."""
    counts = log.first(pattern)
    each = range(len(counts.groups)) if counts else ()
    return sum(counts.count(index) for index in each if counts)


def serial(count: int, seconds: float, moved: float) -> dict[str, Any]:
    """Columns of operations that one client makes one after another, and of the bytes
    that they moved."""
    known = count > 0 and seconds > 0
    return {
        "clients": 1,
        "transactions": count,
        "seconds": seconds or None,
        "rate": count / seconds if known else None,
        "latency_mean_us": seconds / count * 1e6 if known else None,
        "bytes_per_second": moved / seconds if known and moved else None,
    }


def hold_rate(out: Result, rate: float, total: int, seconds: float) -> None:
    """Hold a printed rate against a count and the seconds, as far as the last digits of
    both tell."""
    if rate > 0:
        by_count = float(total) / rate
        steps = [x.resolution for x in (seconds, by_count) if isinstance(x, Resolved)]
        out.compare("its time", seconds, by_count, 0.01, sum(steps))


def add_rate(out: Result, rate: float, good: int, total: int, seconds: float) -> None:
    """Columns of so many ``seconds`` with a printed rate of all requests, of which some
    were ``good``."""
    hold_rate(out, rate, total, seconds)
    share = max(0, good) / total if total else 0.0
    out.row |= {"seconds": seconds, "transactions": good, "rate": rate * share or None}


def add_latencies(
    out: Result, log: LogText, pattern: str, microseconds: float | None = None
) -> None:
    """Percentiles from all lines of a pattern, with a share and a time of so many
    ``microseconds``, or with its unit; null where a time is rounded to nothing."""
    rising, hidden = [], []
    for line in log.each(pattern):
        time = (
            line.number(1) * microseconds
            if microseconds
            else line.scaled(SECONDS, 1) * 1e6
        )
        rising.append(time)
        out.row[f"latency_p{line[0].replace('.', '')}_us"] = time or None
        hidden += [f"p{line[0]}"] if not time else []
    if hidden:
        out.details["rounded_to_0"] = ", ".join(hidden)
    if rising != sorted(rising):
        falling = remark("percentiles_do_not_rise", "its percentiles do not rise")
        out.judge("degraded", falling, out.line)
