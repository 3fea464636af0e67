"""All reviewed texts of an edition, with their expressions replaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from analysis.edition import Group
from analysis.errors import Issue, UserError, raise_if
from analysis.report.blocks import blocks
from analysis.report.evaluate import (
    Printed,
    Vocabulary,
    evaluate_text,
    without_expressions,
)
from analysis.report.filters import filters
from analysis.report.material import Material
from analysis.report.prose import (
    check_output,
    check_prose,
    hidden_issues,
    own_footnotes,
)
from analysis.report.prose_tree import check_tree
from analysis.report.reviewed import Reviewed, read_reviewed
from analysis.report.values import Values, functions

STUDY_TEXTS = ("background", "environment", "observations")
OBSERVATIONS = "observations"


@dataclass(frozen=True)
class Text:
    """One text as written and as it reads; ``study`` is None in front and back matter.

    ``name`` is the file's place in the edition, such as ``front/preface.md``.
    """

    name: str
    study: str | None
    source: Reviewed
    markdown: str
    printed: tuple[Printed, ...]

    @property
    def path(self) -> Path:
        """The file."""
        return self.source.path


def study_text(study: str, part: str) -> str:
    """The place of a study's text in its edition."""
    return f"studies/{study}/{part}.md"


def read_texts(
    material: Material, known: Mapping[str, Text] = MappingProxyType({})
) -> dict[str, Text]:
    """Every text of the edition by name; one :class:`UserError` tells all mistakes.

    ``known`` are texts that were read before with the same material: a file that
    did not change since is not evaluated again.
    """
    placed, ways = blocks(material), filters()
    texts: dict[str, Text] = {}
    issues: list[Issue] = []
    for name, study in _names(material):
        own = Vocabulary(functions(Values(material.scope(study))) | placed, ways)
        try:
            texts[name] = _read(material, own, name, study, known.get(name))
        except UserError as error:
            issues += error.issues
    raise_if(issues)
    return texts


def _names(material: Material) -> Iterator[tuple[str, str | None]]:
    edition = material.edition
    yield from ((section.file, None) for section in edition.front)
    groups = (entry for entry in edition.studies if isinstance(entry, Group))
    yield from ((group.file, None) for group in groups if group.file)
    for id in material.studies:
        yield from ((study_text(id, part), id) for part in STUDY_TEXTS)
    yield from ((section.file, None) for section in edition.back)


def _read(
    material: Material,
    vocabulary: Vocabulary,
    name: str,
    study: str | None,
    known: Text | None,
) -> Text:
    path = material.folder / name
    may_claim = study is not None and path.stem == OBSERVATIONS
    source = read_reviewed(path, may_claim)
    if known and known.source == source:
        return known
    raise_if(check_prose(source.body, path))
    rendered, printed = evaluate_text(source.body, vocabulary, path)
    raise_if(check_output(rendered, path))
    if hidden := hidden_issues(source.body, path):
        raise_if(check_tree(without_expressions(source.body, path), hidden[0]))
    prefix = name.removesuffix(".md").replace("/", "-")
    markdown = own_footnotes(rendered, prefix).strip()
    return Text(name, study, source, markdown, printed)
