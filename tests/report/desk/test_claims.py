"""Claims of sentences are seen, set and taken away in words that nobody saved."""

from __future__ import annotations

from typing import Any

import pytest

from tests.report.desk.conftest import Office
from tests.report.desk.test_saving import edit, opened

FALLS = "latency falls for RR1(1kB)"


def sentences(office: Office, words: str) -> tuple[dict[str, Any], list[Any]]:
    office.client.sit()
    said = edit(opened(office.client), words)
    status, answer = office.client.post("e/small/look", **said)
    assert status == 200, answer
    return said, answer["sentences"]


def set_claims(office: Office, said: dict[str, Any], n: int, *claims: str) -> str:
    asked = {"edit": said, "sentence": n, "claims": claims}
    status, answer = office.client.post("e/small/claims", **asked)
    assert status == 200, answer
    return str(answer["words"])


def test_a_sentence_has_its_claims_with_datum_and_margin(office: Office) -> None:
    words = f'So it is. [It is quicker.]{{claim="{FALLS}"}}'
    _, [first, second] = sentences(office, words)
    assert (first["kind"], first["claims"]) == ("headline", [])
    assert (second["kind"], second["words"]) == ("claimed", "It is quicker.")
    [claim] = second["claims"]
    assert (claim["claim"], claim["state"]) == (FALLS, "holds")
    assert "37%" in claim["data"] and claim["margin"] and claim["demands"]


@pytest.mark.parametrize(
    ("words", "n", "claims", "after"),
    [
        ("A b. C *d*.", 1, [FALLS], f'A b. [C *d*.]{{claim="{FALLS}"}}'),
        (f'[A b.]{{claim="{FALLS}"}} C.', 0, [], "A b. C."),
        (f'A. [C d.]{{claim="{FALLS}"}}', 1, [FALLS, FALLS],
         f'A. [C d.]{{claim="{FALLS}; {FALLS}"}}'),
        (f'[A b.]{{.unchecked claim="{FALLS}"}}', 0, [], "[A b.]{.unchecked}"),
    ],
)  # fmt: skip
def test_claims_are_set_where_the_sentence_stands(
    office: Office, words: str, n: int, claims: list[str], after: str
) -> None:
    said, _ = sentences(office, words)
    assert set_claims(office, said, n, *claims) == after


def test_values_stay_in_a_sentence_that_gets_a_claim(office: Office) -> None:
    words = opened(office.client)["words"]
    said, [one] = sentences(office, words)
    assert one["kind"] == "printed" and "37%" in one["values"][0]
    after = set_claims(office, said, one["sentence"], FALLS)
    assert after == f'[{words}]{{claim="{FALLS}"}}'


def test_what_is_no_claim_is_refused(office: Office) -> None:
    said, _ = sentences(office, "A b.")
    for claim in ('x"} y', "", "a; b"):
        asked = {"edit": said, "sentence": 0, "claims": [claim]}
        assert office.client.post("e/small/claims", **asked)[0] == 422
    asked = {"edit": said, "sentence": 9, "claims": []}
    assert office.client.post("e/small/claims", **asked)[0] == 404
