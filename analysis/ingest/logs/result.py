"""What one log says, where a file may hold several, each with its own status.

Tools that run side by side, or one after another, write into one file. Their readers
make one :class:`LogResult` a log and join them with :func:`join_results`. Tools that
write one log a file are read with :mod:`analysis.ingest.logs.benchmark`.

Results of one file are added up, as those of instances that ran side by side. So one
that was printed twice counts once: it is known by its ``identity``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.logs.benchmark import FIGURES, hold_mean
from analysis.ingest.reading import Circumstances, Problem, Reading, Status, Verdict
from analysis.ingest.tables.catalog import result_row

BULK = 2**20  # a transaction with this many bytes one way is a stream (STR)
_WORST: tuple[Status, ...] = ("failed", "truncated", "degraded", "ok")
_CUT = remark("last_line_cut_off", "the last line is cut off")
_MEASURED = (*FIGURES, "seconds", "transactions")


@dataclass
class LogResult:
    """One log: its ``benchmark`` row, and whether it may be believed.

    ``identity`` is what the log of no other test has, such as its ports and all its
    lines; null where the log has nothing of that kind.
    Its details ``mss`` [bytes] and ``kernel`` are circumstances of the file, as are its
    ``role_cpus``.
    """

    row: dict[str, Any]
    status: Status = "ok"
    cause: Remark | None = None
    problems: list[Problem] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    role_cpus: dict[str, int] = field(default_factory=dict)
    local_start: str | None = None  # where its zone is not known
    identity: Hashable = None

    def judge(self, status: Status, cause: Remark, line: int | None = None) -> None:
        """Lower the status; the cause of the worst one is kept."""
        self.problems.append(Problem(cause, line))
        if _WORST.index(status) < _WORST.index(self.status):
            self.status, self.cause = status, cause

    def judge_all(self, verdicts: Iterable[Verdict], line: int | None = None) -> None:
        """Lower the status by each verdict that has a cause."""
        for status, cause in verdicts:
            if cause:
                self.judge(status, cause, line)


def failed_log(tool: str, cause: Remark, line: int = 1) -> LogResult:
    """A log that says why there is nothing to read."""
    result = LogResult({"tool": tool, "errors": 1, "position": line})
    result.judge("failed", cause, line)
    return result


def name_sides(results: Sequence[LogResult]) -> None:
    """Let ``test`` tell client and server apart where a file has both: they speak of
    the same test, and must not be added up."""
    sides = {result.details["side"] for result in results if "side" in result.details}
    if len(sides) > 1:
        for result in results:
            result.row["test"] = result.details.get("side")


def join_results(
    format: str, tool: str, results: Sequence[LogResult], cut: bool = False
) -> Reading:
    """The file as a whole: one row a log, the worst status of them all.

    A failed log keeps its row without any measured value, one that is cut off gives
    none. ``cut`` says that the file's last line has no end.
    """
    results = _counted_once(results)
    reading = Reading(format, tool=tool, records={"log": len(results)})
    for result in results:
        result.judge_all([hold_mean(result.row)], result.row.get("position"))
        reading.problems += result.problems
    reading.judge(*_overall(results, cut))
    if reading.cause == _CUT:
        reading.problems.append(Problem(_CUT))
    reading.verdicts = _of_tests(results, cut)
    rows = [_row(result) for result in results if result.status != "truncated"]
    reading.results = [result_row(row) for row in rows]
    reading.details = _details(results)
    local = [result.local_start for result in results if result.local_start]
    sizes = [mss for result in results if (mss := result.details.get("mss"))]
    told = [each for result in results for each in result.role_cpus.items()]
    cpus = {role: [n for of, n in told if of == role] for role, _ in told}
    kernels = [r.details["kernel"] for r in results if "kernel" in r.details]
    reading.circumstances = Circumstances(
        local_start=min(local, default=None),
        mss=max(sizes, default=None),
        release=min(kernels, default=None),
        role_cpus={role: max(found) for role, found in cpus.items()} or None,
    )
    return reading


def _counted_once(results: Sequence[LogResult]) -> Sequence[LogResult]:
    """The results without those that are there again. Of two with equal figures that
    nothing tells apart, the second fails: it may be the same test, or another one."""
    if len(results) < 2:
        return results
    first: dict[Hashable, LogResult] = {}
    kept: list[LogResult] = []
    for result in results:
        row = {name: v for name, v in result.row.items() if name != "position"}
        key = (result.identity, repr(row), repr(result.details))
        line = result.row.get("position")
        if not any(row.get(name) for name in FIGURES) or key not in first:
            first.setdefault(key, result)
            kept.append(result)
        elif result.identity is not None:
            told = remark(
                "same_test_twice",
                f"the test of line {first[key].row.get('position')} again; it "
                "counts once",
            )
            first[key].problems.append(Problem(told, line))
        else:
            told = remark(
                "same_figures_twice",
                f"the figures of line {first[key].row.get('position')} again: a log "
                "that was printed twice, or two tests that nothing tells apart; "
                "keep one, or put each in its own file",
            )
            result.judge("failed", told, line)
            kept.append(result)
    return kept


def _of_tests(results: Sequence[LogResult], cut: bool) -> dict[str, Verdict]:
    """The verdict of each test; none where a log does not say which one it is of."""
    tests = [result.row.get("test") for result in results]
    if not all(tests):
        return {}
    of = {
        test: [r for r in results if r.row["test"] == test]
        for test in dict.fromkeys(map(str, tests))
    }
    return {
        test: _overall(own, cut and own[-1] is results[-1]) for test, own in of.items()
    }


def _overall(results: Sequence[LogResult], cut: bool) -> Verdict:
    if not results:
        return Verdict(
            "empty", remark("no_measurement", "there is no measurement in it")
        )
    status = min((r.status for r in results), key=_WORST.index)
    if cut and status in ("ok", "degraded"):
        return Verdict("truncated", _CUT)
    bad = [result for result in results if result.status == status]
    if status == "ok" or len(results) == 1:
        return Verdict(status, bad[0].cause)
    cause = remark("of_logs", f"{len(bad)} of {len(results)} logs: {bad[0].cause}")
    return Verdict(status, cause)


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
