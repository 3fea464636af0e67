"""Output formats: in which files an edition comes, and what each of them needs.

A format is a module of ``analysis/report/outputs/`` with an ``OUTPUT``, and nothing
else knows of it. ``formats`` in ``edition.yaml`` names the ones that an edition wants.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.declared.base import line_of, load_yaml
from analysis.declared.edition import FORMATS, Edition
from analysis.declared.mistakes import did_you_mean
from analysis.errors import Issue, Place
from analysis.programs.registry import Registry, declared_as
from analysis.report.document.document import Document


@dataclass(frozen=True)
class Output:
    """One format, by the ``id`` that ``edition.yaml`` calls it.

    ``name`` is its file's, in which ``{edition}`` stands for the edition. ``link`` are
    the words of a link to it, and ``whole`` says what an edition is in it. ``pandoc``
    renders a document with a cache of fonts. Quarto renders its format ``quarto``, of
    which the extension says how; without one it is Pandoc that renders under both
    engines. Where there is a ``finish``, Quarto is asked for a text in ``markup``, of
    which that makes the file, and unchanged parts are kept; ``amend`` makes the file of
    one that Quarto made.
    ``prepare`` adds to a document's folder what the format needs, given a cache of
    fonts. ``gate`` tells why a file must not be published, given the names of all files
    beside it. A format that is quick to render yields to others by ``nice``. Formats of
    slides have the document in a ``folder`` of its own.
    """

    id: str
    name: str
    media_type: str
    link: str
    whole: str
    pandoc: Callable[[Document, Path], bytes]
    gate: Callable[[Path, Collection[str]], list[Issue]]
    quarto: str = ""
    prepare: Callable[[Path, Path], None] | None = None
    finish: Callable[[str, Document, Path], bytes] | None = None
    amend: Callable[[bytes, Document], bytes] | None = None
    markup: str = ""
    nice: int = 0
    folder: str = ""

    def file(self, edition: str) -> str:
        """The name of an edition's file of the format."""
        return self.name.format(edition=edition)


OUTPUTS: Registry[Output] = Registry(
    "analysis.report.outputs", "OUTPUT", declared_as("OUTPUT")
)


def folders_of(edition: Edition) -> set[str]:
    """The folders of the documents that the formats of an edition need."""
    return {OUTPUTS[id].folder for id in edition.formats}


def outputs_of(document: Document) -> list[Output]:
    """The formats that a document asks for, the main one first."""
    wanted: Any = document.metadata.get("formats", FORMATS)
    return [OUTPUTS[id] for id in wanted]


def asked_outputs(documents: Mapping[str, Document]) -> list[tuple[Output, Document]]:
    """The formats that documents ask for, each with its own, the main one first.

    The documents are those of an edition, by their folders.
    """
    first = next(iter(documents.values()))
    return [(output, documents[output.folder]) for output in outputs_of(first)]


def links_to_others(document: Document, own: Output) -> list[dict[str, str]]:
    """The files of the other formats of an edition, and the words of links to them."""
    return [
        {"file": output.file(document.edition), "link": output.link}
        for output in outputs_of(document)
        if output.id != own.id
    ]


def files_of(edition: Edition, id: str) -> dict[str, str]:
    """The file of each format of the edition ``id``, the main one first."""
    return {format: OUTPUTS[format].file(id) for format in edition.formats}


def known_files(
    about: Mapping[str, Any], there: Callable[[str], bool]
) -> dict[str, str]:
    """The files by format of which a manifest tells, of those that are ``there``.

    Where it tells of no formats it is older than these: then all that are known count.
    """
    told = about.get("formats") or {
        id: output.file(about["edition"]) for id, output in OUTPUTS.items()
    }
    return {id: file for id, file in told.items() if there(file)}


def link_words(id: str) -> str:
    """The words of a link to a format; of one that is not known any more, its name."""
    return OUTPUTS[id].link if id in OUTPUTS else id


def check_formats(edition: Edition, path: Path) -> list[Issue]:
    """Formats of an edition, declared in ``path``, that nobody knows or named twice."""
    return list(_mistakes(edition, path))


def _mistakes(edition: Edition, path: Path) -> Iterator[Issue]:
    formats = edition.formats
    for number, id in enumerate(formats):
        known = id in OUTPUTS
        bare = known and bool(OUTPUTS[id].folder) and not edition.slides
        if known and id not in formats[:number] and not bare:
            continue
        node = load_yaml(path)[1]
        place = Place(str(path), line_of(node, ("formats", number)))
        if bare:
            mend = "write them, and name their file: 'slides: slides.md'"
            yield Issue(f"the format {id} needs slides", place, mend)
        elif known:
            yield Issue(f"the format {id} is named twice", place, "name it once")
        else:
            what = f"there is no output format {id!r}"
            yield Issue(what, place, did_you_mean(id, OUTPUTS))
