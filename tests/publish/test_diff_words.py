"""A comparison in words, by changes made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from analysis.facts.fact import Estimate, Fact, Facts
from analysis.facts.remark import Remark
from analysis.publish import diff as words
from analysis.publish.comparison import (
    BuildComparison,
    ClaimMove,
    FactChange,
    FigureMove,
    Labels,
    Move,
    TextMove,
    fact_changes,
    labels_of,
    moves,
)
from analysis.publish.site import news
from tests.report.conftest import fact

BUILD = SimpleNamespace(edition="small", id="1a")
OTHER = SimpleNamespace(edition="small", id="2b")
ESTIMATE = Estimate("interpolation", "a model", "1", "so", "measured")
BIMODAL = {"lower_runs": 3, "lower": 13, "upper_runs": 7, "upper": 55}
PARTS = ("facts", "claims", "reviews", "figures", "texts", "raw", "formats", "code")


def compared(**parts: Any) -> BuildComparison:
    told = {name: tuple(parts.pop(name, ())) for name in PARTS}
    return BuildComparison(BUILD, OTHER, **told, **parts)  # type: ignore[arg-type]


def changes(before: Fact | None, after: Fact | None) -> list[FactChange]:
    return list(fact_changes(*(Facts((f,) if f else ()) for f in (before, after))))


def moved(after: dict, before: dict | None = None) -> FactChange:
    (found,) = changes(fact(**(before or {})), fact(**after))
    return found


@pytest.mark.parametrize(
    ("before", "after", "direction", "beyond"),
    [
        ({}, {"value": 90.0, "low": 80.0, "high": 94.9}, "better", True),
        ({}, {"value": 90.0, "low": 80.0, "high": 95.0}, "better", False),
        ({}, {"value": 110.0, "low": 104.1, "high": 120.0}, "worse", True),
        ({}, {"value": 110.0, "low": 104.0, "high": 120.0}, "worse", False),
        ({"better": "higher"}, {"better": "higher", "value": 110.0}, "better", False),
        ({"better": "none"}, {"better": "none", "value": 90.0}, "neither", False),
        ({}, {"printed": "100.0 µs"}, "neither", False),
        ({"low": None}, {"value": 90.0}, "better", None),
        ({}, {"value": 90.0, "low": None}, "better", None),
        ({"low": 0.0, "high": 0.0}, {"value": 101.0, "low": 0.0, "high": 0.0},
         "worse", False),
    ],
)  # fmt: skip
def test_a_change_has_a_direction_and_leaves_the_noise(
    before, after, direction, beyond
):
    found = moved(after, before)
    assert (found.kind, found.direction) == ("moved", direction)
    assert found.beyond_noise is beyond


@pytest.mark.parametrize(
    ("after", "seen", "evidence"),
    [
        ({"value": 100.01}, False, ()),
        ({"printed": "101 µs"}, True, ()),
        ({"origin": "synthetic"}, True, ()),
        ({"verdict": "improved"}, True, ()),
        ({"n": 9}, True, (("n", "10", "9"),)),
        ({"low": 90.0}, True, (("interval", "95.0 to 104 µs", "90.0 to 104 µs"),)),
        ({"low": None}, True, (("interval", "95.0 to 104 µs", "none"),)),
        ({"threshold": 12.345}, True, (("limit", "none", "12.3%"),)),
        ({"estimate": ESTIMATE}, True, (("model", "none", "a model, interpolation"),)),
    ],
)
def test_what_a_reader_can_see_of_a_change(after, seen, evidence) -> None:
    found = moved(after)
    assert (found.visible, found.evidence_moves) == (seen, evidence)
    assert found.origin_changed == ("origin" in after)
    assert found.verdict_changed == ("verdict" in after)


def test_equal_facts_are_no_change_and_others_are_new_or_gone() -> None:
    assert changes(fact(), fact()) == []
    for sides, kind in (((None, fact()), "new"), ((fact(), None), "gone")):
        (found,) = changes(*sides)
        assert (found.kind, found.visible, found.fact) == (kind, True, fact())
        assert found.evidence_moves == ()
        assert not found.origin_changed and not found.verdict_changed


def test_facts_and_moves_are_sorted_by_name() -> None:
    keys = [fact(key=key) for key in "cab"]
    found = list(fact_changes(Facts(tuple(keys)), Facts(())))
    assert [change.key for change in found] == ["a", "b", "c"]
    assert list(moves({"b": "1", "c": "1"}, {"a": "1", "b": "2", "c": "1"})) == [
        Move("a", None, "1"), Move("b", "1", "2"),
    ]  # fmt: skip


NAMES = Labels({"latency": "Latency"}, {"old": "The old one", "x": "x"}, {})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (FactChange("k", "new", None, fact()),
         "· Latency, RR1(1kB): The old one: new, 100 µs (measured)"),
        (moved({"value": 90.0, "printed": "90 µs", "role": "client",
                "configuration": "x"}),
         "✓ Latency, client, RR1(1kB): x: 100 µs → 90 µs, better, within noise"),
        (moved({"value": 200.0, "low": 190.0, "high": 210.0, "kind": "delta",
                "baseline": "b", "metric": "rate", "verdict": "regressed"}),
         "! rate, RR1(1kB): The old one relative to b: 100 µs → 100 µs, worse, "
         "beyond noise, no verdict → regressed, "
         "interval 95.0 to 104 µs → +190 to +210%"),
        (moved({"low": None, "origin": "synthetic"}, {"verdict": "improved"}),
         "· Latency, RR1(1kB): The old one: 100 µs → 100 µs, noise unknown, "
         "improved → none, origin measured → synthetic, "
         "interval 95.0 to 104 µs → none"),
    ],
)  # fmt: skip
def test_a_fact_in_words(change: FactChange, said: str) -> None:
    assert words.fact_words(change, NAMES) == said


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (None, "holds", "s: ‘c’ is new and holds"),
        ("holds", None, "s: ‘c’ is gone"),
        ("holds", "fails", "s: ‘c’ held, now fails: d"),
        ("fails", "fragile", "s: ‘c’ failed, now fragile: d"),
        ("fragile", "holds", "s: ‘c’ was fragile, now holds: d"),
    ],
)
def test_a_claim_in_words(before, after, said: str) -> None:
    assert words.claim_words(ClaimMove("s", "c", before, after, "d")) == said


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("approved", "stale", "s: the approval is void"),
        ("approved", "draft", "s: approved → draft"),
        ("draft", "stale", "s: draft → stale"),
        (None, "approved", "s: absent → approved"),
        ("approved", None, "s: approved → absent"),
    ],
)
def test_a_review_in_words(before, after, said: str) -> None:
    assert words.review_words(Move("s", before, after)) == said


@pytest.mark.parametrize(
    ("before", "after", "rows", "said"),
    [
        (None, "b", 3, "f is new"), ("a", None, 3, "f is gone"),
        ("a", "b", 0, "f: drawn anew, its data are the same"),
        ("a", "b", 3, "f: 3 rows of data differ"),
    ],
)  # fmt: skip
def test_a_figure_in_words(before, after, rows, said: str) -> None:
    assert words.figure_words(FigureMove("f", before, after, rows)) == said


@pytest.mark.parametrize(
    ("rows", "last"),
    [(100, "99"), (101, "and 1 more; --format json has all"),
     (1201, "and 1,101 more; --format json has all")],
)  # fmt: skip
def test_a_hundred_rows_of_a_part_are_shown(rows: int, last: str) -> None:
    found = words.capped([str(n) for n in range(rows)])
    assert found[:100] == [str(n) for n in range(100)]
    assert (found[-1], len(found)) == (last, min(rows, 101))
    text = TextMove("t", tuple(str(n) for n in range(rows)))
    assert words.text_lines(text) == found


def test_all_parts_have_their_heading_and_rows() -> None:
    found = compared(
        facts=[moved({"value": 100.01}), moved({"printed": "x"})],
        claims=[ClaimMove("s", "c", None, "holds", "d")],
        reviews=[Move("s", None, "draft")],
        figures=[FigureMove("f", None, None, 0)],
        texts=[TextMove("t", ("+a",))],
        raw=[Move("r", None, "1"), Move("q", "1", None), Move("p", "1", "2")],
        formats=[Move("html", None, "x")],
        code=[Move("stage derive", "1", None)],
        runs=(Move("n", "1 used", "2 used"),),
        origins=(Move("lab, origin", "a", "b"),),
        labels=Labels({}, {}, {"speed": "Speed"}),
    )
    parts = dict(words.sections(found))
    heads = [*parts]
    assert heads[0].startswith("Facts of ") and heads[0].endswith(" (1)")
    assert heads[1:] == [
        "Facts that look the same", "Claims", "Reviews", "Figures", "Texts", "Runs",
        "Campaigns", "Raw files", "Formats", "Code and programs",
    ]  # fmt: skip
    assert parts["Facts that look the same"] == [
        "1 fact moved by less than the report prints"
    ]
    assert parts["Raw files"] == ["r: new", "q: gone", "p: changed"]
    assert parts["Runs"] == ["n: 1 used → 2 used"]
    assert parts["Formats"] == ["html: absent → x"]
    assert parts["Code and programs"] == ["stage derive: 1 → absent"]
    assert parts["Texts"] == ["t changed"]
    assert words.totals(found) == (
        "Changed: 1 fact, 1 claim, 1 review, 1 figure, 1 text, 1 count of runs, "
        "3 raw files, 1 format"
    )
    assert news(found) == "1 value, 1 claim, 1 figure, 1 text and 3 raw files changed"
    assert not found.empty


def test_nothing_and_code_alone_are_said() -> None:
    nothing, code = compared(), compared(code=[Move("python", "3.11", "3.12")])
    assert nothing.empty and not code.empty
    assert words.plain_text(nothing) == "nothing changed"
    assert words.markdown(nothing) == "Nothing changed."
    assert words.totals(code) == "Changed: code alone"
    assert news(code) == "no value, figure or text changed"
    assert words.plain_text(code) == (
        "small: build 1a → 2b\nChanged: code alone\n\n"
        "Code and programs:\n  python: 3.11 → 3.12"
    )
    both = Move("n", "1", "2"), Move("m", "1", "2")
    assert words.totals(compared(runs=both)) == "Changed: 2 counts of runs"
    for name in ("runs", "origins"):
        assert not compared(**{name: both}).empty


def test_facts_are_counted_by_what_became_of_them() -> None:
    found = [
        moved({"value": 90.0, "printed": "a"}), moved({"value": 99.0, "printed": "b"}),
        moved({"value": 190.0, "printed": "c", "verdict": "improved"}),
        moved({"n": 3, "origin": "synthetic"}), FactChange("k", "new", None, fact()),
        moved({"warnings": (Remark("bimodal", values=BIMODAL),)}),
    ]  # fmt: skip
    assert words.totals(compared(facts=found)) == (
        "Changed: 6 facts (2 better, 1 other verdict, 1 other origin, 1 worse, "
        "1 other n, 1 new, 1 other warnings)"
    )
    assert news(compared(facts=found)) == "6 values changed"


@pytest.mark.parametrize("rows", [12, 13])
def test_a_dozen_rows_are_not_folded(rows: int) -> None:
    raw = [Move(f"r_{n}", None, "1") for n in range(rows)]
    text = words.markdown(compared(raw=raw))
    assert ("<details>" in text) == (rows == 13)
    assert ("<summary>13 lines</summary>" in text) == (rows == 13)
    assert "- r\\_0: new" in text and "### Raw files" in text


def test_studies_stand_in_the_order_of_the_report() -> None:
    facts = [moved({"study": s, "printed": "x"}, {"study": s}) for s in ("z", "b", "a")]
    found = compared(facts=facts, labels=Labels({}, {}, {"a": "A", "b": "B"}))
    assert [study for study, _ in words.by_study(found)] == ["a", "b", "z"]


def test_the_names_of_the_later_build_count() -> None:
    old = {"names": {"metrics": {"rate": "Rate", "x": 3}, "configurations": None}}
    new = {"names": {"metrics": {"rate": "New rate"}}, "studies": {"s": {"title": "S"}}}
    found = labels_of(old, new)
    assert found.metrics == {"rate": "New rate"}
    assert (found.configurations, found.studies) == ({}, {"s": "S"})


def test_builds_of_two_editions_are_both_named() -> None:
    found = compared()
    other = SimpleNamespace(edition="large", id="3c")
    both = BuildComparison(BUILD, other)  # type: ignore[arg-type]
    assert words.title(found) == "small: build 1a → 2b"
    assert words.title(both) == "small 1a → large 3c"


def test_texts_of_a_comparison_are_folded_in_markdown() -> None:
    texts = [TextMove("a<b", ("-old", "+```new")), TextMove("c", ("+x",))]
    found = compared(texts=texts)
    assert words.markdown(found).endswith(
        "<details><summary>a&lt;b</summary>\n\n```diff\n-old\n+'''new\n```\n\n"
        "</details>\n\n<details><summary>c</summary>\n\n```diff\n+x\n```\n\n</details>"
    )
    assert words.plain_text(found).endswith("a<b:\n  -old\n  +```new\n\nc:\n  +x")
