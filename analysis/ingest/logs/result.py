"""What one log says, and how one or several logs of a file become a :class:`Reading`.

A reader makes a :class:`Result` of each log, or of each test, and judges it while it
reads. :func:`read_log` reads a text with it; readers that take a file in another way
end with :func:`join_results`. Content decides whether a run happened: a log that
failed or was cut off keeps a row with its counts, and has no seconds, rate, latency
or throughput.

Results of one file are added up, as those of instances that ran side by side, unless
``test`` in their rows tells them apart. So one that was printed twice counts once: it
is known by its ``identity``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import Remark, remark
from analysis.ingest.logs.checks import (
    FIGURES,
    MEASURED,
    contradiction,
    errors_verdict,
    hold_mean,
    is_twice,
)
from analysis.ingest.logs.text import LogText, UnreadableError
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import (
    LOST,
    UNTOLD,
    Circumstances,
    Problem,
    Reading,
    Status,
    Verdict,
)
from analysis.ingest.tables.catalog import frame, result_row

_BULK = 2**20  # bytes
_WORST: tuple[Status, ...] = ("failed", "truncated", "empty", "degraded", "ok")
_CUT = remark("last_line_cut_off", "the last line is cut off")


@dataclass
class Result:
    """One log, or one test of a log: its figures, and whether they may be believed.

    ``row`` is its row of ``benchmark``; empty where it measured nothing, as the log of
    a server. ``tables`` are its rows of other tables, ``records`` its logical records
    by kind. ``tool`` is the program, where a format is that of several. ``identity`` is
    what the log of no other test has, such as its ports and all its lines; null where
    it has nothing of that kind. Its details ``mss`` [bytes] and ``kernel`` are
    circumstances of the file, as are its ``role_cpus``, and ``local_start``, which is
    in local time of an unknown zone. Numbers that no column is for are its
    ``figures``, beside those of its details.
    """

    row: dict[str, Any] = field(default_factory=dict)
    status: Status = "ok"
    cause: Remark | None = None
    problems: list[Problem] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    records: dict[str, int] = field(default_factory=dict)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    tool: str = ""
    identity: Hashable = None
    role_cpus: dict[str, int] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    local_start: str | None = None

    @property
    def line(self) -> int | None:
        """Where its figures stand."""
        return self.row.get("position")

    def judge(self, status: Status, cause: Remark, line: int | None = None) -> None:
        """Lower the status; the first cause of the worst one is kept, all are problems
        of the file."""
        self.problems.append(Problem(cause, line))
        if _WORST.index(status) < _WORST.index(self.status):
            self.status, self.cause = status, cause

    def hold(self, verdict: Verdict, line: int | None = None) -> None:
        """Judge as a check of figures says, which has no cause where they are right."""
        if verdict.cause:
            self.judge(verdict.status, verdict.cause, line)

    def compare(
        self, what: str, printed: float, computed: float, by: float, *more: Any
    ) -> None:
        """Hold a figure against others, see :func:`contradiction`."""
        self.hold(contradiction(what, printed, computed, by, *more), self.line)

    def judge_errors(self, errors: int, total: int, what: str) -> None:
        """Hold the errors against the total, see :func:`errors_verdict`."""
        self.hold(errors_verdict(errors, total, what), self.line)

    def note(self, what: Remark, line: int | None = None) -> None:
        """Tell a problem that leaves the figures as good as they are."""
        self.problems.append(Problem(what, line))


def failed_log(cause: Remark, line: int = 1) -> Result:
    """A log that says why there is nothing to read."""
    result = Result({"errors": 1, "position": line})
    result.judge("failed", cause, line)
    return result


def shape_of(shape: str | None, sizes: Sequence[int] | None) -> str | None:
    """The shape, for a transaction of ``sizes`` [bytes]: RR with a bulk answer is a
    stream, as of ``STR(1B/20MB)``."""
    return "STR" if shape == "RR" and sizes and max(sizes) >= _BULK else shape


def name_sides(results: Sequence[Result]) -> None:
    """Let ``test`` tell client and server apart where a file has both: they speak of
    the same test, and must not be added up."""
    sides = {result.details["side"] for result in results if "side" in result.details}
    if len(sides) > 1:
        for result in results:
            result.row["test"] = result.details.get("side")


def read_log(
    raw: Raw,
    format: str,
    tool: str,
    parse: Callable[[LogText], Sequence[Result]],
) -> Reading:
    """The text of a file, read with ``parse``; a line that is not understood fails it,
    and so does a log that was written twice."""
    log = LogText(raw.read_bytes())
    try:
        results = parse(log)
    except UnreadableError as error:
        return unreadable(format, tool, error)
    if is_twice(log.lines):
        for result in results:
            twice = "the same text twice in one file; keep it once"
            result.judge("failed", remark("same_log_twice", twice))
    return join_results(format, tool, results)


def unreadable(format: str, tool: str, error: UnreadableError) -> Reading:
    """A file of which nothing may be used."""
    problems = [Problem(error.remark, error.line)]
    return Reading(format, tool, "failed", error.at_line, problems=problems)


def join_results(
    format: str, tool: str, results: Sequence[Result], cut: bool = False
) -> Reading:
    """The file as a whole: one row a log, the worst status of them all, and that of
    each test where all have a name. ``cut`` says that the file's last line has no end.
    """
    results = _counted_once(results)
    if cut and results and results[-1].status in ("ok", "degraded"):
        results[-1].judge("truncated", _CUT)
    reading = Reading(format, tool)
    records: dict[str, int] = {}
    problems = dict[Problem, None]()
    tables: dict[str, list[dict[str, Any]]] = {}
    for result in results:
        result.hold(hold_mean(result.row), result.line)
        problems |= dict.fromkeys(result.problems)
        for kind, count in result.records.items():
            records[kind] = records.get(kind, 0) + count
        if result.status in LOST:  # intervals of what is no result
            result.tables.pop("interval", None)
        _before_zero(result.tables.get("interval", ()))
        for name, rows in result.tables.items():
            tables.setdefault(name, []).extend(rows)
        if result.row:
            reading.results.append(_row(result, tool))
    reading.problems = [*problems]
    reading.records = records or {"log": len(results)}
    reading.tables = {name: frame(name, rows) for name, rows in tables.items() if rows}
    if tools := {result.tool for result in results if result.tool}:
        reading.tool = ", ".join(sorted(tools))
    tests = _by_test(results)
    reading.verdicts = {test: _overall(each) for test, each in tests.items()}
    reading.judge(*_overall(results, "tests" if tests else "logs"))
    reading.details = _details(results)
    reading.circumstances = _circumstances(results)
    return reading


def _before_zero(intervals: Sequence[dict[str, Any]]) -> None:
    """Let what a tool leaves out end at zero, where its clock begins anew behind it."""
    ends = [row["start_s"] + row["seconds"] for row in intervals if row["omitted"]]
    first = min((r["start_s"] for r in intervals if not r["omitted"]), default=0.0)
    for row in intervals:
        if row["omitted"] and max(ends) > first:
            row["start_s"] -= max(ends)


def _row(result: Result, tool: str) -> dict[str, Any]:
    row = {"tool": result.tool or tool} | result.row
    if result.status in ("failed", "truncated"):
        row |= dict.fromkeys(MEASURED)
    else:
        row["figures"] = _figures(result)
    return result_row(row)


def _figures(result: Result) -> str | None:
    """The numbers that no column is for, by names that an expression can have."""
    known = {
        re.sub(r"\W+", "_", name.lower()).strip("_"): value
        for name, value in {**result.details, **result.figures}.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
    }
    return json.dumps(known) if known else None


def _counted_once(results: Sequence[Result]) -> Sequence[Result]:
    """The results without those that are there again. Of two with equal figures that
    nothing tells apart, the second fails: it may be the same test, or another one."""
    if len(results) < 2:
        return results
    first: dict[Hashable, Result] = {}
    kept: list[Result] = []
    for result in results:
        row = {name: v for name, v in result.row.items() if name != "position"}
        key = (result.identity, repr(row), repr(result.details))
        if not any(row.get(name) for name in FIGURES) or key not in first:
            first.setdefault(key, result)
            kept.append(result)
        elif result.identity is not None:
            again = f"the test of line {first[key].line} again; it counts once"
            first[key].note(remark("same_test_twice", again), result.line)
        else:
            again = (
                f"the figures of line {first[key].line} again: a log that was printed "
                "twice, or two tests that nothing tells apart; keep one, or put each "
                "in its own file"
            )
            result.judge("failed", remark("same_figures_twice", again), result.line)
            kept.append(result)
    return kept


def _by_test(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The results of each test; none where a log does not say which one it is of."""
    tests: dict[str, list[Result]] = {}
    for result in results:
        if not (test := result.row.get("test")):
            return {}
        tests.setdefault(test, []).append(result)
    return tests


def _overall(results: Sequence[Result], what: str = "logs") -> Verdict:
    if not results:
        nothing = remark("no_measurement", "there is no measurement in it")
        return Verdict("empty", nothing)
    status = min((r.status for r in results), key=_WORST.index)
    bad = [result for result in results if result.status == status]
    cause = bad[0].cause
    if cause and any(result.cause != cause for result in results):
        words = f"{len(bad)} of {len(results)} {what}: {cause}"
        cause = remark("of_logs", words)
    return Verdict(status, cause)


def _details(results: Sequence[Result]) -> dict[str, Any]:
    """The details that are known, of the one log, or a list of each over the logs."""
    if len(results) == 1:
        details = results[0].details
        return {name: value for name, value in details.items() if value is not None}
    names = dict.fromkeys(name for result in results for name in result.details)
    each = {name: [result.details.get(name) for result in results] for name in names}
    return {
        name: values[0] if values.count(values[0]) == len(values) else values
        for name, values in each.items()
        if any(value is not None for value in values)
    }


def _circumstances(results: Sequence[Result]) -> Circumstances:
    cpus: dict[str, int] = {}
    for role, number in (each for r in results for each in r.role_cpus.items()):
        cpus[role] = max(number, cpus.get(role, 0))
    starts = [r.local_start for r in results if r.local_start]
    sizes = [r.details["mss"] for r in results if r.details.get("mss")]
    kernels = [r.details["kernel"] for r in results if r.details.get("kernel")]
    if not (cpus or starts or sizes or kernels):
        return UNTOLD
    return Circumstances(
        local_start=min(starts, default=None),
        mss=max(sizes, default=None),
        release=min(kernels, default=None),
        role_cpus=cpus or None,
    )
