"""All claims of an edition: their outcomes in order, and what is wrong with texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from analysis.declared.edition import OverviewTitle, StudyClaim
from analysis.declared.study import Figure, wrong_title
from analysis.errors import UserError
from analysis.facts.fact import Facts
from analysis.report.checks import claims as checked
from analysis.report.checks.claims import check_texts
from analysis.report.text.texts import OBSERVATIONS, WrittenClaim, study_text
from tests.report.language.small import METRICS, change, study

FACTS = Facts((change("RR1(1kB)", -37), change("RR10(4kB)", -1.2, half=0.1)))
HOLDS = (3, "latency falls for RR1(1kB)")
FRAGILE = (4, "latency falls by at most 37.4% for RR1(1kB)")
FAILS = (5, "latency rises for RR1(1kB)")
UNKNOWN = (6, "latency fals")
MISSING = (7, "throughput falls")


def made(monkeypatch, **claims) -> SimpleNamespace:
    """Material with one observations text a study, which has these claims."""
    studies = {name: study() for name in claims}
    texts = {
        study_text(name, OBSERVATIONS): SimpleNamespace(
            path=Path(f"{name}.md"),
            study=name,
            claims=[WrittenClaim(*claim, name) for claim in found],
        )
        for name, found in claims.items()
    }
    facts = Facts(tuple(replace(f, study=name) for name in claims for f in FACTS.facts))
    told = SimpleNamespace(
        studies=studies,
        metrics=METRICS,
        facts=facts,
        folder=Path("e"),
        edition=SimpleNamespace(overview=None),
        study_folder=Path,
    )
    monkeypatch.setattr(
        checked, "read_texts", lambda material, placed, known, _: texts | known
    )
    return told


def said(issues) -> list[str]:
    return [str(issue).splitlines()[0] for issue in issues]


def test_outcomes_stand_by_study_and_in_order(monkeypatch) -> None:
    material = made(monkeypatch, a=[FAILS, HOLDS], b=[], c=[FRAGILE, HOLDS])
    found = check_texts(material)
    assert {name: [o.state for o in all] for name, all in found.outcomes.items()} == {
        "a": ["fails", "holds"], "b": [], "c": ["fragile", "holds"], "": [],
    }  # fmt: skip
    assert [o.claim.line for o in found.outcomes["a"]] == [5, 3]
    assert found.observations("c").path == Path("c.md")
    assert said(found.false_claims()) == [f"a.md:5: this claim is false: {FAILS[1]}"]
    assert said(found.fragile_claims()) == [
        f"c.md:4: this claim is fragile: {FRAGILE[1]}"
    ]


def test_all_claims_that_are_not_understood_are_told_at_once(monkeypatch) -> None:
    material = made(monkeypatch, a=[UNKNOWN, HOLDS, MISSING], b=[HOLDS], c=[UNKNOWN])
    with pytest.raises(UserError) as caught:
        check_texts(material)
    assert said(caught.value.issues) == [
        "a.md:6: 'fals' is not understood after 'latency'",
        "a.md:7: study a has no delta of throughput",
        "c.md:6: 'fals' is not understood after 'latency'",
    ]
    first = caught.value.issues[0]
    assert first.what.endswith("\n  in the claim: latency fals")
    assert "falls" in first.mend


def test_the_margin_of_a_study_makes_its_claims_fragile(monkeypatch) -> None:
    material = made(monkeypatch, a=[HOLDS])
    declared = material.studies["a"]
    for margin, state in ((37.0, "holds"), (37.5, "fragile")):
        claims = declared.claims.model_copy(update={"margin": margin})
        material.studies["a"] = declared.model_copy(update={"claims": claims})
        assert [o.state for o in check_texts(material).outcomes["a"]] == [state]


def test_outcomes_stand_where_facts_and_text_are_the_same(monkeypatch) -> None:
    material = made(monkeypatch, a=[HOLDS], b=[HOLDS])
    last = check_texts(material)
    claims = [WrittenClaim(*FAILS, "b")]
    edited = SimpleNamespace(path=Path("b.md"), study="b", claims=claims)
    now = check_texts(material, {study_text("b", OBSERVATIONS): edited}, last=last)
    assert now.outcomes["a"] is last.outcomes["a"]
    assert [o.state for o in now.outcomes["b"]] == ["fails"]
    anew = check_texts(SimpleNamespace(**vars(material)), last=now)
    assert anew.outcomes["a"] is not last.outcomes["a"]
    assert [o.state for o in anew.outcomes["b"]] == ["holds"]


def test_a_declared_metric_that_older_facts_lack_is_told_as_such(monkeypatch) -> None:
    material = made(monkeypatch, a=[MISSING])
    declared = material.studies["a"].model_copy(update={"metrics": ("throughput",)})
    material.studies["a"] = declared
    with pytest.raises(UserError) as caught:
        check_texts(material)
    first = "a.md:7: the facts of study a have no throughput yet"
    assert said(caught.value.issues) == [first]
    assert "make report" in caught.value.issues[0].mend


def test_the_title_of_a_figure_is_held_at_its_line(monkeypatch, tmp_path) -> None:
    material = made(monkeypatch, a=[])
    said_of = {"title": "It falls", "claim": f"{HOLDS[1]}; {FAILS[1]}"}
    figure = {"id": "x", "kind": "delta", "question": "q", "metrics": ["latency"]}
    figures = (Figure.model_validate(figure | said_of),)
    material.studies["a"] = material.studies["a"].model_copy(
        update={"figures": figures}
    )
    material.study_folder = lambda _: tmp_path
    tmp_path.joinpath("study.yaml").write_text(
        "figures:\n  - id: x\n    title: It falls\n    claim: latency\n"
    )
    outcomes = check_texts(material).outcomes["a"]
    assert [(one.state, one.claim.line) for one in outcomes] == [
        ("holds", 4), ("fails", 4),
    ]  # fmt: skip
    assert str(tmp_path / "study.yaml") in str(outcomes[1].failure)


def test_the_title_of_the_figure_of_all_studies_is_held(monkeypatch, tmp_path) -> None:
    material = made(monkeypatch, a=[])
    claims = (StudyClaim(study="a", claim=FAILS[1]),)
    material.edition.overview = OverviewTitle(title="It rises", claims=claims)
    material.folder = tmp_path
    tmp_path.joinpath("edition.yaml").write_text(
        "overview:\n  title: It rises\n  claims:\n    - {study: a, claim: x}\n"
    )
    (outcome,) = check_texts(material).outcomes[""]
    assert (outcome.state, outcome.claim.line) == ("fails", 4)


@pytest.mark.parametrize(
    ("title", "claim", "wrong"),
    [
        ("It falls", "", "needs a title and a claim"),
        ("", "latency falls", "needs a title and a claim"),
        ("60 clients do it", "latency falls", "has 60 in its title"),
        ("z17 is ahead of 60 clients", "latency falls for RR60(4kB)", ""),
    ],
)
def test_a_title_has_a_claim_that_has_its_numbers(
    title: str, claim: str, wrong: str
) -> None:
    assert wrong in wrong_title(title, claim)
    assert bool(wrong) == bool(wrong_title(title, claim))
