"""What is to be said of samples of runs and of their comparison, with its words."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.kind import Kind, Values
from analysis.facts.units import format_number, format_percent, format_value

_FIRST = 4  # blocks that are named
_UNITS = {"s": "seconds", "ms": "milliseconds", "µs": "microseconds"}
_ALIKE = (
    "neighbours correlate by {correlation:.2f}: {runs_as_one:.1f} runs count as one"
)
_IN_BLOCKS = (
    "The runs came in blocks, not shuffled: interval and test leave room for a drift."
)


def _modes(values: Values) -> str:
    sides = (
        f"{values[f'{side}_runs']} runs near {format_number(values[side])}"
        for side in ("lower", "upper")
    )
    return ", ".join(sides)


def _outliers(values: Values) -> str:
    pairs = zip(values["named"], values["distances"], strict=True)
    named = ", ".join(f"{run} ({distance:.1f} MAD)" for run, distance in pairs)
    rest = format_number(values["median_without"])
    return f"{named}; the median without would be {rest}"


def _blocks(values: Values) -> str:
    pairs = list(zip(values["lengths"], values["sides"], strict=True))
    order = ", then ".join(f"{length} of {side}" for length, side in pairs[:_FIRST])
    more = "" if len(pairs) <= _FIRST else ", and so on"
    return f"the runs came in blocks, {order}{more}"


def _tools(values: Values) -> str:
    pairs = zip(values["names"], values["tools"], strict=True)
    return ", ".join(f"{name} was loaded by {tool}" for name, tool in pairs)


def _steps(values: Values) -> str:
    step, unit = values["resolution"], values["unit"]
    steps = f"steps of {format_value(step, unit)}"
    if step == 1 and unit in _UNITS:
        steps = f"whole {_UNITS[unit]}"
    hidden = format_percent(values["hidden"]).lstrip("+")
    what = f"{values['metric']} is told in {steps}"
    return f"{what}, so a change below {hidden} cannot be seen"


SAMPLES: Mapping[str, Kind] = {
    "resolution": Kind(
        _steps,
        "resolution",
        "The source tells too few digits for a verdict on this change.",
    ),
    "equal": Kind(
        "all runs have the same value, and nothing tells its resolution: no interval",
        "equal runs",
        "All runs have the same value: an interval needs the source's resolution.",
    ),
    "few": Kind(
        "n = {n}; an interval needs n ≥ {least}", "few", "Too few runs for an interval."
    ),
    "untested": Kind(
        "n = {n}; a test needs n ≥ {least}",
        "not tested",
        "Observed, not tested: too few runs.",
    ),
    "few_for_all": Kind(
        "n = {n}; among {comparisons} comparisons a change needs n ≥ {least}",
        "few for a verdict",
        "Too few runs for a verdict among so many comparisons.",
    ),
    "in_blocks": Kind(_blocks, "in blocks", _IN_BLOCKS),
    "alike": Kind(
        lambda values: f"{_blocks(values)}; {_ALIKE.format_map(values)}",
        "alike runs",
        f"{_IN_BLOCKS} Neighbouring runs are alike and count for fewer.",
    ),
    "order_unknown": Kind(
        f"no start tells the order of the runs; {_ALIKE}",
        "order unknown",
        "The order of the runs is unknown: they may not have been shuffled.",
    ),
    "neighbours": Kind(
        _ALIKE, "alike runs", "Neighbouring runs are alike and count for fewer."
    ),
    "tools": Kind(
        _tools,
        "other tool",
        "The two sides were loaded by different tools, which may explain the change.",
    ),
    "drift": Kind(
        "the runs drift by {percent:+.1f}% from the first to the last",
        "drift",
        "The runs drift with time.",
    ),
    "bimodal": Kind(_modes, "bimodal", "The runs fall into two groups."),
    "noisy": Kind(
        "standard deviation is {variation:.0%} of the mean",
        "noisy",
        "The runs scatter widely.",
    ),
    "outlier": Kind(_outliers, "outlier", "A run lies far from the others."),
    "excluded": Kind(
        "{excluded} of {total} runs failed", "excluded", "Failed runs are left out."
    ),
    "missing": Kind(
        "{missing} of {total} runs lack this value",
        "missing",
        "Some runs lack this value.",
    ),
}
