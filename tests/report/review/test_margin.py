"""What each sentence rests on, in words with both sides by their names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analysis.report.claims.checked import check_texts
from analysis.report.material import Sources, read_material
from analysis.report.review.sentences import margin

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"
WORDS = (
    'Latency changes by {{ delta("latency", "RR1(1kB)") }}. '
    '[It answers sooner.]{claim="latency falls for RR1(1kB)"} Keep it.\n'
)


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
