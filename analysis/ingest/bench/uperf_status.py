"""Whether a uperf log is sound: its content decides, not an exit status.

uperf prints all its tables after its server died, with no data and ``-nan``.
"""

from __future__ import annotations

import math

from analysis.facts.remark import Remark, quote, remark, together
from analysis.ingest.bench.uperf_figures import Figures
from analysis.ingest.bench.uperf_log import MARKED, Log
from analysis.ingest.logs.checks import contradiction
from analysis.ingest.reading import Problem, Verdict

_SLAVE = b"Can't load client.pem"
_OLD = (b"Section: Group details", b"Error Statistics")


def judge(log: Log, figures: Figures, data: bytes) -> Verdict:
    """Status of the log, by its content, with the reason."""
    # Mostly neither is there, which rfind says in a third of the time of 'in'.
    if any(data.rfind(mark) >= 0 for mark in _OLD):
        return Verdict(
            "failed",
            remark(
                "old_uperf", "layout of a uperf before 1.0; this program reads 1.0.x"
            ),
        )
    if log.starts == 0 and _SLAVE in data:
        return Verdict(
            "empty",
            remark("uperf_slave", "log of a uperf slave, which prints no measurements"),
        )
    if log.starts > 1:
        return Verdict(
            "failed",
            remark(
                "started_logs", f"{log.starts} logs in one file; put each in its own"
            ),
        )
    if log.failures:
        return Verdict("failed", _failure(log))
    if log.starts == 0:
        return Verdict("truncated", remark("begins_late"))
    if log.difference is None:
        return Verdict(
            "truncated", remark("cut_before", line="Difference(%) (uperf -a)")
        )
    return _judge_figures(log, figures)


def _failure(log: Log) -> Remark:
    """The tool's own words for the first error, and how many there were."""
    failures = [problem.remark for problem in log.failures]
    marked = [failure for failure in failures if failure.kind == MARKED]
    first = (marked or failures)[0].values["bare"]
    if log.errors is not None and log.errors > 1:
        return remark("errors_first", f"{log.errors} errors, the first: {first}")
    return quote(first)


def _judge_figures(log: Log, figures: Figures) -> Verdict:
    if not log.transactions:
        return Verdict(
            "failed",
            remark(
                "no_transactions_table", "no table of transactions; run uperf with -a"
            ),
        )
    if figures.main is None or any(map(math.isnan, log.difference or [])):
        return Verdict("failed", remark("no_data_moved"))
    if len({row.name for row in log.transactions}) < len(log.transactions):
        return Verdict(
            "failed",
            remark(
                "several_groups",
                "several groups of clients in one log; run each on its own",
            ),
        )
    if unended := [s for s in log.strands if not s.seconds]:
        return Verdict(
            "failed",
            remark(
                "clients_unfinished",
                f"{len(unended)} of {log.clients} clients did not finish",
            ),
        )
    against = [verdict for verdict in _against_total(log) if verdict.cause]
    if failed := [verdict for verdict in against if verdict.status == "failed"]:
        return failed[0]
    reasons = _doubts(log, figures) + [v.cause for v in against if v.cause]
    return Verdict("degraded", together(reasons)) if reasons else Verdict("ok")


def _doubts(log: Log, figures: Figures) -> list[Remark]:
    time, size, _, ops, errors = log.difference or [0.0] * 5
    doubts = []
    if errors > 0:
        doubts.append(
            remark("operations_failed", f"{errors:g}% of the operations failed")
        )
    if abs(time) > 5 and figures.shape != "CRR":
        doubts.append(
            remark(
                "sides_differ_in_time", f"client and server differ by {time:g}% in time"
            )
        )
    if max(abs(size), abs(ops)) > 2:
        doubts.append(
            remark(
                "sides_differ_in_data",
                "client and server disagree on the data that was moved",
            )
        )
    if figures.window is None:
        doubts.append(
            remark(
                "no_steady_part",
                "no steady part: too few progress lines (run uperf with -i 1)",
            )
        )
    elif figures.size is None:
        doubts.append(
            remark(
                "transactions_and_operations",
                "the count of transactions does not fit the operations",
            )
        )
    return doubts


def _against_total(log: Log) -> list[Verdict]:
    """Whether the strands, and the last progress lines, add up to the Total line. A
    text log prints operations as a rate, over rounded seconds."""
    total = log.total
    if total is None:
        return []
    last = list({line.index: line for line in log.progress}.values())
    step = 0.0 if log.raw else 0.01 * total.ops / max(total.seconds, 0.01)
    found = []
    for parts, source in ((log.strands, "its strands"), (last, "its last lines")):
        if parts:
            size, ops = sum(x.bytes for x in parts), sum(x.ops for x in parts)
            found += [
                contradiction(
                    "Total", total.bytes, size, 0.02, 0.0, f"{source} (bytes)"
                ),
                contradiction("Total", total.ops, ops, 0.02, step, f"{source} (ops)"),
            ]
    return found


def remarks(log: Log, figures: Figures) -> list[Problem]:
    """What a reader should know of a sound log."""
    time = log.difference[0] if log.difference else 0.0
    if figures.lacks_lines and figures.window:
        return [
            Problem(
                remark(
                    "progress_lacks",
                    f"the progress lines cover {100 * figures.covered:.0f}% of the "
                    "measured phase; the figures are those of the whole phase, over "
                    "the time of its last line",
                )
            )
        ]
    if abs(time) > 5 and figures.shape == "CRR":
        slave = "the server ended later than the client by the printed Difference(%)"
        return [
            Problem(
                remark(
                    "waits_at_end",
                    f"{slave} of {time:g}: it waits at the end of a CRR run",
                )
            )
        ]
    return []
