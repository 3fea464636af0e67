"""Every kind of remark that any stage can make, with its words: the only place of them.

A kind has a ``name`` for lists, ``words`` that tell what was seen (a format of the
remark's values, or a function where a format cannot say it), and a ``note``, one
sentence for readers below a table. ``{range}`` is ``low`` to ``high``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from analysis.units import format_number

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """One kind of remark; one that ``voids`` leaves a change without a verdict."""

    name: str
    words: str | Callable[[Values], str]
    note: str
    voids: bool = False

    def describe(self, values: Values) -> str:
        """The words with the values in their places."""
        if callable(self.words):
            return self.words(values)
        if "low" in values:
            values = {**values, "range": _range(values["low"], values["high"])}
        return self.words.format_map(values)


def _range(low: float, high: float) -> str:
    first, last = f"{low:.3g}", f"{high:.3g}"
    return first if first == last else f"{first} to {last}"


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


def _of_list(words: str, name: str) -> Callable[[Values], str]:
    return lambda values: words.format(", ".join(values[name]))


def _beside(words: str) -> Callable[[Values], str]:
    def described(values: Values) -> str:
        others = " and ".join(values["workloads"])
        return f"{others} ran at the same time: {words.format_map(values)}"

    return described


_SCATTER = {
    "few": Kind(
        "few", "n = {n}; an interval needs n ≥ {least}", "Too few runs for an interval."
    ),
    "untested": Kind(
        "not tested",
        "n = {n}; a test needs n ≥ {least}",
        "Observed, not tested: too few runs.",
    ),
    "bimodal": Kind("bimodal", _modes, "The runs fall into two groups."),
    "noisy": Kind(
        "noisy",
        "standard deviation is {variation:.0%} of the mean",
        "The runs scatter widely.",
    ),
    "outlier": Kind("outlier", _outliers, "A run lies far from the others."),
    "excluded": Kind(
        "excluded", "{excluded} of {total} runs failed", "Runs that failed are not in."
    ),
    "missing": Kind(
        "missing",
        "{missing} of {total} runs lack this value",
        "Some runs lack this value.",
    ),
}
_DO_NOT_FIT = "CPU time and clock ticks disagree in some runs."
_TICKS = "The clock ticks do not add up to the time."
_GATES = {
    "degraded": Kind(
        "degraded", "{reason}", "Some runs had errors and were still of use."
    ),
    "little": Kind(
        "Little's law",
        "rate × latency ÷ clients is {range}, not within 1 ± {tolerance:g}",
        "Rate and latency do not fit together in every run.",
    ),
    "idle_before": Kind(
        "idle before",
        "{range} of the CPU time was idle before the run, less than {least:g}",
        "The machine was not idle before every run.",
    ),
    "few_ticks": Kind(
        "tick coverage",
        "{range} of the time is in clock ticks, less than {least:g}",
        _TICKS,
    ),
    "many_ticks": Kind(
        "tick coverage",
        "{range} of the time is in clock ticks, more than {most:g}",
        _TICKS,
    ),
    "against_ticks": Kind(
        "utilisation law",
        "rate × cost is {range} of the busy time in clock ticks, "
        "not within 1 ± {tolerance:g}",
        _DO_NOT_FIT,
    ),
    "against_utilisation": Kind(
        "utilisation law",
        "rate × cost is {range} of the utilisation, not within 1 ± {tolerance:g}",
        _DO_NOT_FIT,
    ),
}
_EVIDENCE = {
    "overlap": Kind(
        "overlap",
        "no interval lies inside the run; weighted by overlap, coverage {range}",
        "CPU intervals overlap the runs and do not lie inside them.",
    ),
    "types": Kind(
        "types",
        "{types} time was used and is not in here",
        "CPU time of another type is not in the value.",
    ),
    "normalisation": Kind(
        "normalisation",
        "no record tells the factor of zIIP time: no CP-equivalent cost",
        "No record tells how zIIP time counts in CP time.",
    ),
    "idle": Kind(
        "idle",
        "an idle load of {cpus:g} CPs is taken off",
        "An idle load is taken off.",
    ),
    "waits": Kind(
        "waits",
        "dispatch time holds waits, as with dedicated CPs or wait completion",
        "CPU time may hold waits.",
    ),
    "absent": Kind(
        "absent",
        _of_list("there is no interval of {}", "parts"),
        "Some parts of the CPU time were not recorded.",
    ),
    "uneven": Kind(
        "uneven",
        _of_list("the intervals of {} do not cover the same time", "parts"),
        "The parts of the CPU time do not cover the same time.",
    ),
    "capture": Kind(
        "capture ratio",
        "{range}% of the busy CP time is in the service classes, not {least:.0f} to "
        "{most:.0f}%: classes may be missing or counted twice",
        "Service classes and busy time do not fit together.",
    ),
}
_MACHINE = {
    "boost": Kind(
        "not comparable",
        lambda values: (
            f"System Recovery Boost was active ({', '.join(sorted(values['boosts']))})"
        ),
        "System Recovery Boost was active: the runs cannot be compared.",
        voids=True,
    ),
    "capacity": Kind(
        "not comparable",
        lambda values: f"the capacity changed between {' and '.join(values['states'])}",
        "The machine's capacity changed: the runs cannot be compared.",
        voids=True,
    ),
    "online": Kind(
        "not comparable",
        "{fewest:g} to {most:g} CPs were online in the runs of this configuration",
        "The number of CPs changed: the runs cannot be compared.",
        voids=True,
    ),
}
_AT_ONCE = "Another load ran on the system at the same time."
_BESIDE = {
    "beside_ticks": Kind(
        "side by side",
        _beside("clock ticks of the machine cannot confirm the CPU time"),
        _AT_ONCE,
    ),
    "beside_part": Kind(
        "side by side",
        _beside("all that {system} used for it counts here too"),
        _AT_ONCE,
    ),
    "beside_whole": Kind(
        "side by side", _beside("all CPU time of {system} counts here"), _AT_ONCE
    ),
}
_PREDICTED = {
    "predicted": Kind("predicted", "{model}: {reason}", "Predicted, not measured."),
    "extrapolated": Kind(
        "extrapolated", "{beyond}", "It lies outside of the model's range."
    ),
}
KINDS: Mapping[str, Kind] = {
    **_SCATTER,
    **_GATES,
    **_EVIDENCE,
    **_MACHINE,
    **_BESIDE,
    **_PREDICTED,
}
