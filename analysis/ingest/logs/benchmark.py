"""From what a file with one log says to a :class:`Reading`.

Content decides whether a run happened. A log that failed or was cut off keeps a row
with its counts, and has no rate, latency or throughput.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import Remark, remark, together
from analysis.ingest.logs.text import LogText, UnreadableError
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Problem, Reading, Verdict
from analysis.ingest.tables.catalog import frame, result_row

MOST_ERRORS = 0.01
"""Share of errors beyond which a run did not do its workload and has failed."""
WRONG = 0.1
"""Share by which two figures of a log may differ before neither can be believed."""
_UNDER_WAY = 2**24  # bytes sent in omitted seconds that may arrive after these
FIGURES = (
    "rate",
    "bytes_per_second",
    "latency_mean_us",
    "latency_p50_us",
    "latency_p90_us",
    "latency_p99_us",
)


@dataclass
class LogOutcome:
    """What a log says: rows of ``benchmark``, and reasons why they may not be used.

    ``failed`` is stronger than ``truncated``, which is stronger than ``doubts``.
    ``tests`` are the outcomes of the log's tests, where each can be judged apart.
    """

    rows: list[dict[str, Any]] = field(default_factory=list)
    failed: Remark | None = None
    truncated: Remark | None = None
    doubts: list[Remark] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    records: dict[str, int] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)
    tool: str = ""
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    tests: dict[str, LogOutcome] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """The status, by the strongest reason there is."""
        if self.failed:
            return Verdict("failed", self.failed)
        if self.truncated:
            return Verdict("truncated", self.truncated)
        if self.doubts:
            return Verdict("degraded", together(self.doubts))
        return Verdict("ok")

    def take(self, part: LogOutcome) -> None:
        """Take over the reasons of a part of the log; the first failure is told."""
        self.failed = self.failed or part.failed
        self.truncated = self.truncated or part.truncated
        self.doubts += part.doubts

    def judge_errors(self, errors: int, total: int, what: str) -> None:
        """Fail the log if all or too many of ``total`` went wrong."""
        if total <= 0:
            self.failed = self.failed or remark("no_operation_ended")
        elif errors >= total:
            self.failed = self.failed or remark("all_failed", f"all {total:,} {what}")
        elif errors > MOST_ERRORS * total:
            self.failed = self.failed or remark(
                "some_failed", errors=errors, total=total, what=what
            )
        elif errors:
            self.doubts.append(
                remark("some_failed", errors=errors, total=total, what=what)
            )

    def compare(
        self, what: str, printed: float, computed: float, by: float, step: float = 0.0
    ) -> None:
        """Doubt the log if two figures of it differ by more than a share ``by``,
        where the printed one is rounded to ``step``; beyond ``WRONG`` fail it."""
        self.hold(contradiction(what, printed, computed, by, step))

    def hold(self, verdict: Verdict) -> None:
        """Doubt or fail the log as a verdict on a part of it says."""
        if verdict.status == "failed":
            self.failed = self.failed or verdict.cause
        elif verdict.cause:
            self.doubts.append(verdict.cause)


def contradiction(
    what: str,
    printed: float,
    computed: float,
    by: float,
    step: float = 0.0,
    source: str = "its counts",
) -> Verdict:
    """Whether two figures of a log agree, of which one comes from ``source``:
    ``degraded`` where they differ by more than a share ``by`` and a rounding of
    ``step``, ``failed`` beyond ``WRONG``."""
    apart = abs(printed - computed) - step
    largest = max(abs(printed), abs(computed))
    if not apart > by * largest:
        return Verdict("ok")
    cause = remark(
        "figures_contradict_each_other",
        what=what,
        printed=printed,
        computed=computed,
        source=source,
    )
    return Verdict("failed" if apart > max(by, WRONG) * largest else "degraded", cause)


Amount = tuple[float, float]  # seconds, and what was counted in them


def hold_intervals(parts: Sequence[Amount], totals: Sequence[Amount]) -> Verdict:
    """Whether the intervals of a log bear out its total, or the nearest of the totals
    of two sides.

    A short last interval may be missing. Where more are, the others must not exceed
    the total, and the log is ``degraded``: somebody took lines away.
    """
    if not parts or not totals:
        return Verdict("ok")
    covered, amount = (sum(each) for each in zip(*parts, strict=True))
    seconds, total = min(totals, key=lambda each: abs(each[1] - amount))
    lacks = covered < 0.99 * seconds - 0.5 * max(length for length, _ in parts)
    if not lacks or amount > total:
        step = total * max(0.0, 1 - covered / seconds) if seconds else 0.0
        source = "its intervals"
        verdict = contradiction("the total", total, amount, 0.05, step, source)
        if verdict.cause or not lacks:
            return verdict
    lacking = remark(
        "intervals_lack",
        f"its intervals tell of {covered:.4g} of {seconds:.4g} s: some are missing",
    )
    return Verdict("degraded", lacking)


def hold_sides(sent: float, received: float) -> Verdict:
    """Whether no more bytes arrived than were sent, and were under way before."""
    if not 0 < sent < received:
        return Verdict("ok")
    source = "what was sent"
    return contradiction("what arrived", received, sent, WRONG, _UNDER_WAY, source)


def hold_mean(row: Mapping[str, Any]) -> Verdict:
    """Whether a mean latency is at least half of the median: half of all are as long
    as the median, and none is negative. The median may be of whole milliseconds."""
    mean, median = row.get("latency_mean_us"), row.get("latency_p50_us")
    if mean is None or median is None or mean >= median / 2:
        return Verdict("ok")
    step = 250.0 if median % 1000 == 0 else 0.5
    source = "half its median"
    return contradiction("the mean latency", mean, median / 2, 0.02, step, source)


def read_benchmark(
    raw: Raw, name: str, tool: str, parse: Callable[[LogText], LogOutcome]
) -> Reading:
    """One log, read with ``parse``; a line that is not understood fails it."""
    reading = Reading(name, tool=tool)
    try:
        log = LogText(raw.read_bytes())
        outcome = parse(log)
    except UnreadableError as error:
        reading.judge("failed", error.at_line)
        reading.problems = [Problem(error.remark, error.line)]
        return reading
    if _is_twice(log.lines):
        outcome.failed = remark(
            "same_log_twice", "the same text twice in one file; keep it once"
        )
    fill(reading, outcome)
    return reading


def _is_twice(lines: Sequence[str]) -> bool:
    """Whether the second half of a log says the same as the first."""
    told = [line for line in lines if line]
    half, odd = divmod(len(told), 2)
    return half > 0 and not odd and told[:half] == told[half:]


def fill(reading: Reading, outcome: LogOutcome) -> None:
    """Status, rows and all else of an outcome."""
    reading.tool = outcome.tool or reading.tool
    for row in outcome.rows:
        verdict = hold_mean(row)
        outcome.hold(verdict)
        if own := outcome.tests.get(row.get("test") or ""):
            own.hold(verdict)
    reading.judge(*outcome.verdict)
    reading.verdicts = {test: own.verdict for test, own in outcome.tests.items()}
    for row in outcome.rows:
        status, _ = reading.verdict(row.get("test") or "")
        lost = dict.fromkeys(FIGURES) if status in ("failed", "truncated") else {}
        reading.results.append(result_row({"tool": reading.tool} | row | lost))
    for name, more in outcome.tables.items():
        if more:
            reading.tables[name] = frame(name, more)
    reading.problems = outcome.problems
    reading.records = outcome.records
    reading.details = outcome.details
