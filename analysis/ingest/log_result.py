"""What one log of a benchmark says; a file may hold several of them.

Every reader of benchmark logs makes one :class:`LogResult` a log and joins them with
:func:`join_results`. Numbers are taken only as the tools write them, with a decimal
point and no separators: ``14872,91`` is refused and never read as another number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.ingest import log_text
from analysis.ingest.reading import Problem, Reading, Status
from analysis.ingest.tables import frame

KIB, MIB, GIB = 2**10, 2**20, 2**30
BULK = 2**20  # a transaction with this many bytes one way is a stream (STR)
LOCALE = "run the tool with LC_ALL=C"
_WORST: tuple[Status, ...] = ("failed", "truncated", "degraded", "ok")
_MEASURED = (
    "seconds",
    "transactions",
    "rate",
    "latency_mean_us",
    "latency_p50_us",
    "latency_p90_us",
    "latency_p99_us",
    "bytes_per_second",
)
_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass
class LogResult:
    """One log: its ``benchmark`` row, and whether it may be believed."""

    row: dict[str, Any]
    status: Status = "ok"
    reason: str = ""
    problems: list[Problem] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)

    def judge(self, status: Status, reason: str, line: int | None = None) -> None:
        """Lower the status; the reason of the worst one is kept."""
        self.problems.append(Problem(reason, line))
        if _WORST.index(status) < _WORST.index(self.status):
            self.status, self.reason = status, reason


def failed_log(tool: str, reason: str, line: int = 1) -> LogResult:
    """A log that says why there is nothing to read."""
    result = LogResult({"tool": tool, "errors": 1, "position": line})
    result.judge("failed", reason, line)
    return result


def join_results(
    format: str, tool: str, results: Sequence[LogResult], cut: bool = False
) -> Reading:
    """The file as a whole: one row a log, the worst status of them all.

    A failed log keeps its row without any measured value, one that is cut off gives
    none. ``cut`` says that the file's last line has no end.
    """
    reading = Reading(format, tool=tool, records={"log": len(results)})
    for result in results:
        reading.problems += result.problems
    reading.status, reading.reason = _overall(results)
    if cut and reading.status in ("ok", "degraded"):
        reading.status, reading.reason = "truncated", "the last line is cut off"
        reading.problems.append(Problem(reading.reason))
    rows = [_row(result) for result in results if result.status != "truncated"]
    if rows:
        reading.tables["benchmark"] = frame("benchmark", rows)
    reading.details = _details(results)
    return reading


def _overall(results: Sequence[LogResult]) -> tuple[Status, str]:
    if not results:
        return "empty", "there is no measurement in it"
    status = min((r.status for r in results), key=_WORST.index)
    bad = [result for result in results if result.status == status]
    if status == "ok" or len(results) == 1:
        return status, bad[0].reason
    return status, f"{len(bad)} of {len(results)} logs: {bad[0].reason}"


def _row(result: LogResult) -> dict[str, Any]:
    lost = _MEASURED if result.status == "failed" else ()
    return {k: v for k, v in result.row.items() if k not in lost}


def _details(results: Sequence[LogResult]) -> dict[str, Any]:
    """The details of the one log, or a list of each detail over the logs."""
    if len(results) == 1:
        return results[0].details
    names = dict.fromkeys(name for result in results for name in result.details)
    each = {name: [result.details.get(name) for result in results] for name in names}
    alike = {
        name: values[0] if values.count(values[0]) == len(values) else values
        for name, values in each.items()
    }
    return ({"logs": len(results)} if results else {}) | alike


def text_lines(data: bytes) -> tuple[list[str], bool]:
    """The complete lines, without colours, and whether a last one is cut off."""
    text = _ANSI.sub("", data.decode("utf-8-sig", "replace"))
    *lines, rest = text.split("\n")
    return [line.rstrip("\r") for line in lines], bool(rest.strip())


def number(text: str) -> float | None:
    """A number with a decimal point; null for anything else, as ``4,00``."""
    try:
        return log_text.number(text.strip(), 0)
    except log_text.UnreadableError:
        return None


def agree(one: float, other: float, tolerance: float) -> bool:
    """Whether two ways to the same figure differ by no more than that share."""
    return abs(one - other) <= tolerance * max(abs(one), abs(other))


def not_a_number(text: str) -> str:
    """Why a line with numbers is refused."""
    return f"{text.strip()[:60]!r} is no number with a decimal point; {LOCALE}"
