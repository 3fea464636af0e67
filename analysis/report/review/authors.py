"""Who wrote the words of texts, as Git has it: they may not approve them everywhere."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from analysis.errors import user_error
from analysis.programs.child import Done, run_child
from analysis.report.checks.claims import Checked

BRANCH = "review/{edition}"  # where a desk commits what is saved
_BLAMED = re.compile(rb"^author(?:-mail)? <?(.*?)>?$", re.MULTILINE)


def raise_if_author(
    checked: Checked, study: str | None, by: str, email: str, branch: str = BRANCH
) -> None:
    """A :class:`analysis.errors.UserError` for who wrote words that they would approve.

    That is where the edition has ``review: {authors: false}``, and for who is called
    ``by``, has that address, or is its reviewer of that name. What is not committed may
    be anybody's. Outside of a repository nobody is known.
    """
    edition = checked.material.edition
    texts = [one.path for one in checked.texts.values() if one.study == study]
    if edition.review.authors or not texts:
        return
    reviewers = [one for one in edition.reviewers if one.is_called(by)]
    names = {
        by,
        email,
        *(one.name for one in reviewers),
        *(one.email for one in reviewers),
    }
    ref = f"refs/heads/{branch.format(edition=checked.material.id)}"
    if not _git(checked.material.folder, "rev-parse", "--show-toplevel").output:
        return
    for text in texts:
        wrote = _authors(text, ref)
        if wrote is None:
            what = "these words are not committed: Git cannot tell whose they are"
            mend = (
                "commit them, then approve (review: {authors: false} in edition.yaml)"
            )
            raise user_error(what, text, mend=mend)
        if {name.casefold() for name in names if name} & wrote:
            what = (
                f"{by} wrote words of these texts, and authors do not approve their own"
            )
            mend = "ask somebody else (review: {authors: false} in edition.yaml)"
            raise user_error(what, text, mend=mend)


def _authors(file: Path, ref: str) -> set[str] | None:
    """Names and addresses of who wrote the lines of a file, without capitals.

    None where neither a branch nor what is checked out has the file as it is.
    """
    for tip in (ref, "HEAD"):
        name = f"{tip}:./{file.name}"
        there = _git(file.parent, "rev-parse", "-q", "--verify", name)
        same = _git(file.parent, "diff", "--quiet", tip, "--", file.name)
        if there.code == same.code == 0:
            blame = "blame", "--line-porcelain", tip, "--", file.name
            found: Iterable[bytes] = _BLAMED.findall(_git(file.parent, *blame).output)
            return {one.decode(errors="replace").casefold() for one in found}
    return None


def git_entry(name: str, folder: Path = Path()) -> str:
    """What Git's configuration says of its user; nothing where it does not."""
    command = ["git", "config", f"user.{name}"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.decode("utf-8", "replace").strip()


def _git(folder: Path, *command: str) -> Done:
    return run_child(["git", *command], folder)
