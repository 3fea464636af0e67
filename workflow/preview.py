"""``make preview``: show an edition in the browser while its texts are edited.

A saved text is on the page at once: Pandoc renders what changed alone. Then the engine
renders the whole page and its other formats in the background. Changed data, campaigns
and studies go through the pipeline first, as far as facts and figures; what was built
before is shown meanwhile. A mistake is shown on the last good page,
with file and line.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from watchfiles import watch

from analysis.declared.edition import find_editions
from analysis.errors import UserError, user_error
from analysis.facts.fact import FACTS
from analysis.files.inputs import is_draft
from analysis.programs.quarto_program import ENGINES, Engine
from analysis.report.desk.desk import Live
from analysis.report.desk.stage import Stage, script_of, serve
from analysis.report.desk.store import Journal
from analysis.report.engines.engine import Renderer
from analysis.report.engines.quarto import choose
from analysis.report.material import Sources
from analysis.report.preview.page import Page, PageMaker
from analysis.usage import whole

PORT = 8765
WATCHED = ("report", "templates", "data", "raw", "synthetic/campaigns")
_MEASURED = ("data", "raw", "synthetic")
_BUILT = (Path("report/build"), Path("data/build"))
_DECLARED = {"study.yaml", "edition.yaml"}
_BUILD = re.compile(rb"\b[0-9a-f]{12}\b")


@dataclass
class Preview(Live):
    """One edition on a stage: ``later`` checks all that its maker shows at once."""

    later: PageMaker = field(kw_only=True)
    edits: int = 0
    _dirty: threading.Event = field(default_factory=threading.Event)
    _ended: bool = False

    def update(self, texts_only: bool = False) -> None:
        """Show the page of the files as they are, or what is wrong with them."""
        with self.lock:
            self.edits += 1
            super().update(texts_only)
            if self.stage.problem:
                print(self.stage.problem, file=sys.stderr, flush=True)
            else:
                self._dirty.set()

    def work(self) -> None:
        """Render the whole page and its other formats after each change, to the end."""
        while self._dirty.wait() and not self._ended:
            self._dirty.clear()
            edits = self.edits
            try:
                page = self.later.whole()
                if self._settle(page, self.later.final(page), edits):
                    self.stage.files |= self.later.other_formats()
            except UserError as error:
                if edits == self.edits:
                    self.stage.fail(f"error: {error}")

    def end(self) -> None:
        """Let :meth:`work` end with what it is at."""
        self._ended = True
        self._dirty.set()

    def rebuilt(self, said: str) -> None:
        """Show what the pipeline made, or ``said``, its words of failure."""
        self.maker.forget()
        self.later.forget()
        self.update()
        if said:
            self.stage.fail(said)

    def _settle(self, page: Page, html: str, edits: int) -> bool:
        """Take the whole page for the quick one, unless the author was faster.

        ``html`` is that page as the engine made it.
        """
        with self.lock:
            if edits != self.edits or self.page is None:
                return False
            same = _unstamped(html) == _unstamped(self.page.html)
            (self.stage.settle if same else self.stage.show)(html)
            self.page = replace(page, document=self.page.document)
            return True


def main(argv: list[str] | None = None) -> int:
    """Serve until interrupted; 0 then, 2 for a mistake."""
    try:
        args = _parse(argv)
        engine = choose(args.engine)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    editions = find_editions(Path("report"))
    edition = args.edition or (editions[0] if editions else "")
    if edition not in editions:
        known = ", ".join(editions) or "(none yet)"
        print(f"error: there is no edition {edition!r}", file=sys.stderr)
        print(f"  mend: choose one of: {known}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="preview-") as folder:
        preview = make(edition, Path(folder), engine)
        try:
            server = serve(preview.stage, args.port)
        except UserError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        about = engine.about()
        name = about["name"]
        print(f"{server.address} by {name} {about[name]}", flush=True)
        if (FACTS / edition).is_dir():
            preview.update()
        preview.stage.fail(f"Facts and figures of {edition} are being built …")
        preview.rebuilt(build(edition, name))
        threading.Thread(target=preview.work, daemon=True).start()
        follow(preview)
    return 0


def make(edition: str, folder: Path, engine: Renderer) -> Preview:
    """The preview of an edition of the current project, its documents in ``folder``."""
    sources = Sources(FACTS, Path("data/build/figures", edition))
    now, later = (
        PageMaker(edition, sources, folder / name, engine) for name in ("now", "later")
    )
    stage = Stage(script_of(sources.templates))
    return Preview(now, stage, Journal(folder, sources.report, None), later=later)


def follow(preview: Preview, stop: threading.Event | None = None) -> None:
    """Update a preview after each change on disk, until ``stop`` or an interrupt."""
    for changes in watch(
        *(folder for folder in WATCHED if Path(folder).exists()),
        watch_filter=_is_ours,
        stop_event=stop,
        debounce=100,
        step=10,
        rust_timeout=500,
    ):
        paths = [_relative(path) for _, path in changes]
        if needs_build(paths):
            engine = preview.maker.engine.about()["name"]
            preview.rebuilt(build(preview.id, engine))
        else:
            preview.update(texts_only=all(p.parts[0] == "report" for p in paths))


def needs_build(paths: Iterable[Path]) -> bool:
    """Whether facts or figures may change: data, raw files, or what authors declare."""
    return any(p.parts[0] in _MEASURED or p.name in _DECLARED for p in paths)


def build(edition: str, engine: str) -> str:
    """Run the pipeline; what it said if it failed, else an empty text."""
    command = [sys.executable, "-m", "workflow.build", "--edition", edition]
    command += ["--engine", engine, "--facts"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stderr or done.stdout).strip() if done.returncode else ""


def _is_ours(_: object, path: str) -> bool:
    relative = _relative(path)
    if any(relative.is_relative_to(folder) for folder in _BUILT):
        return False
    return not is_draft(relative.name) and not relative.name.endswith(".swp")


def _relative(path: str) -> Path:
    full, here = Path(path), Path.cwd()
    return full.relative_to(here) if full.is_relative_to(here) else full


def _unstamped(html: str) -> bytes:
    return _BUILD.sub(b"", html.encode())


def _engine(given: str) -> Engine:
    for engine in ENGINES:
        if engine == (given or ENGINES[0]):
            return engine
    mend = f"choose one of: {', '.join(ENGINES)}"
    raise user_error(f"there is no engine {given!r}", mend=mend)


def _parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workflow.show")
    parser.add_argument("--edition", default="", help="folder name below report/")
    parser.add_argument("--engine", type=_engine, default="auto", help=str(ENGINES))
    port = whole("PORT", 0, 65535)
    parser.add_argument("--port", type=port, default=PORT, help="0: any that is free")
    return parser.parse_args(argv)
