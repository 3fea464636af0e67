"""What a change asks for: runs, sessions and hours; and the order of the runs.

Both sides are measured in each session, in rounds: a round has a run of each workload
on each side, in an order of its own. So whatever drifts meets all alike, and a session
is compared within itself, as verdicts do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from analysis.plan.pilot import Scatter
from analysis.statistics.median_change import STATISTIC
from analysis.statistics.power import POWER, ChangeRule, median_error, welch_degrees
from analysis.statistics.ranks import SIGNIFICANT, Adjustment, can_tell

MOST_RUNS, MOST_SESSIONS = 10_000, 40
ORDER = ("order", "session", "round", "configuration", "workload", "repetition")


@dataclass(frozen=True)
class FamilyRule:
    """The comparisons that are judged together."""

    comparisons: int
    adjust: Adjustment

    @property
    def level(self) -> float:
        """The p-value that a change must not exceed, where no other is one."""
        return SIGNIFICANT / self.comparisons


@dataclass(frozen=True)
class Wanted:
    """A change that is to be seen, and the limit from which on one counts, in percent;
    ``sessions`` are as many as are to be, None for the fewest hours."""

    change: float
    limit: float
    family: FamilyRule
    sessions: int | None = None


@dataclass(frozen=True)
class Times:
    """The seconds from the start of a run to the next one, and those that a session
    takes before its first run."""

    run: float
    session: float


@dataclass(frozen=True)
class RunPlan:
    """What a change asks for: ``runs`` a side of each workload, over all ``sessions``.

    ``unseen`` are the workloads of which no number of runs shows it. ``hours`` where
    times are known.
    """

    wanted: Wanted
    sides: int
    sessions: int
    runs: Mapping[str, int]
    unseen: tuple[str, ...] = ()
    hours: float | None = None

    @property
    def all_runs(self) -> int:
        """All runs of all sides."""
        return self.sides * sum(self.runs.values())


def chance(scatter: Scatter, runs: int, sessions: int, wanted: Wanted) -> float:
    """The power of so many runs a side, over so many sessions, to show the change."""
    family = wanted.family
    shift, limit = math.log1p(wanted.change / 100), math.log1p(wanted.limit / 100)
    if sessions > 1:  # a session counts once, by the medians of its runs
        each = runs // sessions
        explained = 2 * (scatter.within * median_error(each)) ** 2 / each
        error = math.sqrt(((scatter.between or 0.0) ** 2 + explained) / sessions)
        return ChangeRule(error, sessions - 1, family.level, limit).power(shift)
    fit = runs >= STATISTIC.smallest
    if not (fit and can_tell(runs, runs, family.comparisons, family.adjust)):
        return 0.0
    error, degrees = scatter.within * math.sqrt(2 / runs), welch_degrees(runs)
    more = limit, median_error(runs), (runs, runs)
    return ChangeRule(error, degrees, family.level, *more).power(shift)


def runs_needed(scatter: Scatter, sessions: int, wanted: Wanted) -> int | None:
    """The fewest runs a side, equal for all sessions, with a power of four fifths; None
    where more than ten thousand have less."""

    def enough(each: int) -> bool:
        runs = each * sessions
        return (
            runs >= STATISTIC.smallest
            and chance(scatter, runs, sessions, wanted) >= POWER
        )

    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
        if high * sessions > MOST_RUNS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high * sessions


def plan(
    scatters: Sequence[Scatter], sides: int, wanted: Wanted, times: Times | None
) -> RunPlan:
    """The plan that shows the change of most workloads in the fewest hours, or with the
    fewest runs where no time is known.

    A workload has the runs that the metric needs which scatters most. Where nothing
    tells how sessions differ there is one, if no other number is wanted.
    """
    several = all(scatter.between is not None for scatter in scatters)
    counts: Iterable[int] = range(2, MOST_SESSIONS + 1) if several else [1]
    counts = [wanted.sessions] if wanted.sessions else counts
    plans = [_plan(scatters, sides, sessions, wanted, times) for sessions in counts]
    return min(plans, key=lambda p: (len(p.unseen), p.hours or 0.0, p.all_runs))


def _plan(
    scatters: Sequence[Scatter],
    sides: int,
    sessions: int,
    wanted: Wanted,
    times: Times | None,
) -> RunPlan:
    needed: dict[str, list[int | None]] = {}
    for scatter in scatters:
        runs = runs_needed(scatter, sessions, wanted)
        needed.setdefault(scatter.workload, []).append(runs)
    unseen = tuple(workload for workload, runs in needed.items() if None in runs)
    seen = {w: max(filter(None, n)) for w, n in needed.items() if w not in unseen}
    plan = RunPlan(wanted, sides, sessions, seen, unseen)
    if times is None or not seen:
        return plan
    seconds = plan.all_runs * times.run + sessions * times.session
    return replace(plan, hours=seconds / 3600)


def shuffled(
    plan: RunPlan, sides: Sequence[str], seed: int, together: bool = False
) -> list[dict[str, object]]:
    """The runs of a plan in their order, as rows of :data:`ORDER`.

    A workload that needs fewer runs than others sits out some rounds of each session,
    spread over them. ``together``: in a round, all runs of a side are made one after
    another, as where it is slow to change sides.
    """
    random, made = Random(seed), Counter[tuple[str, str]]()  # noqa: S311
    rows: list[dict[str, object]] = []
    each = {load: runs // plan.sessions for load, runs in plan.runs.items()}
    rounds = max(each.values(), default=0)
    for nth in range(rounds * plan.sessions):
        at = nth % rounds
        due = [w for w, n in each.items() if (at + 1) * n // rounds > at * n // rounds]
        pairs = [(side, workload) for side in sides for workload in due]
        random.shuffle(pairs)
        if together:
            turns = random.sample(sides, len(sides))
            pairs.sort(key=lambda pair: turns.index(pair[0]))
        for pair in pairs:
            made[pair] += 1
            place = (len(rows) + 1, nth // rounds + 1, nth + 1)
            rows.append(dict(zip(ORDER, (*place, *pair, made[pair]), strict=True)))
    return rows


def by_workload(scatters: Iterable[Scatter]) -> dict[str, Scatter]:
    """Of each workload the metric that scatters most."""
    widest: dict[str, Scatter] = {}
    for one in scatters:
        other = widest.setdefault(one.workload, one)
        if (one.between or 0.0, one.within) > (other.between or 0.0, other.within):
            widest[one.workload] = one
    return widest
