"""Parts are edited with their values, checked, saved as commits, and never lost."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from analysis.report.desk.store import Journal, Repository, Save
from tests.report.desk.asking import Client
from tests.report.desk.conftest import ANN, Office

OBSERVATIONS = "studies/speed/observations.md"
PART = f"e/small/part?text={OBSERVATIONS}&number=0"


def git(folder: Path, *command: str) -> str:
    done = subprocess.run(
        ["git", *command], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def opened(client: Client, path: str = PART) -> dict[str, Any]:
    status, text = client.get(path)
    assert status == 200, text
    found: dict[str, Any] = json.loads(text)
    return found


def edit(part: dict[str, Any], words: str, **more: Any) -> dict[str, Any]:
    tokens = {one["token"]: one["expression"] for one in part["tokens"]}
    named = {name: part[name] for name in ("text", "number", "hash")}
    return {**named, "words": words, "tokens": tokens, **more}


def test_a_part_is_opened_with_what_its_expressions_print(office: Office) -> None:
    part = opened(office.client)
    assert part["words"] == "Latency {falls by 37%} (@fig-speed-rr)."
    [token] = part["tokens"]
    assert token["expression"] == 'moves("latency", "RR1(1kB)")'


def test_the_page_says_which_part_an_element_is_of(office: Office) -> None:
    page = office.client.get("e/small/")[1]
    assert f'data-text="{OBSERVATIONS}" data-number="0" data-hash="' in page


def test_nothing_is_saved_while_the_edition_cannot_be_read(office: Office) -> None:
    client, declared = office.client, office.texts / "edition.yaml"
    client.get("e/small/")
    part = opened(client)
    client.sit()
    whole, before = declared.read_text(), (office.texts / OBSERVATIONS).read_text()
    declared.write_text("title: [\n")
    status, said = client.post("e/small/save", **edit(part, "New words."))
    assert status == 422
    assert "edition.yaml" in str(said)
    assert (office.texts / OBSERVATIONS).read_text() == before
    declared.write_text(whole)
    assert client.post("e/small/save", **edit(part, "New words."))[0] == 200


def test_saved_words_are_on_the_page_and_in_a_commit_of_their_author(
    office: Office,
) -> None:
    client, head = office.client, git(office.texts, "rev-parse", "HEAD")
    client.get("e/small/")
    part = opened(client)
    words = "Interactive work waits less: latency {falls by 37%}."
    client.sit()
    status, said = client.post("e/small/save", **edit(part, words))
    assert status == 200, said
    file = (office.texts / OBSERVATIONS).read_text()
    assert 'latency {{ moves("latency", "RR1(1kB)") }}.' in file
    assert "Interactive work waits less" in client.get("e/small/")[1]
    shown = git(office.texts, "show", "-s", "--format=%an <%ae>%n%B", said["commit"])
    assert shown.startswith("Ann Author <ann@example.org>\n")
    assert "edit ‘Latency …’" in shown
    branch = git(office.texts, "rev-parse", "review/small")
    assert branch == said["commit"] and git(office.texts, "rev-parse", "HEAD") == head
    held = git(office.texts, "show", f"review/small:./{OBSERVATIONS}")
    assert held == file.strip()


def test_the_second_of_two_sees_what_the_first_saved(office: Office) -> None:
    client, part = office.client, opened(office.client)
    client.sit()
    one, two = edit(part, "Ann was here.\n"), edit(part, "Bo was here.\n")
    assert client.post("e/small/save", **one)[0] == 200
    status, said = client.post("e/small/save", **two)
    assert (status, said["now"]["words"]) == (409, "Ann was here.")
    again = edit(said["now"], "Bo was here.\n")
    assert client.post("e/small/save", **again)[0] == 200
    assert "Bo was here." in (office.texts / OBSERVATIONS).read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Raw <b>HTML</b>.", "raw HTML"),
        ('{{ delta("latenzy", "RR1(1kB)") }}', "latenzy"),
        ("{{ delta(", "expression"),
        ("See @fig-nowhere.", "refers to nothing"),
        ("It falls by {36%}.", "is no value of this text"),
        ("Half \ud83d a character.", ""),
        ("a" * 1_100_000, "PART_CHARACTERS"),
    ],
)
def test_what_no_build_takes_is_refused_and_changes_nothing(
    office: Office, words: str, told: str
) -> None:
    client, before = office.client, (office.texts / OBSERVATIONS).read_bytes()
    client.sit()
    status, said = client.post("e/small/save", **edit(opened(client), words))
    assert status in (400, 422) and told in str(said)
    assert (office.texts / OBSERVATIONS).read_bytes() == before
    assert git(office.texts, "branch", "--list", "review/*") == ""


def test_a_part_is_found_by_what_it_said_when_others_moved_it(office: Office) -> None:
    client, part = office.client, opened(office.client)
    client.sit()
    status, _ = client.post("e/small/save", **edit(part, f"New.\n\n{part['words']}"))
    assert status == 200
    assert opened(client)["words"] == "New."
    moved = opened(client, f"{PART}&hash={part['hash']}")
    assert (moved["number"], moved["words"]) == (1, part["words"])
    assert opened(client, f"{PART}&hash=unknown")["words"] == "New."


def test_a_file_keeps_the_line_ends_of_windows(office: Office) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    client.sit()
    status, said = client.post("e/small/save", **edit(opened(client), "One.\r\nTwo."))
    assert status == 200, said
    assert path.read_bytes() == b"One.\r\nTwo.\r\n"
    assert "Two." in client.get("e/small/")[1]


@pytest.mark.parametrize(("typed", "write"), [("\u200b", ""), ("\ufb01", "fi")])
def test_a_character_that_no_text_takes_has_a_mend(
    office: Office, typed: str, write: str
) -> None:
    client = office.client
    client.sit()
    told = edit(opened(client), f"Pasted{typed} words.")
    [found] = client.post("e/small/look", **told)[1]["findings"]
    status, said = client.post("e/small/save", **told)
    assert (status, said["issues"][0]["fixes"]) == (422, found["fixes"])
    fix = {"kind": "plain", "typed": typed, "write": write, "shows": ""}
    assert found["fixes"] == [fix]


def test_checks_answer_before_anything_is_saved(office: Office) -> None:
    client, part = office.client, opened(office.client)
    client.sit()
    status, said = client.post("e/small/look", **edit(part, "It falls by 37%."))
    assert status == 200
    [typed] = [one for one in said["findings"] if "typed by hand" in one["what"]]
    assert typed["severity"] == "error" and "delta(" in typed["mend"]
    assert {
        "kind": "print", "typed": "37%", "shows": "37%",
        "write": 'delta("latency", "RR1(1kB)") | size',
    } in typed["fixes"]  # fmt: skip
    false = edit(part, '[It rises.]{claim="latency rises for RR1(1kB)"}')
    found = client.post("e/small/look", **false)[1]["findings"]
    assert any("latency rises" in one["what"] for one in found)
    assert "rises" not in (office.texts / OBSERVATIONS).read_text()


def test_a_claim_is_offered_for_own_words_and_saved_with_them(office: Office) -> None:
    client, part = office.client, opened(office.client)
    client.sit()
    words = "Latency falls for RR1(1kB)."
    found = client.post("e/small/look", **edit(part, words))[1]["findings"]
    [fix] = [fix for one in found for fix in one["fixes"] if fix["kind"] == "claim"]
    assert (fix["typed"], fix["write"]) == (words, "latency falls for RR1(1kB)")
    claimed = f'[{words}]{{claim="{fix["write"]}"}}'
    assert client.post("e/small/save", **edit(part, claimed))[0] == 200
    assert (office.texts / OBSERVATIONS).read_text() == f"{claimed}\n"


def test_nobody_changes_anything_but_from_a_page_of_the_desk(office: Office) -> None:
    own = edit(opened(office.client), "Mine.")
    for origin in ("", "null", "http://elsewhere.example", "http://127.0.0.1:1"):
        office.client.headers = {"Origin": origin} if origin else {}
        assert office.client.post("e/small/save", **own)[0] == 403
    assert "Mine" not in (office.texts / OBSERVATIONS).read_text()


def test_what_somebody_edited_elsewhere_is_a_commit_of_its_own(office: Office) -> None:
    preface = office.texts / "front/preface.md"
    preface.write_text("By hand [@smith].\n\nTwo.\n")
    client, path = office.client, "e/small/part?text=front/preface.md&number=1"
    client.sit()
    status, said = client.post("e/small/save", **edit(opened(client, path), "Three."))
    assert status == 200
    names = git(office.texts, "log", "-2", "--format=%an", said["commit"])
    assert names.splitlines() == ["Ann Author", "Outside of the desk"]


def test_what_a_crash_left_is_done_at_the_next_start(office: Office) -> None:
    path, after = office.texts / OBSERVATIONS, "After the crash.\n"
    journal, before = office.desk.journal, path.read_text()
    entry = Save(
        "small", f"small/{OBSERVATIONS}", before, after, ANN.name, ANN.email, "edit"
    )
    for held in (before, after):  # killed before the file was written, and behind it
        path.write_text(held)
        journal.folder.mkdir(exist_ok=True)
        left = journal.folder / "1.json"
        left.write_text(json.dumps(vars(entry)))
        assert list(journal.recover()) == []
        assert path.read_text() == after and not left.exists()
        assert git(office.texts, "log", "-1", "--format=%an", "review/small") == (
            ANN.name
        )
        git(office.texts, "branch", "-D", "review/small")
    left.write_text(json.dumps(vars(entry)))
    path.write_text("Somebody else's.\n")
    [notice] = journal.recover()
    assert "Ann Author" in notice and left.exists()
    assert path.read_text() == "Somebody else's.\n"


def test_a_repository_that_refuses_leaves_the_text_and_says_so(
    office: Office, tmp_path: Path
) -> None:
    (tmp_path / ".git/refs/heads/review").write_text("in the way")
    client, part = office.client, opened(office.client)
    client.sit()
    status, said = client.post("e/small/save", **edit(part, "Kept."))
    assert status == 422 and "Git" in said["issues"][0]["what"]
    assert "Kept." in (office.texts / OBSERVATIONS).read_text()
    (tmp_path / ".git/refs/heads/review").unlink()
    assert list(office.desk.journal.recover()) == []
    assert git(office.texts, "log", "-1", "--format=%an", "review/small") == ANN.name


def test_without_git_a_save_is_a_file(project: Any, tmp_path: Path) -> None:
    assert not Repository(tmp_path).there()
    path = project.report / "small" / OBSERVATIONS
    journal = Journal(tmp_path / "journal", project.report, None)
    said = f"small/{OBSERVATIONS}", path.read_text(), "New.\n"
    entry = Save("small", *said, "", "", "edit")
    assert journal.save(entry) == "" and path.read_text() == "New.\n"


def test_a_final_edition_takes_no_words_that_its_build_would_refuse(
    office: Office,
) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    declared = office.texts / "edition.yaml"
    declared.write_text(declared.read_text() + "status: final\n")
    client.sit()
    part, before = opened(client), path.read_text()
    typed = edit(part, f"{part['words']} It is 99% faster.")
    status, said = client.post("e/small/save", **typed)
    assert status == 422 and "no build of a final edition" in str(said)
    assert "99%" in str(said) and "suggest" in str(said)
    assert path.read_text() == before
    assert client.post("e/small/suggest", **typed)[0] == 200
    better = edit(part, f"{part['words']} So do others.")
    assert client.post("e/small/save", **better)[0] == 200
    path.write_text(path.read_text() + "\nIt was 98% faster.\n")  # by an editor
    part = opened(client)
    again = edit(part, part["words"].replace("others", "we"))
    assert client.post("e/small/save", **again)[0] == 200, "what stood there stays"
