"""What is said of a review, word for word, from states made by hand."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.errors import UserError
from analysis.report.review import authors, verb
from analysis.report.review.page import review_line
from analysis.report.review.record import Approval, Record
from analysis.report.review.sentences import SentenceRests
from analysis.report.review.snapshot import Snapshot
from analysis.report.review.state import Review, Reviews, _apart, _from_to
from analysis.report.review.state import moved as told
from analysis.report.review.trust import Trust

NOW = Snapshot(
    text={"title": "1a", "observations: So": "2b"},
    values={"comparisons": "3 improved"},
    claims={"latency falls": "holds"},
    figures={"rr: RR1": "1; 2; 3"},
    meaning={"study speed › title": "One"},
    drawings={"rr": "0a"},
)
DAY = dt.date(2026, 3, 5)


def record(stamp: str = NOW.stamp, then: Snapshot | None = None) -> Record:
    return Record(by="Ann *Author*", date=DAY, stamp=stamp, seen=then)


def of(name: str, *moved: str, level: Any = "listed", why: str = "") -> Review:
    if name == "draft":
        return Review("speed", "draft", NOW)
    trust = Trust(Approval(by="Ann *Author*", date=DAY), level, why)
    return Review("speed", name, NOW, record(), moved, (trust,))  # type: ignore[arg-type]


def material(draft: bool, desk: str | None = None) -> Any:
    status = "draft" if draft else "final"
    edition = SimpleNamespace(status=status, desk=desk, repo_url=None)
    return SimpleNamespace(edition=edition, id="small")


@pytest.mark.parametrize(
    ("name", "draft", "words"),
    [
        ("draft", True, "Review: draft, not approved yet."),
        ("draft", False, "Not reviewed."),
        ("approved", True,
         r"Reviewed by Ann \*Author\* on 5 March 2026."),
        ("approved", False, r"Reviewed by Ann \*Author\* on 5 March 2026."),
        ("stale", True,
         r"Review: 2 things moved since Ann \*Author\* on 5 March 2026 approved it."),
        ("stale", False, "Reviewed before its numbers or words changed."),
    ],
)  # fmt: skip
def test_the_line_at_the_head_of_a_study(name, draft, words):
    found = review_line(of(name, "this", "that"), material(draft))
    assert found == f"[{words}]{{.reviewed .{name}}}"


def test_a_draft_leads_to_its_desk():
    found = review_line(of("draft"), material(True, "https://desk.example.org/"))
    at = "https://desk.example.org/small/review#review-speed"
    assert found.endswith(f"{{.reviewed .draft}} [Review it at the desk]({at})")
    assert "](" not in review_line(of("draft"), material(False, "https://desk.x"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("draft", "speed: draft, not approved yet"),
        ("approved", "speed: approved by Ann *Author* on 2026-03-05"),
        (
            "stale",
            "speed: stale, approved by Ann *Author* on 2026-03-05; 2 things moved",
        ),
    ],
)
def test_the_line_of_the_verb(name, words):
    assert verb.status_line(of(name, "this", "that")) == words


@pytest.mark.parametrize(
    ("level", "words"),
    [("signed", ", signed"), ("listed", ""), ("unverified", ", unverified")],
)
def test_the_page_says_how_far_it_is_known_who_approved(level, words):
    found = of("approved", level=level, why="not *among* them")
    said = f"[Reviewed by Ann \\*Author\\* on 5 March 2026{words}.]"
    assert review_line(found, material(False)).startswith(said)


def moved(then: Snapshot, now: Snapshot = NOW) -> list[str]:
    return list(told(record(then.stamp, then), now))


def changed(**parts: dict[str, str]) -> Snapshot:
    return Snapshot(**{**NOW.parts, **parts})


@pytest.mark.parametrize(
    ("then", "words"),
    [
        (changed(text={"title": "0", "observations: So": "2b"}),
         ["text: ‘title’ was edited, from 0 to 1a"]),
        (changed(text={"title": "1a"}), ["text: ‘observations: So’ is new"]),
        (changed(text={**NOW.text, "old": "9"}), ["text: ‘old’ is gone"]),
        (changed(claims={"latency falls": "fails"}),
         ["claim: ‘latency falls’ failed and now holds"]),
        (changed(claims={}), ["claim: ‘latency falls’ is new and holds"]),
        (changed(claims={**NOW.claims, "rate rises": "holds"}),
         ["claim: ‘rate rises’ is gone"]),
        (changed(values={"comparisons": "2 improved"}),
         ["comparisons moved from 2 improved to 3 improved"]),
        (changed(values={}), ["comparisons is new: 3 improved"]),
        (changed(values={**NOW.values, "x": "9"}), ["x is gone: it was 9"]),
        (changed(figures={"rr: RR1": "1; 5; 6"}),
         ["figure rr: RR1 moved from 5 to 2 (2 of 3 points moved)"]),
        (changed(figures={"rr: RR1": "1; 2; 9"}),
         ["figure rr: RR1 moved from 9 to 3 (1 of 3 points moved)"]),
        (changed(figures={"rr: RR1": "1; 2"}),
         ["figure rr: RR1 has 3 points and had 2"]),
        (changed(figures={}), ["figure rr: RR1 is new: 1; 2; 3"]),
        (changed(figures={**NOW.figures, "b": "4"}), ["figure b is gone: it was 4"]),
        (changed(meaning={"study speed › title": "Two"}),
         ["study speed › title moved from Two to One"]),
        (changed(drawings={"rr": "1a"}),
         ["figure rr is drawn otherwise; its numbers are the same"]),
        (changed(drawings={"rr": "1a"}, figures={"rr: RR1": "1; 2; 9"}),
         ["figure rr: RR1 moved from 9 to 3 (1 of 3 points moved)"]),
        (changed(drawings={}), ["figure rr is new"]),
        (changed(drawings={"rr": "0a", "b": "1"}), ["figure b is gone"]),
        (changed(text={}, claims={}, values={}, figures={}),
         ["text: ‘title’ is new", "text: ‘observations: So’ is new",
          "claim: ‘latency falls’ is new and holds", "comparisons is new: 3 improved",
          "figure rr: RR1 is new: 1; 2; 3"]),
    ],
)  # fmt: skip
def test_what_moved_is_said_in_words(then, words):
    assert moved(then) == words


def test_a_figure_of_one_point_has_no_count():
    then, now = Snapshot(figures={"a": "1"}), Snapshot(figures={"a": "2"})
    assert moved(then, now) == ["figure a moved from 1 to 2"]


def test_a_record_without_details_names_the_parts():
    parts = NOW.stamp.split("-")
    for index, words in enumerate(
        (
            "the text",
            "printed values",
            "claims",
            "figure data",
            "what is declared",
            "the drawings",
        )
    ):
        old = [*parts[:index], "00000000", *parts[index + 1 :]]
        kept = record("-".join(old))
        assert list(told(kept, NOW)) == [f"{words} moved; the record keeps no details"]


def test_details_that_do_not_fit_the_stamp_do_not_count():
    other = changed(claims={})
    assert record(NOW.stamp, other).details() is None
    assert record(other.stamp, other).details() == other
    assert record().details() is None


def test_of_a_long_text_the_words_that_moved_are_told():
    before, after = (
        " ".join(["so"] * 30 + words + ["and"] * 30)
        for words in (["it", "fell"], ["rose"])
    )
    assert moved(changed(text={"a": before}), changed(text={"a": after})) == [
        "text: ‘a’ was edited, from ‘… so so it fell and and …’ to "
        "‘… so so rose and and …’"
    ]


def test_a_stamp_has_a_part_of_eight_digits_for_each_of_seven():
    parts = NOW.stamp.split("-")
    assert [len(part) for part in parts] == [8] * 7
    for index, name in enumerate(NOW.parts):
        other = changed(**{name: {"x": "é"}}).stamp.split("-")
        assert [a != b for a, b in zip(parts, other, strict=True)] == [
            place == index for place in range(7)
        ]
    assert changed(text=dict(reversed(NOW.text.items()))).stamp == NOW.stamp


def arguments(**given: Any) -> Any:
    known = {"action": "approve", "study": "speed", "edition": "small", "by": "Ann",
             "on": None, "look": False}  # fmt: skip
    return SimpleNamespace(**(known | given))


def test_an_approval_of_tomorrow_is_refused(monkeypatch):
    monkeypatch.setattr(verb, "_today", lambda: DAY)
    tomorrow = DAY + dt.timedelta(days=1)
    with pytest.raises(UserError, match="2026-03-06 is still to come"):
        verb.run(arguments(on=tomorrow))
    with pytest.raises(UserError, match="approve which study"):
        verb.run(arguments(on=DAY, study=None))


def test_a_study_of_several_editions_needs_the_name_of_one(monkeypatch):
    monkeypatch.setattr(verb, "editions_of", lambda *_: ["one", "two"])
    with pytest.raises(UserError) as caught:
        verb.run(arguments())
    assert "several editions have a study 'speed'" in str(caught.value)
    assert "add --edition with one of: one, two" in str(caught.value)


@pytest.mark.parametrize(
    ("done", "name"),
    [(SimpleNamespace(stdout=b" Ann Author \n"), "Ann Author"),
     (SimpleNamespace(stdout=b"\n"), ""), (FileNotFoundError(), "")],
)  # fmt: skip
def test_who_approves_is_asked_of_git(monkeypatch, done, name):
    def run(command, **options):
        assert command == ["git", "config", "user.name"]
        assert options == {"cwd": Path(), "capture_output": True, "check": False}
        if isinstance(done, Exception):
            raise done
        return done

    monkeypatch.setattr(authors.subprocess, "run", run)
    assert authors.git_entry("name") == name


def test_only_approved_studies_are_well(monkeypatch, capsys):
    own = {"a": of("approved"), "b": of("stale", "this", "that")}
    matter = replace(of("draft"), matter=True, asked=False)
    monkeypatch.setattr(verb, "reviews", lambda _: Reviews(None, own, matter))
    monkeypatch.setattr(verb, "check_texts", lambda _: None)
    small = [SimpleNamespace(id="small")]
    monkeypatch.setattr(verb, "each_edition", lambda *_: small)
    assert verb.run(arguments(action="status", study=None)) == 1
    assert capsys.readouterr().out == (
        "small/speed: approved by Ann *Author* on 2026-03-05\n"
        "small/speed: stale, approved by Ann *Author* on 2026-03-05; 2 things moved\n"
        "  this\n  that\n"
        "small/front and back matter: draft, not approved yet\n"
    )
    assert verb.run(arguments(action="status", study="a")) == 0
    assert verb.run(arguments(action="status", study="b")) == 1


def test_what_an_approval_would_cover_is_shown():
    rests = [SentenceRests(1, "printed", "It falls.", ("latency: −37%",))]
    shown = verb._shown(of("stale", "this"), rests)
    assert shown == [
        "speed: stale, approved by Ann *Author* on 2026-03-05; 1 thing moved",
        "  this",
        "",
        "values:",
        "  comparisons: 3 improved",
        "",
        "claims:",
        "  latency falls: holds",
        "",
        "declared:",
        "  study speed › title: One",
        "",
        "sentences, and what each rests on:",
        "  It falls.",
        "    latency: −37%",
        "",
        f"texts: 2, figures: 1, stamp {NOW.stamp}",
    ]


@pytest.mark.parametrize(("on", "day"), [(None, DAY), (dt.date(2026, 1, 2),) * 2])
def test_an_approval_is_of_today_unless_a_day_is_given(monkeypatch, capsys, on, day):
    told: list[tuple[Any, ...]] = []
    monkeypatch.setattr(verb, "_today", lambda: DAY)
    monkeypatch.setattr(verb, "editions_of", lambda *_: ["small"])
    monkeypatch.setattr(verb, "sources_of", lambda *_: None)
    monkeypatch.setattr(verb, "read_material", lambda *_: None)
    monkeypatch.setattr(verb, "check_texts", lambda _: "checked")
    monkeypatch.setattr(verb, "raise_if_author", lambda *_: None)
    monkeypatch.setattr(verb, "approve", lambda *args: told.append(args) or "a/file")
    assert verb.run(arguments(on=on)) == 0
    assert told == [("checked", "speed", "Ann", day)]
    assert capsys.readouterr().out == "a/file: approved\n"


def test_paragraphs_that_change_places_are_told() -> None:
    then = changed(text={"order of method": "Values | Are | Changes"})
    now = changed(text={"order of method": "Changes | Are | Values"})
    assert list(told(record(then.stamp, then), now)) == [
        "text: the paragraphs of method stand in another order"
    ]
    fewer = changed(text={"order of method": "Values | Are"})
    assert list(told(record(then.stamp, then), fewer)) == []  # a paragraph is told


@pytest.mark.parametrize(("length", "whole"), [(80, True), (81, False)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_text_of_more_than_eighty_characters_is_long(length, whole, turned):
    pair = [f"a b c {'d' * (length - 10)} e f", "a b c g e f"]
    before, after = pair[::-1] if turned else pair
    said = _from_to(before, after)
    assert (said == f"from {before} to {after}") == whole
    short = [f"‘… {text[2:]}’" for text in (before, after)]
    assert (said == f"from {short[0]} to {short[1]}") != whole


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("a b c X d", "a b c Y d", ("‘… b c X d’", "‘… b c Y d’")),
        ("X a b c d", "Y a b c d", ("‘X a b …’", "‘Y a b …’")),
        ("a b X c d", "a b Y c d", ("‘a b X c d’", "‘a b Y c d’")),
        ("a b c d X", "a b c d", ("‘… c d X’", "‘… c d’")),
        ("X X X", "X X", ("‘X X X’", "‘X X’")),
    ],
)
def test_the_words_apart_stand_between_two_alike(before, after, said):
    assert _apart(before.split(), after.split()) == said
    assert _apart(after.split(), before.split()) == said[::-1]
