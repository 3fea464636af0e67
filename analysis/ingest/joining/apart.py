"""Which files of a table tell nothing in common, so that each has rows of its own.

Their rows are a file of the table by themselves, which stays when others come: a dump
more costs no more for all those before it. Files of other times are told apart by these
alone. Of dumps one behind the other some moments are in both, and rows of these are
looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import polars as pl

from analysis.files.mapped import give_back
from analysis.ingest.joining.choose import COMPARED, KEYS
from analysis.ingest.joining.preferred import (
    APART,
    begin_and_end,
    microseconds,
    moment,
)
from analysis.ingest.joining.repeated import ORIGIN
from analysis.ingest.tables.catalog import TABLES

Stretch = Sequence[int]  # the first and the last moment, in microseconds
Stretches = Mapping[str, Stretch]  # by system
ALWAYS: Stretch = (-(2**63), 2**63 - 1)  # of rows that tell no time
_PIECE = 1 << 18  # rows that are looked at together
_NEAR = 8  # files of one time that are looked at in pairs


def stretches(name: str, rows: pl.DataFrame) -> dict[str, Stretch]:
    """The time by which rows of a table are known apart, by system.

    It is that of their ends, as dumps hold what ended while they were written, whenever
    it began. Where rows of one time are chosen among, it is all of that time.
    """
    first, last = _time(name)
    unknown = (first.is_null() | last.is_null()).any()
    bounds = unknown.alias("_unknown"), first.min().alias("_a"), last.max().alias("_z")
    found: dict[str, Stretch] = {}
    for piece in rows.iter_slices(_PIECE):
        of_system = piece.group_by(_system(name).alias("_of")).agg(bounds)
        for system, untimed, *told in of_system.rows():
            a, z = ALWAYS if untimed else told
            known = found.get(system, (a, z))
            found[system] = min(a, known[0]), max(z, known[1])
        give_back()
    return found


def have_common(
    name: str,
    one: tuple[pl.DataFrame, Stretches],
    other: tuple[pl.DataFrame, Stretches],
) -> bool:
    """Whether any row of a table is in two files, or may be chosen of one of them."""
    shared = {
        system: (max(a, other[1][system][0]), min(z, other[1][system][1]))
        for system, (a, z) in one[1].items()
        if system in other[1]
    }
    shared = {system: (a, z) for system, (a, z) in shared.items() if a <= z}
    if name in COMPARED or ALWAYS in shared.values():
        return bool(shared)
    first, second = (_within(name, rows, shared) for rows, _ in (one, other))
    if first is None or second is None:
        return True
    return first.join(second, on=first.columns, nulls_equal=True).height > 0


def _within(
    name: str, rows: pl.DataFrame, shared: Mapping[str, Stretch]
) -> pl.DataFrame | None:
    """What tells rows of shared time apart from others; none of too many."""
    _, end = _time(name)
    told = KEYS.get(name)
    columns = [*told, "start_utc", "seconds"] if told else pl.exclude(*ORIGIN)
    ours = pl.any_horizontal(
        (_system(name) == system) & end.is_between(a, z)
        for system, (a, z) in shared.items()
    )
    found, count = list[pl.DataFrame](), 0
    for piece in rows.iter_slices(_PIECE):
        found.append(piece.filter(ours).select(columns))
        count += found[-1].height
        if count > _PIECE:
            return None
        give_back()
    return pl.concat(found)


def _system(name: str) -> pl.Expr:
    own = pl.col("system") if "system" in TABLES[name] else pl.lit(None, pl.String)
    return own.fill_null("")


def _time(name: str) -> tuple[pl.Expr, pl.Expr]:
    """The first and last moment of each row that no row of other files may have."""
    columns = TABLES[name]
    if name in COMPARED:
        begin, end = begin_and_end()
        return begin, end - APART - 1
    if "end_utc" in columns:
        return (moment("end_utc"),) * 2
    if "start_utc" not in columns:
        return (pl.lit(None, pl.Int64),) * 2
    lasted = pl.col("seconds") if "seconds" in columns else pl.lit(None, pl.Float64)
    end = moment("start_utc") + microseconds(lasted.fill_null(0.0))
    return end, end


def in_groups(
    name: str,
    parts: Sequence[pl.DataFrame],
    least: int,
) -> list[list[int]]:
    """The files of a table, by their places, in groups that have nothing in common, in
    the order of time.

    ``parts`` are the rows of each file. A group has ``least`` rows or more, but for the
    last.
    """
    times: list[Stretches] = [stretches(name, rows) for rows in parts]

    def common(one: int, other: int) -> bool:
        told = [(parts[nth], times[nth]) for nth in (one, other)]
        return have_common(name, *told)

    groups, count = [list[int]()], 0
    for some in _joined(times, common):
        if groups[-1] and count >= least:
            groups.append([])
            count = 0
        groups[-1] += some
        count += sum(parts[nth].height for nth in some)
    return [sorted(group) for group in groups]


def _joined(
    times: Sequence[Stretches], common: Callable[[int, int], bool]
) -> Iterator[list[int]]:
    """Files that have something in common, or with others that have; none without
    rows, as a table of nothing cannot be cut."""
    leader = list(range(len(times)))

    def led(nth: int) -> int:
        while leader[nth] != nth:
            nth = leader[nth]
        return nth

    for many, one, other in _meeting(times):
        if led(one) != led(other) and (many > _NEAR or common(one, other)):
            leader[led(other)] = led(one)
    together: dict[int, list[int]] = defaultdict(list)
    some = (nth for nth, told in enumerate(times) if told)
    for nth in sorted(some, key=lambda n: (_begin(times[n]), n)):
        together[led(nth)].append(nth)
    yield from together.values()


def _meeting(times: Sequence[Stretches]) -> Iterator[tuple[int, int, int]]:
    """Pairs of files that tell of one time of a system, and before each of how many
    files that time is."""
    of_system: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for nth, told in enumerate(times):
        for system, (begin, end) in told.items():
            of_system[system].append((begin, end, nth))
    for stretch_of in of_system.values():
        near: list[tuple[int, int]] = []
        for begin, end, nth in sorted(stretch_of):
            near = [(last, other) for last, other in near if last >= begin]
            for _, other in near:
                yield len(near), other, nth
            near.append((end, nth))


def _begin(told: Stretches) -> int:
    return min(begin for begin, _ in told.values())
