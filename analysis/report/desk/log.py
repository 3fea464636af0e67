"""Who did what at the desk: a line each, added at the end of a file, never changed.

Times are UTC; fields are parted by tabs: time, name, what they did, edition, where, and
the status of the answer, of which 200 is done and all others are refusals.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from dataclasses import dataclass
from pathlib import Path

from analysis.report.desk.people import Person

LOG = "log.tsv"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_CHARACTERS = 200  # of one field


@dataclass(frozen=True)
class ActionLog:
    """A file of lines; ``None`` keeps none."""

    path: Path | None

    def add(self, by: Person, action: str, edition: str, at: str, status: int) -> None:
        """Add a line, whole even where several are added at once."""
        if self.path is None:
            return
        when = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        fields = (when, by.name or "-", action, edition, at or "-", str(status))
        shown = (_CONTROL.sub(" ", field)[:_CHARACTERS] for field in fields)
        line = "\t".join(shown) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        file = os.open(self.path, flags, 0o600)
        try:
            os.write(file, line.encode("utf-8", "replace"))
        finally:
            os.close(file)
