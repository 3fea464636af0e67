"""Regressions that a project knows of: ``data/acknowledged.yaml``.

Each has a reason and a last day, after which it fails a release again.
"""

from __future__ import annotations

import datetime as dt
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import Field

from analysis.declared.base import Declared, check_declared, load_yaml
from analysis.declared.mistakes import form
from analysis.declared.names import Folder

ACKNOWLEDGED_FILE = Path("data/acknowledged.yaml")
_LINE = form(r"^\S[^\x00-\x1f\x7f]*$", "text without control characters")


class Acknowledged(Declared):
    """A case that fails and is known, why, and until when that will do."""

    case: Annotated[str, Field(pattern=_LINE)]
    """The key that `regress` prints with a case; `*` stands for any part of it."""
    near: Folder | None = None
    """Of a change of level: the campaign that it was said to be near; one campaign
    earlier or later is the same change. Left out, all changes of the trend."""
    reason: Annotated[str, Field(pattern=_LINE)]
    """Why it is accepted, with a ticket if there is one."""
    until: dt.date
    """The last day; from the next on the case fails again."""

    def covers(self, key: str, near: tuple[str, ...] = ()) -> bool:
        """Whether it is about a case, and for a change about one ``near`` these
        campaigns."""
        return fnmatchcase(key, self.case) and (self.near is None or self.near in near)


class Acknowledgements(Declared):
    """All of the file."""

    acknowledged: tuple[Acknowledged, ...]
    """All of them; of several about one case the last day counts."""


def read_acknowledged(path: Path) -> tuple[Acknowledged, ...]:
    """What is acknowledged, none where there is no file; a :class:`UserError` carries
    all mistakes."""
    if not path.is_file():
        return ()
    data, node = load_yaml(path)
    return check_declared(data, node, Acknowledgements, path).acknowledged
