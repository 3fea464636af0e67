"""All reviewed texts of an edition, with their expressions replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analysis.declared.edition import Edition, Group, text_path
from analysis.errors import Issue, UserError, raise_if, user_error
from analysis.report.language.functions import Functions, evaluate, fact_functions
from analysis.report.language.printed import Printed
from analysis.report.language.scope import scope_of
from analysis.report.material import Material
from analysis.report.text.passages import Paragraph, Sentence, paragraphs, sentences
from analysis.report.text.refusals import check_no_slides, check_output, check_tree
from analysis.report.text.reviewed import Marked, Reviewed, fill, read_reviewed
from analysis.report.text.tree import Node, Tree
from analysis.report.text.write import Insertion, write

STUDY_TEXTS = ("background", "environment", "observations")
ANSWER = "answer"  # a study may open with it
CONDITIONS = "conditions"  # may say in a box when it holds, and when not
SLIDES = "slides"  # and have slides of its own
OBSERVATIONS = "observations"


@dataclass(frozen=True)
class WrittenClaim:
    """A claim as its author wrote it: its line, its words, and what it is of.

    ``sentence`` are the words that it stands with, empty in the front matter; ``study``
    is the one that it names, or that of the text.
    """

    line: int
    words: str
    study: str | None
    sentence: str = ""


@dataclass(frozen=True)
class Text:
    """One text as written and as it reads; ``study`` is None in front and back matter.

    ``name`` is the file's place in the edition, such as ``front/preface.md``. ``notes``
    are words that a draft shows in it, at offsets into the text with marks.
    """

    name: str
    study: str | None
    source: Reviewed
    printed: tuple[Printed, ...]
    notes: tuple[tuple[int, str], ...] = ()

    @property
    def path(self) -> Path:
        """The file."""
        return self.source.path

    @property
    def marked(self) -> Marked:
        """The text with marks for its expressions."""
        return self.source.marked

    @property
    def tree(self) -> Tree:
        """The text's tree."""
        return self.marked.tree

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Its paragraphs."""
        return tuple(paragraphs(self.tree, self.printed))

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences, which checks, reviews and pages all ask for."""
        return tuple(sentences(self.tree, self.printed))

    @cached_property
    def claims(self) -> tuple[WrittenClaim, ...]:
        """Its claims: those of the front matter, then those at its sentences."""
        first = (WrittenClaim(*claim, self.study) for claim in self.source.claims)
        return (*first, *_claims(self.tree, self.study))

    def markdown(
        self,
        deeper: int = 0,
        marks: Iterable[Insertion] = (),
        lines: range | None = None,
    ) -> str:
        """The text as Pandoc reads it, every heading some levels deeper.

        ``marks`` are put in at offsets into the text with marks; ``lines`` of it are
        those whose blocks are meant.
        """
        prefix = f"{_part(self.name).replace('/', '-')}-"
        inserted = (*marks, *self.notes)
        written = write(self.marked.text, inserted, deeper, prefix, lines)
        return fill(written, [str(printed.bound) for printed in self.printed])

    def plain(self) -> str:
        """The text as its author wrote it, with what its expressions print."""
        words = [printed.words for printed in self.printed]
        return fill(self.marked.text, words).strip()


def _claims(tree: Tree, study: str | None) -> Iterator[WrittenClaim]:
    for node in tree.walk():
        for words in node.attributes.value("claim").split(";"):
            if words.strip():
                named = node.attributes.value("study") or study
                yield WrittenClaim(node.line, words.strip(), named, _read(node))


def _read(node: Node) -> str:
    words = node.words if node.kind in ("words", "character", "code") else ""
    words = " " if node.kind == "line end" else words
    return words + "".join(map(_read, node.children))


def of_slides(edition: Edition, name: str, study: str | None) -> bool:
    """Whether a text of the edition is one of slides."""
    return name == (study_text(study, SLIDES) if study else edition.slides)


def study_text(study: str, part: str) -> str:
    """The place of a study's text in its edition."""
    return f"studies/{study}/{part}.md"


def texts_of(texts: Mapping[str, Text], study: str) -> dict[str, Text]:
    """The texts of a study by their part, its answer first where it has one."""
    parts = (ANSWER, CONDITIONS, *STUDY_TEXTS, SLIDES)
    places = {part: study_text(study, part) for part in parts}
    return {part: texts[place] for part, place in places.items() if place in texts}


def own_texts(texts: Mapping[str, Text], edition: Edition) -> dict[str, Text]:
    """The texts that are not of a borrowed study: what an edition answers for."""
    borrowed = edition.borrowed
    return {name: text for name, text in texts.items() if text.study not in borrowed}


def matter_texts(texts: Mapping[str, Text], edition: Edition) -> dict[str, Text]:
    """The texts of front and back matter, the summary first: all of no study."""
    sections = (*edition.front, *edition.back)
    first = (edition.summary or "", edition.slides or "")
    files = [*first, *(section.file for section in sections)]
    return {_part(file): texts[file] for file in files if file in texts}


def _part(file: str) -> str:
    """The name of a text without what says that it is Markdown."""
    return file.removesuffix(".md").removesuffix(".qmd")


def read_texts(
    material: Material,
    placed: Callable[[bool], Mapping[str, Callable[..., Any]]],
    known: Mapping[str, Text] = MappingProxyType({}),
    unsaved: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Text]:
    """Every text of the edition by name; one :class:`UserError` tells all mistakes.

    ``placed`` gives what prose may place beside facts, or that of slides, as functions
    by their names. ``known`` are texts that were read before with the same material: a
    file that did not change since is not evaluated again. ``unsaved`` are texts by name
    that are read instead of their files.
    """
    texts: dict[str, Text] = {}
    issues: list[Issue] = []
    here = {slides: placed(slides) for slides in (False, True)}
    for name, study in _names(material):
        slides = of_slides(material.edition, name, study)
        try:
            source = _source(material, name, study, unsaved.get(name))
            if name in known and known[name].source == source:
                texts[name] = known[name]
                continue
            raise_if(check_tree(source.marked.tree, source.path))
            raise_if([] if slides else check_no_slides(source.marked.tree, source.path))
            own = fact_functions(scope_of(material, study))
            texts[name] = _text(name, study, source, {**own, **here[slides]})
        except UserError as error:
            issues += error.issues
    raise_if(issues)
    return texts


def _names(material: Material) -> Iterator[tuple[str, str | None]]:
    edition = material.edition
    yield from ((file, None) for file in (edition.summary, edition.slides) if file)
    yield from ((section.file, None) for section in edition.front)
    groups = (entry for entry in edition.studies if isinstance(entry, Group))
    yield from ((group.file, None) for group in groups if group.file)
    for id in material.studies:
        for part in (ANSWER, CONDITIONS, SLIDES):
            if text_path(material.study_folder(id) / f"{part}.md").exists():
                yield study_text(id, part), id
        yield from ((study_text(id, part), id) for part in STUDY_TEXTS)
    yield from ((section.file, None) for section in edition.back)


def _source(
    material: Material, name: str, study: str | None, unsaved: str | None
) -> Reviewed:
    path = material.folder / name
    if study is not None:
        path = text_path(material.study_folder(study) / path.name)
        if path.suffix == ".md" and path.with_suffix(".qmd").is_file():
            mend = "remove one of them"
            raise user_error(f"{path.stem}.qmd stands beside it", path, mend=mend)
    may_claim = study is not None and path.stem == OBSERVATIONS
    return read_reviewed(path, may_claim, unsaved)


def _text(name: str, study: str | None, source: Reviewed, functions: Functions) -> Text:
    printed = evaluate(source.marked.expressions, functions, source.path)
    raise_if([i for p in printed for i in check_output(p.words, source.path, p.line)])
    return Text(name, study, source, printed)
