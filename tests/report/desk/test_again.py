"""What is sent once more, as its answer was lost on the way, is there once."""

from __future__ import annotations

import yaml

from tests.report.desk.conftest import Office
from tests.report.desk.test_commenting import say
from tests.report.desk.test_saving import OBSERVATIONS
from tests.report.desk.test_suggesting import WORDS, decide, suggest, suggested


def said(office: Office) -> list[list[str]]:
    path = office.texts / "studies/speed/comments.yaml"
    found = yaml.safe_load(path.read_text())["threads"]
    return [[one["words"] for one in thread["said"]] for thread in found]


def test_a_comment_that_is_sent_twice_is_said_once(office: Office) -> None:
    place = {"text": OBSERVATIONS, "number": 0, "words": "Why?"}
    for _ in range(2):
        assert say(office, **place) == 200
    path = office.texts / "studies/speed/comments.yaml"
    [thread] = yaml.safe_load(path.read_text())["threads"]
    answer = {"about": "speed", "thread": thread["id"]}
    for words in ("So.", "So.", "No.", "So."):
        assert say(office, **answer, words=words) == 200
    assert say(office, **answer, words="So.", state="resolved") == 200
    assert said(office) == [["Why?", "So.", "No.", "So.", "So."]]
    assert say(office, **place) == 200  # it is asked anew, as the first is settled
    assert say(office, about="speed", words="Why?") == 200  # of all of it
    assert len(said(office)) == 3


def test_a_suggestion_that_is_sent_twice_is_one(office: Office) -> None:
    for _ in range(2):
        assert suggest(office)[0] == 200
    assert len(suggested(office)) == 1
    assert decide(office, accept=False)[0] == 200
    assert suggest(office)[0] == 200  # once more, after it was declined
    assert suggest(office, f"{WORDS} Newer.")[0] == 200
    assert len(suggested(office)) == 2
