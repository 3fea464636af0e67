"""What a reviewer of a study sees: its text, printed values, claims and figures.

All numbers are rounded as they are printed, so that a move which nobody can see
changes nothing here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from analysis.facts.sentences import tally
from analysis.facts.units import format_number, format_percent
from analysis.files.csv_text import read_csv
from analysis.report.claims.checked import Checked
from analysis.report.expressions.bound import interval, plain
from analysis.report.tables.cells import fact_notes
from analysis.report.text.paragraphs import paragraphs
from analysis.report.text.texts import STUDY_TEXTS, study_text

_DIGITS = 8
_DIAGRAM = ("name", "label", "joins", "configurations")
_ROW = ("workload", "role", "metric", "configuration", "record", *_DIAGRAM)
_NUMBERS = ("value", "low", "high")


@dataclass(frozen=True)
class Seen:
    """Four parts, each from a name to what stood there when it was seen.

    ``text`` holds hashes of paragraphs, ``values`` what each expression and each row
    of the first table printed, ``claims`` whether each holds, ``figures`` the rounded
    numbers of each row of data.
    """

    text: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    claims: dict[str, str] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)

    @property
    def stamp(self) -> str:
        """Four hashes, one a part: ``1a2b3c4d-…``."""
        return "-".join(
            _digest(json.dumps(part, sort_keys=True, ensure_ascii=False))
            for part in asdict(self).values()
        )


def seen(checked: Checked, study: str) -> Seen:
    """What a reviewer of a study sees now."""
    return Seen(
        text=dict(_text(checked, study)),
        values=dict(_values(checked, study)),
        claims={
            outcome.claim.text: "holds" if outcome.holds else "fails"
            for outcome in checked.outcomes[study]
        },
        figures=dict(_figures(checked, study)),
    )


def _text(checked: Checked, study: str) -> Iterator[tuple[str, str]]:
    declared = checked.material.studies[study]
    yield "title", _digest(declared.title)
    yield "question", _digest(declared.question)
    for figure in declared.figures:
        words = " ".join((figure.question, figure.caption, figure.alt))
        yield f"words of figure {figure.id}", _digest(words)
    for part in STUDY_TEXTS:
        names: dict[str, int] = {}
        text = checked.texts[study_text(study, part)]
        for paragraph in paragraphs(text.tree):
            name = f"{part}: {paragraph.start}"
            names[name] = names.get(name, 0) + 1
            again = f" ({names[name]})" if names[name] > 1 else ""
            # new line breaks are no new words
            yield name + again, _digest(" ".join(paragraph.source.split()))


def _values(checked: Checked, study: str) -> Iterator[tuple[str, str]]:
    for part in STUDY_TEXTS:
        for printed in checked.texts[study_text(study, part)].printed:
            output = plain(printed.output).strip()
            short = output if "\n" not in output else _digest(output)
            yield f"{part}: {printed.expression}", short
    material = checked.material
    tables = material.tables(study)
    yield "comparisons", tally(fact.verdict for fact in tables.deltas())
    for fact in tables.glance_facts():
        parts = (fact.metric, fact.role, fact.workload, fact.configuration)
        spread = "no interval" if fact.low is None else interval(fact)
        row = f"change of {' '.join(filter(None, parts))}"
        notes = " ".join(fact_notes(fact))
        verdict = "predicted" if fact.estimate else fact.verdict
        yield row, f"{fact.printed}, {spread}, {verdict}. {notes}".rstrip()


def _figures(checked: Checked, study: str) -> Iterator[tuple[str, str]]:
    for picture in checked.material.pictures[study]:
        rows: dict[str, list[str]] = {}
        for name, numbers in _rows(picture.folder / "figure.csv"):
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


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
