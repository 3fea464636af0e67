"""All words of an edition that reach a page, for checks of numbers and letters.

Texts come paragraph by paragraph, line for line; of the declarations come the entries
that are printed: of the edition, its studies, its glossary and its campaigns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml

from analysis.declared.base import parse_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, Campaign
from analysis.errors import Issue, Place
from analysis.report.claims.checked import Checked
from analysis.report.expressions.bound import bound_keys
from analysis.report.expressions.evaluate import Printed
from analysis.report.text.characters import reader_text
from analysis.report.text.glossary import GLOSSARY
from analysis.report.text.reviewed import Allowed
from analysis.report.text.texts import OBSERVATIONS, Text

# What a passage is for: results of a study, what it rests on, the whole edition, a
# title or another entry that an author declared, or a description of what was measured.
Kind = Literal["observations", "study", "edition", "entry", "campaign"]
_KEPT = 256  # declarations that are remembered: each save asks for those of an edition
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Entries that are printed; * stands for a place in a list or for a name.
_EDITION = (
    "title", "subtitle", "authors.*", "number", "description", "keywords.*",
    "front.*.title", "studies.*.title", "back.*.title",
)  # fmt: skip
_STUDY = (
    "title", "question", "figures.*.question", "figures.*.caption", "figures.*.alt",
    "topology.systems.*.runs", "topology.machines.*.label",
    "topology.adapters.*.label", "topology.links.*.label",
    "topology.systems.*.holds.*", "topology.networks.*.label",
)  # fmt: skip
_TERMS = ("*.name", "*.means")


@dataclass(frozen=True)
class PageText:
    """Words that reach a page, and where they stand.

    ``words`` are plain, line for line, as those of a paragraph; ``entry`` names the
    entry of a declaration, such as ``figures.0.question``. ``line`` is 0 where only the
    file is known; ``study`` is None for what belongs to no study.
    """

    path: Path
    line: int
    words: str
    kind: Kind
    study: str | None = None
    entry: str = ""
    source: str = ""
    printed: tuple[Printed, ...] = ()
    allow: tuple[Allowed, ...] = ()

    @property
    def keys(self) -> set[str]:
        """The keys of the facts that it prints."""
        return {key for p in self.printed for _, key in bound_keys(p.output)}

    def issue(self, what: str, at: int, mend: str) -> Issue:
        """An issue of what begins at an offset into its words."""
        line = self.line + self.words.count("\n", 0, at) if self.line else None
        named = f"{what} (in {self.entry})" if self.kind == "campaign" else what
        return Issue(named, Place(str(self.path), line), mend)


def texts_of(text: Text) -> Iterator[PageText]:
    """The paragraphs of a text."""
    observing = text.study is not None and text.path.stem == OBSERVATIONS
    kind: Kind = "observations" if observing else "study" if text.study else "edition"
    for found in text.paragraphs:
        yield PageText(
            text.path,
            found.line,
            found.words,
            kind,
            text.study,
            source=found.source,
            printed=found.printed,
            allow=text.source.allow,
        )


def declared_texts(checked: Checked) -> Iterator[PageText]:
    """The printed entries of the edition, its studies, its glossary and campaigns."""
    material = checked.material
    folder = material.folder
    yield from _entries(folder / "edition.yaml", _EDITION)
    for id in material.edition.own_studies:
        yield from _entries(folder / "studies" / id / "study.yaml", _STUDY, id)
    yield from _entries(folder / GLOSSARY, _TERMS)
    for id, campaign in material.campaigns.items():
        path = Path("raw") / id / CAMPAIGN_FILE
        for entry, words in campaign_words(campaign).items():
            yield PageText(path, 0, reader_text(words), "campaign", entry=entry)


def campaign_words(campaign: Campaign) -> Mapping[str, str]:
    """What a campaign's declaration says in words, by the entry that says it."""
    found = {"title": campaign.title, "measured.how": campaign.measured.how}
    for id, system in campaign.systems.items():
        found[f"systems.{id}.description"] = system.description
    for id, configuration in campaign.configurations.items():
        found[f"configurations.{id}.label"] = configuration.label
    return {entry: words for entry, words in found.items() if words}


def _entries(
    path: Path, printed: tuple[str, ...], study: str | None = None
) -> Iterator[PageText]:
    if path.is_file():
        text = path.read_text(encoding="utf-8")
        try:
            yield from _read_entries(text, path, printed, study)
        except yaml.YAMLError:
            parse_yaml(text, path)  # says what is wrong with it, and where
            raise


@lru_cache(_KEPT)
def _read_entries(
    text: str, path: Path, printed: tuple[str, ...], study: str | None
) -> list[PageText]:
    found, root = [], yaml.compose(text, Loader=_LOADER)
    for entry, node in _scalars(root, ()):
        if any(_fits(entry, pattern.split(".")) for pattern in printed):
            line, name = node.start_mark.line + 1, ".".join(entry)
            words = reader_text(node.value)
            own = PageText(path, line, words, "entry", study, name, node.value)
            found.append(own)
    return found


def _scalars(
    node: Any, entry: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(node, yaml.ScalarNode):
        yield entry, node
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _scalars(value, (*entry, str(name.value)))
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            yield from _scalars(value, (*entry, str(place)))


def _fits(entry: tuple[str, ...], pattern: list[str]) -> bool:
    return len(entry) == len(pattern) and all(
        wanted in ("*", name) for name, wanted in zip(entry, pattern, strict=True)
    )
