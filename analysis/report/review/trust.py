"""How far it is known who approved: by a signature in Git, or by the edition's list.

A reviewer with a key has signed the commit that brought the approval; one with an
address alone is believed by name, unless the commit has another author.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from analysis.declared.base import parse_yaml
from analysis.declared.edition import Reviewer
from analysis.errors import UserError
from analysis.programs.child import run_child
from analysis.report.review.record import Approval, Record

# Git asks for a list of keys; whose key it is, the edition says.
_GIT = ("git", "-c", "gpg.ssh.allowedSignersFile=/dev/null")
_FORMAT = "--format=%H%x00%G?%x00%GF%x00%GP%x00%ae"
_GOOD = ("G", "U")  # a good signature; U is by a key that Git itself does not know
_COMMITS = 20


@dataclass(frozen=True)
class Trust:
    """One who approved: ``signed``, ``listed``, or ``unverified`` with the reason.

    ``commit`` is, of one who signed, the commit as Git keeps it, with its signature.
    """

    approval: Approval
    level: Literal["signed", "listed", "unverified"]
    why: str = ""
    commit: str = field(default="", compare=False)

    @property
    def verified(self) -> bool:
        """Whether it is a reviewer of the edition, as far as can be told."""
        return self.level != "unverified"


class Commit(NamedTuple):
    """A commit: its hash, the state of its signature, its key, its author."""

    id: str
    state: str
    key: str
    primary: str
    author: str


def trusted(
    record: Record, reviewers: Sequence[Reviewer], file: Path
) -> tuple[Trust, ...]:
    """What is known of each whose approval is in a ``file``."""
    found = []
    for approval in record.approvals:
        known = next((one for one in reviewers if one.is_called(approval.by)), None)
        commit = introduced(approval, record.stamp, file) if known else None
        if why := _doubt(commit, reviewers, known):
            found.append(Trust(approval, "unverified", why))
        elif commit and known and known.key:
            found.append(Trust(approval, "signed", commit=_object(commit, file.parent)))
        else:
            found.append(Trust(approval, "listed"))
    return tuple(found)


def _object(commit: Commit, folder: Path) -> str:
    """A commit as Git keeps it; empty where it is not in UTF-8."""
    done = run_child(["git", "cat-file", "commit", commit.id], folder)
    with suppress(UnicodeDecodeError):
        return done.output.decode() if done.code == 0 else ""
    return ""


def _doubt(
    commit: Commit | None, reviewers: Sequence[Reviewer], known: Reviewer | None
) -> str:
    """Why nobody can tell that it was a reviewer; empty where that is known."""
    if not reviewers:
        return "edition.yaml declares no reviewers"
    if known is None:
        return "not among the reviewers of edition.yaml"
    if known.key and commit is None:
        return "no commit has this approval yet"
    if known.key and commit:
        if commit.state not in _GOOD:
            return "its commit has no good signature"
        signed = known.has_key(commit.key, commit.primary)
        return "" if signed else "its commit is signed with another key"
    if commit and known.email and commit.author.casefold() != known.email.casefold():
        return f"committed by {commit.author}"
    return ""


def introduced(approval: Approval, stamp: str, file: Path) -> Commit | None:
    """The commit that brought an approval into the record, as it still is there."""
    asked = [*_GIT, "log", f"-{_COMMITS}", _FORMAT, "--", file.name]
    found = None
    for line in _lines(asked, file.parent):
        commit = Commit(*line.split("\0"))
        if not _has(commit, file, approval, stamp):
            break
        found = commit
    return found


def _has(commit: Commit, file: Path, approval: Approval, stamp: str) -> bool:
    """Whether a record had an approval in a commit; not where it cannot be read."""
    asked = [*_GIT, "show", f"{commit.id}:./{file.name}"]
    try:
        data: Any = parse_yaml("\n".join(_lines(asked, file.parent)), file)[0]
    except UserError:
        return False
    if not isinstance(data, dict) or data.get("stamp") != stamp:
        return False
    others = [one for one in data.get("also") or () if isinstance(one, dict)]
    wanted = (approval.by, approval.date)
    return any((one.get("by"), one.get("date")) == wanted for one in (data, *others))


def _lines(command: Sequence[str], folder: Path) -> list[str]:
    """What Git says, line by line; nothing where it is not there, or no repository."""
    done = run_child(command, folder)
    return done.output.decode(errors="replace").splitlines() if done.code == 0 else []
