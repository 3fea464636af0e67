"""Figures as the report takes them over."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analysis.declared.metrics import read_metrics
from analysis.declared.study import Figure, Study
from analysis.errors import UserError
from analysis.report.material import Sources, read_material
from analysis.report.pictures import FILES, read_overview, read_pictures
from tests.report.conftest import ROOT


def test_a_metric_that_nobody_declared_is_a_mistake_of_the_figure(
    tmp_path: Path,
) -> None:
    declared = tmp_path / "studies/s/study.yaml"
    declared.parent.mkdir(parents=True)
    declared.write_text("title: t\nfigures:\n  - {id: a}\n  - {id: f}\n")
    words = {"kind": "delta", "question": "q"}
    figures = (
        Figure.model_validate(words | {"id": "a", "metrics": ("latency",)}),
        Figure.model_validate(words | {"id": "f", "metrics": ("speed",)}),
    )
    study = Study(
        title="t", question="q", campaigns=("lab",), baseline="a", tests=("b",),
        workloads=("RR*",), figures=figures,
    )  # fmt: skip
    metrics = read_metrics(ROOT / "data/metrics.yaml")
    what = f"{declared}:4: figure f: there is no metric 'speed'"
    with pytest.raises(UserError, match=re.escape(what)):
        read_pictures(tmp_path, {"s": study}, metrics, tmp_path)


@pytest.mark.parametrize(
    ("wrong", "what", "mend"),
    [
        ({"kind": "boxplot"}, "there is no kind 'boxplot'", "use one of: compare, "),
        ({"kind": "dalta"}, "there is no kind 'dalta'", "did you mean 'delta'?"),
        ({"workloads": "RR1(4kB)"}, "has no workload 'RR1(4kB)'", "'RR1(1kB)'?"),
    ],
)
def test_a_figure_of_unknown_names_is_found_before_it_is_drawn(
    tmp_path: Path, wrong: dict[str, str], what: str, mend: str
) -> None:
    declared = tmp_path / "studies/s/study.yaml"
    declared.parent.mkdir(parents=True)
    declared.write_text("title: t\nfigures:\n  - {id: a}\n")
    words = {"id": "a", "kind": "delta", "question": "q", "metrics": ("latency",)}
    study = Study(
        title="t", question="q", campaigns=("lab",), baseline="a", tests=("b",),
        workloads=("RR1(1kB)",), figures=(Figure.model_validate(words | wrong),),
    )  # fmt: skip
    metrics = read_metrics(ROOT / "data/metrics.yaml")

    with pytest.raises(UserError) as found:
        read_pictures(tmp_path, {"s": study}, metrics, tmp_path)

    (issue,) = found.value.issues
    assert what in issue.what
    assert mend in issue.mend
    assert str(issue.where) == f"{declared}:3"


def test_words_of_a_figure_are_shown_as_they_are(project: Sources) -> None:
    path = project.figures / "speed-rr/figure.json"
    about = json.loads(path.read_text("utf-8"))
    about |= {"caption": "Latency of *a_b*.", "title": "a_b"}
    path.write_text(json.dumps(about))
    [picture, _] = read_material("small", project).pictures["speed"]
    assert picture.caption == r"Latency of \*a\_b\*."
    assert picture.lead == (r"[Is it faster?]{.figure-lead} a\_b (@fig-speed-rr).")


def test_a_lead_says_what_its_sizes_rest_on(project: Sources) -> None:
    path = project.figures / "speed-rr/figure.json"
    about = json.loads(path.read_text("utf-8")) | {"sizes": "sizes assumed"}
    path.write_text(json.dumps(about))
    [picture, _] = read_material("small", project).pictures["speed"]
    assert picture.lead.endswith(" (@fig-speed-rr; sizes assumed).")


def test_a_set_up_is_pointed_at_and_has_no_finding(project: Sources) -> None:
    path = project.figures / "speed-rr/figure.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"setup": True}))
    [picture, _] = read_material("small", project).pictures["speed"]
    assert picture.lead == "[Is it faster?]{.figure-lead} See @fig-speed-rr."


def test_a_figure_without_its_words_is_drawn_again(project: Sources) -> None:
    path = project.figures / "speed-rr/figure.json"
    path.write_text('{"alt": "Bars."}')
    with pytest.raises(UserError, match="it lacks caption, title, setup"):
        read_material("small", project)


@pytest.mark.parametrize(
    ("numbered", "anchor", "named"),
    [(True, "fig-summary-changes", "a (@fig-"), (False, "picture-", "} a.")],
)
def test_a_figure_without_a_number_is_pointed_at_by_its_place(
    tmp_path: Path, numbered: bool, anchor: str, named: str
) -> None:
    place = tmp_path / "summary-changes"
    place.mkdir()
    for name in FILES:
        (place / name).write_text("")
    words = dict.fromkeys(("caption", "title", "alt", "question"), "a")
    (place / "figure.json").write_text(json.dumps(words | {"setup": False}))
    picture = read_overview(tmp_path, numbered)
    assert picture is not None
    assert picture.anchor.startswith(anchor)
    assert named in picture.lead


def test_what_is_for_borrowers_is_left_out_of_its_own_edition(tmp_path: Path) -> None:
    own, lender = tmp_path / "figures/own", tmp_path / "figures/lender"
    edition = tmp_path / "lender"
    for folder in (own, lender, edition / "studies/s"):
        folder.mkdir(parents=True)
    (edition / "studies/s/study.yaml").write_text("title: t\nfigures:\n  - {id: a}\n")
    words = {"id": "a", "kind": "delta", "question": "q", "metrics": ("latency",)}
    figure = Figure.model_validate(words | {"for_borrowers": True})
    study = Study(
        title="t", question="q", campaigns=("lab",), baseline="a", tests=("b",),
        workloads=("RR*",), figures=(figure,),
    )  # fmt: skip
    metrics = read_metrics(ROOT / "data/metrics.yaml")

    assert read_pictures(lender, {"s": study}, metrics, edition) == {"s": []}
    with pytest.raises(UserError, match="lender/s-a"):
        read_pictures(own, {"s": study}, metrics, tmp_path / "own", {"s": "lender"})
