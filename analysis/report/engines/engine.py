"""An engine: it makes the files of an edition's formats from its documents."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from analysis.errors import UserError, user_error
from analysis.files.atomic import write_all
from analysis.progress import WorkDone
from analysis.report.document.document import INDEX, Document
from analysis.report.output import Output, asked_outputs


class Renderer(ABC):
    """An engine; ``fonts`` is where the typefaces of pages and PDF are kept."""

    fonts: Path

    @abstractmethod
    def made(self, document: Document, output: Output) -> bytes:
        """The file of a checked document in one format."""

    @abstractmethod
    def about(self) -> dict[str, str]:
        """The engine's ``name`` and the versions of the programs that it runs."""

    def render(self, documents: Mapping[str, Document], out: Path) -> None:
        """Write the file of each format that the documents ask for to ``out``: all or
        none, made at the same time.

        A mistake in a document is a :class:`analysis.errors.UserError`.
        """
        asked = asked_outputs(documents)
        slow_first = sorted(asked, key=lambda one: one[0].nice)
        with ThreadPoolExecutor(max_workers=len(asked)) as pool:
            made = {o.id: pool.submit(self.made, one, o) for o, one in slow_first}
            progress = WorkDone(out.name, len(made), "formats")
            for future in made.values():
                future.add_done_callback(lambda _: progress.step())
            files = {o.file(one.edition): made[o.id].result() for o, one in asked}
        write_all(out, files)


def refused(program: str, said: str, document: Document, code: int = 1) -> UserError:
    """The program's message without its trace of calls; or that somebody ended it."""
    number = -code if code < 0 else code - 128  # as systems say it, and as shells do
    if number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        return user_error(
            f"{program} was ended by {signal.Signals(number).name} while it worked",
            document.folder / INDEX,
            mend="run the same command again; a system short of memory does so, too",
        )
    message = said.split("stack traceback:")[0].strip()
    return user_error(
        f"{program} refuses the document:\n{message}",
        document.folder / INDEX,
        mend="correct the text or the template that the message names",
    )
