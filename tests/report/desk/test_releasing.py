"""A release is made from the desk by the commands, for who may, one at a time."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from analysis.report.desk import releasing
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_saving import git

PAGE = "e/small/release"


def until_done(office: Office) -> str:
    for _ in range(600):
        page = office.client.get(PAGE)[1]
        if "release running" not in page:
            return page
        time.sleep(0.1)
    raise TimeoutError(page)


def test_an_edition_is_declared_final_and_a_draft_again(office: Office) -> None:
    client, declared = office.client, office.texts / "edition.yaml"
    client.sit()
    for status in ("final", "draft"):
        code, answer = client.post(PAGE, do=status)
        assert code == 200, answer
        assert f"status: {status}" in declared.read_text()
        assert git(office.texts, "log", "-1", "--format=%s", "review/small") == (
            f"small: {status}"
        )
    assert "Declare it final" in client.get(PAGE)[1]


def test_a_final_edition_is_not_declared_over_a_false_claim(office: Office) -> None:
    client, declared = office.client, office.texts / "edition.yaml"
    text = office.texts / "studies/speed/observations.md"
    text.write_text('[So.]{claim="latency rises for RR1(1kB)"}\n')
    client.sit()
    before = declared.read_text()
    assert client.post(PAGE, do="final")[0] == 422
    assert declared.read_text() == before


def test_the_command_refuses_and_its_words_are_shown(office: Office) -> None:
    office.client.sit()
    assert office.client.post(PAGE, do="rollback", build="0" * 12)[0] == 200
    page = until_done(office)
    assert "Not done: rolling back, begun by Ann Author" in page
    assert "error: " in page and "Traceback" not in page


def test_no_option_and_no_path_is_a_release(office: Office) -> None:
    office.client.sit()
    for build in ("--help", "--to=/tmp", "../..", "a\0b", "a" * 500_000, "current"):
        assert office.client.post(PAGE, do="rollback", build=build)[0] == 400


def test_one_release_is_made_at_a_time_and_delays_no_page(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, go = office.client, threading.Event()
    client.sit()
    ran: list[list[str]] = []
    run = releasing._run

    def slow(command: list[str], limit: float) -> object:
        if "--list" in command:
            return run(command, limit)
        ran.append(command)
        go.wait(60)
        return run(["-c", "print('published <b>it</b>')"], limit)

    monkeypatch.setattr(releasing, "_run", slow)
    assert client.post(PAGE, do="publish")[0] == 200
    assert client.post(PAGE, do="publish")[0] == 422
    start = time.monotonic()
    assert client.get("e/small/review")[0] == 200
    assert time.monotonic() - start < 20
    go.set()
    page = until_done(office)
    assert "Done: building, publishing" in page
    assert "published &lt;b&gt;it" in page
    ids = ["--edition", "small"]
    assert ran == [["-m", "workflow.build", *ids],
                   ["-m", "analysis", "publish", *ids, "--draft"]]  # fmt: skip


def test_who_may_not_release_sees_no_list_and_does_nothing(office: Office) -> None:
    office.chair[0] = replace(ANN, role="reviewer")
    office.client.sit()
    assert office.client.post(PAGE, do="publish")[0] == 403
    page = office.client.get(PAGE)[1]
    assert "Authors see here" in page and "<button" not in page
