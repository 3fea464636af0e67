"""How long from a saved sentence to the page that shows it, in a real browser.

Needs a built project and Chromium. Run it as ``python -m benchmarks.preview``; it
works in a copy. Without Chromium it says so and ends well.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from analysis.report.desk.serving import serve
from analysis.report.engines.pandoc import PandocEngine
from benchmarks.project import ROOT, copy_project
from workflow.preview import Preview, follow, make

EDITS = 15
PATIENCE_SECONDS = 60.0
_BUILT = ("facts.json", "evidence.json", "backtest.json", "ingest")


def main() -> int:
    """Save sentences one after another; print the times and the median."""
    args = _parse()
    if not chromium():
        print("no Chromium here: the preview is not timed")
        return 0
    # Parts of the browser live on for a moment, and write, when it was asked to end.
    with tempfile.TemporaryDirectory(
        prefix="bench-", ignore_cleanup_errors=True
    ) as folder:
        project = copy_built(Path(folder, "project"), args.edition)
        texts = project / "report" / args.edition / "studies" / args.study
        with (
            contextlib.chdir(project),
            previewing(preview := made(args.edition, Path(folder))) as url,
            browsing(url, Path(folder, "profile")),
        ):
            text = texts / "observations.md"
            times = [_edit(preview, text, f"Sentence {n}.") for n in range(EDITS)]
    median = statistics.median(times)
    spread = f"{min(times):.3f} to {max(times):.3f}"
    print(f"sentence saved to page updated   {median:.3f} s   "
          f"(median of {EDITS}, {spread}; goal: under {args.goal:g} s)")  # fmt: skip
    return 0


def made(edition: str, folder: Path) -> Preview:
    """A preview by the engine that every installation has."""
    return make(edition, folder, PandocEngine())


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default="linux-veth")
    parser.add_argument("--study", default="offload", help="whose text is edited")
    parser.add_argument("--goal", type=float, default=0.3, help="seconds")
    return parser.parse_args()


def chromium() -> str | None:
    """The program, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def copy_built(to: Path, edition: str) -> Path:
    """A copy of the project with the facts and figures that were built in it."""
    copy_project(to)
    for part in (*_BUILT, f"figures/{edition}"):
        name = f"data/build/{part}"
        source, target = ROOT / name, to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not source.exists():
            sys.exit(f"{name} is missing: run 'make report' first")
        (shutil.copytree if source.is_dir() else shutil.copyfile)(source, target)
    return to


@contextlib.contextmanager
def previewing(preview: Preview) -> Iterator[str]:
    """The address of a preview of the current project, which runs meanwhile."""
    stop = threading.Event()
    preview.update(texts_only=False)
    threads = [
        threading.Thread(target=preview.work, daemon=True),
        threading.Thread(target=follow, args=(preview, stop), daemon=True),
    ]
    for thread in threads:
        thread.start()
    server = serve(preview.stage, 0)
    try:
        yield server.address
    finally:
        stop.set()
        preview.end()
        for thread in threads:
            thread.join()
        server.shutdown()


@contextlib.contextmanager
def browsing(url: str, profile: Path) -> Iterator[None]:
    """A headless browser that has the page open."""
    program = chromium()
    assert program  # noqa: S101 - the caller asked
    options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run")
    more = (f"--user-data-dir={profile}", "--remote-debugging-port=0")
    process = subprocess.Popen(
        [program, *options, *more, url],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 15)
        process.wait()


def _edit(preview: Preview, path: Path, sentence: str) -> float:
    """Seconds until the browser shows the next version; then wait for quiet."""
    preview.stage.wait_until_shown(preview.stage.version, PATIENCE_SECONDS)
    time.sleep(3.0)  # an author reads; the PDF is made
    version, start = preview.stage.version, time.perf_counter()
    path.write_text(f"{path.read_text('utf-8')}\n{sentence}\n", encoding="utf-8")
    if not preview.stage.wait_until_shown(version + 1, PATIENCE_SECONDS):
        sys.exit(f"the browser did not show it: {preview.stage.problem or 'no reason'}")
    return time.perf_counter() - start


if __name__ == "__main__":
    raise SystemExit(main())
