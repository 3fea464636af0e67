"""Who sits at the desk."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Person:
    """A name and an address, as Git has them; empty where nobody is known."""

    name: str = ""
    email: str = ""

    @property
    def known(self) -> bool:
        """Whether what they save and approve can carry their name."""
        return bool(self.name and self.email)


def git_person(folder: Path) -> Person:
    """Whom Git's configuration names in a folder."""
    return Person(_configured("user.name", folder), _configured("user.email", folder))


def _configured(entry: str, folder: Path) -> str:
    try:
        done = subprocess.run(
            ["git", "config", entry],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return done.stdout.strip()
