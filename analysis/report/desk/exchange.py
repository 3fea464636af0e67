"""Pulling and pushing what is saved: the branches of a desk and those of a remote."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from analysis.errors import UserError, user_error
from analysis.files.atomic import write_text
from analysis.report.desk.store import ABSENT, FILES, Journal, Repository

_EVERY_SECONDS = 60.0
_NO_TEXT = "\ufffd"  # for bytes that are none
_SECRET = re.compile(r"(?<=://)[^/@\s]+@")
_NAMES = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "The desk"), ("EMAIL", "desk@localhost"))
}
_Change = tuple[str, str, str]  # a file, what it held, and what it shall hold


@dataclass
class Exchange:
    """Pulling and pushing what is saved: the branches of a desk and those of a remote.

    Theirs is taken in only where it meets nothing of ours: into files that hold what
    Git has, and then into the branch, so that a crash between the two loses neither.
    ``problems`` are what hinders it, in words for the pages, by edition; it is tried
    again. ``locks`` are held while files of an edition are written.
    """

    remote: str
    repository: Repository
    locks: Mapping[str, threading.RLock]
    problems: dict[str, str] = field(default_factory=dict)

    def run(self, journal: Journal) -> None:
        """After each save, and now and then, for ever."""
        while True:
            journal.done.clear()
            self.once()
            journal.done.wait(_EVERY_SECONDS)

    def once(self) -> None:
        """Pull and push each edition's branch."""
        for id, lock in self.locks.items():
            try:
                self._exchange(id, lock)
                self.problems.pop(id, None)
            except (UserError, OSError) as error:
                words = _SECRET.sub("", str(error))
                self.problems[id] = f"{id}: not in step with {self.remote}: {words}"

    def _exchange(self, edition: str, lock: threading.RLock) -> None:
        git, ref = self.repository, self.repository.ref(edition)
        theirs = git.git(["ls-remote", self.remote, ref]).partition("\t")[0]
        if theirs:
            git.git(["fetch", "-q", "--no-tags", self.remote, ref])
            with lock:
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
        here = git.is_here(ref)
        new = theirs if git.holds(theirs, ours) else self._merged(ours, theirs)
        changes = list(self._changes(edition, ours, new))
        for file, before, after in changes:
            path = git.folder / file
            now = path.read_text("utf-8") if path.is_file() else ""
            if now not in (before, after):
                what = f"{path.name} was edited outside of the desk, and there"
                raise user_error(what, path, mend="commit it, or save a part")
        for file, _, after in changes:
            path = git.folder / file
            write_text(path, after) if after else path.unlink(missing_ok=True)
        git.git(["update-ref", ref, new, tip or ABSENT])
        for file, _, after in changes if here else ():
            git.follow(file, after)

    def _merged(self, ours: str, theirs: str) -> str:
        """A commit of both, where they meet in no line."""
        git = self.repository
        done = git.run(["merge-tree", "--write-tree", "--name-only", ours, theirs])
        tree, *names = done.stdout.decode("utf-8", "replace").split("\n")
        if done.returncode and not tree:
            words = done.stderr.decode("utf-8", "replace").strip()
            mend = "see who replaced the branch there, and merge or push by hand"
            raise user_error(f"Git cannot merge the two: {words}", mend=mend)
        if done.returncode:
            both = ", ".join(names[: names.index("")] if "" in names else names)
            what = f"both sides changed the same lines of {both}"
            raise user_error(what, mend="merge the two branches by hand, then push")
        message = f"Both sides of {self.remote}".encode()
        return git.git(["commit-tree", tree, "-p", ours, "-p", theirs], message, _NAMES)

    def _changes(self, edition: str, ours: str, new: str) -> Iterator[_Change]:
        """The files of the edition that differ, with what they held and shall hold."""
        git = self.repository
        command = ["diff-tree", "-r", "-z", "--no-renames", "--relative", ours, new]
        fields = git.git([*command, "--", edition]).strip("\0").split("\0")
        for about, file in zip(fields[:-1:2], fields[1::2], strict=True):
            path = git.folder / file
            if not set(about.lstrip(":").split()[:2]) <= FILES:
                raise user_error("a link is not taken from a remote", path)
            blobs = [
                git.run(["cat-file", "blob", f"{commit}:./{file}"]).stdout
                for commit in (ours, new)
            ]
            before, after = (blob.decode("utf-8", "replace") for blob in blobs)
            if _NO_TEXT in after:
                what = f"{path.name} is no UTF-8 text there"
                raise user_error(what, path, mend="correct it there, then push it")
            yield file, before, after
