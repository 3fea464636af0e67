"""Comments keep their place, are a readable file, and hold back a final edition."""

from __future__ import annotations

import json

import pytest
import yaml

from analysis.report.builds.check import check_edition
from analysis.report.desk.parts import EditedPart
from analysis.report.desk.remarks import part_at
from analysis.report.review.remarks import Remarked, Thread
from tests.report.desk.conftest import Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

SAID = (Remarked(by="Ann", at="2026-01-01T00:00:00+00:00", words="Why?"),)


def say(office: Office, **said: object) -> int:
    office.client.sit()
    return office.client.post("e/small/comment", **said)[0]


def threads(office: Office) -> dict:
    return json.loads(office.client.get("e/small/threads")[1])


def test_a_comment_is_in_a_file_in_a_commit_and_at_its_place_after_an_edit(
    office: Office,
) -> None:
    place = {"text": OBSERVATIONS, "number": 0, "quote": "Latency"}
    assert say(office, about="speed", words="Which one?", **place) == 200
    held = yaml.safe_load((office.texts / "studies/speed/comments.yaml").read_text())
    [thread] = held["threads"]
    assert thread["said"][0]["words"] == "Which one?" and thread["quote"] == "Latency"
    assert git(office.texts, "log", "-1", "--format=%an", "review/small") == (
        "Ann Author"
    )
    words = "First.\n\nLatency of it {falls by 37%} (@fig-speed-rr)."
    own = edit(opened(office.client), words)
    assert office.client.post("e/small/save", **own)[0] == 200
    [found] = threads(office)["threads"]
    assert (found["number"], found["remarks"][0]["by"]) == (1, "Ann Author")
    page = office.client.get("e/small/comments")[1]
    assert "Which one?" in page and "Latency" in page


def test_a_thread_is_answered_resolved_and_listed(office: Office) -> None:
    assert say(office, about="speed", words="Who reads this?") == 200
    assert (
        "Sent back by Ann Author: Who reads this?"
        in (office.client.get("e/small/review")[1])
    )
    assert threads(office)["open"] == 1
    held = yaml.safe_load((office.texts / "studies/speed/comments.yaml").read_text())
    answer = {"about": "speed", "thread": held["threads"][0]["id"]}
    assert say(office, words="All do.", state="resolved", **answer) == 200
    assert threads(office)["open"] == 0
    assert "There is none" in office.client.get("e/small/comments")[1]
    assert "All do." in office.client.get("e/small/comments?show=mine")[1]
    assert office.client.get("e/small/comments?show=x")[0] == 404


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"about": "other", "words": "x"}, 404),
        ({"about": "speed", "words": ""}, 422),
        ({"about": "speed", "words": "x", "text": "../x", "number": 0}, 404),
        ({"about": "speed", "words": "x", "thread": "none"}, 404),
        ({"words": "x", "figure": "fig-none"}, 404),
        ({"words": "x", "value": "speed.none"}, 404),
        ({"words": "x", "text": OBSERVATIONS, "number": 7}, 404),
        ({"words": "x", "text": OBSERVATIONS, "number": 0, "quote": "x" * 2001}, 400),
        ({"about": "speed"}, 400),
    ],
)
def test_what_is_about_nothing_is_refused(
    office: Office, said: dict[str, object], status: int
) -> None:
    assert say(office, **said) == status
    assert not list(office.texts.rglob("comments.yaml"))


def test_open_comments_hold_back_a_final_edition(office: Office) -> None:
    assert say(office, about="speed", words="Not yet.") == 200
    told = [f for f in check_edition("small", office.project).findings
            if "1 open comment" in f.issue.what]  # fmt: skip
    assert [found.severity for found in told] == ["warning"]
    path = office.texts / "edition.yaml"
    path.write_text(path.read_text() + "status: final\n")
    told = [f for f in check_edition("small", office.project).findings
            if "1 open comment" in f.issue.what]  # fmt: skip
    assert [found.severity for found in told] == ["error"]


def test_figures_numbers_and_sentences_have_comments_that_outlive_a_rebuild(
    office: Office,
) -> None:
    key = "speed.rr1-1kb.-.latency.new.delta"
    of_text = {"text": OBSERVATIONS, "number": 0, "value": key, "quote": "37%"}
    title = {"text": "studies/speed/study.yaml", "number": 0, "quote": "New"}
    for place in ({"figure": "fig-speed-rr"}, {"value": key}, of_text, title):
        assert say(office, words="Is this so?", **place) == 200
    told = (office.texts / "studies/speed/comments.yaml").read_text()
    assert told.count("Is this so?") == 4
    facts = office.project.facts
    facts.write_text(facts.read_text().replace("−37%", "−41%"))
    words = "Quite other words now, {falls by 37%} of them."
    own = edit(opened(office.client), words)
    assert office.client.post("e/small/save", **own)[0] == 200
    office.desk.lives["small"].forget()
    figure, value, part, named = threads(office)["threads"]
    assert figure["figure"] == "fig-speed-rr" and value["now"] == "−41%"
    assert (part["number"], part["quote"]) == (0, "37%")
    assert (named["number"], named["text"]) == (0, title["text"])
    page = office.client.get("e/small/comments")[1]
    assert "Figure: Is it faster?" in page and "It prints −41% now" in page
    assert 'href="./#part-studies-speed-observations.md-0"' in page
    assert "Sent back by" not in office.client.get("e/small/review")[1]


def test_what_was_commented_and_is_gone_is_listed_as_that(office: Office) -> None:
    assert say(office, words="Wrong axis.", figure="fig-speed-str") == 200
    study = office.texts / "studies/speed/study.yaml"
    study.write_text(study.read_text().replace("{id: str,", "{id: other,"))
    drawn = office.project.figures / "speed-str"
    drawn.rename(drawn.with_name("speed-other"))
    office.desk.lives["small"].forget()
    assert threads(office) == {"open": 1, "threads": []}
    assert "Wrong axis." in office.client.get("e/small/comments?show=stale")[1]


@pytest.mark.parametrize(
    ("parts", "number"),
    [
        (["Other.", "Streams move twice the data."], 1),
        (["Streams move three times the data now."], 0),
        (["It is said that twice the data go.", "Else."], 0),
        (["Something else altogether is here."], None),
        ([], None),
    ],
)
def test_a_place_is_found_again_or_told_gone(
    parts: list[str], number: int | None
) -> None:
    about = {"part": "Streams move twice the data.", "quote": "twice the data"}
    thread = Thread(id="1", text="a.md", said=SAID, **about)
    parts = [EditedPart("a.md", n, part) for n, part in enumerate(parts)]
    found = part_at(thread, parts)
    assert (found.number if found else None) == number


def test_a_comment_is_of_the_part_that_was_seen(office: Office) -> None:
    begun = opened(office.client)
    place = {"text": OBSERVATIONS, "number": 0, "hash": begun["hash"]}
    office.client.sit()
    own = edit(begun, f"Another.\n\n{begun['words']}")
    assert office.client.post("e/small/save", **own)[0] == 200
    assert say(office, words="Moved?", **place) == 200
    assert [one["number"] for one in threads(office)["threads"]] == [1]
    moved = opened(office.client, f"e/small/part?text={OBSERVATIONS}&number=1")
    own = edit(moved, "It waits less. Latency {falls by 37%}.")
    assert office.client.post("e/small/save", **own)[0] == 200
    assert say(office, words="Which?", **place | {"number": 1}) == 409
    assert say(office, words="Which?", quote="Latency", **place) == 200
    assert [one["number"] for one in threads(office)["threads"]] == [1, 1]
    gone = opened(office.client, f"e/small/part?text={OBSERVATIONS}&number=1")
    assert office.client.post("e/small/save", **edit(gone, ""))[0] == 200
    assert say(office, words="Gone?", **place | {"number": 1}) == 404
