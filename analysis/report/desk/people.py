"""Who sits at the desk, and what they may do there."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

Role = Literal["reader", "commenter", "reviewer", "author"]
Action = Literal["read", "comment", "suggest", "edit", "approve", "decide"]

# The first role that may; those after it in the order of roles may as well.
_FROM: MappingProxyType[Action, Role] = MappingProxyType({
    "read": "reader",
    "comment": "commenter",
    "suggest": "commenter",
    "edit": "reviewer",
    "approve": "reviewer",
    "decide": "author",  # whether a suggestion is taken
})  # fmt: skip

# What no file and no commit may hold of a name, and how long it may be.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff<>]")
_LONGEST = 200


@dataclass(frozen=True)
class Person:
    """A name and an address, as Git has them; empty where nobody is known."""

    name: str = ""
    email: str = ""
    role: Role = "reader"

    @property
    def known(self) -> bool:
        """Whether what they save and approve can carry their name."""
        return bool(self.name and self.email)


def may(person: Person, action: Action) -> bool:
    """Whether a person may do something; who has no name may read alone."""
    roles = get_args(Role)
    enough = roles.index(person.role) >= roles.index(_FROM[action])
    return enough and (person.known or action == "read")


def allowed(person: Person) -> tuple[Action, ...]:
    """All that a person may do."""
    return tuple(action for action in _FROM if may(person, action))


def git_person(folder: Path) -> Person:
    """Whom Git's configuration names in a folder: an author, on their own machine."""
    told = (_configured(entry, folder) for entry in ("user.name", "user.email"))
    name, email = (" ".join(_ODD.sub(" ", one).split())[:_LONGEST] for one in told)
    return Person(name, email, "author")


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
