"""``desk.yaml``: a desk for a team, behind a reverse proxy that knows who asks.

The proxy signs people in and tells a name in a header. Only what comes from its own
address is believed, or answered at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator
from starlette.datastructures import Headers
from starlette.types import Scope

from analysis.declared.base import Declared, read_declared
from analysis.declared.edition import Email, Line
from analysis.declared.mistakes import form
from analysis.errors import UserError, as_user_error
from analysis.report.desk.people import Person, Role

_NAME = form(r"^[^<>]+$", "a name without < and >")
_Header = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]+$")]
_Host = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]+(:\d{1,5})?$")]


class Member(Declared):
    """One of the team; name and address are those of their commits."""

    name: Annotated[Line, StringConstraints(pattern=_NAME)]
    email: Email
    role: Role


class Team(Declared):
    """Who may what, and whose word is taken for who asks.

    ``host`` is the desk's name in browsers, ``proxies`` are the addresses or networks
    of the reverse proxy, ``listen`` is where the desk waits for it. ``header`` has the
    name of who asks, which ``people`` lists; ``others`` may read, or nothing.
    """

    host: _Host
    proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], Field(min_length=1)]
    people: dict[str, Member]
    header: _Header = "X-Remote-User"
    listen: str = "127.0.0.1"
    scheme: Literal["https", "http"] = "https"
    others: Literal["read", "nothing"] = "nothing"

    @model_validator(mode="after")
    def _told_apart(self) -> Team:
        known: dict[str, str] = {}
        for member in self.people.values():
            if known.setdefault(member.name, member.email) != member.email:
                what = "approvals and comments could not tell them apart"
                raise ValueError(f"two people are called {member.name!r}: {what}")
        return self

    def knows(self, host: str) -> bool:
        """Whether a request was sent to the desk's name."""
        return host == self.host

    def who(self, scope: Scope) -> Person | None:
        """Who asks, by the word of the proxy; None where nobody is to be answered."""
        peer = scope.get("client")
        if not peer or not self._is_proxy(str(peer[0])):
            return None
        said = Headers(scope=scope).getlist(self.header)
        if len(said) != 1:
            return None
        member = self.people.get(_told(said[0]))
        if member:
            return Person(member.name, member.email, member.role)
        return Person() if self.others == "read" else None

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in proxy for proxy in self.proxies)


def _told(header: str) -> str:
    """A name as the proxy sends it: headers are read as bytes, and names are UTF-8."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


@dataclass
class TeamFile:
    """The team of a file, read anew when the file changes.

    A file that cannot be read leaves the people who were there; ``problem`` says why.
    Where the desk listens and by which scheme it is reached stay as they were.
    """

    path: Path
    team: Team
    problem: str = ""
    _read: tuple[int, ...] = ()

    def who(self, scope: Scope) -> Person | None:
        """See :meth:`Team.who`."""
        return self.now().who(scope)

    def knows(self, host: str) -> bool:
        """See :meth:`Team.knows`."""
        return self.now().knows(host)

    def now(self) -> Team:
        """The team as the file has it."""
        found = _state(self.path)
        if found != self._read:
            self._read = found
            try:
                new, self.problem = read_team(self.path), ""
            except (UserError, OSError) as error:
                self.problem = f"the people are as they were: {as_user_error(error)}"
                return self.team
            kept = {"listen": self.team.listen, "scheme": self.team.scheme}
            if kept != {name: getattr(new, name) for name in kept}:
                self.problem = f"{self.path}: listen and scheme count from a new start"
            self.team = new.model_copy(update=kept)
        return self.team


def team_file(path: Path) -> TeamFile:
    """A file of a team; a :class:`analysis.errors.UserError` for a mistake in it."""
    found = _state(path)
    return TeamFile(path, read_team(path), _read=found)


def _state(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return (0,)
    return found.st_mtime_ns, found.st_size, found.st_ino


def read_team(path: Path) -> Team:
    """The team of a file; a :class:`analysis.errors.UserError` for a mistake in it."""
    return read_declared(path, Team)
