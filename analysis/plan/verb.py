"""Plan a campaign: how many runs, sessions and hours a change needs to be seen.

How runs scatter is told by a pilot or an older campaign, or guessed. The answer holds
for the verdicts of a report: a change of that size is called one in four of five
campaigns. '--order' writes the order of all runs, shuffled in rounds, for a script to
follow; '--picture' draws which changes so many runs show.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from analysis.declared.workload import parse_workload
from analysis.errors import user_error
from analysis.facts.sentences import listed
from analysis.facts.units import how_many
from analysis.files.atomic import write_text
from analysis.files.csv_text import csv_text
from analysis.plan.design import (
    MOST_RUNS,
    ORDER,
    FamilyRule,
    RunPlan,
    Times,
    Wanted,
    by_workload,
    chance,
    plan,
    shuffled,
)
from analysis.plan.pilot import Asked, Pilot, Scatter, read_pilot
from analysis.statistics.power import POWER
from analysis.statistics.ranks import Adjustment

_CHANGES = (2.0, 5.0, 10.0)
_SIDES = ("before", "after")
_HALF = 2  # a change counts from half of it on, if no limit is named
_ADJUSTMENTS: tuple[Adjustment, ...] = ("holm", "benjamini-hochberg")
_NONE = "–"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How runs scatter, what is to be seen, and what is to be written."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument(
        "--campaign", type=Path, help="a pilot or an older campaign, raw/<campaign>"
    )
    source.add_argument(
        "--spread", type=_percent, metavar="PERCENT",
        help="a guess: the standard deviation of the runs of a session",
    )  # fmt: skip
    parser.add_argument(
        "--between", type=_percent, metavar="PERCENT",
        help="a guess: that of a change from session to session",
    )  # fmt: skip
    parser.add_argument(
        "--change", type=_percent, nargs="+", default=list(_CHANGES),
        metavar="PERCENT", help="what is to be seen (default: 2 5 10)",
    )  # fmt: skip
    parser.add_argument("--sides", nargs="+", default=[], help="configurations")
    parser.add_argument("--workloads", nargs="+", default=[], help="names or patterns")
    parser.add_argument("--metrics", nargs="+", default=[], help="ids (default: all)")
    parser.add_argument(
        "--comparisons", type=_count,
        help="how many are judged together (default: those of the campaign, or 1)",
    )  # fmt: skip
    parser.add_argument("--adjust", choices=_ADJUSTMENTS, default="holm")
    parser.add_argument(
        "--limit", type=_percent, metavar="PERCENT",
        help="from which a change counts, noise: floor (default: half the change)",
    )  # fmt: skip
    parser.add_argument("--sessions", type=_count, help="as many (default: the best)")
    parser.add_argument(
        "--seconds", type=_percent, help="from the start of a run to that of the next"
    )
    parser.add_argument(
        "--setup", type=_percent, default=10.0, metavar="MINUTES",
        help="what a session takes before its first run (default: 10)",
    )  # fmt: skip
    parser.add_argument("--order", type=Path, help="write the order of the runs, CSV")
    parser.add_argument(
        "--together", action="store_true",
        help="in a round, all runs of a side one after another",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of the order (default: 1)")
    parser.add_argument("--picture", type=Path, help="draw power over change, SVG")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the plans and write what is asked for; 2 where no number of runs shows any
    of the changes."""
    pilot = _pilot(args)
    family = FamilyRule(args.comparisons or pilot.comparisons, args.adjust)
    seconds = args.seconds or pilot.seconds
    times = Times(seconds, args.setup * 60) if seconds else None
    plans = [
        plan(
            pilot.scatters,
            len(pilot.sides),
            Wanted(change, _limit(args, change), family, args.sessions),
            times,
        )
        for change in sorted(set(args.change))
    ]
    possible = [one for one in plans if one.runs]
    if args.order:
        _write_order(args, possible, pilot)
    if args.picture:
        _write_picture(args.picture, possible, pilot)
    if args.json:
        print(json.dumps(as_json(pilot, plans), ensure_ascii=False, indent=1))
    else:
        print(*text_lines(pilot, plans, times), sep="\n")
        print(
            *(f"wrote {path}" for path in (args.order, args.picture) if path), sep="\n"
        )
    return 0 if possible else 2


def _percent(text: str) -> float:
    """A number above zero, with or without a per cent sign."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def _count(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 10,000")
    return int(text)


def _limit(args: argparse.Namespace, change: float) -> float:
    return float(args.limit or change / _HALF)


def _pilot(args: argparse.Namespace) -> Pilot:
    """What is known of the runs: by a campaign, or by a guess for each workload."""
    if args.campaign:
        if args.between:
            mend = "leave it out: the campaign tells it, where its runs have sessions"
            raise user_error("--between goes with --spread", mend=mend)
        return read_pilot(
            args.campaign, Asked(args.sides, args.workloads, args.metrics)
        )
    between = None if args.between is None else math.log1p(args.between / 100)
    within = math.log1p(args.spread / 100)
    loads = [_workload(name) for name in args.workloads] or [""]
    scatters = tuple(Scatter(load, "", within, between) for load in loads)
    return Pilot("", 0, tuple(args.sides) or _SIDES, scatters, 1)


def _workload(name: str) -> str:
    try:
        return parse_workload(name).name
    except ValueError as error:
        raise user_error(str(error), mend="write it as RR10(100B)") from None


def _write_order(
    args: argparse.Namespace, plans: Sequence[RunPlan], pilot: Pilot
) -> None:
    """The order of the only change that is asked for."""
    if len(args.change) > 1:
        mend = f"name one of them: --change {max(args.change):g}"
        raise user_error("an order is of one change", args.order, mend=mend)
    if not all(scatter.workload for scatter in pilot.scatters):
        mend = 'name them: --workloads "RR10(100B)"'
        raise user_error("an order is of workloads", args.order, mend=mend)
    for one in plans:
        rows = shuffled(one, pilot.sides, args.seed, args.together)
        write_text(args.order, csv_text(ORDER, rows))


def _write_picture(path: Path, plans: Sequence[RunPlan], pilot: Pilot) -> None:
    """A panel a workload, a line for the runs of each plan."""
    from analysis.plan.picture import Curve, power_picture  # plotnine takes a second

    most = 2 * max(one.wanted.change for one in plans) if plans else 0.0
    changes = [most * n / 100 for n in range(1, 101)]
    panels: dict[str, list[Curve]] = {}
    for workload, scatter in by_workload(pilot.scatters).items():
        for nth, one in enumerate(plans):
            if runs := one.runs.get(workload):
                name = f"{one.wanted.change:g}%: {how_many(runs, 'run')} a side"
                name += f" in {one.sessions} sessions" * (one.sessions > 1)
                line = [
                    chance(scatter, runs, one.sessions, replace(one.wanted, change=c))
                    for c in changes
                ]
                panels.setdefault(_about(scatter), []).append(Curve(nth, name, line))
    if panels:
        write_text(path, power_picture(panels, changes).decode())


def _about(scatter: Scatter) -> str:
    """``RR10(100B): latency scatters by 3.1%``, or ``runs scatter by 3%``."""
    name = ": ".join(filter(None, (scatter.workload, scatter.metric)))
    told = f"{name} scatters" if name else "runs scatter"
    between = scatter.between
    of_sessions = f", sessions by {_size(between)}" if between is not None else ""
    return f"{told} by {_size(scatter.within)}{of_sessions}"


def _size(spread: float) -> str:
    return f"{math.expm1(spread) * 100:.2g}%"


def text_lines(
    pilot: Pilot, plans: Sequence[RunPlan], times: Times | None
) -> Iterator[str]:
    """For a terminal: what is known, the runs of each workload, sessions and hours."""
    family = plans[0].wanted.family
    if pilot.name:
        yield f"{pilot.name}: {how_many(pilot.runs, 'run')} of {listed(pilot.sides)}"
    judged = how_many(family.comparisons, "comparison")
    yield f"{judged} judged together ({family.adjust}); power {POWER:.0%}"
    yield ""
    heads = [f"{one.wanted.change:g}%" for one in plans]
    rows = [["runs a side, for a change of", *heads]]
    for workload, scatter in by_workload(pilot.scatters).items():
        runs = [one.runs.get(workload) for one in plans]
        rows.append([_about(scatter), *(f"{n:,}" if n else _NONE for n in runs)])
    rows.append(["sessions", *(f"{p.sessions}" if p.runs else _NONE for p in plans)])
    rows.append(
        ["runs in all", *(f"{p.all_runs:,}" if p.runs else _NONE for p in plans)]
    )
    if times:
        hours = [_NONE if p.hours is None else f"{p.hours:,.1f}" for p in plans]
        rows.append([f"hours, at {times.run:.3g} s a run", *hours])
    rows.append(["a change counts from", *(f"{p.wanted.limit:g}%" for p in plans)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        ends = (c.rjust(w) for c, w in zip(rest, widths[1:], strict=True))
        yield "  ".join([first.ljust(widths[0]), *ends])
    yield ""
    yield from _notes(pilot, plans, times)


def _notes(
    pilot: Pilot, plans: Sequence[RunPlan], times: Times | None
) -> Iterator[str]:
    """What the numbers rest on, and what they do not say."""
    limit, family = plans[-1].wanted.limit, plans[-1].wanted.family
    noise = f"{{floor: {limit:g}, adjust: {family.adjust}}}"
    yield f"declare the last line in study.yaml, such as noise: {noise}"
    if any(one.unseen for one in plans):
        yield (
            f"{_NONE}: more than {MOST_RUNS:,} runs a side would not show it; the sums "
            "are without these"
        )
    if any(scatter.between is None for scatter in pilot.scatters):
        yield (
            "how sessions differ is not known: of one session nobody can tell what "
            "another start of the systems would bring"
        )
    if not times:
        yield "hours are not known: add --seconds, from the start of a run to the next"


def as_json(pilot: Pilot, plans: Sequence[RunPlan]) -> dict[str, Any]:
    """The object of ``--json``; spreads and changes in percent."""
    return {
        "campaign": pilot.name,
        "sides": list(pilot.sides),
        "power": POWER,
        "spreads": [
            {"workload": one.workload, "metric": one.metric}
            | {"within": math.expm1(one.within) * 100}
            | {"between": one.between and math.expm1(one.between) * 100}
            for one in pilot.scatters
        ],
        "plans": [
            {"change": one.wanted.change, "limit": one.wanted.limit}
            | asdict(one.wanted.family)
            | {"sessions": one.sessions, "runs": one.runs, "unseen": one.unseen}
            | {"all_runs": one.all_runs, "hours": one.hours}
            for one in plans
        ],
    }
