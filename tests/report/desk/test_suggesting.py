"""Suggestions: a readable file, a tracked change, a commit of who suggested it."""

from __future__ import annotations

import json

import yaml

from analysis.report.desk.people import Person
from tests.report.desk.conftest import Office
from tests.report.desk.test_approving import approve
from tests.report.desk.test_declaring import declared
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

WORDS = "Latency of it {falls by 37%} (@fig-speed-rr)."


def suggest(office: Office, words: str = WORDS) -> tuple[int, dict]:
    office.client.sit()
    said = edit(opened(office.client), words)
    return office.client.post("e/small/suggest", **said)


def suggested(office: Office) -> list[dict]:
    told = json.loads(office.client.get("e/small/threads")[1])["threads"]
    return [one for one in told if one["suggests"]]


def decide(office: Office, accept: bool) -> tuple[int, dict]:
    [one] = suggested(office)
    named = {"about": one["about"], "id": one["id"]}
    return office.client.post("e/small/decide", accept=accept, **named)


def held(office: Office) -> dict:
    path = office.texts / "studies/speed/comments.yaml"
    [found] = yaml.safe_load(path.read_text())["threads"]
    return found


def test_an_accepted_suggestion_is_a_commit_of_who_made_it(office: Office) -> None:
    before = (office.texts / OBSERVATIONS).read_text()
    assert approve(office) == 200 and suggest(office)[0] == 200
    assert (office.texts / OBSERVATIONS).read_text() == before
    [one] = suggested(office)
    assert one["number"] == 0 and ["new", "of it"] in one["pieces"]
    assert ["same", "falls by 37% (Figure 1)."] in one["pieces"]
    assert "{{ moves(" in held(office)["instead"]
    office.chair[0] = Person("Bo Editor", "bo@example.org", "author")
    office.client.sit()
    status, said = decide(office, accept=True)
    assert status == 200, said
    who = git(office.texts, "show", "-s", "--format=%an <%ae>", f"{said['commit']}~")
    assert who == "Ann Author <ann@example.org>"
    assert (office.texts / OBSERVATIONS).read_text().startswith("Latency of it {{")
    last = held(office)["said"][-1]
    assert (held(office)["state"], last["by"]) == ("accepted", "Bo Editor")
    assert suggested(office) == []


def test_a_declined_one_changes_no_text_and_is_kept(office: Office) -> None:
    before = (office.texts / OBSERVATIONS).read_text()
    assert suggest(office)[0] == 200 and decide(office, accept=False)[0] == 200
    assert (office.texts / OBSERVATIONS).read_text() == before
    assert held(office)["state"] == "declined"


def test_one_is_stale_when_the_text_moved_on(office: Office) -> None:
    assert suggest(office)[0] == 200
    own = edit(opened(office.client), "Something else was saved.")
    assert office.client.post("e/small/save", **own)[0] == 200
    [one] = suggested(office)
    assert one["number"] is None
    status, said = decide(office, accept=True)
    assert status == 422 and "moved on" in said["issues"][0]["what"]
    assert "Something else was saved." in (office.texts / OBSERVATIONS).read_text()
    assert decide(office, accept=False)[0] == 200


def test_what_no_build_would_take_is_no_suggestion(office: Office) -> None:
    for words in (
        "Raw <b>HTML</b>.",
        "{{ delta(",
        "Latency {falls by 37%} (@fig-speed-rr).",
    ):
        assert suggest(office, words)[0] == 422
    assert not list(office.texts.rglob("comments.yaml"))
    unknown = {"about": "speed", "id": "none", "accept": True}
    assert office.client.post("e/small/decide", **unknown)[0] == 404
    office.client.headers = {}
    assert office.client.post("e/small/decide", **unknown)[0] == 403


def test_a_title_is_suggested_accepted_and_stale_when_it_reads_otherwise(
    office: Office,
) -> None:
    office.client.sit()
    study = {"file": "studies/speed/study.yaml", "entry": "title"}
    title = declared(office, study["file"], study["entry"])
    for words, code in (("Newer", 200), ("Newest", 200), ("New against old", 422)):
        assert office.client.post("e/small/suggest", **edit(title, words))[0] == code
    first, second = suggested(office)
    assert first["number"] == 0 and ["new", "Newer"] in first["pieces"]
    office.chair[0] = Person("Bo Editor", "bo@example.org", "author")
    office.client.sit()
    named = {"about": "speed", "id": first["id"], "accept": True}
    status, said = office.client.post("e/small/decide", **named)
    assert status == 200, said
    assert "title: Newer\n" in (office.texts / study["file"]).read_text()
    assert git(office.texts, "show", "-s", "--format=%an", f"{said['commit']}~") == (
        "Ann Author"
    )
    [stale] = suggested(office)
    assert (stale["id"], stale["number"]) == (second["id"], None)
    again = {"about": "speed", "id": second["id"], "accept": True}
    assert office.client.post("e/small/decide", **again)[0] == 422
    page = office.client.get("e/small/comments?show=suggested")[1]
    assert "Newest" in page and "The text moved on" in page


def test_who_only_comments_accepts_nothing_by_a_reply(office: Office) -> None:
    assert suggest(office)[0] == 200
    [one] = suggested(office)
    reply = {"about": "speed", "thread": one["id"], "words": "Yes."}
    for state, code in (("accepted", 400), ("resolved", 200)):
        assert office.client.post("e/small/comment", **reply, state=state)[0] == code
    assert "state" not in held(office) and len(suggested(office)) == 1
    assert json.loads(office.client.get("e/small/threads")[1])["open"] == 0
