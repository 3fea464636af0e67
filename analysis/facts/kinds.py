"""Every kind of remark that several places make or that has a name and a note for
readers, with its words: the one registry.

What is wrong in raw files is in :mod:`analysis.facts.problem_kinds`, the rest is here.
A kind has ``words`` that tell what was seen: a format of the remark's values, or a
function where a format cannot say it; ``{range}`` is ``low`` to ``high``. A warning has
a ``name`` for lists too, and a ``note``, one sentence for readers below a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from analysis.facts.kind import Kind, Values
from analysis.facts.problem_kinds import PROBLEMS
from analysis.facts.units import format_number, format_percent, format_value

_DO_NOT_FIT = "CPU time and clock ticks disagree in some runs."
_TICKS = "The clock ticks do not add up to the elapsed time."
_NO_FIT = "Rate and latency disagree in some runs."
_AT_ONCE = (
    "Several loads ran on the system at the same time: its CPU time is divided by the "
    "transactions of all."
)
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


def _mixture(values: Values) -> str:
    counts = zip(values["names"], values["counts"], values["of"], strict=True)
    shares = " and ".join(f"{n} of {of} runs of {name}" for name, n, of in counts)
    near = " and ".join(format_number(values[side]) for side in ("lower", "upper"))
    return f"the runs have modes near {near}; {shares} are in the upper one"


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


def _of_list(words: str, name: str) -> Callable[[Values], str]:
    return lambda values: words.format(", ".join(values[name]))


def _beside(words: str) -> Callable[[Values], str]:
    def described(values: Values) -> str:
        others = " and ".join(values["workloads"])
        return f"{others} ran at the same time: {words.format_map(values)}"

    return described


def _ends_words(values: Values) -> str:
    parts = {"first": values["warm_up"], "last": values["cut_off"]}
    return " and ".join(f"the {part} {of:g} s" for part, of in parts.items() if of)


def _lost(values: Values) -> str:
    ends = [f"{values[end]:,.0f}" for end in ("low", "high") if end in values]
    count = " to ".join(dict.fromkeys(ends)) or "more than 65,535"
    return (
        f"SMF of {values['system']} lost {count} records at that time: what they would "
        "have told is missing"
    )


KINDS: Mapping[str, Kind] = {
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
    "none_at_all": Kind(
        "0 in all {n} runs: the interval's end is what so many runs leave possible",
        "0 in all runs",
        "There was none in any run.",
    ),
    "from_none": Kind(
        "0 in all runs of {baseline}: there is no ratio; interval and test add half an "
        "event to each side",
        "from 0",
        "There was none in any run of the baseline: no percentage.",
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
    "exaggerated": Kind(
        "only just significant: of true changes of this size {chance:.0%} would be, so "
        "that what is seen is likely larger than what is true",
        "just significant",
        "Only just significant: the change is likely smaller than it looks.",
    ),
    "same_order": Kind(
        "in every session {first} ran before {then}",
        "same order",
        "In every session one configuration ran before the other: a drift within a "
        "session would look like a change.",
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
    "mixture": Kind(
        _mixture,
        "mixture",
        "The runs of both sides fall into the same two groups, in other shares: the "
        "change may be one of shares alone.",
    ),
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
    "level_within": Kind(
        "the level changes inside the run, to {range} times of what it was",
        "level in a run",
        "The level changes inside runs: their means are of neither level.",
    ),
    "warm_up": Kind(
        "the first {range} s differ from what follows, and are in the value",
        "warm-up",
        "Runs begin at another level, which is in their values: a warm-up that is not "
        "declared.",
    ),
    "ends_left_out": Kind(
        lambda values: f"as declared without {_ends_words(values)}, from intervals",
        "left out",
        "The declared warm-up or end of each run is left out.",
    ),
    "ends_in": Kind(
        lambda values: f"{_ends_words(values)}, declared to be left out, are in it",
        "warm-up in it",
        "The declared warm-up or end of runs is in the value, as intervals do not tell "
        "it apart.",
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
    "overlap": Kind(
        "no interval lies wholly inside the run; counted by share, coverage {range}",
        "overlap",
        "CPU intervals lie in the runs for the most part, not wholly.",
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
        "an idle load of {cpus:g} processors is subtracted",
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
        "{fewest:g} to {most:g} processors were online in the runs of this "
        "configuration",
        "not comparable",
        "The number of processors changed: the runs cannot be compared.",
        voids=True,
    ),
    "lost": Kind(
        _lost,
        "SMF data lost",
        "SMF lost records while some runs were made: their values may lack some.",
    ),
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
    "predicted": Kind("{model}: {reason}", "predicted", "Predicted, not measured."),
    **PROBLEMS,
}
