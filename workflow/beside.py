"""The page of all campaigns, written while the steps after the tables run.

It is no step, as nothing rests on it, and it tells of what no report uses. It rests on
the tables alone, so it is begun as soon as these are there, on a core that derivation
and reports leave.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from analysis.report.builds.built import BUILDS
from workflow.made import Step

_OFTEN = 0.05  # seconds between two looks at whether the tables are there


@contextmanager
def campaign_page(load: Step) -> Iterator[CampaignPage]:
    """Writes the page once the step ``load`` has its mark; who leaves the block before
    that, or by an error, ends it."""
    page = CampaignPage(Path(load.mark))
    page.start()
    try:
        yield page
    finally:
        page.stop()


class CampaignPage(threading.Thread):
    """Waits for the tables, and for the program that writes the page."""

    def __init__(self, tables: Path) -> None:
        super().__init__(daemon=True)
        self._tables, self._ended = tables, threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._said = ""

    def run(self) -> None:
        """Start the program as soon as there are tables; see :func:`campaign_page`."""
        while not self._tables.exists():
            if self._ended.wait(_OFTEN):
                return
        command = [sys.executable, "-m", "analysis", "catalogue", "--site", str(BUILDS)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
        self._said = self._process.communicate()[1]

    def complaint(self) -> str:
        """What the program said where it failed, once it has ended."""
        self.join()
        process = self._process
        return self._said if process and process.returncode else ""

    def stop(self) -> None:
        """End the program; the page is the last one then, or whole."""
        self._ended.set()
        if (process := self._process) and process.poll() is None:
            with suppress(ProcessLookupError):
                process.terminate()
        self.join()
