"""What was saved as commits, on a branch of its own, by Git's own commands.

Nobody's checkout or branch moves: the commit is made from a tree of its own. Only
where the branch is the one that is checked out does the index follow. What
``fast-import`` reads and ``cat-file --batch`` writes stands at the end.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from analysis.errors import UserError, user_error
from analysis.files.limits import GIT_SECONDS
from analysis.report.desk.people import Person

BRANCH = "review/{edition}"
_OUTSIDE = Person("Outside of the desk", "outside@localhost")
_SAME: Mapping[str, str] = MappingProxyType({})
_TRIES = 10  # somebody else moved the branch meanwhile
_PACKED = ("-c", "maintenance.loose-objects.auto=5000")  # about 700 saves
_PLAIN = MappingProxyType({"LC_ALL": "C"})  # messages as _CURES has them
_LOCKED = "wait until the other Git has ended; if none runs, remove that .lock file"
_CURES = MappingProxyType({
    ".lock': File exists": _LOCKED,
    "No space left": "make room on the disk, then save again",
    "Read-only file system": "mount it so that it may be written",
    "ermission denied": "let the user that the desk runs as write there",
    "dubious ownership": "let the desk run as the owner of the repository",
})  # fmt: skip
_SIGNS = re.compile(r"[<>\x00-\x1f\x7f]+")  # that no name in a commit can have
_HEAD, _POINTER = "HEAD", "gitdir"


@dataclass(frozen=True)
class Saved:
    """A commit: its hash, who made it, when (ISO 8601), and its message."""

    id: str
    name: str
    when: str
    message: str


@dataclass(frozen=True)
class Repository:
    """The repository that a folder is in; ``branch`` has a place for the edition.

    ``made`` are by branch what was checked out when it last got a commit, and that.
    """

    folder: Path
    branch: str = BRANCH
    made: dict[str, tuple[str, str]] = field(default_factory=dict)

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
        refuses. To ask once more for what is committed already changes nothing.
        """
        ref, name = self.ref(edition), self._name(path)
        self.check_free(ref)
        for _ in range(_TRIES):
            tip, upon, held, head = self._found(ref, name)
            made = [FileCommit(f"{self._prefix}{name}", after, by, what)]
            if held not in (None, before, after):
                told = f"{path.name}: as it was found, edited outside of the desk"
                found = replace(made[0], text=before, by=_OUTSIDE, what=told)
                made.insert(0, found)
            given = stream(ref, upon, made if held != after else [])
            done = self.run(["fast-import", "--quiet", "--date-format=now"], given)
            if done.returncode == 0:
                self.follow(ref, path, after)
                new = done.stdout.decode().strip()
                if new:
                    self.made[ref] = head, new
                return new or upon
            if self.tip(ref) == tip:  # nobody was faster: it is something else
                raise self._refused(done)
        raise user_error(f"Git's branch {ref} moves too often", mend="save again")

    def check_free(self, ref: str) -> None:
        """A :class:`analysis.errors.UserError` where it is checked out elsewhere."""
        own, common = self._folders
        if place := checked_out_at(own, common, ref):
            name = ref.removeprefix("refs/heads/")
            what = f"Git's branch {name} is checked out in {place}"
            raise user_error(what, mend=f"git -C {place} switch --detach")

    def log(self, edition: str, most: int) -> list[Saved]:
        """The last commits of an edition's branch that touch the edition."""
        ref = self.ref(edition)
        form = "--format=%H%x00%an%x00%aI%x00%s"
        said = self._said("log", f"-{most}", form, ref, "--", edition)
        return [Saved(*line.split("\0")) for line in said.split("\n") if line]

    def ref(self, edition: str) -> str:
        """The full name of an edition's branch."""
        return f"refs/heads/{self.branch.format(edition=edition)}"

    def holds(self, commit: str, other: str) -> bool:
        """Whether a commit is another one, or comes after it.

        What was there before another was made does not, which Git would find out from
        all commits between them.
        """
        if (commit, other) in self.made.values():
            return False
        return self._does("merge-base", "--is-ancestor", other, commit)

    def joined(self, tree: str, parents: list[str], by: Person, what: str) -> str:
        """A commit of a tree upon others."""
        upon = [word for parent in parents for word in ("-p", parent)]
        return self.git(["commit-tree", tree, *upon], what.encode(), _names(by))

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

    def pack(self) -> None:
        """Put single objects into a pack where there are thousands: 30 kB each save.

        Git does so by itself after commands of people, of which a desk has none. It is
        not stopped, as it would leave a lock. An old Git cannot, which does no harm.
        """
        packing = ["maintenance", "run", "--auto", "--quiet", "--task=loose-objects"]
        self.run([*_PACKED, *packing], limit=None)

    def _found(self, ref: str, name: str) -> tuple[str, str, str | None, str]:
        """A branch's tip, what to commit upon, what a file holds there, and HEAD."""
        asked = [f"{at}{what}" for at in (ref, "HEAD")
                 for what in ("^{commit}", f":./{name}")]  # fmt: skip
        given = "".join(f"{one}\n" for one in asked).encode()
        done = self.run(["cat-file", "--batch"], given)
        if done.returncode:
            raise self._refused(done)
        (tip, _), (_, ours), (head, _), (_, theirs) = objects(done.stdout)
        if head and (not tip or tip == head or self.holds(head, tip)):
            return tip, head, theirs, head
        return tip, tip, ours, head

    def follow(self, ref: str, path: Path, text: str) -> None:
        """Where the branch is checked out, the index holds what was committed."""
        if self._said("symbolic-ref", "-q", "HEAD") == ref:
            blob = self.git(["hash-object", "--stdin"], text.encode())
            entry = f"100644,{blob},{self._prefix}{self._name(path)}"
            self.git(["update-index", "--add", "--cacheinfo", entry])

    def _name(self, path: Path) -> str:
        return path.absolute().relative_to(self.folder.absolute()).as_posix()

    @cached_property
    def _folders(self) -> tuple[Path, Path]:
        """Where Git keeps what is of this worktree, and what is of all."""
        said = self._said("rev-parse", "--absolute-git-dir", "--git-common-dir")
        own, common = said.split("\n")
        return Path(own), self.folder / common

    @cached_property
    def _prefix(self) -> str:
        return self._said("rev-parse", "--show-prefix")

    def _does(self, *command: str) -> bool:
        return self.run(list(command)).returncode == 0

    def _said(self, *command: str) -> str:
        """What Git says; nothing where it refuses."""
        done = self.run(list(command))
        said = done.stdout.decode("utf-8", "replace").strip()
        return "" if done.returncode else said

    def git(
        self, command: list[str], given: bytes = b"", own: Mapping[str, str] = _SAME
    ) -> str:
        """What Git says; a :class:`analysis.errors.UserError` where it refuses."""
        done = self.run(command, given, own)
        if done.returncode:
            raise self._refused(done)
        return done.stdout.decode("utf-8", "replace").strip()

    def _refused(self, done: subprocess.CompletedProcess[bytes]) -> UserError:
        """Why Git would not, and how to mend it."""
        said = done.stderr.decode("utf-8", "replace").strip()
        cures = (cure for words, cure in _CURES.items() if words in said)
        mend = next(cures, "see that the repository is whole, and may be written")
        return user_error(f"Git refuses: {said}", self.folder, mend=mend)

    def run(
        self,
        command: list[str],
        given: bytes = b"",
        own: Mapping[str, str] = _SAME,
        limit: float | None = GIT_SECONDS,
    ) -> subprocess.CompletedProcess[bytes]:
        """What Git does; it asks nobody for a password."""
        try:
            return subprocess.run(
                ["git", *command],
                cwd=self.folder,
                input=given,
                capture_output=True,
                env={**os.environ, "GIT_TERMINAL_PROMPT": "0", **_PLAIN, **own},
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            what = f"git {command[0]} took more than {GIT_SECONDS:g} s (GIT_SECONDS)"
            raise user_error(what, self.folder, mend="see what it waits for") from None


def _names(by: Person) -> Mapping[str, str]:
    return {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", by.name), ("EMAIL", by.email))
    }


@dataclass(frozen=True)
class FileCommit:
    """A commit of one file: its path in the repository, its text, by whom, and why."""

    path: str
    text: str
    by: Person
    what: str


def stream(ref: str, upon: str, made: Sequence[FileCommit]) -> bytes:
    """Commits one after another on ``ref``, the first upon another commit.

    Git answers with the hash of the last one. Without any, the branch is moved.
    """
    origin = f"from {upon}\n".encode() if upon else b""
    if not made:
        return f"reset {ref}\n".encode() + origin + b"\n"
    commands = [
        _commit(ref, one, origin if n == 0 else b"") for n, one in enumerate(made)
    ]
    return b"".join([*commands, b"get-mark :1\n"])


def _commit(ref: str, one: FileCommit, origin: bytes) -> bytes:
    name, email = (_SIGNS.sub(" ", said) for said in (one.by.name, one.by.email))
    who = f"{name.strip()} <{email.strip()}> now"
    quoted = one.path.replace("\\", "\\\\").replace('"', '\\"')
    return b"".join((
        f"commit {ref}\nmark :1\n".encode(),
        f"author {who}\ncommitter {who}\n".encode(),
        _data(f"{one.what}\n"),
        origin,
        f'M 100644 inline "{quoted}"\n'.encode(),
        _data(one.text),
    ))  # fmt: skip


def _data(text: str) -> bytes:
    data = text.encode()
    return b"data %d\n%b\n" % (len(data), data)


def objects(said: bytes) -> Iterator[tuple[str, str | None]]:
    """Hash and text of each object that was asked for; ("", None) for what is not."""
    while said:
        head, _, said = said.partition(b"\n")
        if head.endswith(b" missing"):
            yield "", None
            continue
        id, _, size = head.decode().split(" ")
        yield id, said[: int(size)].decode("utf-8", "replace")
        said = said[int(size) + 1 :]


def checked_out_at(own: Path, common: Path, ref: str) -> Path | None:
    """Another worktree whose checkout is a branch, None where there is none.

    ``own`` is the folder that Git keeps of this worktree, ``common`` that of all.
    """
    for folder in (common, *sorted((common / "worktrees").glob("*"))):
        if folder.resolve() == own.resolve():
            continue
        if _read(folder / _HEAD) == f"ref: {ref}":
            place = _place(folder, common)
            if place is None or place.is_dir():
                return place or common
    return None


def _place(folder: Path, common: Path) -> Path | None:
    """The worktree of a folder of Git's; None for a bare repository."""
    if folder != common:
        return Path(_read(folder / _POINTER)).parent
    return common.parent if common.name == ".git" else None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except OSError:
        return ""
