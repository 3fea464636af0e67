"""Every figure of every edition: its texts have room, its words fit its axes.

They share a worker with the tests of the synthetic campaign, whose tables they use.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from analysis.declared.edition import read_edition
from analysis.declared.metrics import read_metrics
from analysis.declared.published import read_published
from analysis.facts.fact import evidence_of, read_facts
from analysis.figures.grammar.scales import ratio_trans
from analysis.figures.output import Drawing
from analysis.figures.setting import read_settings
from analysis.figures.sheet import Sheet
from analysis.figures.verb import prepare
from tests.conftest import ROOT
from tests.figures.drawn import FORMATS, Drawn, check_texts
from tests.golden.update_facts import editions

pytestmark = pytest.mark.xdist_group("synthetic")


# Each edition in one width: the others are made by the same code from the same words.
WIDTHS = list(zip(editions(), cycle(("narrow", "wide")), strict=False))


@cache
def sheets(edition: str, format: str, facts: Path) -> list[tuple[Drawing, Sheet]]:
    """The figures of an edition, each set out in one width."""
    found = prepared(edition, facts)
    return [(drawing, drawing.sheet(FORMATS[format])) for drawing in found]


def prepared(edition: str, facts: Path) -> list[Drawing]:
    metrics = read_metrics(ROOT / "data/metrics.yaml")
    settings = read_settings(ROOT / "report", edition, evidence_of(facts), metrics)
    lent = read_edition(ROOT / "report" / edition).borrowed  # drawn where they are from
    settings = [setting for setting in settings if setting.study_id not in lent]
    published = read_published(ROOT / "data/published.csv")
    settings = [replace(setting, published=published) for setting in settings]
    return prepare(settings, read_facts(facts).of(edition))


def shows_ratios(plot: Any) -> bool:
    """Whether equal steps on an axis of a plot are equal ratios."""
    scales = plot.scales if plot else ()
    kinds = {type(scale).__name__ for scale in scales}
    ratios = any(
        isinstance(getattr(scale, "trans", None), ratio_trans) for scale in scales
    )
    return ratios or bool(kinds & {"scale_x_log10", "scale_y_log10"})


@pytest.mark.parametrize(("edition", "format"), WIDTHS)
def test_every_text_of_every_figure_has_its_place(
    derived: Path, edition: str, format: str
) -> None:
    drawn = {
        drawing.setting.id: Drawn(drawing.words, sheet.svg("x"), None)
        for drawing, sheet in sheets(edition, format, derived)
    }
    wrong = {id: check_texts(figure, format) for id, figure in drawn.items()}

    assert {id: found for id, found in wrong.items() if found} == {}
    assert len(drawn) > 5
    assert all(figure.words.alt for figure in drawn.values())


@pytest.mark.parametrize(("edition", "format"), WIDTHS)
def test_what_a_subtitle_says_of_an_axis_is_so(
    derived: Path, edition: str, format: str
) -> None:
    said, found = {}, {}
    for drawing, sheet in sheets(edition, format, derived):
        id = drawing.setting.id
        said[id] = "equal ratios" in drawing.words.subtitle
        found[id] = shows_ratios(sheet.plot)

    assert said == found
    assert len(said) > 5
