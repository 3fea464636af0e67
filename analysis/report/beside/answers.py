"""What questions are answered from: the comparisons and values of an edition, as rows.

They stand with its sections in ``search.json``, which :mod:`analysis.ask` and the
searches of the pages read. A row is one metric of one workload and role, on a test and
on its baseline; a value that nothing is compared with has a row of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import BaseModel, Field, model_validator

from analysis.declared.vocabulary import PARTS, part_words
from analysis.declared.workload import FAMILIES, SHAPES, Workload, parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import origin_text
from analysis.report.checks.claims import Checked
from analysis.report.language.printed import known_interval
from analysis.report.language.verb import verdict_of
from analysis.report.material import Material

COLUMNS = (
    "study", "workload", "role", "metric", "test", "baseline", "size", "answer",
    "change", "change_interval", "verdict", "value", "value_interval", "base",
    "base_interval", "origin",
)  # fmt: skip
SEARCH = "search.json"
_MOST = 20_000  # rows or sections of an edition
SMALL, LARGE = 1024, 32 * 1024  # bytes of the longer message, whatever the others are


class IndexedSection(BaseModel):
    """A heading of a page: where it is, what it is in, its words, and of a study how
    its answer begins."""

    id: str
    title: str
    path: str = ""
    words: str = ""
    page: str = ""
    finding: str = ""


class IndexedStudy(BaseModel):
    """A study: where it stands in the page, and its words. ``home`` is the edition that
    derives it; ``claims`` are text, state and what the data say."""

    id: str
    home: str
    title: str
    question: str = ""
    names: dict[str, str] = {}
    claims: list[tuple[str, str, str]] = []
    figures: list[tuple[str, str]] = []
    at: str = ""
    finding: str = ""
    words: str = ""


class SearchIndex(BaseModel):
    """``search.json``; ``rows`` have the columns of :data:`COLUMNS`."""

    edition: str = ""
    title: str = ""
    sections: Annotated[list[IndexedSection], Field(max_length=_MOST)] = []
    metrics: dict[str, tuple[str, list[str]]] = {}
    roles: dict[str, str] = {}
    shapes: dict[str, str] = {}
    studies: list[IndexedStudy] = []
    columns: list[str] = []
    rows: Annotated[list[list[str]], Field(max_length=_MOST)] = []

    @model_validator(mode="after")
    def _whole(self) -> SearchIndex:
        studies = {study.id for study in self.studies}
        for row in self.rows:
            known = len(row) == len(COLUMNS) and row[0] in studies
            if not known or row[3] not in self.metrics:
                raise ValueError("a row of another form")
        if self.rows and tuple(self.columns) != COLUMNS:
            raise ValueError("other columns")
        return self


def read_index(text: str | bytes | None) -> SearchIndex | None:
    """The index of a build; None where it is absent, damaged or of another form."""
    try:
        return SearchIndex.model_validate_json(text or "")
    except ValueError:
        return None


def answer_index(checked: Checked, answered: Iterable[str]) -> dict[str, Any]:
    """Studies, rows, and the names by which texts call what rows are of.

    ``answered`` are the keys of the facts that the answers of studies print: of rows
    that fit a question alike, theirs comes first. Loads, roles and configurations of a
    row are ids; texts are as the report prints them.
    """
    material, first = checked.material, set(answered)
    facts = material.facts.facts
    used = {fact.metric for fact in facts}
    homes = material.edition.homes(material.id)
    studies = [
        {
            "id": id,
            "home": homes[id],
            "title": study.title,
            "question": study.question,
            "names": {
                arm: name
                for arm, name in material.names(id).items()
                if arm in study.configurations
            },
            "claims": [
                [one.claim.text, one.state, one.deciding.left]
                for one in checked.outcomes.get(id, ())
            ],
            "figures": [[figure.id, figure.question] for figure in study.figures],
        }
        for id, study in material.studies.items()
    ]
    return {
        "metrics": {
            id: [metric.label, [metric.label, *metric.words]]
            for id, metric in material.metrics.items()
            if id in used
        },
        "roles": {p: part_words(p) for p in PARTS if p in {f.role for f in facts}},
        "shapes": shape_patterns(),
        "studies": studies,
        "columns": list(COLUMNS),
        "rows": [row for id in material.studies for row in _rows(material, id, first)],
    }


def shape_patterns() -> dict[str, str]:
    """What texts in small letters call workloads of each shape, as an expression that
    Python and JavaScript read alike."""
    words = {shape: [shape.lower() + r"\d*", s.words] for shape, s in SHAPES.items()}
    for shapes, family in FAMILIES.items():
        for shape in shapes:
            words[shape].append(family)
    return {
        shape: rf"(?<![a-z0-9])(?:{'|'.join(known).lower()})(?![a-z0-9])"
        for shape, known in words.items()
    }


def _rows(material: Material, study: str, first: set[str]) -> Iterator[list[str]]:
    facts = [fact for fact in material.facts.facts if fact.study == study]
    values = {_place(f, f.configuration): f for f in facts if f.kind == "value"}
    compared = set()
    sizes = _sizes({fact.workload for fact in facts})
    deltas = [fact for fact in facts if fact.kind == "delta"]
    for delta in deltas:
        sides = [
            _place(delta, arm or "") for arm in (delta.configuration, delta.baseline)
        ]
        compared |= set(sides)
        value, base = map(values.get, sides)
        yield _row(delta, delta, value, base, sizes, first)
    for place, value in values.items():
        if place not in compared:
            yield _row(value, None, value, None, sizes, first)


def _row(
    of: Fact,
    change: Fact | None,
    value: Fact | None,
    base: Fact | None,
    sizes: dict[str, str],
    first: set[str],
) -> list[str]:
    keys = {fact.key for fact in (change, value, base) if fact}
    return [
        of.study, of.workload, of.role or "", of.metric, of.configuration,
        of.baseline or "", sizes[of.workload], "answer" if keys & first else "",
        *_printed(change), verdict_of(change) if change else "",
        *_printed(value), *_printed(base), origin_text(of),
    ]  # fmt: skip


def _printed(fact: Fact | None) -> tuple[str, str]:
    if fact is None:
        return "", ""
    return fact.printed, known_interval(fact)


def _place(fact: Fact, configuration: str) -> tuple[str, ...]:
    return fact.workload, fact.role or "", fact.metric, configuration


def _sizes(workloads: Iterable[str]) -> dict[str, str]:
    """Which workloads are small or large, and of few or many clients: the ends of
    those of a shape in a study, and messages that are so anywhere."""
    shapes = defaultdict[str, list[Workload]](list)
    for name in workloads:
        shapes[(load := parse_workload(name)).shape].append(load)
    words: dict[str, str] = {}
    for loads in shapes.values():
        sizes = {max(one.request_bytes, one.response_bytes) for one in loads}
        clients = {one.clients for one in loads}
        for one in loads:
            size = max(one.request_bytes, one.response_bytes)
            several, crowds = len(sizes) > 1, len(clients) > 1
            known = {
                "small": size <= SMALL or (several and size == min(sizes)),
                "large": size >= LARGE or (several and size == max(sizes)),
                "few": one.clients == 1 or (crowds and one.clients == min(clients)),
                "many": crowds and one.clients == max(clients),
            }
            words[one.name] = " ".join(word for word, holds in known.items() if holds)
    return words
