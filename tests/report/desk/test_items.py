"""An item of a list, or a box, becomes whatever one writes in its place."""

from __future__ import annotations

import pytest

from tests.report.desk.conftest import Office
from tests.report.desk.test_saving import OBSERVATIONS, edit, opened

LIST = "- [One]{.unchecked}.\n- [Two]{.unchecked}.\n- [Three]{.unchecked}.\n"


KINDS = [
    "[Two]{.unchecked}, in words of its own.",
    "### [A heading]{.unchecked}",
    "> [A quote]{.unchecked}.",
    "::: {.callout-note}\n[A box]{.unchecked}.\n:::",
    "| [a]{.unchecked} |\n|---|\n| [b]{.unchecked} |",
    "- [Two]{.unchecked}.\n\n[And words]{.unchecked} below.",
    "- [Two]{.unchecked}.\n\n  [And more]{.unchecked} of it.",
    "1. [Two]{.unchecked}.",
]


@pytest.mark.parametrize(
    ("words", "number"),
    [*((words, 1) for words in KINDS), (KINDS[1], 0), (KINDS[5], 0), (KINDS[4], 2)],
)
def test_an_item_of_a_list_becomes_what_one_writes(
    office: Office, words: str, number: int
) -> None:
    path = office.texts / OBSERVATIONS
    path.write_text(LIST)
    client = office.client
    client.sit()
    part = opened(client, f"e/small/part?text={OBSERVATIONS}&number={number}")
    status, said = client.post("e/small/save", **edit(part, words))
    assert status == 200, said
    others = [line for n, line in enumerate(LIST.splitlines()) if n != number]
    assert all(line in path.read_text() for line in (*others, words))


BOX = "::: {.callout-note}\n[Old]{.unchecked}.\n\n[Words]{.unchecked}.\n:::"


AFTER = "[After]{.unchecked}.\n"


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("[Plain]{.unchecked}.", AFTER),
        (BOX.replace("Old", "New"), ""),
        (BOX.replace("Old", "New"), f"\n{AFTER}"),
        ("- [A]{.unchecked}.", AFTER),
        ("", ""),
        ("", AFTER),
    ],
)
def test_a_box_is_edited_with_both_its_ends(
    office: Office, words: str, after: str
) -> None:
    path = office.texts / OBSERVATIONS
    path.write_text(f"[Before]{{.unchecked}}.\n\n{BOX}\n{after}")
    client = office.client
    client.sit()
    part = opened(client, f"e/small/part?text={OBSERVATIONS}&number=1")
    assert part["words"] == BOX
    status, said = client.post("e/small/save", **edit(part, words))
    assert status == 200, said
    shown = path.read_text()
    assert words in shown and shown.count(":::") == words.count(":::")
    assert "After" in client.get("e/small/")[1] or not after
