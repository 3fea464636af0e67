"""Published-ratio transfer: a measured baseline times a published change."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from analysis.declared.published import Published, Qualifier
from analysis.errors import user_error
from models.parameters import read_numbers
from models.prediction import Input, Prediction, outside
from models.spread import Floats, normals, points, uniforms

_DRAWS = 1000


@dataclass(frozen=True)
class Ratio:
    """Test over baseline as a multiple, and how the source qualifies it."""

    ratio: float
    qualifier: Qualifier


@dataclass(frozen=True)
class RatioQuestion:
    """A measured baseline [unit] with its log deviation, and a published ratio."""

    anchor: float
    unit: str
    published: Ratio
    sigma: float = 0.0


@dataclass(frozen=True)
class RatioTransfer:
    """Baseline × published ratio, in logarithms.

    A ratio that is exact, about or comparable has a small spread; an average has one
    that grows with the change. "Up to" is a range from no change to the printed one,
    all equally likely, and never a centre.
    """

    name: str = "published ratio"
    version: str = "1"
    inputs: tuple[Input, ...] = (
        Input("anchor", "", 0, math.inf),
        Input("ratio", "", 0.005, 50),
    )

    def predict(self, question: RatioQuestion) -> Prediction:
        """The test's value; a ``UserError`` where the ratio is an end of a range."""
        ratio, anchor = question.published.ratio, question.anchor
        marks = outside(self.inputs, {"anchor": anchor, "ratio": ratio})
        logs = change(question.published) + question.sigma * normals(3, _DRAWS)[:, 2]
        low, middle, high = points(anchor * np.exp(logs))
        return Prediction(
            middle,
            low,
            high,
            question.unit,
            self.name,
            self.version,
            "published",
            marks,
            (f"the source says {question.published.qualifier!r}",),
        )


def ratio_of(row: Published) -> Ratio:
    """The ratio of a published change; a ``UserError`` if the row is a value."""
    if row.kind in ("value", "direction"):
        what = f"{row.id} is a {row.kind}, not a change with a size"
        raise user_error(what, mend="name a change")
    if row.kind == "delta":
        return Ratio(1 + row.value / 100, row.qualifier)
    falls = row.kind == "reduction"
    return Ratio(1 / row.value if falls else row.value, row.qualifier)


def change(published: Ratio) -> Floats:
    """Draws of the logarithm of a published ratio."""
    log, qualifier = math.log(published.ratio), published.qualifier
    if qualifier in ("low end", "high end"):
        raise user_error(
            f"{qualifier!r} is one end of a range, not a ratio",
            mend="use the average or a single value of the same study",
        )
    if qualifier == "up to":
        return log * uniforms(3, _DRAWS)[:, 0]
    return log + _sigma(log, qualifier) * normals(3, _DRAWS)[:, 1]


def _sigma(log: float, qualifier: Qualifier) -> float:
    known = read_numbers()
    if qualifier == "average":
        share, floor = known["average_share"].value, known["average_floor"].value
        return max(share * abs(log), floor)
    return known[qualifier].value
