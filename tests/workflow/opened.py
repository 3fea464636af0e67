"""Which files of a folder are opened, as the kernel tells it.

An audit hook of Python sees neither what a library opens by itself, as those for
Parquet and DuckDB do, nor what a child opens; inotify sees both.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from tests.workflow.warm import STAGES, warm

_OPEN, _OVERFLOW, _FOLDER = 0x20, 0x4000, 0x40000000  # from linux/inotify.h
_EVENT = struct.Struct("iIII")  # watch, mask, cookie, length of the name after it
_ROOM = 2**22
PATIENCE_SECONDS = 120


def opened_by(
    command: Sequence[str], folder: Path, without: Collection[str] = ()
) -> tuple[int, str, set[str]]:
    """How a command of Python that runs in ``folder`` ended, what it said, and the
    files there that it opened.

    Folders that the command makes are not seen, nor are those of ``without``.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    queue = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        watched = {
            libc.inotify_add_watch(queue, os.fsencode(place), _OPEN): place
            for place in _folders(folder, without)
        }
        assert min(watched) > 0, os.strerror(ctypes.get_errno())
        code, said = warm(STAGES).run(command, folder, os.environ, PATIENCE_SECONDS)
        names = {
            (watched[watch] / name).relative_to(folder).as_posix()
            for watch, name in _events(queue)
        }
    finally:
        os.close(queue)
    return code, said, names


def _folders(folder: Path, without: Collection[str]) -> Iterator[Path]:
    for place, folders, _ in os.walk(folder):
        yield Path(place)
        if Path(place) == folder:
            folders[:] = [name for name in folders if name not in without]


def _events(queue: int) -> Iterator[tuple[int, str]]:
    """The files that were opened, each with the watch of its folder."""
    while True:
        try:
            data = os.read(queue, _ROOM)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            watch, mask, _, size = _EVENT.unpack_from(data, at)
            assert not mask & _OVERFLOW, "more was opened than the kernel could tell"
            name = data[at + _EVENT.size : at + _EVENT.size + size].rstrip(b"\0")
            if mask & _OPEN and not mask & _FOLDER:
                yield watch, os.fsdecode(name)
            at += _EVENT.size + size
