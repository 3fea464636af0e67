"""What a reviewer sees of a study, or of front and back matter, and what it means.

All numbers are rounded as they are printed, so that a move which nobody can see
changes nothing here.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import textwrap
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from analysis.declared.campaign import Campaign
from analysis.declared.edition import Group
from analysis.declared.published import Published
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import tally
from analysis.facts.units import format_number, format_percent
from analysis.files.csv_text import read_csv
from analysis.report.claims.checked import MATTER, Checked
from analysis.report.expressions.bound import interval
from analysis.report.material import Material
from analysis.report.pictures import Picture
from analysis.report.tables.backtest import backtest
from analysis.report.tables.cells import fact_notes
from analysis.report.text.bibliography import bibliography_entries
from analysis.report.text.glossary import read_glossary
from analysis.report.text.texts import (
    SLIDES,
    STUDY_TEXTS,
    Text,
    matter_texts,
    study_text,
    texts_of,
)

_COLUMNS = 76
_DIGITS = 8
_DIAGRAM = ("name", "label", "joins", "configurations")
_ROW = ("workload", "role", "metric", "configuration", "record", *_DIAGRAM)
_NUMBERS = ("value", "low", "high")
_DATA, _DRAWN = "figure.csv", ("figure.svg", "figure-narrow.svg")
FILES = (_DATA, *_DRAWN)  # of a picture
Entries = Iterator[tuple[str, str]]
_BELOW = " › "
_ORDER = "order"
# Of an edition, what front and back matter print or are arranged by.
_MATTER = {
    "title", "subtitle", "authors", "date", "number", "language", "description",
    "family", "summary", "order", "front", "back",
}  # fmt: skip


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
    pictures = _matter_pictures(material)
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
    changes = [
        f for id in material.studies for f in material.of_study(id).comparisons()
    ]
    yield "comparisons", tally(fact.verdict for fact in changes)
    if found := backtest(material):
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
    tables = checked.material.of_study(study)
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


def drawings(checked: Checked, study: str | None) -> dict[str, str]:
    """The hashes of the pictures of a study, or of front and back matter."""
    material = checked.material
    if study:
        return dict(_drawings(material.pictures[study]))
    borrowed = {
        f"{id}: {name}": drawn
        for id in material.edition.borrowed
        for name, drawn in _drawings(material.pictures[id])
    }
    return dict(_drawings(_matter_pictures(material))) | borrowed


def _matter_pictures(material: Material) -> list[Picture]:
    return [*([material.overview] if material.overview else []), *material.sequences]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def meaning(checked: Checked, study: str) -> Entries:
    """Each declared entry that bears on a study, by its name, as text."""
    material = checked.material
    edition, declared = material.edition, material.studies[study]
    group = edition.group_of(study)
    yield "edition › title", edition.title
    yield from _flat(edition.subtitle, "edition", "subtitle")
    if group:
        yield "edition › chapter", group.title
    yield from flat(declared, f"study {study}")
    for workload in material.of_study(study).workloads():
        yield f"workload {workload}", _sizes(workload)
    for name in declared.campaigns:
        yield from flat(_of_study(checked, study, name), f"campaign {name}")
        if left := material.evidence[name].left_out:
            yield f"campaign {name} › left out", left.words
    used = {fact.metric for fact in material.facts.of_studies((study,)).facts}
    for id in sorted(used.union(declared.metrics) & material.metrics.keys()):
        yield from flat(material.metrics[id], f"metric {id}")
    texts = _texts(checked, study)
    yield from _exceptions(texts)
    published = _published(checked, study)
    for row in published:
        yield from flat(row, f"published {row.id}")
    ids = {row.id for row in published}
    for issue in material.issues:
        if ids.intersection(issue.rows):
            yield from flat(issue, f"published issue {issue.id}")
    yield from _references(checked, texts, {row.citation for row in published})
    words = "\n".join(text.plain() for text in texts.values())
    for term, told in read_glossary(material.folder).items():
        if re.search(rf"(?<!\w){re.escape(term)}(?!\w)", words):
            yield f"term {term}", f"{told.name}: {told.means}"


def matter_meaning(checked: Checked, texts: Mapping[str, Text]) -> Entries:
    """Each declared entry that bears on front and back matter, by its name, as text.

    ``texts`` are those that it has, by their part.
    """
    material, edition = checked.material, checked.material.edition
    for name, value in edition.model_dump(mode="json", include=_MATTER).items():
        yield from _flat(value, "edition", name)
    yield "edition › studies", ", ".join(edition.study_ids)
    for group in (entry for entry in edition.studies if isinstance(entry, Group)):
        yield f"edition › chapter {group.id}", group.title
    yield from _exceptions(texts)
    yield from _references(checked, texts, set())
    for term, told in read_glossary(material.folder).items():
        yield f"term {term}", f"{told.name}: {told.means}"
    compared = {
        row.edition for id in material.studies for row in _published(checked, id)
    }
    for issue in material.issues:
        if compared.intersection(issue.editions) and not issue.rows:
            yield from flat(issue, f"published issue {issue.id}")


def _exceptions(texts: Mapping[str, Text]) -> Entries:
    for part, text in texts.items():
        for allowed in text.source.allow:
            yield f"exception in {part}: {allowed.text}", allowed.reason


def flat(model: BaseModel, *path: str) -> Entries:
    """The entries of a declaration that are not empty; a list has its order as one."""
    return _flat(model.model_dump(mode="json", by_alias=True), *path)


def _flat(value: Any, *path: str) -> Entries:
    if isinstance(value, dict):
        for name, below in value.items():
            yield from _flat(below, *path, str(name))
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        names = [str(one.get("id", at)) for at, one in enumerate(value, 1)]
        yield _BELOW.join((*path, _ORDER)), ", ".join(names)
        for name, one in zip(names, value, strict=True):
            yield from _flat(one, *path, name)
    elif isinstance(value, list):
        yield from _flat(", ".join(map(str, value)), *path)
    elif value or (value == 0 and value is not False):
        yield _BELOW.join(path), " ".join(_written(value).split())


def _written(value: Any) -> str:
    """A number as one writes it, whether it has a point or not."""
    number = isinstance(value, float) and value.is_integer()
    return str(int(value)) if number else str(value)


def _sizes(name: str) -> str:
    work = parse_workload(name)
    sent, received = work.sizes
    return f"{work.shape}, {work.clients} clients, {sent} sent, {received} received"


def _of_study(checked: Checked, id: str, name: str) -> Campaign:
    """A campaign's declaration without what other studies alone are about."""
    study, evidence = checked.material.studies[id], checked.material.evidence[name]
    campaign = evidence.declared
    systems = evidence.systems_of(study)
    own = {*study.configurations, study.noise.control}
    return campaign.model_copy(
        update={
            "systems": {n: s for n, s in campaign.systems.items() if n in systems},
            "configurations": {
                n: found for n, found in campaign.configurations.items() if n in own
            },
        }
    )


def _texts(checked: Checked, study: str) -> dict[str, Text]:
    texts = {part: checked.texts[study_text(study, part)] for part in STUDY_TEXTS}
    if slides := checked.texts.get(study_text(study, SLIDES)):
        texts[SLIDES] = slides
    group = checked.material.edition.group_of(study)
    return texts | (
        {"chapter": checked.texts[group.file]} if group and group.file else {}
    )


def _published(checked: Checked, study: str) -> list[Published]:
    """Published numbers that the study is compared with."""
    names = checked.material.studies[study].published
    name = names.study if names else study
    return [row for row in checked.material.published if row.study == name]


def _references(
    checked: Checked, texts: Mapping[str, Text], others: set[str]
) -> Entries:
    """References that texts cite, and others."""
    material = checked.material
    nodes = (node for text in texts.values() for node in text.tree.walk())
    cited = others | {node.words for node in nodes if node.kind == "citation"}
    references = material.folder / material.edition.references
    for key, entry in bibliography_entries(references).items():
        if key in cited:
            yield f"reference {key}", entry


def packed_lines(parts: Mapping[str, Mapping[str, str]]) -> str:
    """Parts by their names as lines of letters and digits; equal ones give the same."""
    told = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    lines = base64.b64encode(zlib.compress(told.encode(), 9)).decode()
    return "\n".join(textwrap.wrap(lines, _COLUMNS))
