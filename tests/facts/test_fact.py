"""Facts and their file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.declared.vocabulary import ORIGINS
from analysis.errors import UserError
from analysis.facts.fact import (
    Estimate,
    Fact,
    Facts,
    Gap,
    Lineage,
    RunCount,
    fact_key,
    read_facts,
    weakest,
    without_parts,
    write_facts,
)
from analysis.facts.remark import Remark, refusal
from analysis.facts.sentences import origin_text, sizes_text
from analysis.report.bound import between, number
from tests.report.conftest import fact

FACT = Fact(
    key="offload.rr10-100b.client.cpu_cost.B.delta",
    edition="linux-veth",
    study="offload",
    workload="RR10(100B)",
    role="client",
    metric="cpu_cost",
    kind="delta",
    configuration="B",
    baseline="A",
    value=-37.25,
    unit="%",
    better="lower",
    n=10,
    low=-39.0,
    high=-35.0,
    confidence=0.95,
    origin="measured",
    printed="−37%",
    verdict="improved",
    sessions=2,
    warnings=(Remark("missing", "B", {"missing": 1, "total": 3}),),
    samples=(1.0, 2.5),
    lineage=Lineage("median", ("run-1", "run-2"), ("ab" * 32,)),
)
ESTIMATE = Estimate(
    "generation", "generation transfer", "1", "from B", "published", 6.2, 9,
    notes=("a known bias",),
)  # fmt: skip
WHY = refusal("no_rate", "no rate is known")
GAP = Gap("linux-veth", "offload", "B", "RR1(1B)", None, "rate", WHY)
COUNT = RunCount(
    "linux-veth",
    "offload",
    "B",
    "CRR10(100B)",
    9,
    1,
    (("run-3", "timed out"),),
    ("3", "5 to 6"),
    ("1", "2"),
)


def test_what_is_written_is_read_back(tmp_path):
    predicted = replace(FACT, key="z", estimate=ESTIMATE)
    facts = Facts((FACT, predicted), (COUNT,), (GAP, replace(GAP, baseline="A")))
    write_facts(facts, tmp_path / "new" / "facts.json")
    assert read_facts(tmp_path / "new" / "facts.json") == facts


def test_facts_are_sorted_one_a_line(tmp_path):
    second = replace(FACT, key="z")
    write_facts(Facts((second, FACT)), tmp_path / "one.json")
    write_facts(Facts((FACT, second)), tmp_path / "two.json")
    text = (tmp_path / "one.json").read_text()
    assert text == (tmp_path / "two.json").read_text()
    assert [FACT.key in line for line in text.splitlines()].count(True) == 1


def test_nothing_half_written_takes_the_final_name(tmp_path):
    write_facts(Facts((FACT,)), tmp_path / "facts.json")
    before = (tmp_path / "facts.json").read_bytes()
    with pytest.raises(ValueError, match="JSON"):
        write_facts(
            Facts((replace(FACT, value=float("nan")),)), tmp_path / "facts.json"
        )
    assert (tmp_path / "facts.json").read_bytes() == before


def test_facts_of_earlier_versions_tell_of_no_missing_repetition_or_session(tmp_path):
    write_facts(Facts((FACT,), (COUNT,)), tmp_path / "facts.json")
    data = json.loads((tmp_path / "facts.json").read_text())
    del data["runs"][0]["missing"], data["runs"][0]["sessions"]
    del data["facts"][0]["sessions"]
    (tmp_path / "facts.json").write_text(json.dumps(data))
    read = read_facts(tmp_path / "facts.json")
    assert read.runs == (replace(COUNT, missing=(), sessions=()),)
    assert read.facts == (replace(FACT, sessions=None),)


def test_facts_of_earlier_versions_tell_an_excluded_run_in_words(tmp_path):
    write_facts(Facts((FACT,), (COUNT,)), tmp_path / "facts.json")
    data = json.loads((tmp_path / "facts.json").read_text())
    data["runs"][0]["reasons"] = ["run-3: timed out"]
    (tmp_path / "facts.json").write_text(json.dumps(data))
    [run] = read_facts(tmp_path / "facts.json").runs
    assert run.reasons == (("", "run-3: timed out"),)


def test_entries_of_later_versions_are_passed_over(tmp_path):
    write_facts(Facts((FACT,)), tmp_path / "facts.json")
    data = json.loads((tmp_path / "facts.json").read_text())
    data["facts"][0]["colour"] = "red"
    (tmp_path / "facts.json").write_text(json.dumps(data))
    assert read_facts(tmp_path / "facts.json").facts == (FACT,)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (None, "there are no facts yet"),
        ("{", "not JSON"),
        ('{"schema": 0}', "another version"),
    ],
)
def test_a_file_that_holds_no_facts_is_refused(tmp_path, text, what):
    file = tmp_path / "facts.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UserError, match=what):
        read_facts(file)


def test_no_fact_of_another_edition_or_study_is_among_those_asked_for():
    other = replace(FACT, edition="other")
    noise = replace(FACT, study="noise")
    facts = Facts((FACT, other, noise), (COUNT,), (GAP, replace(GAP, edition="o")))
    assert facts.of("linux-veth") == Facts((FACT, noise), (COUNT,), (GAP,))
    assert facts.of("linux-veth", "noise") == Facts((noise,))
    assert facts.of_studies(["noise"]) == Facts((noise,))


def test_a_key_has_a_dash_for_no_role_and_its_suffix_for_a_change():
    assert fact_key("s", "rr1-1b", "client", "cpu_cost", "B") == (
        "s.rr1-1b.client.cpu_cost.B"
    )
    assert fact_key("s", "rr1-1b", None, "rate", "B", delta=True) == (
        "s.rr1-1b.-.rate.B.delta"
    )


@given(st.lists(st.sampled_from(ORIGINS), min_size=1))
def test_a_derived_fact_takes_the_weakest_origin(origins):
    result = weakest(origins)
    assert result in origins
    assert all(ORIGINS.index(result) >= ORIGINS.index(o) for o in origins)


def test_the_order_of_origins_is_the_agreed_one():
    assert ORIGINS == ("measured", "published", "modelled", "synthetic")


@pytest.mark.parametrize(
    ("origin", "estimate", "predicted"),
    [
        ("measured", None, False),
        ("synthetic", None, False),
        ("modelled", None, True),
        ("synthetic", ESTIMATE, True),
    ],
)
def test_what_must_be_called_a_prediction(origin, estimate, predicted):
    assert replace(FACT, origin=origin, estimate=estimate).predicted is predicted


@pytest.mark.parametrize(
    ("roles", "left"),
    [
        (("server", "tcpip", "vtam"), ["server"]),
        (("total", "total-above", "csm"), ["total"]),
        (("tcpip", "vtam"), ["tcpip", "vtam"]),  # of nothing that is there
        ((None, "tcpip"), [None, "tcpip"]),  # another metric's whole
    ],
)
def test_what_is_summed_up_is_the_whole_and_not_its_parts(roles, left):
    metrics = {None: "rate"}
    found = [
        replace(FACT, role=role, metric=metrics.get(role, "cpu_cost")) for role in roles
    ]
    assert [fact.role for fact in without_parts(found)] == left


VALUE = fact(origin="synthetic", basis="free")
CHANGE = replace(VALUE, kind="delta", baseline="old", unit="%", basis="assumed")


@pytest.mark.parametrize(
    ("basis", "word"),
    [("published", "published"), ("assumed", "assumed"), ("free", "free choice")],
)
def test_a_size_that_somebody_chose_is_followed_by_who_did(basis, word):
    mark = f'}}[({word})]{{.basis of="delta" is="{basis}"}}'
    assert str(number(replace(CHANGE, basis=basis), "−1%")).endswith(mark)
    measured = replace(CHANGE, basis=None)
    assert "basis" not in str(number(measured, "−1%"))


def test_a_range_is_marked_once_or_at_the_ends_that_differ():
    low, high = replace(CHANGE, printed="−9%"), replace(CHANGE, printed="−5%")
    assert str(between(low, high)).count("(assumed)") == 1
    found = str(between(low, replace(high, basis="published"), sized=True))
    assert found.endswith(
        '[(9% assumed)]{.basis of="delta" is="assumed"}'
        '[(5% published)]{.basis of="delta" is="published"}'
    )


def test_words_that_quote_sizes_say_what_these_rest_on():
    published = replace(CHANGE, basis="published")
    assert sizes_text([CHANGE, CHANGE, VALUE]) == "sizes assumed"
    assert sizes_text([CHANGE, published]) == "sizes: 1 published and 1 assumed"
    assert sizes_text([VALUE]) == "value free choice"
    assert sizes_text([replace(VALUE, basis=None)]) == ""


def test_cards_and_tables_tell_it_with_the_origin():
    assert origin_text(VALUE) == "synthetic, free choice"
    assert origin_text(CHANGE) == "synthetic, assumed"
    assert origin_text(replace(VALUE, basis=None)) == "synthetic"


def test_a_basis_is_written_and_read_and_older_facts_have_none(tmp_path):
    path = tmp_path / "facts.json"
    write_facts(Facts((CHANGE,)), path)
    assert read_facts(path).facts == (CHANGE,)
    path.write_text(path.read_text().replace(', "basis": "assumed"', ""))
    assert read_facts(path).facts == (replace(CHANGE, basis=None),)
