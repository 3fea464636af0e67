"""What one request fetches, who asks, what goes wrong, and where a file came from.

Passwords come from the environment, a keyring or a prompt, and are kept nowhere. Each
fetched file has a line in ``collected.csv`` and one in ``SHA256SUMS``.
"""

from __future__ import annotations

import datetime as dt
import getpass
import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from analysis.declared.collect import COLLECTED_FILE, Server
from analysis.errors import UserError, user_error
from analysis.files.atomic import write_text
from analysis.files.checksums import SUMS_FILE, checksums_text, read_checksums
from analysis.files.csv_text import csv_text, read_csv
from analysis.files.hashes import hash_file
from analysis.files.text_file import read_text

_HEADER = ("file", "sha256", "bytes", "fetched_utc", "server", "request")
Fetch = Callable[[Path], None]


@dataclass(frozen=True)
class Request:
    """One file: where it goes below the campaign's folder, what is asked for, in
    words that show no secret, and how it is written to a draft."""

    to: str
    what: str
    fetch: Fetch


class UnreachableError(UserError):
    """The server cannot be asked at all, so neither for other files."""


def unreachable(server: Server, error: BaseException) -> UnreachableError:
    """What to say of a server to which there is no connection."""
    if isinstance(error, TimeoutError):
        what = f"does not answer; waited {server.seconds:g} s"
        mend = "see that address and port are right, or raise 'seconds' of the server"
    else:
        cause = getattr(error, "strerror", None) or str(error) or "it hangs up"
        what = f"cannot be reached: {cause.lower()}"
        mend = "see that address and port are right and that a firewall lets you pass"
    return no_way_in(server, what, mend)


def no_way_in(server: Server, what: str, mend: str) -> UnreachableError:
    """Why a server cannot be asked for anything."""
    return UnreachableError(user_error(what, server.address, mend=mend).issues)


def no_answer(server: Server, what: str, answer: str) -> UserError:
    """What to say where a server refuses one file; ``answer`` are its words."""
    mend = "see that the name is right and that you may read it"
    text = f"{what}: the server answers {answer}"
    return user_error(text, server.address, mend=mend)


def broken_off(
    server: Server, what: str, got: int | None = None, size: int | None = None
) -> UserError:
    """What to say of an answer that ended before its time."""
    whole = "" if size is None else f" of {size:,}"
    after = "" if got is None else f" after {got:,}{whole} bytes"
    return user_error(
        f"{what}: the answer broke off{after}; nothing was kept",
        server.address,
        mend="run this again; what is whole is not fetched a second time",
    )


def refused(server: Server, name: str, user: str) -> UnreachableError:
    """What to say where a server does not let the user in; ``name`` is the server's."""
    if user:
        what = f"refuses the user {user!r} with this password or certificate"
        mend = f"correct them: {variables(name)}, the keyring, or the prompt"
    else:
        what = "wants to know who asks"
        mend = f"write 'user' of the server, or set {variables(name)}"
    return no_way_in(server, what, mend)


def variables(name: str) -> str:
    """The variables of the environment with the credentials of a server."""
    return f"{variable(name, 'USER')} and {variable(name, 'PASSWORD')}"


def variable(name: str, what: str) -> str:
    """Such as ``COLLECT_LPAR1_PASSWORD``."""
    return f"COLLECT_{name.upper().replace('-', '_')}_{what}"


@dataclass(frozen=True)
class Login:
    """A user and a password, which no representation shows."""

    user: str
    password: str = field(repr=False)


def login_of(name: str, server: Server) -> Login | None:
    """Who asks the server of that name; none where nobody is named.

    A :class:`UserError` where a user has no password and nobody can be asked. The
    certificate of a client stands for a password, unless the environment has one.
    """
    user = os.environ.get(variable(name, "USER"), "") or server.user
    if not user:
        return None
    password = os.environ.get(variable(name, "PASSWORD")) or _kept(server, user)
    if password is None and server.certificate:
        return None
    return Login(user, _asked(name, server, user) if password is None else password)


def _kept(server: Server, user: str) -> str | None:
    """The password in the keyring, where the library of that name is installed."""
    try:
        kept = importlib.import_module("keyring").get_password(server.address, user)
    except Exception:  # no such library, no keyring, or one that is locked
        return None
    return str(kept) if kept else None


def _asked(name: str, server: Server, user: str) -> str:
    if not sys.stdin.isatty():
        what = f"there is no password of {user!r} and nobody to ask"
        mend = f"set {variables(name)}, or run this in a terminal"
        raise user_error(what, server.address, mend=mend)
    return getpass.getpass(f"Password of {user} on {server.address}: ")


def note(folder: Path, request: Request, server: Server) -> None:
    """Write down a file that has been fetched: its checksum, and where it came from."""
    path = folder / request.to
    row = {
        "file": request.to,
        "sha256": hash_file(path),
        "bytes": str(path.stat().st_size),
        "fetched_utc": dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "server": f"{server.kind} {server.address}",
        "request": request.what,
    }
    rows = {one["file"]: one for one in read_notes(folder)} | {request.to: row}
    sums = folder / SUMS_FILE
    known = read_checksums(folder).files if sums.exists() else {}
    write_text(sums, checksums_text({**known, request.to: row["sha256"]}))
    ordered = [rows[file] for file in sorted(rows)]
    write_text(folder / COLLECTED_FILE, csv_text(_HEADER, ordered))


def read_notes(folder: Path) -> list[dict[str, str]]:
    """The notes of all files that were fetched so far."""
    path = folder / COLLECTED_FILE
    return list(read_csv(read_text(path))) if path.exists() else []
