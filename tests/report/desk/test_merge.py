"""Words of two people for one part, merged by sentence."""

from __future__ import annotations

import time

import pytest

from analysis.report.desk.merge import Clash, merge
from tests.report.desk.conftest import Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, opened

BASE = "Latency falls. Streams gain {{ delta('x. Y') }}. Nothing else moves."


@pytest.mark.parametrize(
    ("theirs", "mine", "both"),
    [
        ("A b. C d. New.", "A b. C d. Mine.", "A b. C d. New. Mine."),
        ("A b. C d.", "A x. C d.", "A x. C d."),
        ("A y. C d.", "A b. C z.", "A y. C z."),
        ("A b.", "A b. C d.", "A b."),
        ("Q. A b. C d.", "A b. C d. Z.", "Q. A b. C d. Z."),
        ("A b. C d. Same.", "A b. C d. Same.", "A b. C d. Same."),
        ("A b. C d.", "A b. C d.\n\nBelow.", "A b. C d.\n\nBelow."),
    ],
)
def test_what_each_changed_stands_in_the_merge(
    theirs: str, mine: str, both: str
) -> None:
    found = merge("A b. C d.", theirs, mine)
    assert (found.words, found.clashes) == (both, ())


def test_both_change_other_words_of_one_sentence() -> None:
    theirs = BASE.replace("Streams gain", "Long streams gain")
    mine = BASE.replace("Nothing else moves", "Nothing else moves here")
    mine = mine.replace("}}.", "}} at most.")
    found = merge(BASE, theirs, mine)
    want = "Latency falls. Long streams gain {{ delta('x. Y') }} at most. "
    assert (found.words, found.clashes) == (f"{want}Nothing else moves here.", ())


def test_a_sentence_that_both_changed_is_a_clash_with_both_words() -> None:
    theirs = BASE.replace("Latency falls", "Latency falls a little")
    mine = BASE.replace("Latency falls", "Latency falls by far")
    found = merge(BASE, theirs, mine)
    assert found.words == mine
    assert found.clashes == (Clash("Latency falls by far.", "Latency falls a little."),)


def test_a_sentence_that_one_edits_and_the_other_takes_away_stays() -> None:
    edited = BASE.replace("Nothing else moves", "Nothing else moves at all")
    without = BASE.replace(" Nothing else moves.", "")
    for theirs, mine in ((edited, without), (without, edited)):
        found = merge(BASE, theirs, mine)
        assert found.words == edited and len(found.clashes) == 1


def test_no_words_take_long() -> None:
    for unit in ("a. ", "a ", "{{ x ", ". ", "!"):
        long = unit * (90_000 // len(unit))
        start = time.process_time()
        merge(long, f"Z. {long}", f"{long} Z.")
        assert time.process_time() - start < 3, unit


def test_who_saved_later_gets_both_texts_as_one(office: Office) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    client.sit()
    path.write_text("One goes. Two stays.\n\nOther words.\n")
    part = opened(client)
    theirs = {**edit(part, "One went. Two stays. New."), "base": part["words"]}
    mine = {**edit(part, "One goes. Two stays so."), "base": part["words"]}
    assert client.post("e/small/save", **theirs)[0] == 200
    status, answer = client.post("e/small/save", **mine)
    assert status == 409 and answer["now"]["words"] == theirs["words"]
    both = "One went. Two stays so. New."
    assert answer["merged"] == {"words": both, "tokens": {}, "clashes": []}
    again = edit(answer["now"], both, base=answer["now"]["words"])
    assert client.post("e/small/save", **again)[0] == 200
    assert path.read_text() == f"{both}\n\nOther words.\n"


def test_values_are_tokens_in_the_merge_too(office: Office) -> None:
    client = office.client
    client.sit()
    part = opened(client)
    more = {"base": part["words"]}
    theirs = edit(part, f"{part['words']} Theirs.", **more)
    assert client.post("e/small/save", **theirs)[0] == 200
    mine = edit(part, part["words"].replace("Latency", "Its latency"), **more)
    status, answer = client.post("e/small/save", **mine)
    want = part["words"].replace("Latency", "Its latency") + " Theirs."
    assert (status, answer["merged"]["words"]) == (409, want)


def test_a_part_that_was_taken_away_is_no_other_part(office: Office) -> None:
    client, path = office.client, office.texts / OBSERVATIONS
    client.sit()
    path.write_text("One goes here.\n\nOther words.\n")
    part = opened(client)
    path.write_text("Other words.\n\nMore of them.\n")
    mine = edit(part, "One went.", base=part["words"])
    status, answer = client.post("e/small/save", **mine)
    assert (status, answer) == (409, {"now": None, "merged": None})
