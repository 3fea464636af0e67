"""Documents by Pandoc, and Typst behind it, both from their Python wheels."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import user_error
from analysis.files.limits import GIB, PANDOC_BYTES
from analysis.programs.child import pandoc_program, run_child
from analysis.report.document.document import INDEX, REFERENCES, REPORT, Document
from analysis.report.document.kept_sections import (
    Known,
    Marks,
    Rendered,
    Source,
    cites,
    kept_file,
    rendered_anew,
)
from analysis.report.document.parts import DocumentParts
from analysis.report.engines.engine import Renderer, refused
from analysis.report.output import Output
from analysis.report.pages.fonts import CACHE
from analysis.report.pages.inserts import FACTS
from analysis.report.text.glossary import GLOSSARY_FILE
from analysis.report.text.write import READER

_CITEPROC = "--citeproc"  # half the time of a sentence that cites nothing
FILTERS = (
    f"--from={READER}",
    "--wrap=none",
    "--fail-if-warnings",
    f"--lua-filter={REPORT}/numbers.lua",
    _CITEPROC,
    f"--lua-filter={REPORT}/paper.lua",
    f"--lua-filter={REPORT}/house.lua",
    f"--lua-filter={REPORT}/glossary.lua",
)
_COMMON = (
    *FILTERS,
    "--number-sections",
    f"--csl={REPORT}/ieee.csl",
    f"--bibliography={REFERENCES}",
    "--metadata=link-citations:true",
)
# Pandoc collects less garbage with more room: a sixth of its time.
_ROOM = ("+RTS", "-A64m", f"-M{PANDOC_BYTES}", "-RTS")
# What filters and citations read of it.
_METADATA = ("lang", "origins", "usual-bases", "edition", "reproduce")
_NO_HEAP = 251  # how a Haskell program ends that may not have more memory
# What the filters read beside the document itself.
_READ = (f"{REPORT}/*.lua", f"{REPORT}/*.csl", REFERENCES, GLOSSARY_FILE)


@dataclass(frozen=True)
class PandocEngine(Renderer):
    """Pandoc for all formats of a document, which are made at the same time."""

    fonts: Path = CACHE

    def made(self, document: Document, output: Output) -> bytes:
        """See :class:`Renderer`."""
        return output.pandoc(document, self.fonts)

    def about(self) -> dict[str, str]:
        """The engine's name, and the versions of Pandoc and Typst."""
        from importlib.metadata import version  # only a report tells of its programs

        import pypandoc

        return {
            "name": "pandoc",
            "pandoc": str(pypandoc.get_pandoc_version()),
            "typst": version("typst"),
        }


def whole(
    document: Document,
    parts: DocumentParts,
    to: tuple[str, ...],
    options: tuple[str, ...] = (),
    nice: int = 0,
) -> Rendered:
    """A whole document in the format ``to``, its template among the ``options``.

    Bodies of its parts are as they were, unless they changed.
    """
    source, file = source_of(document, parts, to), kept_file(document.folder, to[0])
    with _told(document, parts) as told:
        own = (*_COMMON, *to, told, *options)

        def run(text: str) -> str:
            return run_pandoc(document, own, text, nice).decode("utf-8")

        return rendered_anew(source, file, run)


def plain_file(document: Document, options: tuple[str, ...]) -> bytes:
    """A document whose figures and tables have no numbers, by the ``options``."""
    own = (f"--from={READER}", "--wrap=none", "--fail-if-warnings", *options)
    return run_pandoc(document, own, document.text, environment=_dated(document))


def _dated(document: Document) -> Mapping[str, str]:
    return os.environ | {"SOURCE_DATE_EPOCH": f"{document.timestamp}"}


def whole_file(
    document: Document, parts: DocumentParts, options: tuple[str, ...]
) -> bytes:
    """A whole document as the bytes of a file, by the ``options`` of Pandoc."""
    with _told(document, parts) as told:
        own = (*_COMMON, told, *options, "--output=-")
        return run_pandoc(document, own, parts.text, environment=_dated(document))


def new_bodies(
    document: Document, source: Source, known: Known, to: tuple[str, ...]
) -> tuple[Known, str] | None:
    """The bodies of a document that are not known yet, rendered without the others.

    The text that follows them has their notes. None where they do not come back as
    they should.
    """
    new, marks = source.new(known), Marks()
    if not new:
        return {}, ""
    common = [o for o in _COMMON if o != _CITEPROC or cites(new)]
    with _told(document, source.parts) as told:
        own = (*common, *to, told)
        text = source.marked_new(known, marks)
        rendered = run_pandoc(document, own, text).decode("utf-8")
    return source.cut_new(rendered, known, marks)


def source_of(document: Document, parts: DocumentParts, to: tuple[str, ...]) -> Source:
    """What the parts and the files of a document folder are rendered from."""
    return Source(parts, _rests_on(document, to))


@contextmanager
def _told(document: Document, parts: DocumentParts) -> Iterator[str]:
    """Pandoc's option by which the filters know numbers of figures, and the metadata.

    A part that is rendered alone has no metadata of its own.
    """
    known = document.metadata
    told = {name: known[name] for name in _METADATA if name in known}
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "told.json")
        file.write_text(json.dumps({**told, "labels": parts.labels}), encoding="utf-8")
        yield f"--metadata-file={file}"


def run_pandoc(
    document: Document,
    options: tuple[str, ...],
    text: str,
    nice: int = 0,
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """What Pandoc makes of a text in the folder of a document."""
    command = [pandoc_program(), *_ROOM, *options]
    done = run_child(command, document.folder, text.encode(), environment, nice)
    if done.code == _NO_HEAP:
        raise user_error(
            f"Pandoc needs more than {PANDOC_BYTES // GIB} GiB (PANDOC_BYTES)",
            document.folder / INDEX,
            mend="look for a text or a table that is very long or deeply nested",
        )
    if done.code != 0:
        said = done.errors.decode("utf-8", "replace")
        raise refused("Pandoc", said, document, done.code)
    return done.output


def _rests_on(document: Document, to: tuple[str, ...]) -> str:
    """A digest of what rendered bodies depend on beside their text."""
    program = Path(pandoc_program()).stat()
    read = [str(document.metadata.get(name)) for name in _METADATA]
    about = [program.st_size, program.st_mtime_ns, *_COMMON, *to, *read]
    traced = (document.folder / FACTS).is_file()
    told = hashlib.sha256(json.dumps([*about, traced]).encode())
    for path in sorted(p for name in _READ for p in document.folder.glob(name)):
        told.update(hashlib.sha256(path.read_bytes()).digest())
    return told.hexdigest()
