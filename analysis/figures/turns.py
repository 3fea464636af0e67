"""Where lines turn: they cross, or they level off."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from analysis.figures.grammar.numbers import PAYLOAD, x_of
from analysis.figures.select import PANEL, groups
from analysis.figures.setting import Setting
from analysis.figures.words import spoken_name

# A panel of lines; ``family`` is what its workloads have in common.
PANEL_OF_LINES = (*PANEL, "family")
_CLEAR = 0.03  # of the ratio of two lines, from which on one is above the other
_GROWN = 0.97  # of the most, from which on a load no longer grows


@dataclass(frozen=True)
class Crossing:
    """Between which values of x two lines of a panel cross, and a sentence."""

    panel: int
    ends: tuple[float, float]
    said: str


def crossings(frame: pl.DataFrame, setting: Setting) -> list[Crossing]:
    """Where a test's line crosses that of its baseline."""
    _, values, steps = x_of(frame["workload"].to_list())
    found = []
    for panel, ((metric, role, _), part) in enumerate(
        groups(frame, *PANEL_OF_LINES), 1
    ):
        lines = {
            id: {values[w]: v for w, v in own.select("workload", "value").iter_rows()}
            for (id,), own in groups(part, "configuration")
        }
        of = spoken_name(setting.metrics[metric], role)
        guessed = set(part.filter(pl.col("model").is_not_null())["configuration"])
        for test in (t for t in setting.tests if t in lines):
            base = setting.study.baseline_of(test)
            for ends, way in _meetings(lines[test], lines.get(base, {})):
                said = (
                    f"{setting.label(test)} has the {way} {of} from {steps[ends[1]]} on"
                    + " (predicted)" * bool(guessed & {test, base})
                )
                found.append(Crossing(panel, ends, said))
    return found


def _meetings(
    test: dict[float, float], base: dict[float, float]
) -> Iterator[tuple[tuple[float, float], str]]:
    """Between which values of x two lines cross, and which way the first goes."""
    both = sorted(set(test) & set(base))
    ratios = [math.log(test[x] / base[x]) for x in both]
    for (x0, r0), (x1, r1) in itertools.pairwise(zip(both, ratios, strict=True)):
        if min(r0, r1) < -_CLEAR and max(r0, r1) > _CLEAR:
            yield (x0, x1), "lower" if r1 < 0 else "higher"


def knees(frame: pl.DataFrame) -> list[tuple[int, str, list[str], float]]:
    """Where values grow no more with clients: panel, metric, configurations and x."""
    title, values, _ = x_of(frame["workload"].to_list())
    found: dict[tuple[int, str, float], list[str]] = {}
    for panel, ((metric, _, _), part) in enumerate(groups(frame, *PANEL_OF_LINES), 1):
        if title == PAYLOAD or part["better"][0] != "higher":
            continue
        for (id,), own in groups(part, "configuration"):
            line = sorted(
                (values[row["workload"]], row["value"]) for row in own.to_dicts()
            )
            most = max(value for _, value in line)
            first = next(x for x, value in line if value >= _GROWN * most)
            if first < line[-1][0]:
                found.setdefault((panel, metric, first), []).append(id)
    return [(panel, metric, ids, x) for (panel, metric, x), ids in found.items()]
