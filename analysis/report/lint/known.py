"""What the declarations of an edition say with digits: names, and counts of things.

``CPUs: 2`` makes *two CPUs* known, ``Ten repetitions`` of ``measured.how`` makes *ten
times* known, and *RR10(100B)* ten clients. Nothing of this needs an exception.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.declared.campaign import Campaign
from analysis.declared.edition import Group
from analysis.declared.workload import parse_workload
from analysis.report.lint.names import names
from analysis.report.lint.quantities import quantities, singular
from analysis.report.material import Material
from analysis.report.text.bibliography import bibliography_keys
from analysis.report.text.characters import reader_text
from analysis.statistics.statistic import CONFIDENCE, STATISTICS

_LEVELS = (1.0, 5.0, 10.0, 90.0, 95.0, 99.0, 100 * CONFIDENCE)
# Other words for what is declared.
_ALIKE = (
    {"repetition", "run", "time", "sample", "measurement"},
    {"cp", "cpu", "processor", "core"},
    {"client", "stream", "user", "session", "terminal"},
    {"byte", "request", "response"},
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class DeclaredNumbers:
    """Names with digits, and values with the nouns (in the singular) they belong to.

    ``method`` are numbers that statistics declare, which texts on them may name.
    ``settings`` are values by the name of what has them: ``{"mtu": {1500.0}}``.
    """

    names: frozenset[str]
    counts: Mapping[float, frozenset[str]]
    settings: Mapping[str, frozenset[float]]
    workloads: frozenset[str]
    versions: frozenset[str]
    method: frozenset[tuple[float, str]]
    levels: frozenset[float] = field(default=frozenset(_LEVELS))

    def counted(self, value: float | None, noun: str) -> bool:
        """Whether so many of these are declared."""
        if value is None or not noun:
            return False
        if noun in ("study", "workload", "configuration"):  # or some of them
            return value <= max(v for v, nouns in self.counts.items() if noun in nouns)
        nouns = self.counts.get(value, frozenset())
        return noun in nouns or any(noun in a and nouns & a for a in _ALIKE)


def known_in(material: Material) -> DeclaredNumbers:
    """What the declarations of an edition make known."""
    counts: dict[float, set[str]] = defaultdict(set)
    settings: dict[str, set[float]] = defaultdict(set)
    found: set[str] = set()
    for campaign in material.campaigns.values():
        found |= set(_campaign_names(campaign))
        for value, noun in _campaign_counts(campaign):
            counts[value].add(noun)
        for name, value in _settings(campaign):
            settings[name].add(value)
    for value, noun in _edition_counts(material):
        counts[value].add(noun)
    own = [name for id in material.studies for name in (id, *_ids(material, id))]
    own += bibliography_keys(material.folder / material.edition.references)
    found |= {name for text in own for _, name, _ in names(text)}
    return DeclaredNumbers(
        frozenset(found),
        {value: frozenset(nouns) for value, nouns in counts.items()},
        {name: frozenset(values) for name, values in settings.items()},
        declared_workloads(material),
        frozenset(_versions(material)),
        frozenset(_numbers_of_statistics()),
    )


def declared_workloads(material: Material) -> frozenset[str]:
    """The names of the workloads that a study has or that were run."""
    return frozenset(_workloads(material))


def _texts(declared: Any) -> Iterator[str]:
    """Every text that a declaration has, and the names of its entries."""
    if isinstance(declared, Mapping):
        for name, value in declared.items():
            yield str(name)
            yield from _texts(value)
    elif isinstance(declared, list | tuple):
        for value in declared:
            yield from _texts(value)
    elif isinstance(declared, str):
        yield declared


def _versions(material: Material) -> Iterator[str]:
    for campaign in material.campaigns.values():
        for text in _texts(campaign.model_dump(mode="json")):
            yield from re.findall(r"(?<![\d.])\d+\.\d+(?![\w.]|\s?%)", text)


def _campaign_names(campaign: Campaign) -> Iterator[str]:
    for text in _texts(campaign.model_dump(mode="json")):
        for _, name, _ in names(reader_text(text)):
            yield name
        for found in re.finditer(r"\b(\d[\w.]*)-[A-Za-z]\w*\b|\b\d{4}\b", text):
            yield from filter(None, (found[0], found[1]))


def _campaign_counts(campaign: Campaign) -> Iterator[tuple[float, str]]:
    for system in campaign.systems.values():
        yield system.cps, "cp"
    yield len(campaign.systems), "system"
    yield len(campaign.configurations), "configuration"
    details = [c.details for c in campaign.configurations.values()]
    for group in (*details, campaign.hardware, campaign.software):
        for name, said in group.items():
            for found in re.finditer(r"\d+(?:\.\d+)?", str(said)):
                for word in _WORD.findall(name.lower()):
                    yield float(found[0]), singular(word)
    for quantity in quantities(" ".join(campaign.measured.how.split())):
        if quantity.value is not None and quantity.noun:
            yield quantity.value, quantity.noun


def _settings(campaign: Campaign) -> Iterator[tuple[str, float]]:
    for configuration in campaign.configurations.values():
        for name, said in configuration.details.items():
            found = re.match(r"\s*(\d+)(?:\s*([kK])?B)?\b", str(said))
            if found and name.split()[0].isupper():
                yield name.split()[0].lower(), float(found[1])


def _edition_counts(material: Material) -> Iterator[tuple[float, str]]:
    edition = material.edition
    groups = [g for g in edition.studies if isinstance(g, Group)]
    for number in (len(material.studies), *(len(g.studies) for g in groups)):
        yield number, "study"
    drawn = [len(study.figures) for study in material.studies.values()]
    yield from ((number, "figure") for number in (*drawn, sum(drawn)))
    for study in material.studies.values():
        yield len(study.workloads), "workload"
        yield len(study.configurations), "configuration"
    for run in material.facts.runs:
        yield run.used + run.excluded, "repetition"
        if not run.excluded:
            yield run.used, "run"
    for name in _workloads(material):
        workload = parse_workload(name)
        yield workload.clients, "client"
        for size in (workload.request_bytes, workload.response_bytes):
            yield size, "byte"


def _numbers_of_statistics() -> Iterator[tuple[float, str]]:
    for id in STATISTICS:
        for name, value in STATISTICS[id].printed.items():
            if re.fullmatch(r"[\d,]+(?:\.\d+)?", str(value)):
                noun = "run" if name == "smallest" else singular(name)
                yield float(str(value).replace(",", "")), noun


def _ids(material: Material, study: str) -> Iterator[str]:
    declared = material.studies[study]
    yield from declared.configurations
    yield from (figure.id for figure in declared.figures)


def _workloads(material: Material) -> Iterator[str]:
    for study in material.studies.values():
        yield from (name for name in study.workloads if "*" not in name)
    yield from (run.workload for run in material.facts.runs)
    yield from (fact.workload for fact in material.facts.facts)
