"""What gives words and numbers their meaning: all that is declared of them.

Names tell where an entry stands, so that who reads of a change finds it:
``campaign lab › configurations › old › label``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from analysis.declared.campaign import Campaign
from analysis.declared.edition import Group
from analysis.declared.published import Published
from analysis.declared.workload import parse_workload
from analysis.report.claims.checked import Checked
from analysis.report.tables.campaigns import systems_of
from analysis.report.tables.reproduction import match_rows
from analysis.report.text.bibliography import bibliography_entries
from analysis.report.text.glossary import read_glossary
from analysis.report.text.texts import SLIDES, STUDY_TEXTS, Text, study_text

Entries = Iterator[tuple[str, str]]
_BELOW = " › "
_ORDER = "order"
# Of an edition, what front and back matter print or are arranged by.
_MATTER = {
    "title", "subtitle", "authors", "date", "number", "language", "description",
    "family", "summary", "order", "front", "back",
}  # fmt: skip


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
    for workload in material.tables(study).workloads():
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
    systems = systems_of(study, campaign, evidence.roles)
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
    material = checked.material
    studies = {study: material.studies[study]}
    return [match.row for match in match_rows(material.published, studies, ())]


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
