"""The parts of a system: what is left of the whole, and whether they add up to it.

The whole is LPAR busy, or dispatch time where the campaign takes that. Its parts are
jobs (SMF 30) or classes (SMF 72), in intervals of their own: both count as CPU seconds
for each second of evidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, Campaign, campaign_folder
from analysis.declared.vocabulary import REST
from analysis.derive.gates import Flag, of_cpu
from analysis.derive.roles import REMAINDER, WHOLE
from analysis.errors import Issue, Place

Row = dict[str, Any]


def with_rest(
    cpu: pl.DataFrame, campaigns: Mapping[str, Campaign]
) -> tuple[pl.DataFrame, list[Flag], list[tuple[str, float]]]:
    """The CPU seconds with the rest of each system that has parts, and without those of
    the whole; parts that do not add up; runs with the ratio of what is too much."""
    of_parts = cpu.filter(pl.col("of_role") != "")
    if of_parts.is_empty():
        return cpu, [], []
    rows, flags, excess = list[Row](), list[Flag](), list[tuple[str, float]]()
    for (id,), group in of_parts.group_by("id", maintain_order=True):
        found = group.to_dicts()
        campaign = campaigns[found[0]["campaign"]]
        whole = {r["cpu_type"]: r for r in found if r["of_role"] == WHOLE}
        parts = [r for r in found if r["of_role"] != WHOLE and r["cpu_type"] in whole]
        if REST not in campaign.cpu.parts:
            rows += _rests(whole, parts)
        ratio = _ratio(whole, [*parts, *(r for r in rows if r["id"] == id)])
        if ratio is None or abs(ratio - 1) <= campaign.gates.parts:
            continue
        if ratio > 1:
            excess.append((str(id), ratio))
        flags += _flags(found, ratio, campaign.gates.parts)
    kept = cpu.filter(pl.col("of_role") != WHOLE)
    return pl.concat([kept, pl.DataFrame(rows, cpu.schema)]), flags, excess


def _rests(whole: Mapping[str, Row], parts: Iterable[Row]) -> Iterator[Row]:
    """For each type of engine what the parts leave of the whole, and not below 0."""
    own = list(parts)
    for type, row in whole.items():
        used = sum(_share(r) for r in own if r["cpu_type"] == type)
        named = sorted({name for r in own for name in r["parts"]})
        files = sorted({file for r in (row, *own) for file in r["files"]})
        yield row | {
            "role": REST,
            "of_role": REST,
            "method": REMAINDER,
            "cpu_seconds": max((_share(row) - used) * row["seconds"], 0.0),
            "cpu_seconds_resolution": math.hypot(
                *(
                    r["cpu_seconds_resolution"] or 0.0
                    for r in own
                    if r["cpu_type"] == type
                ),
                row["cpu_seconds_resolution"] or 0.0,
            ),
            "parts": named,
            "files": files,
        }


def _ratio(whole: Mapping[str, Row], parts: Iterable[Row]) -> float | None:
    """All parts over the whole, of all types of engines together."""
    total = sum(map(_share, whole.values()))
    return sum(map(_share, parts)) / total if total > 0 else None


def _share(row: Row) -> float:
    """CPU seconds a second."""
    return float(row["cpu_seconds"] / row["seconds"])


def _flags(found: list[Row], ratio: float, tolerance: float) -> Iterator[Flag]:
    values = {"tolerance": tolerance}
    for role in sorted({row["role"] for row in found} | {REST}):
        yield Flag(found[0]["id"], "parts", of_cpu, values, ratio, role)


def beyond_whole(
    excess: Iterable[tuple[str, float]],
    campaigns: Mapping[str, Campaign],
    raw: Path,
) -> list[Issue]:
    """Runs whose parts used more CPU time than their system: names count twice."""
    found = []
    for id, ratio in excess:
        name = id.partition("/")[0]
        if name not in campaigns:
            continue
        path = campaign_folder(raw, name) / CAMPAIGN_FILE
        node = load_yaml(path)[1]
        place = Place(str(path), line_of(node, ("cpu", "parts")))
        what = (
            f"the parts of run {id} used {ratio:.0%} of the CPU time of their system, "
            f"more than the whole (tolerance {campaigns[name].gates.parts:.0%})"
        )
        mend = "name each job or class in one part, and none that holds another one"
        found.append(Issue(what, place, mend))
    return found
