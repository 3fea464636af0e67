"""Documents by Pandoc, and Typst behind it, both from their Python wheels."""

from __future__ import annotations

import json
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import UserError, user_error
from analysis.files.atomic import write_all
from analysis.files.limits import GIB, PANDOC_BYTES
from analysis.programs.child import run_child
from analysis.report.document.document import INDEX, Document, read_document
from analysis.report.document.kept_sections import (
    Marks,
    kept_file,
    put_back,
    read_kept,
    split_sections,
    write_kept,
)
from analysis.report.output import outputs_of
from analysis.report.pages.fonts import CACHE
from analysis.report.pages.inserts import FACTS
from analysis.report.text.pandoc_program import READER, pandoc_program

FILTERS = (
    f"--from={READER}",
    "--wrap=none",
    "--fail-if-warnings",
    "--lua-filter=numbers.lua",
    "--citeproc",
    "--lua-filter=house.lua",
    "--lua-filter=glossary.lua",
)
_COMMON = (
    *FILTERS,
    "--number-sections",
    "--csl=ieee.csl",
    "--bibliography=references.bib",
    "--metadata=link-citations:true",
)
# Pandoc collects less garbage with more room: a sixth of its time.
_ROOM = ("+RTS", "-A64m", f"-M{PANDOC_BYTES}", "-RTS")
_NO_HEAP = 251  # how a Haskell program ends that may not have more memory
# What the filters read beside the document itself.
_READ = ("*.lua", "*.csl", "*.bib", "glossary.json")


@dataclass(frozen=True)
class PandocEngine:
    """Pandoc for all formats of a document, which are made at the same time."""

    fonts: Path = CACHE

    def render(self, document: Path, out: Path) -> None:
        """See :class:`analysis.report.engines.render.Renderer`."""
        source = read_document(document)
        wanted = outputs_of(source)
        slow_first = sorted(wanted, key=lambda output: output.nice)
        with ThreadPoolExecutor(max_workers=len(wanted)) as pool:
            made = {
                output.id: pool.submit(output.pandoc, source, self.fonts)
                for output in slow_first
            }
            files = {o.file(source.edition): made[o.id].result() for o in wanted}
        write_all(out, files)

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
    text: str,
    to: tuple[str, ...],
    options: tuple[str, ...] = (),
    nice: int = 0,
) -> str:
    """A whole document in the format ``to``, its template among the ``options``.

    Its sections are as they were, unless they changed.
    """
    sections, file = split_sections(text), kept_file(document.folder, to[0])
    keys, kept = sections.keys(_rests_on(document, to)), read_kept(file)
    with tempfile.TemporaryDirectory() as name:
        labels = Path(name, "labels.json")
        labels.write_text(json.dumps({"labels": sections.labels}), encoding="utf-8")
        own = (*_COMMON, *to, f"--metadata-file={labels}", *options)
        marks = Marks()
        rendered = run_pandoc(document, own, sections.marked(keys, kept, marks), nice)
        found = put_back(rendered.decode("utf-8"), keys, kept, marks)
        if found is None:
            return run_pandoc(document, own, text, nice).decode("utf-8")
    made, kept = found
    write_kept(file, kept)
    return made


def run_pandoc(
    document: Document, options: tuple[str, ...], text: str, nice: int = 0
) -> bytes:
    """What Pandoc makes of a text in the folder of a document."""
    command = [pandoc_program(), *_ROOM, *options]
    done = run_child(command, document.folder, text.encode(), nice=nice)
    if done.code == _NO_HEAP:
        raise user_error(
            f"Pandoc needs more than {PANDOC_BYTES // GIB} GiB (PANDOC_BYTES)",
            document.folder / INDEX,
            mend="look for a text or a table that is very long or deeply nested",
        )
    if done.code != 0:
        raise refused("Pandoc", done.errors.decode("utf-8", "replace"), document)
    return done.output


def _rests_on(document: Document, to: tuple[str, ...]) -> list[bytes]:
    """What rendered sections depend on beside their text."""
    program = Path(pandoc_program()).stat()
    language = str(document.metadata.get("lang"))
    about = [program.st_size, program.st_mtime_ns, *_COMMON, *to, language]
    traced = (document.folder / FACTS).is_file()
    files = sorted(path for name in _READ for path in document.folder.glob(name))
    return [json.dumps([*about, traced]).encode(), *(p.read_bytes() for p in files)]


def refused(program: str, said: str, document: Document) -> UserError:
    """The program's message without its trace of calls."""
    message = said.split("stack traceback:")[0].strip()
    return user_error(
        f"{program} refuses the document:\n{message}",
        document.folder / INDEX,
        mend="correct the text or the template that the message names",
    )
