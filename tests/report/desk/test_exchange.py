"""What is saved goes to a remote and comes from there; what hinders it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.report.desk.exchange import Exchange
from tests.report.desk.conftest import Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

PREFACE = "front/preface.md"


@pytest.fixture
def exchange(office: Office, tmp_path: Path) -> Exchange:
    git(tmp_path, "init", "-q", "--bare", "remote")
    git(tmp_path, "remote", "add", "there", str(tmp_path / "remote"))
    repository = office.desk.journal.repository
    assert repository
    locks = {id: live.lock for id, live in office.desk.lives.items()}
    return Exchange("there", repository, locks)


def save(office: Office, words: str) -> None:
    office.client.sit()
    said = edit(opened(office.client), words)
    assert office.client.post("e/small/save", **said)[0] == 200


def elsewhere(tmp_path: Path, name: str, text: str) -> Path:
    """Somebody else's clone, in which they commit and push a text."""
    clone = tmp_path / "clone"
    if not clone.exists():
        git(tmp_path, "clone", "-qb", "review/small", "remote", "clone")
    git(clone, "pull", "-q")
    [path] = clone.rglob(f"small/{name}")
    path.write_text(text)
    who = ("-c", "user.name=Bo", "-c", "user.email=bo@example.org")
    git(clone, *who, "commit", "-qam", "Bo's")
    git(clone, "push", "-q")
    return clone


def test_saves_and_what_others_pushed_meet_and_nothing_is_lost(
    office: Office, exchange: Exchange, tmp_path: Path
) -> None:
    exchange.once()  # there is nothing yet
    save(office, "Ann's.")
    exchange.once()
    remote, head = tmp_path / "remote", git(tmp_path, "rev-parse", "HEAD")
    assert git(remote, "rev-parse", "review/small") == (
        git(tmp_path, "rev-parse", "review/small")
    )
    elsewhere(tmp_path, PREFACE, "Bo's.\n")
    save(office, "Ann's again.")
    exchange.once()
    assert exchange.problems == {}
    assert (office.texts / PREFACE).read_text() == "Bo's.\n"
    assert (office.texts / OBSERVATIONS).read_text() == "Ann's again.\n"
    held = git(remote, "log", "-1", "--format=%an %p", "review/small").split()
    assert held[:2] == ["The", "desk"] and len(held) == 4
    assert git(tmp_path, "rev-parse", "HEAD") == head
    elsewhere(tmp_path, OBSERVATIONS, "Bo's after Ann.\n")
    exchange.once()
    assert (office.texts / OBSERVATIONS).read_text() == "Bo's after Ann.\n"


def test_what_hinders_the_exchange_is_on_the_pages_and_changes_nothing(
    office: Office, exchange: Exchange, tmp_path: Path
) -> None:
    save(office, "Ann's.")
    exchange.once()
    clone = elsewhere(tmp_path, OBSERVATIONS, "Bo's.\n")
    save(office, "Ann's again.")
    tip = git(tmp_path, "rev-parse", "review/small")
    office.desk.exchange = exchange
    exchange.once()
    assert "both sides changed the same lines" in exchange.problems["small"]
    assert "same lines" in office.client.get("")[1]
    assert "same lines" in office.client.get("e/small/history")[1]
    assert git(tmp_path, "rev-parse", "review/small") == tip
    assert (office.texts / OBSERVATIONS).read_text() == "Ann's again.\n"
    git(clone, "reset", "-q", "--hard", "HEAD~1")
    git(clone, "push", "-qf")
    elsewhere(tmp_path, PREFACE, "Bo's.\n")
    (office.texts / PREFACE).write_text("By hand.\n")
    exchange.once()
    assert "edited outside" in exchange.problems["small"]
    assert (office.texts / PREFACE).read_text() == "By hand.\n"
    git(tmp_path, "remote", "set-url", "there", "http://me:secret@127.0.0.1:1/x")
    exchange.once()
    assert "secret" not in exchange.problems["small"]


def test_a_remote_of_another_history_is_told_and_asked_again(
    office: Office, exchange: Exchange, tmp_path: Path
) -> None:
    save(office, "Ann's.")
    exchange.once()
    other, remote = tmp_path / "other", tmp_path / "remote"
    git(tmp_path, "init", "-q", "other")
    who = ("-c", "user.name=Bo", "-c", "user.email=bo@example.org")
    git(other, *who, "commit", "-q", "--allow-empty", "-m", "Anew")
    ours = git(remote, "rev-parse", "review/small")
    git(other, "push", "-qf", str(remote), "HEAD:refs/heads/review/small")
    exchange.once()
    assert "unrelated histories" in exchange.problems["small"]
    git(remote, "update-ref", "refs/heads/review/small", ours)
    exchange.once()
    assert exchange.problems == {}


def test_what_is_no_text_is_not_taken_from_a_remote(
    office: Office, exchange: Exchange, tmp_path: Path
) -> None:
    save(office, "Ann's.")
    exchange.once()
    clone = elsewhere(tmp_path, PREFACE, "Bo's.\n")
    [path] = clone.rglob(f"small/{PREFACE}")
    path.write_bytes("Geprüft.\n".encode("latin-1"))
    who = ("-c", "user.name=Bo", "-c", "user.email=bo@example.org")
    git(clone, *who, "commit", "-qam", "Bo's")
    git(clone, "push", "-q")
    before = (office.texts / PREFACE).read_bytes()
    exchange.once()
    assert "no UTF-8 text there" in exchange.problems["small"]
    assert (office.texts / PREFACE).read_bytes() == before
