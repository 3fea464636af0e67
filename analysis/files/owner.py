"""Who works in a folder: a lock that also holds between machines which share it.

On one machine a file lock does, which the system takes back however its holder ends
(``flock``, also on NFS). Not every mount passes file locks on to other machines. So the
holder makes a file beside it as well, in the one way that is atomic on NFS too (link to
a new name), with host, boot id and process, and counts it up every two seconds. Another
machine watches the number by its own clock: no clock of two machines is compared. Where
it stands still, its holder is gone, and the file is taken away.

A machine is known by its boot id, which containers of one machine share, as they share
its file locks.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

BEAT = 2.0  # seconds between two counts
STILL = 5 * BEAT  # longer than NFS lets a machine look at an old state, when it opens
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Owner:
    """A process that works in a folder; ``sign`` is its alone, ``count`` goes up."""

    host: str
    boot: str
    process: int
    sign: str
    count: int = 0

    def __str__(self) -> str:
        here = self.boot == boot_id()
        return f"process {self.process}{'' if here else f' on {self.host}'}"


def boot_id() -> str:
    """What tells this start of this machine from all others."""
    with suppress(OSError):
        return _BOOT_ID.read_text(encoding="ascii").strip()
    return f"host {socket.gethostname()}"


def is_open_elsewhere(pipe: int) -> bool:
    """Whether another process holds a named pipe open, of which this reads an end."""
    try:
        os.read(pipe, 1)
    except BlockingIOError:
        return True
    return False


def read_owner(path: Path) -> Owner | None:
    """Who wrote the file; None where there is none, or it is not whole."""
    try:
        found = json.loads(path.read_bytes())
        host, sign = (str(found[key])[:100] for key in ("host", "sign"))
        numbers = int(found["process"]), int(found["count"])
        return Owner(host, str(found["boot"]), numbers[0], sign, numbers[1])
    except (OSError, ValueError, TypeError, LookupError):
        return None


def own(path: Path, lost: Callable[[Owner], None]) -> Owner | None:
    """Own the file ``path``; None for success, else who does.

    To be called by who holds the file lock of its machine. ``lost`` is called, in
    another thread, with who took the file away: a machine that stood still for long is
    taken for gone.
    """
    mine = Owner(socket.gethostname(), boot_id(), os.getpid(), uuid.uuid4().hex)
    elsewhere = False  # was one who is gone, whom other machines may take away as well
    while not (_make(path, mine) and (not elsewhere or _stays(path, mine))):
        there = read_owner(path)
        if there and there.boot != mine.boot:
            if _lives(path, there):
                return there
            elsewhere = True
        _take_away(path, there)
    beat = threading.Thread(target=_beat, args=(path, mine, lost), daemon=True)
    beat.start()
    return None


def leave(path: Path) -> None:
    """Leave the file to others, if this process owns it."""
    there = read_owner(path)
    if there and (there.boot, there.process) == (boot_id(), os.getpid()):
        path.unlink(missing_ok=True)


def _make(path: Path, owner: Owner) -> bool:
    """Make the file, whole, if there is none: only one of several who try can."""
    draft = path.with_name(f"{path.name}.{owner.sign}")
    _write(draft, owner)
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return True  # a file system of one machine, whose file locks do
    finally:
        draft.unlink(missing_ok=True)
    return True


def _lives(path: Path, owner: Owner) -> bool:
    """Whether the file changes while this process looks."""
    until = time.monotonic() + STILL
    while time.monotonic() < until:
        time.sleep(BEAT / 2)
        if (now := read_owner(path)) != owner and now is not None:
            return True
    return False


def _stays(path: Path, owner: Owner) -> bool:
    """Whether the file is the owner's a moment after it was made: who took one away
    that was newer puts it back, but a third may have made one before."""
    time.sleep(BEAT / 2)
    found = read_owner(path)
    return found is not None and found.sign == owner.sign


def _take_away(path: Path, dead: Owner | None) -> None:
    """Remove the file of one who is gone; that of a newer one, made since, is put back.

    A rename takes away whatever is there: what it took is looked at afterwards.
    """
    away = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    with suppress(FileNotFoundError):
        os.rename(path, away)
        if dead and (found := read_owner(away)) and found.sign != dead.sign:
            with suppress(FileExistsError):
                os.link(away, path)
        away.unlink()


def _beat(path: Path, owner: Owner, lost: Callable[[Owner], None]) -> None:
    """Count up until the process ends, or somebody else has the file."""
    draft = path.with_name(f"{path.name}.{owner.sign}")
    count = 0
    while True:
        time.sleep(BEAT)
        there = read_owner(path)
        if there is None and not path.exists():
            return  # left
        if there and there.sign != owner.sign:
            lost(there)
            return
        count += 1
        with suppress(OSError):  # a full disk or a server that is away: the next time
            _write(draft, Owner(**asdict(owner) | {"count": count}))
            os.replace(draft, path)


def _write(path: Path, owner: Owner) -> None:
    with path.open("w", encoding="utf-8") as file:
        json.dump(asdict(owner), file)
        file.flush()
        os.fsync(file.fileno())
