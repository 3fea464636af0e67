"""What was saved as commits, on a branch of its own, by Git's own commands.

Nobody's checkout or branch moves: the commit is made from a tree of its own. Only
where the branch is the one that is checked out does the index follow.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from analysis.errors import user_error
from analysis.files.limits import GIT_SECONDS
from analysis.report.desk.people import Person

BRANCH = "review/{edition}"
_OUTSIDE = Person("Outside of the desk", "outside@localhost")
_NOTHING = "0" * 40
_SAME: Mapping[str, str] = MappingProxyType({})
_TRIES = 10  # somebody else moved the branch meanwhile


@dataclass(frozen=True)
class Saved:
    """A commit: its hash, who made it, when (ISO 8601), and its message."""

    id: str
    name: str
    when: str
    message: str


@dataclass(frozen=True)
class Repository:
    """The repository that a folder is in; ``branch`` has a place for the edition."""

    folder: Path
    branch: str = BRANCH

    def there(self) -> bool:
        """Whether there is one, and Git."""
        try:
            return self._said("rev-parse", "--is-inside-work-tree") == "true"
        except FileNotFoundError:
            return False

    def remotes(self) -> list[str]:
        """The names of the remotes that are declared."""
        return self._said("remote").split()

    def commit(
        self, edition: str, path: Path, before: str, after: str, by: Person, what: str
    ) -> str:
        """Commit what a file holds now, and before what it held, if nobody did.

        Returns the commit's hash; a :class:`analysis.errors.UserError` says what Git
        refuses.
        """
        ref = self.ref(edition)
        for _ in range(_TRIES):
            tip = self.tip(ref)
            parent = self.parent(tip)
            if self.held(parent, path) not in (None, before):
                told = f"{path.name}: as it was found, edited outside of the desk"
                parent = self._made(parent, path, before, _OUTSIDE, told)
            made = self._made(parent, path, after, by, what)
            if self._moved(ref, made, tip):
                self.follow(ref, path, after)
                return made
        raise user_error(f"Git's branch {ref} moves too often", mend="save again")

    def log(self, edition: str, most: int) -> list[Saved]:
        """The last commits of an edition's branch that touch the edition."""
        ref = self.ref(edition)
        form = "--format=%H%x00%an%x00%aI%x00%s"
        said = self._said("log", f"-{most}", form, ref, "--", edition)
        return [Saved(*line.split("\0")) for line in said.splitlines()]

    def ref(self, edition: str) -> str:
        """The full name of an edition's branch."""
        return f"refs/heads/{self.branch.format(edition=edition)}"

    def holds(self, commit: str, other: str) -> bool:
        """Whether a commit is another one, or comes after it."""
        return self._does("merge-base", "--is-ancestor", other, commit)

    def joined(self, tree: str, parents: list[str], by: Person, what: str) -> str:
        """A commit of a tree upon others."""
        upon = [word for parent in parents for word in ("-p", parent)]
        return self.told(["commit-tree", tree, *upon], what.encode(), _names(by))

    def tip(self, ref: str) -> str:
        """The commit that a branch is at; nothing where there is none."""
        return self._said("rev-parse", "-q", "--verify", f"{ref}^{{commit}}")

    def parent(self, tip: str) -> str:
        """The branch's tip, or what is checked out where that has all of it."""
        head = self._said("rev-parse", "-q", "--verify", "HEAD^{commit}")
        if not tip or (head and self.holds(head, tip)):
            return head
        return tip

    def held(self, commit: str, path: Path) -> str | None:
        """What a file held in a commit; None where it was not there."""
        name = f"{commit}:./{self._name(path)}"
        done = self.run(["cat-file", "blob", name])
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None

    def _made(self, parent: str, path: Path, text: str, by: Person, what: str) -> str:
        """A commit of one changed file upon another commit."""
        blob = self.told(["hash-object", "-w", "--stdin"], text.encode())
        with tempfile.TemporaryDirectory(prefix="desk-git-") as folder:
            own = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
            self.told(["read-tree", parent or "--empty"], own=own)
            entry = f"100644,{blob},{self._prefix()}{self._name(path)}"
            self.told(["update-index", "--add", "--cacheinfo", entry], own=own)
            tree = self.told(["write-tree"], own=own)
        if parent and self._said("rev-parse", f"{parent}^{{tree}}") == tree:
            return parent
        return self.joined(tree, [parent] if parent else [], by, what)

    def _moved(self, ref: str, made: str, tip: str) -> bool:
        return self._does("update-ref", ref, made, tip or _NOTHING)

    def follow(self, ref: str, path: Path, text: str) -> None:
        """Where the branch is checked out, the index holds what was committed."""
        if self._said("symbolic-ref", "-q", "HEAD") == ref:
            blob = self.told(["hash-object", "--stdin"], text.encode())
            entry = f"100644,{blob},{self._prefix()}{self._name(path)}"
            self.run(["update-index", "--add", "--cacheinfo", entry])

    def _name(self, path: Path) -> str:
        return path.absolute().relative_to(self.folder.absolute()).as_posix()

    def _prefix(self) -> str:
        return self._said("rev-parse", "--show-prefix")

    def _does(self, *command: str) -> bool:
        return self.run(list(command)).returncode == 0

    def _said(self, *command: str) -> str:
        """What Git says; nothing where it refuses."""
        done = self.run(list(command))
        said = done.stdout.decode("utf-8", "replace").strip()
        return "" if done.returncode else said

    def told(
        self, command: list[str], given: bytes = b"", own: Mapping[str, str] = _SAME
    ) -> str:
        """What Git says; a :class:`analysis.errors.UserError` where it refuses."""
        done = self.run(command, given, own)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            mend = "see that the repository is whole, and may be written"
            raise user_error(f"Git refuses: {said}", self.folder, mend=mend)
        return done.stdout.decode("utf-8", "replace").strip()

    def run(
        self, command: list[str], given: bytes = b"", own: Mapping[str, str] = _SAME
    ) -> subprocess.CompletedProcess[bytes]:
        """What Git does; it asks nobody for a password."""
        return subprocess.run(
            ["git", *command],
            cwd=self.folder,
            input=given,
            capture_output=True,
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0", **own},
            timeout=GIT_SECONDS,
            check=False,
        )


def _names(by: Person) -> Mapping[str, str]:
    return {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", by.name), ("EMAIL", by.email))
    }
