"""Pulling and pushing what is saved: the branches of a desk and those of a remote.

Theirs is taken in only where it meets nothing of ours: into files that hold what Git
has, and then into the branch, so that a crash between the two loses neither. Whatever
hinders it is kept as words for the pages, and tried again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from analysis.errors import UserError, user_error
from analysis.files.atomic import write_text
from analysis.report.desk.journal import Journal
from analysis.report.desk.live import Live
from analysis.report.desk.people import Person
from analysis.report.desk.repository import Repository

_EVERY_SECONDS = 60.0
_ABSENT = "0" * 40
_NO_TEXT = "\ufffd"  # for bytes that are none
_FILES = {"100644", "100755", "000000"}
_SECRET = re.compile(r"(?<=://)[^/@\s]+@")
_DESK = Person("The desk", "desk@localhost")


class _Change(NamedTuple):
    path: Path
    before: str
    after: str


@dataclass
class Exchange:
    """The exchange with one remote; ``problems`` say what hinders it, by edition."""

    remote: str
    repository: Repository
    lives: Mapping[str, Live]
    problems: dict[str, str] = field(default_factory=dict)

    def run(self, journal: Journal) -> None:
        """After each save, and now and then, for ever."""
        while True:
            journal.done.clear()
            self.once()
            journal.done.wait(_EVERY_SECONDS)

    def once(self) -> None:
        """Pull and push each edition's branch."""
        for id, live in self.lives.items():
            try:
                self._exchange(id, live)
                self.problems.pop(id, None)
            except (UserError, OSError) as error:
                said = _SECRET.sub("", str(error))
                self.problems[id] = f"{id}: not in step with {self.remote}: {said}"

    def _exchange(self, edition: str, live: Live) -> None:
        git, ref = self.repository, self.repository.ref(edition)
        theirs = git.git(["ls-remote", self.remote, ref]).partition("\t")[0]
        if theirs:
            git.git(["fetch", "-q", "--no-tags", self.remote, ref])
            with live.lock:
                self._pull(edition, theirs)
        tip = git.tip(ref)
        if tip and tip != theirs and not (theirs and git.holds(theirs, tip)):
            git.git(["push", "-q", self.remote, f"{tip}:{ref}"])

    def _pull(self, edition: str, theirs: str) -> None:
        git, ref = self.repository, self.repository.ref(edition)
        tip = git.tip(ref)
        ours = git.parent(tip)
        if not ours or git.holds(ours, theirs):
            return
        git.check_free(ref)
        new = theirs if git.holds(theirs, ours) else self._merged(ours, theirs)
        changes = list(self._changes(edition, ours, new))
        for change in changes:
            now = change.path.read_text("utf-8") if change.path.is_file() else ""
            if now not in (change.before, change.after):
                what = f"{change.path.name} was edited outside of the desk, and there"
                raise user_error(what, change.path, mend="commit it, or save a part")
        for path, _, after in changes:
            write_text(path, after) if after else path.unlink(missing_ok=True)
        git.git(["update-ref", ref, new, tip or _ABSENT])
        for path, _, after in changes:
            git.follow(ref, path, after)

    def _merged(self, ours: str, theirs: str) -> str:
        """A commit of both, where they meet in no line."""
        git = self.repository
        done = git.run(["merge-tree", "--write-tree", "--name-only", ours, theirs])
        tree, *names = done.stdout.decode("utf-8", "replace").split("\n")
        if done.returncode and not tree:
            said = done.stderr.decode("utf-8", "replace").strip()
            mend = "see who replaced the branch there, and merge or push by hand"
            raise user_error(f"Git cannot merge the two: {said}", mend=mend)
        if done.returncode:
            met = ", ".join(names[: names.index("")] if "" in names else names)
            what = f"both sides changed the same lines of {met}"
            raise user_error(what, mend="merge the two branches by hand, then push")
        told = f"Both sides of {self.remote}"
        return git.joined(tree, [ours, theirs], _DESK, told)

    def _changes(self, edition: str, ours: str, new: str) -> Iterator[_Change]:
        """The files of the edition that differ, with what they held and shall hold."""
        git = self.repository
        command = ["diff-tree", "-r", "-z", "--no-renames", "--relative", ours, new]
        said = git.git([*command, "--", edition])
        fields = said.strip("\0").split("\0") if said else []
        for about, name in zip(fields[::2], fields[1::2], strict=True):
            path = git.folder / name
            old_mode, mode = about.lstrip(":").split()[:2]
            if not {old_mode, mode} <= _FILES:
                raise user_error("a link is not taken from a remote", path)
            before, after = git.held(ours, path), git.held(new, path)
            if _NO_TEXT in (after or ""):
                what = f"{path.name} is no UTF-8 text there"
                raise user_error(what, path, mend="correct it there, then push it")
            yield _Change(path, before or "", after or "")
