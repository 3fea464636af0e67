"""Opening what others left in a folder: regular files, nothing that may block."""

from __future__ import annotations

import os
import stat
from io import FileIO
from pathlib import Path

from analysis.errors import UserError, user_error

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # in case it became a FIFO since it was looked at
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def kind_of(mode: int) -> str:
    """What a mode of ``stat`` says that is no file, in words; empty for a file."""
    kind = stat.S_IFMT(mode)
    return "" if kind == stat.S_IFREG else _KINDS.get(kind, "something else")


def open_regular(path: Path) -> FileIO:
    """A regular file, opened to read its bytes; see :func:`descriptor_of`."""
    return FileIO(descriptor_of(path))


def descriptor_of(path: Path) -> int:
    """The descriptor of a regular file, opened to read its bytes; it is to be closed.

    Anything else, such as a FIFO or a device, is a :class:`UserError` and is not even
    opened: to open it could wait for ever, or do something.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise _no_file(path, mode)
        return os.open(path, _FLAGS)
    except FileNotFoundError:
        raise user_error("there is no such file", path, mend="check the path") from None
    except (OSError, ValueError) as error:  # such as a path with a NUL in it
        told = getattr(error, "strerror", None) or error
        mend = "see that it is yours to read"
        raise user_error(f"cannot be read: {told}", path, mend=mend) from None


def _no_file(path: Path, mode: int) -> UserError:
    mend = "name one file in it"
    if not stat.S_ISDIR(mode):
        mend = "copy what it gives into a file, and name that"
    return user_error(f"this is {kind_of(mode)}", path, mend=mend)
