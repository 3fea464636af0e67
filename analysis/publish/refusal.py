"""What a host over ssh refuses, in words that say how to mend it."""

from __future__ import annotations

from analysis.errors import UserError, user_error
from analysis.publish.destination import busy_error, full_error

# Exit codes of the scripts that run on the host, of a shell, and of ssh.
BUSY, NO_FOLDER, NO_LINKS, LOST, _MISSING, _UNREACHABLE = 75, 76, 77, 78, 127, 255
_ROOM = ("No space left on device", "Disk quota exceeded")
_WORKS = "see that 'ssh HOST true' works without a question"


class NoFolderError(UserError):
    """The destination's folder is not there."""


class NoLinksError(UserError):
    """The destination has no symbolic links."""


def refusal(code: int, errors: bytes, name: str, path: str, wait: float) -> UserError:
    """The error for a program's exit code and what it wrote; ``name`` is the host's."""
    said = _said(code, errors)
    where = f"{name}/{path}" if path else name
    what = f"the destination refuses: {said}"
    if code == BUSY:
        return busy_error(wait, name)
    if code == NO_FOLDER:
        mend = "create it, and let this user write there"
        told = user_error("there is no such folder on the host", name, mend=mend)
        return NoFolderError(told.issues)
    if code == NO_LINKS:
        return NoLinksError(user_error(said, where).issues)
    if code == LOST:
        mend = "publish again; it clears up what is half done"
        return user_error("another publisher has taken the lock", name, mend=mend)
    if code == _UNREACHABLE:
        return user_error(f"the host cannot be reached: {said}", name, mend=_WORKS)
    if any(word in said for word in _ROOM):
        return full_error(what, where)
    mend = "see that there is room and that this user may write there"
    if code == _MISSING:
        mend = "install on the host what is missing: rsync, flock, GNU coreutils"
    return user_error(what, where, mend=mend)


def silence(seconds: float, limit: str, name: str) -> UserError:
    """The error for a host that did not answer in time."""
    what = f"the host does not answer; waited {seconds:g} s ({limit})"
    return user_error(what, name, mend=_WORKS)


def nonsense(answer: bytes, name: str) -> UserError:
    """The error for an answer that is none."""
    shown = answer[:60].decode(errors="replace")
    return user_error(
        f"the host answers what it was not asked: {shown!r}",
        name,
        mend="see that 'ssh HOST true' prints nothing",
    )


def _said(code: int, errors: bytes) -> str:
    """The line that tells most: of want of room, else the last."""
    lines = errors.decode(errors="replace").strip().splitlines()
    room = [line for line in lines if any(word in line for word in _ROOM)]
    return (room or lines or [f"exit code {code}"])[-1]
