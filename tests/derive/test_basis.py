"""The basis of facts of generated campaigns, by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.declared.published import Published
from analysis.declared.study import Published as PublishedStudy
from analysis.derive.basis import Bases, read_bases, with_bases
from analysis.facts.fact import Facts
from tests.figures.made import make_study

TARGETS = """study,workload,baseline,test,metric,role,kind,value,basis,published
s,RR1(1kB),A,B,latency,,change,-40,assumed,P001
s,RR1(1kB),A,B,cpu_cost,server,change,-10,published,P002
s,RR1(1kB),A,B,io_rate,server,change,30,assumed,P003
"""


@pytest.mark.parametrize(
    ("metric", "role", "basis"),
    [
        ("latency", None, "assumed"),
        ("rate", None, "assumed"),  # one finding with the latency
        ("cpu_cost", "server", "published"),
        ("cpu_cost", "client", "free"),
        ("io_rate", "server", "assumed"),
        ("io_rate", "client", "free"),
        ("utilisation", "server", "assumed"),  # the weakest of rate and cost
    ],
)
def test_a_change_has_the_basis_of_its_target(
    tmp_path: Path, metric: str, role: str | None, basis: str
) -> None:
    (tmp_path / "targets").mkdir()
    (tmp_path / "targets/camp.csv").write_text(TARGETS, encoding="utf-8")
    made = make_study("s", {("latency", None, "RR1(1kB)"): (100.0, 60.0)})
    (change,) = (f for f in made.facts if f.kind == "delta")
    fact = replace(change, metric=metric, role=role, origin="synthetic")
    studies = {
        (fact.edition, "s"): SimpleNamespace(campaigns=("camp",), published=None)
    }
    (told,) = with_bases(Facts((fact,)), read_bases(["camp"], tmp_path), studies).facts
    assert told.basis == basis
    measured = replace(fact, origin="measured")
    same = with_bases(Facts((measured,)), read_bases(["camp"], tmp_path), studies)
    assert same.facts == (measured,)


@pytest.mark.parametrize(
    ("value", "printed", "told"),
    [
        (105.61, "106 MB", "105.61 MB"),
        (105.58, "106 MB", "106 MB"),  # is not what was published
        (105.61, "105.610 MB", "105.610 MB"),
    ],
)
def test_a_published_value_has_the_digits_of_its_source(
    value: float, printed: str, told: str
) -> None:
    made = make_study("s", {("latency", None, "RR1(1kB)"): (100.0, 60.0)})
    fact = next(f for f in made.facts if f.kind == "value")
    fact = replace(fact, value=value, unit="MB", printed=printed, origin="synthetic")
    place = (fact.configuration, fact.workload, fact.metric, fact.role)
    target = (None, fact.configuration, fact.workload, "rate")
    bases = {"camp": Bases({target: "published"}, {place: 105.61})}
    study = SimpleNamespace(campaigns=("camp",), published=None)
    studies: Any = {(fact.edition, "s"): study}
    (found,) = with_bases(Facts((fact,)), bases, studies).facts
    assert found.printed == told


@pytest.mark.parametrize(
    ("direction", "basis"), [("latency", "assumed"), ("rate", "free")]
)
def test_a_change_of_which_a_direction_was_published_is_assumed(
    direction: str, basis: str
) -> None:
    made = make_study("s", {("latency", None, "RR1(1kB)"): (100.0, 60.0)})
    (change,) = (f for f in made.facts if f.kind == "delta")
    fact = replace(change, origin="synthetic")
    row = Published(
        id="P001", edition="e", study="theirs", baseline=fact.baseline,
        test=fact.configuration, workload="RR*", clients="", variant="", role="",
        metric=direction, kind="direction", value=-1, unit="", qualifier="direction",
        citation="c", place="p", line=1, printed="lower", note="",
    )  # fmt: skip
    about = PublishedStudy(study="theirs")
    study = SimpleNamespace(campaigns=("camp",), published=about)
    studies: Any = {(fact.edition, "s"): study}
    (told,) = with_bases(Facts((fact,)), {"camp": Bases()}, studies, [row]).facts
    assert told.basis == basis
