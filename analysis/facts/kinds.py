"""Every kind of remark that any stage can make, with its words: the one registry.

What is wrong in raw files is in :mod:`analysis.facts.problem_kinds`, what is to be said
of samples of runs in :mod:`analysis.facts.sample_kinds`, the rest is here.
A kind has ``words`` that tell what was seen: a format of the remark's values, or a
function where a format cannot say it; ``{range}`` is ``low`` to ``high``. A warning has
a ``name`` for lists too, and a ``note``, one sentence for readers below a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from analysis.facts.kind import Kind, Values
from analysis.facts.problem_kinds import PROBLEMS
from analysis.facts.sample_kinds import SAMPLES


def _of_list(words: str, name: str) -> Callable[[Values], str]:
    return lambda values: words.format(", ".join(values[name]))


def _beside(words: str) -> Callable[[Values], str]:
    def described(values: Values) -> str:
        others = " and ".join(values["workloads"])
        return f"{others} ran at the same time: {words.format_map(values)}"

    return described


_DO_NOT_FIT = "CPU time and clock ticks disagree in some runs."
_TICKS = "The clock ticks do not add up to the elapsed time."
_NO_FIT = "Rate and latency disagree in some runs."
_GATES = {
    "degraded": Kind("{reason}", "degraded", "Some runs had errors but were usable."),
    "little": Kind(
        "rate × latency ÷ clients is {range}, not within 1 ± {tolerance:g}",
        "Little's law",
        _NO_FIT,
    ),
    "little_thinking": Kind(
        "rate × (latency + think time) ÷ clients is {range}, "
        "not within 1 ± {tolerance:g}",
        "Little's law",
        _NO_FIT,
    ),
    "idle_before": Kind(
        "{range} of the CPU time was idle before the run, less than {least:g}",
        "idle before",
        "The machine was not idle before every run.",
    ),
    "few_ticks": Kind(
        "{range} of the time is in clock ticks, less than {least:g}",
        "tick coverage",
        _TICKS,
    ),
    "many_ticks": Kind(
        "{range} of the time is in clock ticks, more than {most:g}",
        "tick coverage",
        _TICKS,
    ),
    "against_ticks": Kind(
        "rate × cost is {range} of the busy time in clock ticks, "
        "not within 1 ± {tolerance:g}",
        "utilisation law",
        _DO_NOT_FIT,
    ),
    "against_utilisation": Kind(
        "rate × cost is {range} of the utilisation, not within 1 ± {tolerance:g}",
        "utilisation law",
        _DO_NOT_FIT,
    ),
}
_EVIDENCE = {
    "overlap": Kind(
        "no interval lies inside the run; weighted by overlap, coverage {range}",
        "overlap",
        "CPU intervals overlap the runs but do not lie inside them.",
    ),
    "types": Kind(
        "{types} time was used and is not in here",
        "types",
        "CPU time of another processor type is not included.",
    ),
    "normalisation": Kind(
        "no record tells the factor of zIIP time: no CP-equivalent cost",
        "normalisation",
        "The factor of zIIP time is not recorded.",
    ),
    "idle": Kind(
        "an idle load of {cpus:g} CPs is subtracted",
        "idle",
        "The idle load is subtracted.",
    ),
    "waits": Kind(
        "dispatch time holds waits, as with dedicated CPs or wait completion",
        "waits",
        "CPU time may include waits.",
    ),
    "absent": Kind(
        _of_list("there is no interval of {}", "parts"),
        "absent",
        "Some parts of the CPU time were not recorded.",
    ),
    "uneven": Kind(
        _of_list("the intervals of {} do not cover the same time", "parts"),
        "uneven",
        "The parts of the CPU time cover different times.",
    ),
    "parts": Kind(
        "the parts of the system used {range} of its CPU time, "
        "not within 1 ± {tolerance:g}",
        "parts and whole",
        "The parts of the system do not add up to the whole.",
    ),
    "capture": Kind(
        "{range}% of the busy CP time is in the service classes, not {least:.0f} to "
        "{most:.0f}%: classes may be missing or counted twice",
        "capture ratio",
        "Service classes and busy time disagree.",
    ),
}


def _lost(values: Values) -> str:
    ends = [f"{values[end]:,.0f}" for end in ("low", "high") if end in values]
    count = " to ".join(dict.fromkeys(ends)) or "more than 65,535"
    return (
        f"SMF of {values['system']} lost {count} records at that time: what they would "
        "have told is missing"
    )


_MACHINE = {
    "boost": Kind(
        lambda values: (
            f"System Recovery Boost was active ({', '.join(sorted(values['boosts']))})"
        ),
        "not comparable",
        "System Recovery Boost was active: the runs cannot be compared.",
        voids=True,
    ),
    "capacity": Kind(
        lambda values: f"the capacity changed between {' and '.join(values['states'])}",
        "not comparable",
        "The machine's capacity changed: the runs cannot be compared.",
        voids=True,
    ),
    "online": Kind(
        "{fewest:g} to {most:g} CPs were online in the runs of this configuration",
        "not comparable",
        "The number of CPs changed: the runs cannot be compared.",
        voids=True,
    ),
}
_LOST = {
    "lost": Kind(
        _lost,
        "SMF data lost",
        "SMF lost records while some runs were made: their values may lack some.",
    )
}
_AT_ONCE = (
    "Several loads ran on the system at the same time: its CPU time is divided by the "
    "transactions of all."
)
_BESIDE = {
    "beside_ticks": Kind(
        _beside("clock ticks of the machine cannot confirm the CPU time"),
        "side by side",
        "Another load ran on the system at the same time.",
    ),
    "beside_part": Kind(
        _beside("the part of {system} is divided by the transactions of all"),
        "side by side",
        _AT_ONCE,
    ),
    "beside_whole": Kind(
        _beside("the CPU time of {system} is divided by the transactions of all"),
        "side by side",
        _AT_ONCE,
    ),
}
_PREDICTED = {
    "predicted": Kind("{model}: {reason}", "predicted", "Predicted, not measured."),
    "extrapolated": Kind("{beyond}", "extrapolated", "Outside the range of the model."),
}
KINDS: Mapping[str, Kind] = {
    **SAMPLES,
    **_GATES,
    **_EVIDENCE,
    **_MACHINE,
    **_LOST,
    **_BESIDE,
    **_PREDICTED,
    **PROBLEMS,
}
