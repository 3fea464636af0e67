"""A digest goes to those for whom something waits, and to nobody else."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from analysis.report.desk.mail import digests, send
from analysis.report.desk.people import Team, read_team
from tests.report.desk.conftest import Office


def team(tmp_path: Path, **mail: Any) -> Team:
    people = {
        name: {"name": words, "email": f"{name}@example.org", "role": "author"}
        for name, words in (("ann", "Ann Author"), ("bob", "Bob Reviewer"))
    }
    given = {"host": "desk.example.org", "proxies": ["127.0.0.1"], "people": people}
    given |= {"mail": mail} if mail else {}
    (tmp_path / "desk.yaml").write_text(yaml.safe_dump(given))
    return read_team(tmp_path / "desk.yaml")


def named(office: Office) -> None:
    path = office.texts / "edition.yaml"
    who = "reviewers:\n  - {name: Bob Reviewer, email: bob@example.org}\n"
    path.write_text(f"{path.read_text()}\n{who}")
    office.desk.lives["small"].forget()


class Server:
    """Keeps what it is given."""

    sent: ClassVar[list[EmailMessage]] = []

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def send_message(self, letter: EmailMessage) -> None:
        self.sent.append(letter)


def test_who_is_waited_for_gets_one_mail(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named(office)
    monkeypatch.setattr(smtplib, "SMTP", Server)
    mail = {"server": "smtp.example.org", "sender": "desk@example.org"}
    assert send(office.desk, team(tmp_path, **mail)) == ""
    [letter] = Server.sent
    assert letter["To"] == "bob@example.org"
    words = letter.get_content()
    assert "to read and approve: New against old" in words
    assert "https://desk.example.org/e/small/next" in words


def test_without_mail_nothing_is_sent(office: Office, tmp_path: Path) -> None:
    named(office)
    without = team(tmp_path)
    assert send(office.desk, without) == "" and not list(digests(office.desk, without))


def test_a_server_that_refuses_is_told(office: Office, tmp_path: Path) -> None:
    named(office)
    mail = {"server": "127.0.0.1", "sender": "desk@example.org", "port": 1}
    said = send(office.desk, team(tmp_path, **mail))
    assert said.startswith("no mail was sent by 127.0.0.1")
    office.desk.mailing = said
    assert "no mail was sent" in office.client.get("")[1]
