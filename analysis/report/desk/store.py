"""Where a save goes: into a journal, the file, and a commit, so that no kill loses it.

An entry is written before the file is, and gone after the commit. Whatever a crash left
is done at the next start, what Git refused with the next save; where the file became
another one meanwhile, the entry stays, and pages say so.

Git's own commands commit, on a branch of the edition.
Nobody's checkout or branch moves: a commit is made from a tree of its own. Only where
the branch is the one that is checked out does the index follow.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import secrets
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from pydantic import TypeAdapter, ValidationError

from analysis.errors import UserError, user_error
from analysis.files.atomic import alone_in, write_text
from analysis.files.limits import GIT_SECONDS
from analysis.report.review.authors import BRANCH

JOURNAL = Path("data/build/desk")
_DIGITS = 20  # of the number by which entries are in order
_NUMBER = "[0-9]" * _DIGITS
_TIDY = 100  # saves, after which Git is asked whether it has something to pack
_TRIES = 10  # somebody else moved the branch meanwhile
_PACKED = ("-c", "maintenance.loose-objects.auto=5000")  # about 700 saves
_SETTINGS = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}  # messages as _CURES has them
_CURES = {
    ".lock': File exists": "wait until the other Git has ended; if none runs, remove "
    "that .lock file",
    "No space left": "make room on the disk, then save again",
    "Read-only file system": "mount it so that it may be written",
    "ermission denied": "let the user that the desk runs as write there",
    "dubious ownership": "let the desk run as the owner of the repository",
}
_TEXTS = ".md", ".qmd", ".yaml"
_FEW = 5  # files of a commit that is shown file by file
_SIGNS = re.compile(r"[<>\x00-\x1f\x7f]+")  # that no name in a commit can have
_NOTHING: Mapping[str, str] = MappingProxyType({})
ABSENT = "0" * 40
FILES = {"100644", "100755", "000000"}


@dataclass(frozen=True)
class Save:
    """One save: the file, what it held and shall hold, by whom, with which words.

    ``file`` is its name below the folder of reports. No text stands for no file.
    """

    edition: str
    file: str
    before: str
    after: str
    name: str
    email: str
    what: str

    @property
    def contents(self) -> tuple[bytes, bytes]:
        """What the file may hold before and after it."""
        return self.before.encode(), self.after.encode()


@dataclass(frozen=True)
class SavedCommit:
    """A commit: its hash, who made it, when (ISO 8601), and its message."""

    id: str
    name: str
    email: str
    when: str
    message: str


@dataclass(frozen=True)
class FileChange:
    """A file that a commit changed, by its name in the edition; empty for none."""

    name: str
    before: str
    after: str


class MeanwhileError(UserError):
    """Somebody wrote a file after it was read for a save, which changed nothing."""


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
            return self.ask("rev-parse", "--is-inside-work-tree") == "true"
        except FileNotFoundError:
            return False

    def ref(self, edition: str) -> str:
        """The full name of an edition's branch."""
        return f"refs/heads/{self.branch.format(edition=edition)}"

    def commit(self, save: Save) -> str:
        """SavedCommit what a file holds now, and before what it held, if nobody did.

        Returns the commit's hash; a :class:`analysis.errors.UserError` says what Git
        refuses. To ask once more for what is committed already changes nothing.
        """
        ref, name = self.ref(save.edition), f"{self._prefix}{save.file}"
        here = self.is_here(ref)
        for _ in range(_TRIES):
            tip, upon, there, head = self._state(ref, save.file)
            saves = [] if (there or "") == save.after else [save]
            if saves and there not in (None, save.before):
                what = f"{Path(name).name}: as it was found, edited outside of the desk"
                by = {"name": "Outside of the desk", "email": "outside@localhost"}
                saves.insert(0, replace(save, after=save.before, what=what, **by))
            stream = _stream(ref, upon, name, saves)
            done = self.run(["fast-import", "--quiet", "--date-format=now"], stream)
            if done.returncode == 0:
                if here:
                    self.follow(save.file, save.after)
                new = done.stdout.decode().strip()
                if new:
                    self.made[ref] = head, new
                return new or upon
            if self.tip(ref) == tip:  # nobody was faster: it is something else
                raise self._refusal(done)
        raise user_error(f"Git's branch {ref} moves too often", mend="save again")

    def is_here(self, ref: str) -> bool:
        """Whether a branch is what is checked out in this worktree.

        A :class:`analysis.errors.UserError` where another one has it checked out.
        """
        form = "--format=%(HEAD)%(worktreepath)"
        answer = self.ask("for-each-ref", form, ref)
        if not answer:  # nobody has it, but here it may wait for its first commit
            return self.ask("symbolic-ref", "-q", "HEAD") == ref
        here, place = answer[0] == "*", answer[1:]
        if not here and place and Path(place).is_dir():
            name = ref.removeprefix("refs/heads/")
            what = f"Git's branch {name} is checked out in {place}"
            raise user_error(what, mend=f"git -C {place} switch --detach")
        return here

    def follow(self, file: str, text: str) -> None:
        """The index holds what was committed of a file; no text is no file."""
        if not text:
            self.git(["update-index", "--force-remove", "--", file])
            return
        blob = self.git(["hash-object", "--stdin"], text.encode())
        entry = f"100644,{blob},{self._prefix}{file}"
        self.git(["update-index", "--add", "--cacheinfo", entry])

    def changes(
        self, edition: str, most: int
    ) -> list[tuple[SavedCommit, list[FileChange]]]:
        """The last commits of an edition's branch that touch it, with its texts.

        The commit that an edition came with, of many files, has none of these.
        """
        form = "--format=%x01%H%x00%an%x00%ae%x00%aI%x00%s"
        raw = "--raw", "--no-abbrev", "--no-renames", "--relative", "--no-merges"
        log = self.ask("log", f"-{most}", form, *raw, self.ref(edition), "--", edition)
        found: list[tuple[SavedCommit, list[tuple[str, str, str]]]] = []
        for part in log.split("\x01")[1:]:
            head, *lines = part.strip("\n").split("\n")
            files = list[tuple[str, str, str]]()
            for line in filter(None, lines):
                about, _, name = line.partition("\t")
                text = name.removeprefix(f"{edition}/")
                if name.endswith(_TEXTS) and set(about[1:].split()[:2]) <= FILES:
                    _, _, before, after, _ = about.split()
                    files.append((text, before, after))
            few = files if len(files) <= _FEW else []
            found.append((SavedCommit(*head.split("\0")), few))
        blobs = {blob for _, files in found for one in files for blob in one[1:]}
        names = sorted(blobs - {ABSENT})
        done = self.run(["cat-file", "--batch"], "\n".join([*names, ""]).encode())
        held = (text or "" for _, text in _objects(done.stdout))
        texts = dict(zip(names, held, strict=False)) | {ABSENT: ""}
        return [
            (one, [FileChange(n, texts[a], texts[b]) for n, a, b in files])
            for one, files in found
        ]

    def undone(self, edition: str) -> list[str]:
        """The files of an edition that Git put back to before what the desk saved.

        A stash, a switch or a reset does so: a file is what is checked out, and what
        was saved in it stands on the edition's branch alone.
        """
        ref, head = self.ref(edition), self.tip("HEAD")
        tip = self.tip(ref)
        if not tip or not head or tip == head or self.holds(head, tip):
            return []
        base = self.ask("merge-base", head, tip)
        raw = ("--raw", "--no-abbrev", "--no-renames", "--relative")
        saved = self.ask("diff", *raw, base, tip, "--", edition).splitlines()
        names = ("diff", "--name-only", "--no-renames", "--relative")
        other = self.ask(*names, tip, "--", edition).splitlines()
        edited = self.ask(*names, "HEAD", "--", edition).splitlines()
        taken = self.ask("log", *raw, "--format=", f"{base}..{head}", "--", edition)
        found = []
        for about, _, file in (line.partition("\t") for line in saved):
            went, blob = file in other and file not in edited, about.split()[3]
            if not went or blob in taken:  # somebody took it and went on
                continue
            # A new file is none of Git's yet, and may be as it was saved.
            if self.ask("hash-object", "--", file) != blob:
                found.append(file)
        return found

    def holds(self, commit: str, other: str) -> bool:
        """Whether a commit is another one, or comes after it.

        What was there before another was made does not, which Git would find out from
        all commits between them.
        """
        if (commit, other) in self.made.values():
            return False
        done = self.run(["merge-base", "--is-ancestor", other, commit])
        return done.returncode == 0

    def tip(self, ref: str) -> str:
        """The commit that a branch is at; nothing where there is none."""
        return self.ask("rev-parse", "-q", "--verify", f"{ref}^{{commit}}")

    def parent(self, tip: str) -> str:
        """The branch's tip, or what is checked out where that has all of it."""
        head = self.tip("HEAD")
        return head if not tip or (head and self.holds(head, tip)) else tip

    def pack(self) -> None:
        """Put single objects into a pack where there are thousands: 30 kB each save.

        Git does so by itself after commands of people, of which a desk has none. It is
        not stopped, as it would leave a lock. An old Git cannot, which does no harm.
        """
        packing = ["maintenance", "run", "--auto", "--quiet", "--task=loose-objects"]
        self.run([*_PACKED, *packing], limit=None)

    def _state(self, ref: str, file: str) -> tuple[str, str, str | None, str]:
        """A branch's tip, what to commit upon, what a file holds there, and HEAD."""
        asked = [f"{at}{what}" for at in (ref, "HEAD")
                 for what in ("^{commit}", f":./{file}")]  # fmt: skip
        done = self.run(["cat-file", "--batch"], "\n".join([*asked, ""]).encode())
        if done.returncode:
            raise self._refusal(done)
        (tip, _), (_, ours), (head, _), (_, theirs) = _objects(done.stdout)
        if head and (not tip or tip == head or self.holds(head, tip)):
            return tip, head, theirs, head
        return tip, tip, ours, head

    @cached_property
    def _prefix(self) -> str:
        return self.ask("rev-parse", "--show-prefix")

    def ask(self, *command: str) -> str:
        """What Git says; nothing where it refuses."""
        done = self.run(list(command))
        words = done.stdout.decode("utf-8", "replace").strip("\n")
        return "" if done.returncode else words

    def git(
        self, command: list[str], data: bytes = b"", names: Mapping[str, str] = _NOTHING
    ) -> str:
        """What Git says; a :class:`analysis.errors.UserError` where it refuses."""
        done = self.run(command, data, names)
        if done.returncode:
            raise self._refusal(done)
        return done.stdout.decode("utf-8", "replace").strip()

    def _refusal(self, done: subprocess.CompletedProcess[bytes]) -> UserError:
        """Why Git would not, and how to mend it."""
        words = done.stderr.decode("utf-8", "replace").strip()
        cures = (cure for sign, cure in _CURES.items() if sign in words)
        mend = next(cures, "see that the repository is whole, and may be written")
        return user_error(f"Git refuses: {words}", self.folder, mend=mend)

    def run(
        self,
        command: list[str],
        data: bytes = b"",
        names: Mapping[str, str] = _NOTHING,
        limit: float | None = GIT_SECONDS,
    ) -> subprocess.CompletedProcess[bytes]:
        """What Git does; it asks nobody for a password."""
        try:
            return subprocess.run(
                ["git", *command],
                cwd=self.folder,
                input=data,
                capture_output=True,
                env={**os.environ, **_SETTINGS, **names},
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            what = f"git {command[0]} took more than {GIT_SECONDS:g} s (GIT_SECONDS)"
            raise user_error(what, self.folder, mend="see what it waits for") from None


def _stream(ref: str, upon: str, name: str, saves: list[Save]) -> bytes:
    """What ``fast-import`` reads: commits one after another, the first upon another.

    It answers with the hash of the last one. Without any, the branch is moved.
    """
    origin = f"from {upon}\n" if upon else ""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    if not saves:
        return f"reset {ref}\n{origin}\n".encode()
    out = b""
    for one in saves:
        name, email = (_SIGNS.sub(" ", part).strip() for part in (one.name, one.email))
        who = f"{name} <{email}> now"
        out += f"commit {ref}\nmark :1\nauthor {who}\ncommitter {who}\n".encode()
        out += _data(f"{one.what}\n") + origin.encode()
        if one.after:
            out += f'M 100644 inline "{quoted}"\n'.encode() + _data(one.after)
        else:
            out += f'D "{quoted}"\n'.encode()
        origin = ""
    return out + b"get-mark :1\n"


def _data(text: str) -> bytes:
    data = text.encode()
    return b"data %d\n%b\n" % (len(data), data)


def _objects(answer: bytes) -> Iterator[tuple[str, str | None]]:
    """Hash and text of each object of ``cat-file --batch``; ("", None) for none."""
    while answer:
        head, _, answer = answer.partition(b"\n")
        if head.endswith(b" missing"):
            yield "", None
            continue
        id, _, size = head.decode().split(" ")
        yield id, answer[: int(size)].decode("utf-8", "replace")
        answer = answer[int(size) + 1 :]


_SAVE = TypeAdapter(Save)
_Written = tuple[Path, Save]


@dataclass(frozen=True)
class Journal:
    """The entries in a folder; ``report`` is what the names of files begin at.

    ``done`` is set after each save. ``left`` are by edition the entries, the oldest
    first, that are in their files and that Git would not have yet; ``saved`` counts.
    Whoever saves is alone in an edition.
    """

    folder: Path
    report: Path
    repository: Repository | None
    done: threading.Event = field(default_factory=threading.Event)
    left: dict[str, list[_Written]] = field(default_factory=dict)
    saved: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def save(self, save: Save, show: Callable[[], object] = lambda: None) -> str:
        """Write the file and commit it; returns the commit, empty without Git.

        ``show`` is called as soon as the file has it, before Git is asked; what it
        raises takes the file back. A :class:`MeanwhileError` where the file does not
        hold what the save says that it held. A :class:`UserError` of Git leaves the
        file saved and the entry to be done, by the next save of the edition or at the
        next start.
        """
        place = self._note(save)
        try:
            self._write(save)
            try:
                show()
                self._check(save)
            except Exception:
                back = replace(save, before=save.after, after=save.before)
                with suppress(MeanwhileError):  # what somebody else wrote stays
                    self._write(back)
                raise
        except Exception:
            place.unlink()
            raise
        try:
            return self._commit(save.edition, [(place, save)])
        except UserError as error:
            [issue, *_] = error.issues
            what = f"the words are saved, but not committed yet: {issue.what}"
            mend = f"{issue.mend}; the next save commits these as well"
            raise user_error(what, mend=mend) from None

    def _note(self, save: Save) -> Path:
        """Write an entry behind all that wait, also where the clock was set back."""
        waiting = [int(p.name[:_DIGITS]) for p in self.folder.glob(f"{_NUMBER}-*.json")]
        number = max([time.time_ns(), *(one + 1 for one in waiting)])
        place = self.folder / f"{number:0{_DIGITS}}-{secrets.token_hex(4)}.json"
        write_text(place, json.dumps(asdict(save), ensure_ascii=False))
        return place

    def _write(self, save: Save) -> None:
        with alone_in(self.folder):  # another desk may be at work on the same files
            self._check(save)
            _put(self.report / save.file, save.after)

    def _check(self, save: Save) -> None:
        """A :class:`MeanwhileError` where somebody else wrote the file."""
        path = self.report / save.file
        now = path.read_bytes() if path.is_file() else b""
        if _plain(now) not in map(_plain, save.contents):
            what = f"{path.name} was changed meanwhile, outside of this desk"
            mend = "look at it, then send this again"
            raise MeanwhileError(user_error(what, path, mend=mend).issues)

    def waiting(self) -> Iterator[str]:
        """What is in its file and not committed, in words."""
        for edition, left in self.left.items():
            if left:
                files = ", ".join(sorted({save.file for _, save in left}))
                yield (
                    f"{edition}: Git has no commit yet of what was saved in {files}; "
                    "the next save tries again"
                )

    def recover(self) -> Iterator[str]:
        """Do what a crash left; says what could not be done."""
        for draft in self.folder.glob(".*.part"):
            draft.unlink(missing_ok=True)
        files: dict[str, list[_Written]] = {}
        for place in sorted(self.folder.glob("*.json")):
            try:
                save = _SAVE.validate_json(place.read_bytes())
            except (OSError, ValidationError):
                yield f"{place} cannot be read: look at it, then remove it"
                continue
            files.setdefault(save.file, []).append((place, save))
        for entries in files.values():
            yield from self._recovered(entries)

    def _recovered(self, entries: list[_Written]) -> Iterator[str]:
        """Entries of one file, the oldest first."""
        last = entries[-1][1]
        path = self.report / last.file
        now = path.read_bytes() if path.is_file() else b""
        if not any(now in save.contents for _, save in entries):
            for place, save in entries:
                yield (
                    f"an edit of {save.file} by {save.name} was not saved, and the "
                    f"file is another one now: its text is in {place}; put it in its "
                    "place, then remove that file"
                )
            return
        try:
            _put(path, last.after)
            self._commit(last.edition, entries)
        except (UserError, OSError) as error:
            yield f"an edit of {path.name} is not committed yet: {error}"

    def _commit(self, edition: str, entries: list[_Written]) -> str:
        """SavedCommit what is left of an edition, then this; the last commit's hash."""
        left, commit = self.left.setdefault(edition, []), ""
        left += entries
        while left:
            place, save = left[0]
            if self.repository:
                commit = self.repository.commit(save)
            place.unlink(missing_ok=True)
            left.pop(0)
        self.done.set()
        if self.repository and next(self.saved) % _TIDY == 0:
            threading.Thread(target=self.repository.pack, daemon=True).start()
        return commit


def _put(path: Path, text: str) -> None:
    """Write a file; without a text there is none."""
    if text:
        write_text(path, text)
    else:
        path.unlink(missing_ok=True)


def _plain(data: bytes) -> bytes:
    """The same with plain line ends, of which a file may have several kinds."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
