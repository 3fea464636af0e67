"""The basis of facts of generated campaigns, by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from analysis.derive.basis import read_bases, with_bases
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
    studies = {(fact.edition, "s"): SimpleNamespace(campaigns=("camp",))}
    (told,) = with_bases(Facts((fact,)), read_bases(["camp"], tmp_path), studies).facts
    assert told.basis == basis
