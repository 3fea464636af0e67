"""What a study shows, or front and back matter, when somebody reads it; its stamp.

All numbers are rounded as they are printed, so that a move which nobody can see
changes nothing here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from analysis.declared.base import Declared
from analysis.declared.campaign import Campaign
from analysis.declared.edition import Group
from analysis.declared.published import Published
from analysis.declared.workload import parse_workload
from analysis.facts.fact import Fact
from analysis.facts.sentences import tally
from analysis.facts.units import format_number, format_percent
from analysis.files.csv_text import read_csv
from analysis.files.hashes import state_of
from analysis.files.templates import template_files
from analysis.report.checks.claims import MATTER, Checked
from analysis.report.language.printed import interval
from analysis.report.material import Material
from analysis.report.pictures import Picture
from analysis.report.tables.backtest import backtest
from analysis.report.tables.cells import fact_notes
from analysis.report.text.bibliography import bibliography_entries
from analysis.report.text.glossary import read_glossary
from analysis.report.text.texts import ANSWER, Text, matter_texts, texts_of

ORDER, BETWEEN = "order of ", " | "  # of the paragraphs of a text, by their first words
_DIGITS = 8
_DIAGRAM = ("name", "label", "joins", "configurations")
_ROW = ("workload", "role", "metric", "configuration", "record", *_DIAGRAM)
_NUMBERS = ("value", "low", "high")
_DRAWN = ("figure.svg", "figure-narrow.svg")
# Of an edition, what front and back matter print or are arranged by.
_PRINTED = {
    "title", "subtitle", "authors", "date", "number", "language", "description",
    "family", "summary", "order", "front", "back",
}  # fmt: skip
# templates that make no page of a report
_UNSEEN = {"desk", "preview.js", "new", "project", "ci"}
Part = dict[str, str]
Entries = Iterator[tuple[str, str]]


class Snapshot(Declared):
    """Seven parts, each from a name to what stood there.

    ``text`` holds the words of paragraphs, ``values`` what each expression, each fact
    and each count of runs printed, ``claims`` whether each holds, ``figures`` the
    rounded numbers of each row of data, ``meaning`` what was declared of all that,
    ``drawings`` hashes of the pictures and of files that draw them, and ``looks`` of
    the templates of the pages.
    """

    text: Part = Field(default_factory=dict)
    values: Part = Field(default_factory=dict)
    claims: Part = Field(default_factory=dict)
    figures: Part = Field(default_factory=dict)
    meaning: Part = Field(default_factory=dict)
    drawings: Part = Field(default_factory=dict)
    looks: Part = Field(default_factory=dict)

    @property
    def parts(self) -> dict[str, Part]:
        """Its parts by their names, not copied."""
        return {name: getattr(self, name) for name in PARTS}

    @cached_property
    def hashes(self) -> list[str]:
        """The hash of each part."""
        return [_digest(_json(part)) for part in self.parts.values()]

    @property
    def stamp(self) -> str:
        """Seven hashes, one a part: ``1a2b3c4d-…``."""
        return "-".join(self.hashes)


PARTS = tuple(Snapshot.model_fields)
CONTENT = len(PARTS) - 1  # of them: the look is approved for itself


def page_look(templates: Path) -> Part:
    """The hash of each template, style, script and filter of pages, by its name.

    A template can add words to a page, a style sheet can hide a number or write another
    one before it, a script can change both.
    """
    return {
        f"templates/{name}": _file_digest(path, tuple(state_of(path)))
        for name, path in template_files(templates).items()
        if name.partition("/")[0] not in _UNSEEN
    }


@lru_cache(1024)
def _file_digest(path: Path, _: tuple[int, ...]) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:_DIGITS]


@dataclass(frozen=True)
class Snapshots:
    """Snapshots of an edition as it is: of its studies, and of what is of no study."""

    checked: Checked
    look: Part

    @property
    def material(self) -> Material:
        """What the edition is made from."""
        return self.checked.material

    def of(self, study: str | None) -> Snapshot:
        """What a study shows; without one front and back matter, the summary among it.

        What is borrowed stands with these: no review of another edition is asked.
        """
        parts = self._parts(study)
        for id in self.borrowed_with(study):
            for part, entries in self._parts(id).items():
                parts[part] |= {f"{id}: {name}": what for name, what in entries.items()}
        return Snapshot(**parts, looks=self.look)

    def borrowed_with(self, study: str | None) -> Iterable[str]:
        """The studies of other editions that stand with what is of no study."""
        return () if study else self.material.edition.borrowed

    def rests_on(self, study: str | None) -> list[object]:
        """The texts and claims of a snapshot; with the material and the drawings, all
        that it is made from."""
        found = [*self.texts(study).values(), self.checked.outcomes[study or MATTER]]
        for id in self.borrowed_with(study):
            found += self.rests_on(id)
        return found

    def drawings(self, study: str | None) -> Part:
        """The part of that name."""
        found = dict(_drawings(self._pictures(study)))
        for id in self.borrowed_with(study):
            own = _drawings(self._pictures(id))
            found |= {f"{id}: {name}": drawn for name, drawn in own}
        return found

    def texts(self, study: str | None) -> dict[str, Text]:
        """The texts by their part, with the introduction of the study's chapter."""
        texts, edition = self.checked.texts, self.material.edition
        if study is None:
            return matter_texts(texts, edition)
        group = edition.group_of(study)
        chapter = {"chapter": texts[group.file]} if group and group.file else {}
        return texts_of(texts, study) | chapter

    def _pictures(self, study: str | None) -> list[Picture]:
        material = self.material
        if study:
            return material.pictures[study]
        return [*filter(None, [material.overview]), *material.sequences]

    def _parts(self, study: str | None) -> dict[str, Part]:
        texts, pictures = self.texts(study), self._pictures(study)
        printed = self._of_study(study) if study else self._of_all()
        meaning = self._meaning(study, texts) if study else self._matter_meaning(texts)
        return {
            "text": dict((*_words(texts), *_captions(pictures))),
            "values": dict((*_printed(texts), *printed)),
            "claims": {
                outcome.claim.text: "holds" if outcome.holds else "fails"
                for outcome in self.checked.outcomes[study or MATTER]
            },
            "figures": dict(_figures(pictures)),
            "meaning": dict(meaning),
            "drawings": dict(_drawings(pictures)),
        }

    def _of_all(self) -> Entries:
        """What is printed around the texts of no study: its sum, the back-tests."""
        every = map(self.material.of_study, self.material.studies)
        changes = [fact for own in every for fact in own.comparisons()]
        yield "comparisons", tally(fact.verdict for fact in changes)
        if tests := backtest(self.material):
            yield "back-tests", _in_one_line(str(tests["table"]))

    def _of_study(self, study: str) -> Entries:
        own = self.material.of_study(study)
        yield "comparisons", tally(fact.verdict for fact in own.deltas())
        for fact in own.facts.facts:
            parts = (fact.metric, fact.role, fact.workload, fact.configuration)
            kind = "change of " if fact.kind == "delta" else ""
            against = f" against {fact.baseline}" if fact.baseline else ""
            yield f"{kind}{' '.join(filter(None, parts))}{against}", _shown(fact)
        for run in own.facts.runs:
            excluded = (f"{name}: {reason}" for name, reason in run.reasons)
            others = (*excluded, *(f"lacks {name}" for name in run.missing))
            counts = f"{run.used} used, {run.excluded} excluded"
            if run.sessions:
                counts += f", sessions {', '.join(run.sessions)}"
            name = f"runs of {run.configuration} {run.workload}"
            yield name, "; ".join((counts, *others))

    def _meaning(self, study: str, texts: Mapping[str, Text]) -> Entries:
        """Each declared entry that bears on a study, by its name."""
        material, edition = self.material, self.material.edition
        # References and terms of the answer stand in what it sums up.
        texts = {part: text for part, text in texts.items() if part != ANSWER}
        yield "edition › title", edition.title
        yield from _flat(edition.subtitle, "edition", "subtitle")
        if group := edition.group_of(study):
            yield "edition › chapter", group.title
        declared, own = material.studies[study], material.of_study(study)
        yield from flat(declared, f"study {study}")
        for workload in own.workloads():
            yield f"workload {workload}", _sizes(workload)
        for name in declared.campaigns:
            yield from flat(self._campaign(study, name), f"campaign {name}")
            if left := material.evidence[name].left_out:
                yield f"campaign {name} › left out", left.words
        used = {fact.metric for fact in own.facts.facts}
        for id in sorted(used.union(declared.metrics) & material.metrics.keys()):
            yield from flat(material.metrics[id], f"metric {id}")
        yield from _exceptions(texts)
        published = self._published(study)
        for row in published:
            yield from flat(row, f"published {row.id}")
        ids = {row.id for row in published}
        for issue in material.issues:
            if ids.intersection(issue.rows):
                yield from flat(issue, f"published issue {issue.id}")
        yield from self._references(texts, {row.citation for row in published})
        yield from self._terms("\n".join(text.plain() for text in texts.values()))

    def _matter_meaning(self, texts: Mapping[str, Text]) -> Entries:
        """Each declared entry that bears on front and back matter, by its name."""
        material, edition = self.material, self.material.edition
        for name, value in edition.model_dump(mode="json", include=_PRINTED).items():
            yield from _flat(value, "edition", name)
        yield "edition › studies", ", ".join(edition.study_ids)
        for group in (entry for entry in edition.studies if isinstance(entry, Group)):
            yield f"edition › chapter {group.id}", group.title
        yield from _exceptions(texts)
        yield from self._references(texts, set())
        yield from self._terms(None)
        rows = (row for id in material.studies for row in self._published(id))
        compared = {row.edition for row in rows}
        for issue in material.issues:
            if compared.intersection(issue.editions) and not issue.rows:
                yield from flat(issue, f"published issue {issue.id}")

    def _campaign(self, study: str, name: str) -> Campaign:
        """A campaign's declaration without what other studies alone are about."""
        declared, evidence = self.material.studies[study], self.material.evidence[name]
        campaign, systems = evidence.declared, evidence.systems_of(declared)
        own = {*declared.configurations, declared.noise.control}
        kept = {
            "systems": {n: s for n, s in campaign.systems.items() if n in systems},
            "configurations": {
                n: one for n, one in campaign.configurations.items() if n in own
            },
        }
        return campaign.model_copy(update=kept)

    def _published(self, study: str) -> list[Published]:
        """Published numbers that the study is compared with."""
        names = self.material.studies[study].published
        name = names.study if names else study
        return [row for row in self.material.published if row.study == name]

    def _references(self, texts: Mapping[str, Text], others: set[str]) -> Entries:
        """References that texts cite, and others."""
        nodes = (node for text in texts.values() for node in text.tree.walk())
        cited = others | {node.words for node in nodes if node.kind == "citation"}
        for key, entry in self._bibliography.items():
            if key in cited:
                yield f"reference {key}", entry

    @cached_property
    def _bibliography(self) -> dict[str, str]:
        references = self.material.edition.references
        return bibliography_entries(self.material.folder / references)

    def _terms(self, words: str | None) -> Entries:
        """Terms of the glossary that words have; all of them without words."""
        for term, entry in read_glossary(self.material.folder).items():
            alone = rf"(?<!\w){re.escape(term)}(?!\w)"
            if words is None or re.search(alone, words):
                yield f"term {term}", f"{entry.name}: {entry.means}"


def _words(texts: Mapping[str, Text]) -> Entries:
    """The words of each paragraph, by part and first words; then their order."""
    for part, text in texts.items():
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


def _captions(pictures: Iterable[Picture]) -> Entries:
    for picture in pictures:
        around = " ".join((picture.caption, picture.lead, picture.alt))
        yield f"words of figure {picture.id}", around


def _printed(texts: Mapping[str, Text]) -> Entries:
    """What each expression printed; of a table the words, in one line."""
    for part, text in texts.items():
        for printed in text.printed:
            table = "\n" in printed.words
            words = str(printed.bound) if table else printed.words
            yield f"{part}: {printed.expression}", _in_one_line(words)


def _in_one_line(output: str) -> str:
    lines = (line for line in output.splitlines() if line.strip("|-: "))
    return " ".join(" ".join(lines).split())


def _shown(fact: Fact) -> str:
    """What tables and pages show of a fact."""
    spread = "no interval" if fact.low is None else interval(_coarse(fact))
    verdict = "predicted" if fact.estimate else fact.verdict
    limit = None if fact.threshold is None else f"limit {fact.threshold:.3g}%"
    parts = (fact.printed, spread, f"n = {fact.count}", limit, fact.origin, verdict)
    notes = " ".join(fact_notes(fact))
    return f"{', '.join(filter(None, parts))}. {notes}".rstrip()


def _coarse(fact: Fact) -> Fact:
    """A value whose interval has three digits: where pages show one, more say nothing,
    and an approval would lapse for them."""
    if fact.kind == "delta" or fact.low is None or fact.high is None:
        return fact
    return replace(fact, low=float(f"{fact.low:.3g}"), high=float(f"{fact.high:.3g}"))


def _figures(pictures: Iterable[Picture]) -> Entries:
    """The numbers of each figure's data, by the figure and what a row is of."""
    for picture in pictures:
        rows: dict[str, list[str]] = {}
        text = (picture.folder / "figure.csv").read_text(encoding="utf-8")
        for row in read_csv(text):
            name = " ".join(row[column] for column in _ROW if row.get(column))
            change = (row.get("key") or "").endswith(".delta")
            cells = filter(None, map(row.get, _NUMBERS))
            written = format_percent if change else format_number
            numbers = " ".join(written(float(cell)) for cell in cells)
            rows.setdefault(f"{picture.id}: {name}", []).append(numbers)
        yield from ((name, "; ".join(numbers)) for name, numbers in rows.items())


def _drawings(pictures: Iterable[Picture]) -> Entries:
    for picture in pictures:
        drawn = "".join((picture.folder / name).read_text("utf-8") for name in _DRAWN)
        yield picture.id, _digest(drawn + picture.code)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _json(data: object) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False)


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
        yield " › ".join((*path, "order")), ", ".join(names)
        for name, one in zip(names, value, strict=True):
            yield from _flat(one, *path, name)
    elif isinstance(value, list):
        yield from _flat(", ".join(map(str, value)), *path)
    elif value or (value == 0 and value is not False):
        # A number as one writes it, whether it has a point or not.
        whole = isinstance(value, float) and value.is_integer()
        text = str(int(value) if whole else value)
        yield " › ".join(path), " ".join(text.split())


def _sizes(name: str) -> str:
    work = parse_workload(name)
    sent, received = work.sizes
    return f"{work.shape}, {work.clients} clients, {sent} sent, {received} received"
