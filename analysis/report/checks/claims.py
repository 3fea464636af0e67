"""The claims of an edition with their verdicts."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from types import MappingProxyType

from analysis.declared.base import line_of, load_yaml
from analysis.errors import Issue, Place, UserError, raise_if
from analysis.report.language.claim import Outcome
from analysis.report.language.claims import evaluate, parse_claim
from analysis.report.language.scope import UnknownError, scope_of
from analysis.report.material import Material
from analysis.report.tables.blocks import blocks
from analysis.report.text.texts import (
    OBSERVATIONS,
    Text,
    WrittenClaim,
    read_texts,
    study_text,
)

MATTER = ""  # front and back matter, among the names of studies
Placed = tuple[str, WrittenClaim]  # a claim and its file


@dataclass(frozen=True)
class Checked:
    """An edition's texts, and the outcomes of each study's claims.

    Those of front and back matter have an empty name.
    """

    material: Material
    texts: Mapping[str, Text]
    outcomes: Mapping[str, tuple[Outcome, ...]]

    def observations(self, study: str) -> Text:
        """The observations of a study."""
        return self.texts[study_text(study, OBSERVATIONS)]

    def false_claims(self) -> list[Issue]:
        """One issue for each claim that the facts contradict."""
        return [one.failure for one in self.claims if not one.holds]

    def fragile_claims(self) -> list[Issue]:
        """One issue for each claim that holds by less than its declared margin."""
        return [one.fragility for one in self.claims if one.state == "fragile"]

    @property
    def claims(self) -> Iterator[Outcome]:
        """The outcomes of all claims."""
        return chain.from_iterable(self.outcomes.values())


def check_texts(
    material: Material,
    known: Mapping[str, Text] = MappingProxyType({}),
    unsaved: Mapping[str, str] = MappingProxyType({}),
    last: Checked | None = None,
) -> Checked:
    """The texts and claims of an edition; false claims are outcomes, not errors.

    A :class:`UserError` where a text or a claim cannot be understood. ``known`` are
    texts that were read before, as for :func:`read_texts`; ``unsaved`` are texts by
    name that are read instead of their files; ``last`` is what was checked before,
    whose outcomes stand where facts and text are the same.
    """
    texts = read_texts(material, partial(blocks, material), known, unsaved)
    outcomes: dict[str, tuple[Outcome, ...]] = {}
    issues: list[Issue] = []
    for study in (*material.studies, MATTER):
        own = _texts_of(texts, study)
        before = _texts_of(last.texts, study) if last else []
        if last and last.material is material and _same(before, own):
            outcomes[study] = last.outcomes[study]
            continue
        try:
            titles = _figure_claims(material, study)
            outcomes[study] = evaluate_claims(material, own, titles)
        except UserError as error:
            issues += error.issues
    raise_if(issues)
    return Checked(material, texts, outcomes)


def _texts_of(texts: Mapping[str, Text], study: str) -> list[Text]:
    return [text for text in texts.values() if (text.study or MATTER) == study]


def _same(last: Sequence[Text], now: Sequence[Text]) -> bool:
    return len(last) == len(now) and all(map(operator.is_, last, now))


def _figure_claims(material: Material, study: str) -> Iterator[Placed]:
    """The claims that hold the titles of a study's figures, or that of the figure of
    all studies, each with its file."""
    if study == MATTER:
        path, overview = material.folder / "edition.yaml", material.edition.overview
        node = load_yaml(path)[1] if overview else None
        for n, one in enumerate(overview.claims if overview else ()):
            line = line_of(node, ("overview", "claims", n))
            for words in filter(None, map(str.strip, one.claim.split(";"))):
                yield str(path), WrittenClaim(line, words, one.study)
        return
    figures = material.studies[study].figures
    path = material.study_folder(study) / "study.yaml"
    node = load_yaml(path)[1] if any(figure.claim for figure in figures) else None
    for n, figure in enumerate(figures):
        for words in filter(None, map(str.strip, figure.claim.split(";"))):
            line = line_of(node, ("figures", n, "claim"))
            yield str(path), WrittenClaim(line, words, study)


def evaluate_claims(
    material: Material, texts: Iterable[Text], titles: Iterable[Placed] = ()
) -> tuple[Outcome, ...]:
    """The outcomes of the claims in texts, in their order, then those of ``titles``."""
    outcomes: list[Outcome] = []
    issues: list[Issue] = []
    every = ((str(text.path), claim) for text in texts for claim in text.claims)
    for file, written in chain(every, titles):
        scope = scope_of(material, written.study)
        try:
            own = material.studies[scope.study_named(None)]
            claim = parse_claim(written.words, material.metrics)
            claim = replace(
                claim,
                line=written.line,
                file=file,
                sentence=written.sentence,
            )
            outcomes.append(evaluate(claim, scope, own.claims.margin))
        except UnknownError as error:
            what = f"{error}\n  in the claim: {written.words}"
            issues.append(Issue(what, Place(file, written.line), error.mend))
    raise_if(issues)
    return tuple(outcomes)
