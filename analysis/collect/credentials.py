"""Who asks a server: from the environment, a keyring or a prompt, and kept nowhere."""

from __future__ import annotations

import getpass
import importlib
import os
import sys
from dataclasses import dataclass, field

from analysis.collect.request import variable, variables
from analysis.declared.collect import Server
from analysis.errors import user_error


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
        found = importlib.import_module("keyring").get_password(server.address, user)
    except Exception:  # no such library, no keyring, or one that is locked
        return None
    return str(found) if found else None


def _asked(name: str, server: Server, user: str) -> str:
    if not sys.stdin.isatty():
        what = f"there is no password of {user!r} and nobody to ask"
        mend = f"set {variables(name)}, or run this in a terminal"
        raise user_error(what, server.address, mend=mend)
    return getpass.getpass(f"Password of {user} on {server.address}: ")
