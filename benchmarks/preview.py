"""How long from a saved sentence to the page that shows it, in a real browser.

Needs a built project and Chromium. Run it as ``python -m benchmarks.preview``; it
works in a copy. Without Chromium it says so and ends well.
"""

from __future__ import annotations

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

from analysis.report.preview_server import LOOPBACK, serve
from benchmarks.machine import describe
from benchmarks.project import ROOT, copy_project
from workflow.preview import Preview, follow, make

EDITION = "linux-veth"
GOAL_SECONDS = 0.3
EDITS = 15
PATIENCE_SECONDS = 60.0
_BUILT = ("data/build/facts.json", f"data/build/figures/{EDITION}", "data/build/ingest")


def main() -> int:
    """Save sentences one after another; print the times and the median."""
    print(*describe(), sep="\n", end="\n\n")
    if not chromium():
        print("no Chromium here: the preview is not timed")
        return 0
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        project = copy_built(Path(folder, "project"))
        with (
            contextlib.chdir(project),
            previewing(preview := make(EDITION, Path(folder))) as url,
            browsing(url, Path(folder, "profile")),
        ):
            times = [_edit(preview, f"Sentence {n}.") for n in range(EDITS)]
    print(*(f"{seconds:.3f}" for seconds in times), "s")
    median = statistics.median(times)
    print(f"sentence saved to page updated   {median:.3f} s   "
          f"(median of {EDITS}; goal: under {GOAL_SECONDS:g} s)")  # fmt: skip
    return 0


def chromium() -> str | None:
    """The program, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def copy_built(to: Path) -> Path:
    """A copy of the project with the facts and figures that were built in it."""
    copy_project(to)
    for name in _BUILT:
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
        yield f"http://{LOOPBACK}:{server.server_address[1]}/"
    finally:
        stop.set()
        threads[1].join()
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


def add_sentence(sentence: str, study: str = "offload") -> None:
    """Save one more sentence at the end of a study's observations."""
    path = Path("report", EDITION, "studies", study, "observations.md")
    path.write_text(f"{path.read_text('utf-8')}\n{sentence}\n", encoding="utf-8")


def _edit(preview: Preview, sentence: str) -> float:
    """Seconds until the browser shows the next version; then wait for quiet."""
    preview.stage.wait_until_shown(preview.stage.version, PATIENCE_SECONDS)
    time.sleep(3.0)  # an author reads; the PDF is made
    version, start = preview.stage.version, time.perf_counter()
    add_sentence(sentence)
    if not preview.stage.wait_until_shown(version + 1, PATIENCE_SECONDS):
        sys.exit(f"the browser did not show it: {preview.stage.problem or 'no reason'}")
    return time.perf_counter() - start


if __name__ == "__main__":
    raise SystemExit(main())
