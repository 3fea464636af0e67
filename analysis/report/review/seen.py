"""What a reviewer sees of a study, or of front and back matter, and what it means.

All numbers are rounded as they are printed, so that a move which nobody can see
changes nothing here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path

from analysis.facts.fact import Fact
from analysis.facts.sentences import tally
from analysis.facts.units import format_number, format_percent
from analysis.files.csv_text import read_csv
from analysis.report.claims.checked import MATTER, Checked
from analysis.report.expressions.bound import interval
from analysis.report.material import Material
from analysis.report.pictures import Picture
from analysis.report.review.meaning import matter_meaning, meaning
from analysis.report.review.packed_lines import packed_lines
from analysis.report.tables.backtest import backtest
from analysis.report.tables.cells import fact_notes
from analysis.report.text.texts import Text, matter_texts, texts_of

_DIGITS = 8
_DIAGRAM = ("name", "label", "joins", "configurations")
_ROW = ("workload", "role", "metric", "configuration", "record", *_DIAGRAM)
_NUMBERS = ("value", "low", "high")
_DATA, _DRAWN = "figure.csv", ("figure.svg", "figure-narrow.svg")
FILES = (_DATA, *_DRAWN)  # of a picture


@dataclass(frozen=True)
class Seen:
    """Seven parts, each from a name to what stood there when it was seen.

    ``text`` holds the words of paragraphs, ``values`` what each expression, each fact
    and each count of runs printed, ``claims`` whether each holds, ``figures`` the
    rounded numbers of each row of data, ``meaning`` what was declared of all that,
    ``drawings`` hashes of the pictures, and ``looks`` of the templates of the pages.
    """

    text: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    claims: dict[str, str] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)
    meaning: dict[str, str] = field(default_factory=dict)
    drawings: dict[str, str] = field(default_factory=dict)
    looks: dict[str, str] = field(default_factory=dict)

    @property
    def parts(self) -> dict[str, dict[str, str]]:
        """Its parts by their names, not copied."""
        return {name: getattr(self, name) for name in PARTS}

    @cached_property
    def stamp(self) -> str:
        """Seven hashes, one a part: ``1a2b3c4d-…``."""
        return "-".join(self.hashes)

    @cached_property
    def hashes(self) -> list[str]:
        """The hash of each part."""
        return [
            _digest(json.dumps(part, sort_keys=True, ensure_ascii=False))
            for part in self.parts.values()
        ]

    @cached_property
    def packed(self) -> str:
        """The lines that one copies from a page to approve it."""
        return packed_lines(self.parts)


ORDER, BETWEEN = "order of ", " | "  # of the paragraphs of a text, by their first words
PARTS = tuple(part.name for part in fields(Seen))
CONTENT = len(PARTS) - 1  # of them: the look is approved for itself


def seen(checked: Checked, study: str) -> Seen:
    """What a reviewer of a study sees now."""
    texts, pictures = study_texts(checked, study), checked.material.pictures[study]
    return Seen(
        text=dict(_words(texts, pictures)),
        values=dict(_values(checked, study, texts)),
        claims=_claims(checked, study),
        figures=dict(_figures(pictures)),
        meaning=dict(meaning(checked, study)),
        drawings=dict(_drawings(pictures)),
    )


def _claims(checked: Checked, study: str) -> dict[str, str]:
    return {
        outcome.claim.text: "holds" if outcome.holds else "fails"
        for outcome in checked.outcomes[study]
    }


def matter_seen(checked: Checked) -> Seen:
    """What a reviewer of front and back matter sees now, the summary among it.

    What is borrowed is seen with it: no review of another edition is asked.
    """
    material = checked.material
    own, borrowed = _matter_seen(checked), material.edition.borrowed
    others = {study: seen(checked, study).parts for study in borrowed}
    parts = {
        part: entries
        | {
            f"{study}: {name}": told
            for study, parts in others.items()
            for name, told in parts[part].items()
        }
        for part, entries in own.parts.items()
    }
    return Seen(**parts)


def _matter_seen(checked: Checked) -> Seen:
    material = checked.material
    texts = matter_texts(checked.texts, material.edition)
    pictures = [material.overview] if material.overview else []
    pictures += material.sequences
    return Seen(
        text=dict(_words(texts, pictures)),
        claims=_claims(checked, MATTER),
        values=dict((*_printed(texts), *_generated(material))),
        figures=dict(_figures(pictures)),
        meaning=dict(matter_meaning(checked, texts)),
        drawings=dict(_drawings(pictures)),
    )


def _generated(material: Material) -> Iterator[tuple[str, str]]:
    """What is printed around these texts: the sum of all studies, the back-tests."""
    changes = [f for id in material.studies for f in material.tables(id).comparisons()]
    yield "comparisons", tally(fact.verdict for fact in changes)
    if found := material.once("backtest", lambda: backtest(material)):
        yield "back-tests", _in_one_line(found["table"])


def study_texts(checked: Checked, study: str) -> dict[str, Text]:
    """The texts of a study by their part, with the introduction of its chapter."""
    group = checked.material.edition.group_of(study)
    chapter = {"chapter": checked.texts[group.file]} if group and group.file else {}
    return texts_of(checked.texts, study) | chapter


def _words(
    texts: Mapping[str, Text], pictures: Iterable[Picture]
) -> Iterator[tuple[str, str]]:
    for part, text in texts.items():
        yield from text_of(part, text)
    for picture in pictures:
        around = " ".join((picture.caption, picture.lead, picture.alt))
        yield f"words of figure {picture.id}", around


def text_of(part: str, text: Text) -> Iterator[tuple[str, str]]:
    """The words of each paragraph of a text, by part and first words; their order."""
    names: dict[str, int] = {}
    order = []
    for paragraph in text.paragraphs:
        name = f"{part}: {paragraph.start}"
        names[name] = names.get(name, 0) + 1
        again = f" ({names[name]})" if names[name] > 1 else ""
        # new line breaks are no new words
        yield name + again, " ".join(paragraph.source.split())
        order.append(f"{paragraph.start}{again}")
    # Under another heading, or behind another finding, words mean another thing.
    if len(order) > 1:
        yield f"{ORDER}{part}", BETWEEN.join(order)


def _printed(texts: Mapping[str, Text]) -> Iterator[tuple[str, str]]:
    """What each expression printed; of a table the words, in one line."""
    for part, text in texts.items():
        for printed in text.printed:
            yield f"{part}: {printed.expression}", _in_one_line(printed.words)


def _in_one_line(output: str) -> str:
    lines = (line for line in output.splitlines() if line.strip("|-: "))
    return " ".join(" ".join(lines).split())


def _values(
    checked: Checked, study: str, texts: Mapping[str, Text]
) -> Iterator[tuple[str, str]]:
    yield from _printed(texts)
    tables = checked.material.tables(study)
    yield "comparisons", tally(fact.verdict for fact in tables.deltas())
    for fact in tables.facts.facts:
        parts = (fact.metric, fact.role, fact.workload, fact.configuration)
        kind = "change of " if fact.kind == "delta" else ""
        against = f" against {fact.baseline}" if fact.baseline else ""
        yield f"{kind}{' '.join(filter(None, parts))}{against}", _shown(fact)
    for run in tables.facts.runs:
        excluded = (f"{name}: {reason}" for name, reason in run.reasons)
        told = (*excluded, *(f"lacks {name}" for name in run.missing))
        counts = f"{run.used} used, {run.excluded} excluded"
        name = f"runs of {run.configuration} {run.workload}"
        yield name, "; ".join((counts, *told))


def _shown(fact: Fact) -> str:
    """What tables and pages show of a fact."""
    spread = "no interval" if fact.low is None else interval(_coarse(fact))
    verdict = "predicted" if fact.estimate else fact.verdict
    limit = None if fact.threshold is None else f"limit {fact.threshold:.3g}%"
    parts = (fact.printed, spread, f"n = {fact.n}", limit, fact.origin, verdict)
    notes = " ".join(fact_notes(fact))
    return f"{', '.join(filter(None, parts))}. {notes}".rstrip()


def _coarse(fact: Fact) -> Fact:
    """A value whose interval has three digits: where pages show one, more say nothing,
    and an approval would lapse for them."""
    if fact.kind == "delta" or fact.low is None or fact.high is None:
        return fact
    return replace(fact, low=float(f"{fact.low:.3g}"), high=float(f"{fact.high:.3g}"))


def _figures(pictures: Iterable[Picture]) -> Iterator[tuple[str, str]]:
    for picture in pictures:
        rows: dict[str, list[str]] = {}
        for name, numbers in _rows(picture.folder / _DATA):
            rows.setdefault(f"{picture.id}: {name}", []).append(numbers)
        yield from ((name, "; ".join(numbers)) for name, numbers in rows.items())


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    """Each row of a figure's data: what it is of, and its numbers as printed."""
    for row in read_csv(path.read_text(encoding="utf-8")):
        name = " ".join(row[column] for column in _ROW if row.get(column))
        change = (row.get("key") or "").endswith(".delta")
        yield name, " ".join(_numbers([row.get(c) for c in _NUMBERS], change))


def _numbers(cells: Iterable[str | None], change: bool) -> Iterator[str]:
    for cell in cells:
        if cell:
            yield format_percent(float(cell)) if change else format_number(float(cell))


def _drawings(pictures: Iterable[Picture]) -> Iterator[tuple[str, str]]:
    for picture in pictures:
        drawn = "".join((picture.folder / name).read_text("utf-8") for name in _DRAWN)
        yield picture.id, _digest(drawn)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
