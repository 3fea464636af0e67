"""Published rows against made facts: which agree, which do not, and why not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.declared.published import Published, PublishedIssue
from analysis.declared.study import Published as Names
from analysis.declared.study import PublishedRow, Study
from analysis.facts.fact import Estimate, Fact
from analysis.report.material import Sources, read_material
from analysis.report.tables.reproduction import (
    Match,
    match_rows,
    number_words,
    reproduction,
)
from tests.report.conftest import fact

CHANGES = {"RR1(1kB)": -40.0, "RR10(4kB)": -20.0, "RR10(32kB)": -6.0}
ROW = Published.model_validate(
    {
        "id": "P001", "edition": "source", "study": "speed", "baseline": "old",
        "test": "new", "workload": "RR*", "clients": "", "variant": "", "role": "",
        "metric": "latency", "kind": "delta", "value": -40, "unit": "%",
        "qualifier": "up to", "citation": "smith", "place": "page 1", "line": 1,
        "printed": "40%", "note": "",
    }
)  # fmt: skip
STUDY = Study.model_validate(
    {
        "title": "t", "question": "q", "campaigns": ["lab"], "baseline": "old",
        "tests": ["new"], "workloads": ["RR*"], "figures": [], "noise": {"floor": 3.0},
    }
)  # fmt: skip
ESTIMATE = Estimate("generation", "generation transfer", "1", "so", "published")


def change(workload: str, value: float, **others: object) -> Fact:
    given = {"kind": "delta", "configuration": "new", "baseline": "old", "unit": "%"}
    words = {"key": f"speed.{workload}", "workload": workload, "verdict": "improved"}
    return fact(**(given | words | {"value": value} | others))


DIRECTION = {"kind": "direction", "qualifier": "direction", "unit": ""}
FEW = {1: -1.0, 2: -9.0, 3: 9.0}  # by clients: still, falls, rises
FACTS = [change(workload, value) for workload, value in CHANGES.items()]


def matched(row: Published, facts: list[Fact] = FACTS, study: Study = STUDY) -> Match:
    (match,) = match_rows([row], {"speed": study}, facts)
    return match


def row(**changes: object) -> Published:
    return ROW.model_copy(update=changes)


@pytest.mark.parametrize(
    ("changes", "derived", "outcome"),
    [
        ({}, -40.0, "reproduced"),
        ({"value": -50}, -40.0, "differs"),
        ({"qualifier": "average", "value": -22}, -22.0, "reproduced"),
        ({"qualifier": "exact", "value": -30}, -22.0, "differs"),
        ({"qualifier": "about", "value": -22.4}, -22.0, "differs"),
        ({"qualifier": "about", "value": -22}, -22.0, "reproduced"),
        ({"qualifier": "over", "value": -30}, -40.0, "reproduced"),
        ({"qualifier": "low end", "value": -40}, -40.0, "reproduced"),
        ({"qualifier": "high end", "value": -6}, -6.0, "reproduced"),
        ({"variant": "large", "value": -6}, -6.0, "reproduced"),
        ({"clients": "1", "value": -20}, -40.0, "differs"),
        ({"qualifier": "comparable", "value": 0}, -40.0, "differs"),
        ({"kind": "reduction", "unit": "x", "value": 1.67}, 1 / 0.6, "reproduced"),
        ({"kind": "factor", "unit": "x", "value": 0.95}, 0.94, "differs"),
        (
            {"kind": "factor", "unit": "x", "value": 1, "qualifier": "about"},
            0.78,
            "reproduced",
        ),
        ({**DIRECTION, "value": -1}, -40.0, "reproduced"),
        ({**DIRECTION, "value": 1}, -6.0, "differs"),
    ],
)
def test_a_qualifier_says_what_is_compared(
    changes: dict[str, object], derived: float, outcome: str
) -> None:
    match = matched(row(**changes))
    assert match.derived == pytest.approx(derived)
    assert match.outcome == outcome


def test_comparable_is_what_the_verdict_or_the_limit_says() -> None:
    said = row(qualifier="comparable", value=0.0)
    inside = [change("RR1(1kB)", -2.9)]
    beyond = [replace(inside[0], value=-4.0)]
    assert matched(said, inside).outcome == "reproduced"
    assert matched(said, beyond).outcome == "differs"
    tested = [replace(beyond[0], verdict="comparable")]
    assert matched(said, tested).outcome == "reproduced"


def test_the_tolerance_is_half_a_unit_of_the_last_digit() -> None:
    near, far = [change("RR1(1kB)", -40.4)], [change("RR1(1kB)", -40.6)]
    assert matched(ROW, near).outcome == "reproduced"
    assert matched(ROW, far).outcome == "differs"
    assert matched(row(value=474)).tolerance == 0.5
    assert matched(row(value=-40.1)).tolerance == pytest.approx(0.05)
    words = row(qualifier="comparable", value=0)
    assert matched(words).tolerance == STUDY.noise.floor


def test_about_six_times_is_not_what_is_nearly_seven_times() -> None:
    """567% more, which a source calls about 6x, is a factor of 6.67."""
    said = row(kind="factor", unit="x", value=6, qualifier="about", metric="throughput")
    facts = [change("RR1(1kB)", 567.0, metric="throughput")]
    assert matched(said, facts).outcome == "differs"
    assert matched(said.model_copy(update={"value": 6.7}), facts).outcome == (
        "reproduced"
    )


def test_a_direction_needs_one_clear_change_and_none_the_other_way() -> None:
    said = row(**DIRECTION, value=-1.0)
    still, falls, rises = (change(f"RR{n}(1kB)", v) for n, v in FEW.items())
    assert matched(said, [falls, still]).outcome == "reproduced"
    assert matched(said, [still]).outcome == "differs"
    assert matched(said, [falls, rises]).outcome == "differs"


def test_both_roles_count_where_the_row_says_both() -> None:
    sides = [
        change("RR1(1kB)", value, metric="cpu_cost", role=role, key=role)
        for role, value in (("client", -10.0), ("server", -30.0))
    ]
    both = row(metric="cpu_cost", role="both", qualifier="average", value=-20)
    assert matched(both, sides).outcome == "reproduced"
    assert matched(row(metric="cpu_cost", role="server"), sides).derived == -30.0


def test_a_direction_of_a_stream_is_kept() -> None:
    facts = [change("STR1(20MB/1B)", 16.0), change("STR1(1B/20MB)", 50.0)]
    said = row(workload="STR*", variant="20 MB, client to server", value=16)
    assert matched(said, facts).derived == 16.0


def test_a_prediction_proves_nothing() -> None:
    facts = [replace(FACTS[0], estimate=ESTIMATE, verdict=None), *FACTS[1:]]
    match = matched(ROW, facts)
    assert (match.outcome, match.derived) == ("predicted", -40.0)
    assert match.reason == "it rests on: generation"
    assert matched(row(qualifier="high end", value=-6), facts).outcome == "reproduced"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"test": "other"}, "the study does not compare other with old"),
        ({"baseline": "other"}, "the study does not compare new with other"),
        ({"metric": "payload"}, "the study derives no payload"),
        ({"workload": "CRR*"}, "no workload of the study is what the row is of"),
    ],
)
def test_what_is_not_derived_says_why(changes: dict[str, object], reason: str) -> None:
    match = matched(row(**changes))
    assert (match.outcome, match.derived, match.reason) == ("not derived", None, reason)


def test_names_of_the_source_are_mapped() -> None:
    names = Names(study="theirs", configurations={"old": "z16", "new": "z17"})
    study = STUDY.model_copy(update={"published": names})
    theirs = row(study="theirs", baseline="z16", test="z17")
    assert matched(theirs, study=study).outcome == "reproduced"
    assert match_rows([ROW], {"speed": study}, FACTS) == []


def test_a_row_may_be_told_what_it_speaks_of() -> None:
    told = {"P001": PublishedRow(test="new", workloads="RR10(4kB)")}
    names = Names(study="speed", rows=told)
    study = STUDY.model_copy(update={"published": names})
    assert matched(row(test="elsewhere"), study=study).derived == -20.0


def test_a_value_is_held_against_a_configuration() -> None:
    facts = [fact(value=3066.6, metric="rate", unit="1/s")]
    said = row(kind="value", baseline=None, test="old", metric="rate", value=3067.0)
    assert matched(said, facts).outcome == "reproduced"
    assert matched(row(**{**said.model_dump(), "value": 3068.0}), facts).outcome == (
        "differs"
    )


def issue(rows: str, text: str, edition: str = "source") -> PublishedIssue:
    given = {"id": "I01", "editions": edition, "rows": rows, "place": "page 2"}
    none = dict.fromkeys(("printed", "recomputed", "unit", "formula"), "")
    return PublishedIssue.model_validate({**given, **none, "text": text})


def test_the_appendix_counts_and_footnotes(project: Sources) -> None:
    material = read_material("small", project)
    rows = (
        row(value=-37.2, note="Read off a bar."),
        row(id="P002", test="other"),
        row(id="P003", study="unknown"),
    )
    issues = (
        issue("P001", "The table says 38."),
        issue("", "A slip of the pen."),
        issue("P900", "Of another study."),
        issue("", "Of another source.", "elsewhere"),
    )
    material = replace(material, published=rows, issues=issues)
    made = reproduction(material, ["smith"])
    assert made is not None
    assert made["count"] == 2
    assert made["tally"] == "1 is reproduced and 1 is not derived"
    (text,) = map(str, made["tables"])
    assert "| page 1 [@smith] | up to −37.2%^a,b^ | [−37.2%]{.value key=" in text
    assert "^a^ Read off a bar." in text
    assert "^b^ The table says 38." in text
    assert "^c^ The study does not compare other with old." in text
    assert made["others"] == ["Page 2: A slip of the pen."]
    bare = reproduction(material, [])
    assert "[@" not in str(bare["tables"][0])  # type: ignore[index]


@pytest.mark.parametrize(
    ("kind", "published", "derived", "told"),
    [
        ("delta", -14.82, -14.8049, "−14.80%"),
        ("delta", 3, 3.04, "+3.0%"),
        ("value", 5732.5, 5732.5, "5,732.5"),
        ("value", 262, 262.4, "262"),
        ("factor", 2.25, 2.2, "2.20×"),
    ],
)
def test_a_derived_number_has_the_decimals_that_it_is_compared_in(
    kind: str, published: float, derived: float, told: str
):
    assert number_words(row(kind=kind, value=published), derived) == told


def test_without_published_rows_there_is_no_appendix(project: Sources) -> None:
    assert reproduction(read_material("small", project), []) is None


def test_a_published_value_is_held_against_a_study_without_tests():
    alone = STUDY.model_copy(update={"tests": ()})
    told = {"kind": "value", "unit": "µs", "baseline": None, "test": "old"}
    of = row(**told, value=40.0, workload="RR1(1kB)", qualifier="exact")
    own = change("RR1(1kB)", 40.2, kind="value", configuration="old", unit="µs")
    match = matched(of, [own], alone)
    assert (match.derived, match.outcome) == (40.2, "reproduced")
    assert matched(of, [replace(own, value=41.0)], alone).outcome == "differs"


def test_a_row_of_which_two_studies_tell_stands_where_it_is_derived():
    """Short and lasting connections: each derives some of what one source says."""
    names = Names(study="study", configurations={})
    studies = {"short": STUDY.model_copy(update={"published": names})}
    studies["lasting"] = studies["short"]
    own = replace(change("RR1(1kB)", -40.0), study="lasting")
    (match,) = match_rows([row(value=-40, study="study")], studies, [own])
    assert (match.study, match.outcome) == ("lasting", "reproduced")
    (told,) = match_rows([row(study="study", test="x")], studies, [own])
    assert (told.study, told.outcome) == ("short", "not derived")


def test_an_average_over_kinds_of_work_is_that_of_their_means() -> None:
    facts = [
        change("RR1(1kB)", 4.0, metric="rate"),
        change("RR10(1kB)", 6.0, metric="rate"),
        change("STR1(20MB/1B)", 9.0, metric="throughput"),
    ]
    given = {"metric": "rate", "workload": "RR* + STR*"}
    assert matched(row(**given, qualifier="average", value=7), facts).derived == 7.0
    assert matched(row(**given, qualifier="high end", value=9), facts).derived == 9.0


BOTH = STUDY.model_copy(update={"tests": ("new", "newer")})
SAID = {"kind": "direction", "qualifier": "direction", "unit": "", "baseline": "new"}


def values(newer: float) -> list:
    """Values of both tests, for two workloads."""
    return [
        fact(key=f"s.{work}.{arm}", workload=work, configuration=arm, value=value)
        for work in ("RR1(1kB)", "RR10(4kB)")
        for arm, value in (("new", 100.0), ("newer", newer))
    ]


@pytest.mark.parametrize(
    ("newer", "outcome"), [(60.0, "reproduced"), (140.0, "differs")]
)
def test_it_is_compared_by_the_values_of_both(newer: float, outcome: str) -> None:
    said = row(**SAID, value=-1.0, test="newer")
    match = matched(said, [*FACTS, *values(newer)], BOTH)
    assert (match.outcome, len(match.facts)) == (outcome, 4)
    assert match.derived == pytest.approx(newer - 100)
    assert match.reason.startswith("from the values of both")


def test_without_values_of_both_there_is_no_match() -> None:
    said = row(**SAID, value=-1.0, test="newer")
    assert matched(said, values(60.0)[:1], BOTH).outcome == "not derived"
    assert matched(
        row(**SAID, value=-1.0, test="other"), values(60.0), BOTH
    ).reason == ("the study does not compare other with new")


BARS = [row(id=f"P{n}", value=v, variant=f"bar {n} of 3", qualifier="exact") for n, v in
        ((1, -6.0), (2, -41.0), (3, -20.0))]  # fmt: skip


def test_bars_that_nothing_tells_apart_are_compared_as_sorted_sets() -> None:
    matches = match_rows(BARS, {"speed": STUDY}, FACTS)
    found = [(m.derived, m.outcome, m.paired) for m in matches]
    assert found == [
        (-6.0, "reproduced", True),
        (-40.0, "differs", True),
        (-20.0, "reproduced", True),
    ]
    assert [len(match.facts) for match in matches] == [1, 1, 1]
    assert not matched(ROW).paired


def test_sets_of_other_sizes_are_not_paired() -> None:
    for match in match_rows(BARS[:2], {"speed": STUDY}, FACTS):
        assert (match.outcome, match.facts, match.paired) == ("not derived", (), False)
        assert match.reason == (
            "2 values are published, and 3 derived, so sorting pairs none of them"
        )


def test_the_appendix_says_which_rows_are_sorted(project: Sources) -> None:
    material = read_material("small", project)
    bar = row(value=-37, workload="RR1(1kB)", variant="bar", qualifier="exact")
    made = reproduction(replace(material, published=(bar,)), [])
    assert made is not None and made["paired"]
    assert "[✓ reproduced]{.verdict .improved}, sorted |" in str(made["tables"][0])
    named = replace(material, published=(row(value=-37),))
    assert not reproduction(named, [])["paired"]  # type: ignore[index]
