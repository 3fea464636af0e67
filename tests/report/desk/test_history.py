"""What was done is read in words of the page, and each of it can be undone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_approving import approve
from tests.report.desk.test_saving import OBSERVATIONS, edit, git, opened

BOB = replace(ANN, name="Bob Reviewer", email="bob@example.org", role="reviewer")


def said(office: Office, words: str, verb: str = "save") -> None:
    status, answer = office.client.post(
        f"e/small/{verb}", **edit(opened(office.client), words)
    )
    assert status == 200, answer


def last(office: Office, back: int = 0) -> str:
    return git(office.texts, "rev-parse", f"review/small~{back}")


def undo(office: Office, back: int = 0, **more: Any) -> tuple[int, Any]:
    return office.client.post("e/small/undo", commit=last(office, back), **more)


def text(office: Office) -> str:
    return (office.texts / OBSERVATIONS).read_text()


def test_a_save_is_read_as_on_the_page_and_undone(office: Office) -> None:
    office.client.sit()
    before, part = text(office), opened(office.client)
    said(office, part["words"].replace("Latency", "The *latency*"))
    page = office.client.get("e/small/history")[1]
    assert "<del>Latency</del> <ins>The latency</ins> falls by 37%" in page
    assert "{{" not in page and "moves(" not in page and "Undo this" in page
    assert undo(office)[0] == 200
    assert text(office) == before
    assert git(office.texts, "log", "-1", "--format=%s", "review/small").startswith(
        f"{OBSERVATIONS}: undo ‘"
    )


def test_what_others_saved_since_stays_when_one_is_undone(office: Office) -> None:
    office.client.sit()
    words = opened(office.client)["words"]
    said(office, f"{words} One more.")
    said(office, f"Here. {words} One more.")
    assert undo(office, 1)[0] == 200
    assert text(office).startswith("Here. ") and "One more" not in text(office)
    said(office, f"Here. {words} Two.")
    said(office, f"Here. {words} Three more of them.")
    status, answer = undo(office, 1)
    assert status == 422 and "changed again" in answer["issues"][0]["what"]


def test_a_version_is_restored(office: Office) -> None:
    office.client.sit()
    words = opened(office.client)["words"]
    said(office, f"{words} One.")
    there = text(office)
    said(office, "Nothing of that.")
    assert undo(office, 1, restore=True)[0] == 200
    assert text(office) == there


def test_an_approval_is_withdrawn_by_who_gave_it_alone(office: Office) -> None:
    assert approve(office) == 200
    record = office.texts / "studies/speed/review.yaml"
    office.chair[0] = BOB
    office.client.sit()
    assert undo(office)[0] == 422
    assert "Withdraw this" not in office.client.get("e/small/history")[1]
    office.chair[0] = ANN
    office.client.sit()
    assert "Withdraw this approval" in office.client.get("e/small/history")[1]
    assert undo(office)[0] == 200
    assert not record.exists()
    assert "1 without an approval" in office.client.get("e/small/review")[1]
    assert approve(office) == 200  # and again
    assert "Withdraw my approval" in office.client.get("e/small/review")[1]
    assert office.client.post("e/small/undo", approval="speed")[0] == 200
    assert not record.exists()
    assert office.client.post("e/small/undo", approval="../speed")[0] == 404


def test_an_approval_is_withdrawn_beside_another_and_not_restored(
    office: Office,
) -> None:
    record = office.texts / "studies/speed/review.yaml"
    assert approve(office) == 200
    office.chair[0] = BOB
    assert approve(office) == 200
    office.chair[0] = ANN
    office.client.sit()
    assert office.client.post("e/small/undo", approval="speed")[0] == 200
    assert "Bob Reviewer" in record.read_text() and "Ann" not in record.read_text()
    office.chair[0] = BOB
    office.client.sit()
    both = last(office, 1)  # Bob's, in which Ann's stood as well
    status, answer = office.client.post("e/small/undo", commit=both, restore=True)
    assert status == 422 and "given anew" in answer["issues"][0]["what"]
    assert office.client.post("e/small/undo", commit=both)[0] == 200
    assert not record.exists()


def suggested(office: Office) -> dict[str, Any]:
    words = opened(office.client)["words"]
    said(office, f"{words} So.", "suggest")
    return {"about": "speed", "id": str(threads(office)[0])}


def threads(office: Office) -> list[str]:
    found = json.loads(office.client.get("e/small/threads")[1])["threads"]
    return [one["id"] for one in found if one["suggests"]]


def test_accepting_is_undone_and_the_suggestion_waits_again(office: Office) -> None:
    office.client.sit()
    before, one = text(office), suggested(office)
    assert office.client.post("e/small/decide", **one, accept=True)[0] == 200
    assert text(office) != before and not threads(office)
    assert undo(office)[0] == 200
    assert text(office) == before and threads(office) == [one["id"]]


def test_declining_has_a_reason_and_is_undone(office: Office) -> None:
    office.client.sit()
    one = suggested(office)
    said = {**one, "accept": False, "why": "Section 2 says so <b>already</b>."}
    assert office.client.post("e/small/decide", **said)[0] == 200
    page = office.client.get("e/small/history")[1]
    assert "declined: Section 2 says so &lt;b&gt;already" in page
    page = office.client.get("e/small/comments?show=decided")[1]
    assert "declined: Section 2" in page and "Accept</button>" not in page
    assert undo(office)[0] == 200
    assert threads(office) == [one["id"]]


def test_a_suggestion_is_withdrawn_by_who_made_it(office: Office) -> None:
    office.client.sit()
    one = suggested(office)
    assert "Withdraw" in office.client.get("e/small/comments?show=suggested")[1]
    office.chair[0] = BOB
    office.client.sit()
    assert office.client.post("e/small/withdraw", **one)[0] == 404
    office.chair[0] = ANN
    office.client.sit()
    assert office.client.post("e/small/withdraw", **one, why="Typed twice.")[0] == 200
    assert threads(office) == []
    page = office.client.get("e/small/comments?show=decided")[1]
    assert "withdrawn: Typed twice." in page


def test_an_address_tells_whose_it_is_and_no_name(office: Office) -> None:
    assert approve(office) == 200
    one = suggested(office)
    office.chair[0] = replace(ANN, email="eve@example.org")
    office.client.sit()
    assert office.client.post("e/small/withdraw", **one)[0] == 404
    [thread] = json.loads(office.client.get("e/small/threads")[1])["threads"]
    assert thread["mine"] is False
    assert office.client.post("e/small/undo", approval="speed")[0] == 422
    assert (office.texts / "studies/speed/review.yaml").exists()


def test_what_is_no_commit_of_the_edition_is_not_undone(office: Office) -> None:
    office.client.sit()
    head = git(office.texts, "rev-parse", "HEAD")
    for commit in ("HEAD", head, "--all", "0" * 40, ""):
        assert office.client.post("e/small/undo", commit=commit)[0] == 404
