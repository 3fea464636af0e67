"""Figures of a log that must bear each other out, and numbers that no tool prints."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.facts.remark import at_line, remark
from analysis.ingest.logs.text import decode, quoted
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Problem, Reading, Verdict

FIGURES = (
    "rate",
    "bytes_per_second",
    "latency_mean_us",
    "latency_p50_us",
    "latency_p90_us",
    "latency_p99_us",
    "latency_p999_us",
    "latency_max_us",
    "latency_deviation_us",
    "jitter_us",
)
MEASURED = ("seconds", *FIGURES)
"""What only a sound log has; all else of a row are counts."""
MOST_ERRORS = 0.01
"""Share of errors beyond which a run did not do its workload and has failed."""
WRONG = 0.1
"""Share by which two figures of a log may differ before neither can be believed."""
_UNDER_WAY = 2**24  # bytes sent in omitted seconds that may arrive after these
# 19 digits may be beyond 64 bits; a power of three digits may be beyond a float.
_HUGE = re.compile(r"\d{19,}|\d[eE]\+?\d{3}", re.ASCII)
Amount = tuple[float, float]  # seconds, and what was counted in them


def errors_verdict(errors: int, total: int, what: str) -> Verdict:
    """``failed`` if all or too many of ``total`` went wrong, ``degraded`` if some did;
    ``what`` are words such as ``requests failed``."""
    if total <= 0:
        return Verdict("failed", remark("no_operation_ended"))
    if errors >= total:
        return Verdict("failed", remark("all_failed", f"all {total:,} {what}"))
    if not errors:
        return Verdict("ok")
    cause = remark("some_failed", f"{errors:,} of {total:,} {what}")
    return Verdict("failed" if errors > MOST_ERRORS * total else "degraded", cause)


def contradiction(
    what: str,
    printed: float,
    computed: float,
    by: float,
    step: float = 0.0,
    source: str = "its counts",
    wrong: float = WRONG,
) -> Verdict:
    """Whether two figures of a log agree, of which one comes from ``source``:
    ``degraded`` where they differ by more than a share ``by`` and a rounding of
    ``step``, ``failed`` beyond a share ``wrong``."""
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
    return Verdict("failed" if apart > max(by, wrong) * largest else "degraded", cause)


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


def hold_little(row: Mapping[str, Any], by: float = 0.1) -> Verdict:
    """Whether rate × latency ÷ clients is 1 within a share ``by``, as it is where each
    client waits for its answer (Little's law)."""
    known = [row.get(name) for name in ("rate", "latency_mean_us", "clients")]
    if not all(known):
        return Verdict("ok")
    little = row["rate"] * row["latency_mean_us"] / 1e6 / row["clients"]
    if agree(little, 1, by):
        return Verdict("ok")
    return Verdict("degraded", remark("little_not_1", little=little))


def agree(one: float, other: float, tolerance: float) -> bool:
    """Whether two ways to the same figure differ by no more than that share."""
    return abs(one - other) <= tolerance * max(abs(one), abs(other))


def is_twice(lines: Sequence[str]) -> bool:
    """Whether the second half of a log says the same as the first."""
    written = [line for line in lines if line]
    half, odd = divmod(len(written), 2)
    return half > 0 and not odd and written[:half] == written[half:]


def has_odd_figures(reading: Reading) -> bool:
    """Whether a result has a figure that is not finite."""
    return any(
        (value := row[name]) is not None and not math.isfinite(value)
        for row in reading.results
        for name in MEASURED
    )


def refuse_huge(raw: RawFile, format: str) -> Reading | None:
    """The file as one that failed for its first number of hundreds of digits, beyond 64
    bits or not finite, whatever its reader made of it; null where it has none."""
    text = decode(raw.read_bytes())
    match = _HUGE.search(text)
    if match is None:
        return None
    line = text.count("\n", 0, match.start()) + 1
    cause = remark("out_of_bounds", text=quoted(match[0]))
    problems = [Problem(cause, line)]
    return Reading(
        format, status="failed", cause=at_line(line, cause), problems=problems
    )
