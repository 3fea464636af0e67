"""Approving at the desk: what was seen, what changed since, in whose name."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import yaml

from analysis.report.desk.looks import Looks
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

REVIEWERS = "reviewers:\n  - {name: %s, email: ann@example.org}\n"


def stamp_of(office: Office, id: str = "speed") -> str:
    page = office.client.get("e/small/review")[1]
    return re.search(rf'data-id="{id}" data-stamp="([0-9a-f-]+)"', page)[1]


def approve(office: Office) -> int:
    office.client.sit()
    seen = {"id": "speed", "stamp": stamp_of(office)}
    return office.client.post("e/small/approve", **seen)[0]


def test_an_approval_is_the_record_and_a_commit(office: Office) -> None:
    page = office.client.get("e/small/review")[1]
    assert "is not ready to be published: 1 without an approval" in page
    assert "script-src 'self' ;" in page or "script-src 'self';" in page
    assert approve(office) == 200
    record = yaml.safe_load((office.texts / "studies/speed/review.yaml").read_text())
    assert record["by"] == "Ann Author" and "values" in record["seen"]
    told = git(office.texts, "log", "-1", "--format=%an: %s", "review/small")
    assert told == "Ann Author: study speed: approved"
    assert "Approved by Ann Author" in office.client.get("e/small/review")[1]
    assert "1 of 1 approved" in office.client.get("")[1]


def test_what_changed_since_is_told_by_words_and_one_click_approves_it(
    office: Office,
) -> None:
    assert approve(office) == 200
    part = opened(office.client)
    words = "Latency, seen again, {falls by 37%} (@fig-speed-rr)."
    assert office.client.post("e/small/save", **edit(part, words))[0] == 200
    page = office.client.get("e/small/review")[1]
    assert "1 changed since the approval" in page and "Approve again" in page
    assert "<ins>Latency, seen again,</ins>" in page and "<del>Latency</del>" in page
    assert "falls by 37% (Figure 1)." in page and "moves(" not in page
    assert approve(office) == 200
    assert "What changed since" not in office.client.get("e/small/review")[1]


def test_what_was_not_seen_is_not_approved(office: Office) -> None:
    office.client.sit()
    seen = {"id": "speed", "stamp": stamp_of(office)}
    (office.texts / OBSERVATIONS).write_text("Changed meanwhile.\n")
    assert office.client.post("e/small/approve", **seen)[0] == 409
    assert not (office.texts / "studies/speed/review.yaml").exists()
    other = {"id": "../speed", "stamp": seen["stamp"]}
    assert office.client.post("e/small/approve", **other)[0] == 404
    office.client.headers = {}
    assert office.client.post("e/small/approve", **seen)[0] == 403


def test_the_list_says_for_whom_a_study_waits(office: Office) -> None:
    path = office.texts / "edition.yaml"
    path.write_text(path.read_text() + REVIEWERS % "Bo Editor")
    page = office.client.get("e/small/review")[1]
    assert "Waits for Bo Editor" in page
    assert approve(office) == 200
    assert (
        "unverified: not among the reviewers" in office.client.get("e/small/review")[1]
    )


def test_a_look_that_changed_is_a_row_that_one_click_approves(
    office: Office, tmp_path: Path
) -> None:
    own = shutil.copytree(office.desk.templates, tmp_path / "templates")
    live = office.desk.lives["small"]
    live.maker.sources = replace(live.maker.sources, templates=own)
    office.desk.templates = own
    live.forget()
    assert approve(office) == 200
    assert "look of the pages" not in office.client.get("e/small/review")[1]
    style = own / "house.css"
    style.write_text(f"{style.read_text('utf-8')}.value {{ opacity: 0 }}", "utf-8")
    office.desk.take_up({style}, office.project.facts)
    assert "The look of these pages changed" in office.client.get("e/small/")[1]
    page = office.client.get("e/small/review")[1]
    row = page.partition('id="review-.look"')[2]
    assert "<h3>Look</h3>" in row and "<dt>templates/house.css</dt>" in row
    assert "Approve again" in row and "Send back" not in row
    seen = {"id": ".look", "stamp": stamp_of(office, r"\.look")}
    assert office.client.post("e/small/approve", **seen)[0] == 200
    told = git(office.texts, "log", "-1", "--format=%an: %s", "review/small")
    assert told == "Ann Author: the look of the pages: approved"
    assert (office.texts / "looks.yaml").is_file()
    assert "The look of these pages changed" not in office.client.get("e/small/")[1]


def asked(office: Office, **more: object) -> tuple[int, dict[str, list[str]]]:
    office.client.sit()
    seen = {"id": "speed", "stamp": stamp_of(office), **more}
    return office.client.post("e/small/approve", **seen)


def test_a_correction_of_spelling_leaves_the_approval_and_says_so(
    office: Office,
) -> None:
    words = opened(office.client)["words"]
    (office.texts / OBSERVATIONS).write_text(
        f"{source(office)}\n\nThe adaptor was hte same.\n"
    )
    office.desk.lives["small"].update_texts()
    assert approve(office) == 200 and words
    part = opened(office.client, f"e/small/part?text={OBSERVATIONS}&number=1")
    said = edit(part, "The adapter was the same.")
    assert office.client.post("e/small/save", **said)[0] == 200
    page = office.client.get("e/small/review")[1]
    assert "The approval stands: since then spelling corrected: ‘adaptor’" in page
    part = opened(office.client, f"e/small/part?text={OBSERVATIONS}&number=1")
    said = edit(part, "The adapter was not the same.")
    assert office.client.post("e/small/save", **said)[0] == 200
    assert "1 changed since the approval" in office.client.get("e/small/review")[1]


def source(office: Office) -> str:
    return (office.texts / OBSERVATIONS).read_text().strip()


def test_open_suggestions_and_unread_changes_are_asked_about(office: Office) -> None:
    client = office.client
    client.sit()
    client.get("e/small/")  # the page is looked at
    part = opened(client)
    assert (
        client.post("e/small/suggest", **edit(part, f"{part['words']} So."))[0] == 200
    )
    status, answer = asked(office)
    assert status == 409 and "1 suggestion waits" in answer["asks"][0]
    (office.texts / OBSERVATIONS).write_text(f"{source(office)}\n\nMore here.\n")
    office.desk.lives["small"].update_texts()
    status, answer = asked(office)
    assert status == 409 and "since you opened the page" in answer["asks"][1]
    assert asked(office, sure=True)[0] == 200


def test_what_one_looked_at_last_is_known_after_a_new_start(office: Office) -> None:
    live, client = office.desk.lives["small"], office.client
    client.get("e/small/")
    (office.texts / OBSERVATIONS).write_text(f"{source(office)}\n\nMore here.\n")
    live.update_texts()
    del live.looks  # as in a desk that begins
    status, answer = asked(office)
    assert status == 409 and "since you opened the page" in answer["asks"][0]
    client.get("e/small/")
    live.looks.path.write_text("{")  # nobody knows: nothing is claimed of it
    del live.looks
    assert live.looks.last(ANN.email, "speed") == ""
    client.get("e/small/")
    del live.looks
    assert asked(office)[0] == 200


def test_looks_of_two_desks_are_kept_and_a_disk_that_is_full_stops_none(
    tmp_path: Path,
) -> None:
    first, second = (Looks(tmp_path / "looks/small.json") for _ in range(2))
    stamps = {"speed": "a-b-c-d-e-f-style"}
    assert first.last("ann", "speed") == second.last("bob", "speed") == ""
    first.note("ann", stamps)
    second.note("bob", stamps)
    third = Looks(first.path)
    assert third.last("ann", "speed") == third.last("bob", "speed") == "a-b-c-d-e-f"
    first.note("", stamps)
    assert "bob" in first.path.read_text() and '""' not in first.path.read_text()
    nowhere = Looks(first.path / "below a file" / "small.json")
    nowhere.note("ann", stamps)
    assert nowhere.last("ann", "speed") == "a-b-c-d-e-f"


def test_ones_own_save_was_seen(office: Office) -> None:
    client = office.client
    client.sit()
    client.get("e/small/")
    part = opened(client)
    assert client.post("e/small/save", **edit(part, f"{part['words']} So."))[0] == 200
    assert asked(office)[0] == 200


def test_errors_are_refused_and_lead_to_their_place(office: Office) -> None:
    (office.texts / OBSERVATIONS).write_text(
        source(office).replace("moves(", "moves(").replace("Latency", "Throughput")
        + "\n\nLatency of RR1(1kB) falls by 99%.\n"
    )
    office.desk.lives["small"].update_texts()
    page = office.client.get("e/small/review")[1]
    assert 'href="./#part-studies-speed-observations.md-' in page
    status, answer = asked(office, sure=True)
    assert status == 422 and "there are errors" in answer["issues"][0]["what"]


def test_authors_do_not_approve_their_own_words_where_an_edition_says_so(
    office: Office,
) -> None:
    declared = office.texts / "edition.yaml"
    declared.write_text(f"{declared.read_text()}\nreview: {{authors: false}}\n")
    office.desk.lives["small"].forget()
    assert approve(office) == 200  # the words are somebody else's
    part = opened(office.client)
    said = edit(part, f"{part['words']} So.")
    assert office.client.post("e/small/save", **said)[0] == 200
    status, answer = asked(office)
    assert status == 422 and "their own" in answer["issues"][0]["what"]
    office.chair[0] = replace(ANN, name="Bob", email="bob@example.org")
    assert asked(office)[0] == 200
