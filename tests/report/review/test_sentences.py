"""Sentences by what they rest on: an author's own words are marked and counted, and
each stands with its data, both sides by their names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.report.checks.claims import check_texts
from analysis.report.material import Sources, read_material
from analysis.report.review.sentences import margin, own_marks, own_words

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"
PRINTED = 'Latency falls by {{ delta("latency", "RR1(1kB)") | size }}.'
WORDS = (
    'Latency changes by {{ delta("latency", "RR1(1kB)") }}. '
    '[It answers sooner.]{claim="latency falls for RR1(1kB)"} Keep it.\n'
)


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        (f"{PRINTED} Keep it.", "{} [Keep it.]{{.own-words}}"),
        (f"- **Sooner.** {PRINTED}", "- **[Sooner.]{{.leads}}** {}"),
        ("It *is* so, as `code` says.", "[It *is* so, as `code` says.]{{.own-words}}"),
        ("**Bold** goes on.", "[**Bold** goes on.]{{.own-words}}"),
        ("*All.* More.", "*[All.]{{.own-words}}* [More.]{{.own-words}}"),
        ("[Old mark.]{.unchecked}", "[[Old mark.]{{.own-words}}]{{.unchecked}}"),
        ("@fig-speed-rr has all.", "@fig-speed-rr has [all.]{{.own-words}}"),
        ("### A heading", "### A heading"),
        ('[It falls.]{claim="latency falls for RR1(1kB)"}', None),
    ],
)  # fmt: skip
def test_own_words_are_marked_where_they_stand(
    project: Sources, write_text: WriteText, words: str, marked: str | None
) -> None:
    write_text(OBSERVATIONS, f"{words}\n")
    text = check_texts(read_material("small", project)).texts[OBSERVATIONS]
    shown = text.markdown(marks=own_marks(text))
    printed = text.markdown().partition("Latency")[2]
    told = f"Latency{printed}".partition("}.")[0] + "}."
    assert shown == (text.markdown() if marked is None else marked.format(told))


def test_the_count_leaves_headlines_out(
    project: Sources, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, f"- **Sooner.** {PRINTED} Keep it. Really.\n")
    checked = check_texts(read_material("small", project))
    words = own_words(checked, [checked.texts[OBSERVATIONS]])
    assert words == "2 of 4 sentences are the author's own words"
    assert own_words(checked, []) == ""


def test_a_sentence_stands_with_its_datum_and_own_words_apart(
    project: Sources, write_text: WriteText
) -> None:
    write_text(OBSERVATIONS, WORDS)
    checked = check_texts(read_material("small", project))
    printed, claimed, own = margin(checked, checked.texts[OBSERVATIONS])
    assert printed.words == "Latency changes by −37%."
    assert printed.margin_words.startswith("latency, RR1(1kB), ")
    assert " → " in printed.margin_words and ": −37%, " in printed.margin_words
    assert claimed.margin_words.startswith("latency falls for RR1(1kB) (holds): −37%")
    assert (own.kind, own.margin_words) == ("own words", "own words")
    preface = checked.texts["front/preface.md"]
    assert margin(checked, preface) == []
