"""What a document has of declarations, facts and pictures: all of it but its texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.edition import ORDERS
from analysis.declared.study import Study
from analysis.declared.vocabulary import BASES, BASIS_WORDS, Basis
from analysis.errors import Issue, Place
from analysis.facts.fact import Fact
from analysis.facts.sentences import (
    comparisons_sentence,
    detectable_sentence,
    listed,
    number_word,
)
from analysis.report.language.scope import scope_of
from analysis.report.material import Material
from analysis.report.pictures import Picture
from analysis.report.study_facts import StudyFacts
from analysis.report.table import escape
from analysis.report.tables.gaps import gaps_table
from analysis.report.tables.glance import (
    changes_glance,
    numbered_table,
    predicted_values,
    values_glance,
)
from analysis.report.tables.setup import (
    common_lines,
    configuration_parts,
    environment_lines,
    usual_settings,
)
from analysis.report.tables.summary import summary_table

HARDWARE = "hardware"  # the section that says what studies have in common
_TOLD = ("background", "configuration")  # with the environment, or by another study


@dataclass(frozen=True)
class Generated:
    """What templates have of an edition's material; each part is made once."""

    material: Material

    @cached_property
    def environment(self) -> list[str]:
        """What the section on hardware says of all studies, if there is one."""
        material = self.material
        if not self._has_hardware:
            return []
        return common_lines([self._lines(id) for id in material.studies])

    @cached_property
    def usual(self) -> dict[str, str]:
        """The settings that the section on hardware tells of most configurations."""
        material = self.material
        if not self._has_hardware:
            return {}
        return usual_settings(material.studies.values(), material.campaigns)

    def _lines(self, study: str) -> list[str]:
        return environment_lines(self.material.of_study(study), self.material.evidence)

    @property
    def _has_hardware(self) -> bool:
        return any(section.id == HARDWARE for section in self.material.edition.front)

    @cached_property
    def studies(self) -> dict[str, dict[str, Any]]:
        """What the section of each study has, by the study."""
        return {id: self._study(id) for id in self.material.studies}

    def _study(self, id: str) -> dict[str, Any]:
        material = self.material
        facts, study = material.of_study(id), material.studies[id]
        pictures, order = material.pictures[id], material.edition.order
        values, setup = study.of_values, self._setup(id)
        glance = values_glance(facts) if values else changes_glance(facts)
        predictions = predicted_values(facts)
        return {
            "title": study.title,
            "question": study.question,
            "chips": _chips(study, material.names(id)),
            "leads": order == "answer" and not all(p.setup for p in pictures),
            "comparisons": _comparisons(facts.comparisons()),
            "value_count": len(facts.values()) if values else 0,
            "workloads": facts.workloads(),
            "runs": scope_of(material, id).runs(id, None, "*"),
            **setup,
            **_pictures(pictures, facts),
            # predictions on the systems of another study stand in one table
            "glance": "" if setup["setup_of"] and predictions else glance,
            "predictions": predictions,
            "estimates": sum(bool(fact.estimate) for fact in facts.values()),
            "gaps": gaps_table(facts),
        }

    def _setup(self, id: str) -> dict[str, Any]:
        """A study's set-up, and the parts of its section in order."""
        material, study = self.material, self.material.studies[id]
        lines = self._lines(id)
        parts = configuration_parts(id, study, material.campaigns, self.usual)
        order = ORDERS[material.edition.order]
        return {
            "setup_of": study.setup_of,
            "order": [part for part in order if not (study.setup_of and part in _TOLD)],
            "environment": [line for line in lines if line not in self.environment],
            "configuration": parts,
        }

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What the summary has beside its text."""
        material = self.material
        told = [id for id, study in material.studies.items() if study.summary]
        changes = [f for id in told for f in material.of_study(id).comparisons()]
        of_values = sum(material.studies[id].of_values for id in told)
        return {
            "studies": number_word(len(told) - of_values),
            "of_values": number_word(of_values) if of_values else "",
            "comparisons": comparisons_sentence(changes),
            "sizes": sizes_sentence(material),
            "picture": material.overview,
            "table": summary_table(material),
        }


# Why a size is what it is, of one change.
_WHY: dict[Basis, str] = {
    "published": "",
    "assumed": ": a direction or a rule was published for it, and no size",
    "free": ": nothing was published for it",
}
_CALLED: dict[Basis, str] = {**BASIS_WORDS, "free": "a free choice"}


def sizes_sentence(material: Material) -> str:
    """What the sizes rest on that somebody chose, and which of them are marked; empty
    where all were measured."""
    told, usual, bases = list[str](), material.usual_bases(), material.bases()
    if basis := usual.get("delta"):
        told.append(
            f"Unless marked, the size of a change is *{_CALLED[basis]}*{_WHY[basis]}."
        )
        every = bases["delta"]
        counts = [(BASIS_WORDS[one], every.count(one)) for one in BASES if one != basis]
        others = [f"{count} as {word}" for word, count in counts if count]
        if others:
            marked = others[0].replace(" ", f" of {len(every)} changes are marked ", 1)
            told.append(f"{listed([marked, *others[1:]])}.")
    if basis := usual.get("value"):
        told.append(f"Values without a mark are {_CALLED[basis]}.")
    return " ".join(told)


def _comparisons(changes: Sequence[Fact]) -> str:
    """How many have which verdict, and what the inconclusive ones could have shown."""
    told = comparisons_sentence(changes), escape(detectable_sentence(changes))
    return " ".join(filter(None, told))


def _pictures(pictures: Iterable[Picture], results: StudyFacts) -> dict[str, Any]:
    """The set-up, and the results with those of them that are tables."""
    setup, shown = list[Picture](), list[Picture]()
    for picture in pictures:
        (setup if picture.setup else shown).append(picture)
    made = {picture.id: numbered_table(picture, results) for picture in shown}
    return {"setup": setup, "pictures": shown, "tables": made}


def _chips(study: Study, names: Mapping[str, str]) -> list[list[str]]:
    """Each baseline with one test, by their names: of three, two would be a chain.

    A study of values has a row of its one configuration.
    """
    pairs: list[tuple[str, ...]]
    pairs = [(study.baseline_of(test), test) for test in study.tests]
    return [[names[id] for id in row] for row in pairs or [study.configurations]]


def check_setups(material: Material) -> list[Issue]:
    """Studies that refer to the set-up of another one, which is not theirs."""
    return [
        Issue(what, Place(str(path), line_of(node, ("setup-of",))), mend)
        for id, study in material.studies.items()
        if study.setup_of and id not in material.edition.borrowed
        for path in [material.folder / "studies" / id / "study.yaml"]
        for what, mend in _no_setup(material, id, study.setup_of)
        for node in [load_yaml(path)[1]]
    ]


def _no_setup(material: Material, id: str, other: str) -> list[tuple[str, str]]:
    there = material.studies.get(other)
    if there is None or other == id or there.setup_of:
        known = [i for i, s in material.studies.items() if i != id and not s.setup_of]
        what = (
            f"setup-of: {other!r} is no study of this edition with a set-up of its own"
        )
        return [(what, f"name one of: {', '.join(known)}")]
    ran = {run.configuration for run in scope_of(material, id).runs(id, None, "*")}
    return [
        (
            f"setup-of: {foreign} has runs here, and is no configuration of {other}",
            f"take it out of this study, or leave out setup-of: {other}",
        )
        for foreign in sorted(ran - set(there.configurations))
    ]
