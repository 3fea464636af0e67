"""The one error type for mistakes that a user can mend."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass, field
from os.path import isdir, isfile
from pathlib import Path
from typing import Literal

_MENDS = {
    errno.EMFILE: "allow this process more open files: ulimit -n 1024",
    errno.ENFILE: "allow this machine more open files: sysctl fs.file-max",
    errno.ENOSPC: "make room on the disk that holds it",
    errno.EDQUOT: "make room: what you may keep there is used up",
    errno.EROFS: "see that its file system is mounted to be written",
}
# How libraries tell the number of an error that have a text alone: Rust's, copytree.
_NUMBER = re.compile(r"\[Errno (\d+)\] |\(os error (\d+)\)")
_SHORT = " requested and "  # so numpy tells how many items had no room, without number
_MEMORY = "end other programs, or allow this one more: ulimit -v, or the job's limit"
_MEND = "see that it is there, is yours, and has room"


@dataclass(frozen=True)
class Place:
    """Where something is: a file with a line or a byte offset, either unknown."""

    file: str
    line: int | None = None
    offset: int | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.file}:{self.line}"
        if self.offset is not None:
            return f"{self.file}: byte offset {self.offset}"
        return self.file


@dataclass(frozen=True)
class Fix:
    """A mend that a program can make in a text.

    ``print`` writes an expression instead of the words ``typed``; ``shows`` is what it
    prints. ``claim`` adds a claim to the text's front matter. ``plain`` writes another
    character, or none, wherever the one ``typed`` stands.
    """

    kind: Literal["print", "claim", "plain"]
    write: str
    typed: str = ""
    shows: str = ""


@dataclass
class Issue:
    """One finding of a check: what is wrong, where, and how to mend it.

    ``fixes`` are the mends among these that a program can make.
    """

    what: str
    where: Place | None = None
    mend: str = ""
    fixes: tuple[Fix, ...] = ()

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head}\n  mend: {self.mend}" if self.mend else head


@dataclass
class UserError(Exception):
    """Bad input. The command line prints it and ends with exit code 2."""

    issues: list[Issue] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(map(str, self.issues))


class NotBuiltError(UserError):
    """What a build makes is not there yet, while other editions may be."""


def not_built(what: str, place: Path) -> NotBuiltError:
    """What a build makes and has not made, with the command that makes it."""
    return NotBuiltError([Issue(what, Place(str(place)), "run 'make report' first")])


def user_error(
    what: str,
    file: str | Path | None = None,
    line: int | None = None,
    offset: int | None = None,
    mend: str = "",
) -> UserError:
    """A :class:`UserError` with a single issue."""
    where = None if file is None else Place(str(file), line, offset)
    return UserError([Issue(what, where, mend)])


def as_user_error(error: UserError | OSError | MemoryError) -> UserError:
    """A file that cannot be read or written is a mistake of the user's as well, and so
    is too little memory."""
    if isinstance(error, UserError):
        return error
    if isinstance(error, MemoryError):
        return user_error("there is not enough memory", mend=_MEMORY)
    if in_the_way := _in_the_way(error):
        return in_the_way
    file, what = error.filename, error.strerror or str(error)
    if error.args and isinstance(error.args[0], list):  # of copytree: all that failed
        _, file, what = error.args[0][0]
    number = _NUMBER.search(what)
    code = _code(error, what)
    if number and number[1]:
        what = what.removeprefix(number[0]).partition(": '")[0]
    return user_error(what.lower(), file, mend=_MENDS.get(code, _MEND))


def is_of_machine(error: BaseException) -> bool:
    """Whether an error tells nothing of the file that was read: there was no room, or
    there were too many open files. Next time all may be well."""
    if not isinstance(error, OSError):
        return False
    return _code(error, str(error)) in _MENDS or _SHORT in str(error)


def _code(error: OSError, what: str) -> int:
    number = _NUMBER.search(what)
    return error.errno or int(number[1] or number[2] if number else 0)


def _in_the_way(error: OSError) -> UserError | None:
    """A file where a folder belongs, or a folder where a file does."""
    mend = "move it away, or name another place"
    named = [Path(str(n)) for n in (error.filename2, error.filename) if n is not None]
    if error.errno == errno.EISDIR:
        for path in filter(isdir, named):
            return user_error("is a folder, where a file belongs", path, mend=mend)
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        above = (one for path in named for one in (path, *path.parents))
        for path in filter(isfile, above):
            return user_error("is a file, where a folder belongs", path, mend=mend)
    return None


def raise_if(issues: list[Issue]) -> None:
    """Raise one :class:`UserError` that carries all issues, if there are any."""
    if issues:
        raise UserError(issues)
