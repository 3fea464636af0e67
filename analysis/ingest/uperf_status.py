"""Whether a uperf log is sound: its content decides, not an exit status.

uperf prints all its tables after its server died, with no data and ``-nan``.
"""

from __future__ import annotations

import math
import re

from analysis.ingest.reading import Problem, Status
from analysis.ingest.uperf_figures import Figures
from analysis.ingest.uperf_log import Log

_SLAVE = b"Can't load client.pem"
_OLD = (b"Section: Group details", b"Error Statistics")


def judge(log: Log, figures: Figures, data: bytes) -> tuple[Status, str]:
    """Status of the log, by its content, with the reason."""
    if any(mark in data for mark in _OLD):
        return "failed", "layout of a uperf before 1.0; this program reads 1.0.x"
    if log.starts == 0 and _SLAVE in data:
        return "empty", "log of a uperf slave, which prints no measurements"
    if log.starts > 1:
        return "failed", f"{log.starts} logs in one file; put each in its own"
    if log.failures:
        return "failed", _failure(log)
    if log.starts == 0:
        return "truncated", "begins after its first line"
    if log.difference is None:
        return "truncated", "ends before its last line, Difference(%) (uperf -a)"
    return _judge_figures(log, figures)


def _failure(log: Log) -> str:
    """The tool's own words for the first error, and how many there were."""
    told = [p.message for p in log.failures if p.message.startswith("** ")]
    first = (told or [p.message for p in log.failures])[0]
    first = re.sub(r"^\*\* (\d+ Errors )?", "", first)
    many = log.errors is not None and log.errors > 1
    return f"{log.errors} errors, the first: {first}" if many else first


def _judge_figures(log: Log, figures: Figures) -> tuple[Status, str]:
    if not log.transactions:
        return "failed", "no table of transactions; run uperf with -a"
    if figures.main is None or any(map(math.isnan, log.difference or [])):
        return "failed", "no data was moved"
    if len({row.name for row in log.transactions}) < len(log.transactions):
        return "failed", "several groups of clients in one log; run each on its own"
    if unended := [s for s in log.strands if not s.seconds]:
        return "failed", f"{len(unended)} of {log.clients} clients did not finish"
    if reasons := _doubts(log, figures):
        return "degraded", "; ".join(reasons)
    return "ok", ""


def _doubts(log: Log, figures: Figures) -> list[str]:
    time, size, _, ops, errors = log.difference or [0.0] * 5
    doubts = []
    if errors > 0:
        doubts.append(f"{errors:g}% of the operations failed")
    if abs(time) > 5 and figures.shape != "CRR":
        doubts.append(f"client and server differ by {time:g}% in time")
    if max(abs(size), abs(ops)) > 2:
        doubts.append("client and server disagree on the data that was moved")
    if figures.window is None:
        doubts.append("no steady part: too few progress lines (run uperf with -i 1)")
    elif figures.size is None:
        doubts.append("the count of transactions does not fit the operations")
    if not _adds_up(log):
        doubts.append("the clients do not add up to the total")
    return doubts


def _adds_up(log: Log) -> bool:
    """Whether the strands' exact counts (raw form) are those of the Total line."""
    if log.total is None or not log.raw:
        return True
    ops = sum(strand.ops for strand in log.strands)
    size = sum(strand.bytes for strand in log.strands)
    last = max((line.bytes for line in log.progress), default=0.0)
    pairs = ((ops, log.total.ops), (size, log.total.bytes), (last, log.total.bytes))
    return all(abs(part - whole) <= 0.02 * whole for part, whole in pairs)


def remarks(log: Log, figures: Figures) -> list[Problem]:
    """What a reader should know of a sound log."""
    time = log.difference[0] if log.difference else 0.0
    if abs(time) > 5 and figures.shape == "CRR":
        slave = "the server ended later than the client by the printed Difference(%)"
        return [Problem(f"{slave} of {time:g}: it waits at the end of a CRR run")]
    return []
