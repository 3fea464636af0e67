"""What one request fetches, and what goes wrong when a server is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.collect import Server
from analysis.errors import UserError, user_error

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
        told = getattr(error, "strerror", None) or str(error) or "it hangs up"
        what = f"cannot be reached: {told.lower()}"
        mend = "see that address and port are right and that a firewall lets you pass"
    return UnreachableError(user_error(what, server.address, mend=mend).issues)


def broken_off(
    server: Server, what: str, got: int | None = None, of: int | None = None
) -> UserError:
    """What to say of an answer that ended before its time."""
    whole = "" if of is None else f" of {of:,}"
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
    return UnreachableError(user_error(what, server.address, mend=mend).issues)


def variables(name: str) -> str:
    """The variables of the environment with the credentials of a server."""
    return f"{variable(name, 'USER')} and {variable(name, 'PASSWORD')}"


def variable(name: str, what: str) -> str:
    """Such as ``COLLECT_LPAR1_PASSWORD``."""
    return f"COLLECT_{name.upper().replace('-', '_')}_{what}"
