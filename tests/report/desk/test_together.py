"""Who else is there: a part that others have open, mentions, and a feed."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from analysis.report.desk import desk
from analysis.report.desk.remarks import mentions
from tests.report.desk.conftest import ANN, Office
from tests.report.desk.test_saving import edit, opened

BOB = replace(ANN, name="Bob Reviewer", email="bob@example.org")
ATOM = "{http://www.w3.org/2005/Atom}"


def test_who_has_the_same_part_open_is_told(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = opened(office.client)
    assert part["others"] == [] == opened(office.client)["others"]
    office.chair[0] = BOB
    assert opened(office.client)["others"] == ["Ann Author"]
    office.client.sit()
    looked = office.client.post("e/small/look", **edit(part, "So."))[1]
    assert looked["others"] == ["Ann Author"]
    monkeypatch.setattr(desk, "_PRESENT_SECONDS", -1.0)
    assert opened(office.client)["others"] == []


def test_who_is_named_has_it_among_theirs(office: Office) -> None:
    client = office.client
    client.sit()
    said = {"about": "speed", "words": "What does @bob reviewer, say? <b>"}
    assert client.post("e/small/comment", **said)[0] == 200
    office.chair[0] = BOB
    assert "What does @bob" in client.get("e/small/comments?show=mine")[1]
    assert "What does @bob" in client.get("e/small/next")[1]
    office.chair[0] = replace(BOB, name="Cy")
    assert "What does" not in client.get("e/small/comments?show=mine")[1]
    assert not mentions("@Bobby", "Bob") and not mentions("@", "")


def test_a_feed_has_what_was_done(office: Office) -> None:
    client = office.client
    client.sit()
    words = opened(client)["words"].replace("Latency", "Its & latency")
    assert client.post("e/small/save", **edit(opened(client), words))[0] == 200
    status, text = client.get("e/small/feed.xml")
    feed = ElementTree.fromstring(text)  # noqa: S314 - our own
    assert status == 200 and feed.tag == f"{ATOM}feed"
    first = feed.find(f"{ATOM}entry")
    assert first is not None
    assert first.findtext(f"{ATOM}author/{ATOM}name") == "Ann Author"
    assert "Its & latency falls by 37%" in str(first.findtext(f"{ATOM}summary"))
