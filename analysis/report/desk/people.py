"""Who sits at the desk, what they may do there, and a log of who did what.

On one's own machine a desk is its owner's, whom Git's configuration names. For a team,
``desk.yaml`` says who may what. A reverse proxy signs people in and sends a name in a
header: only what comes from the proxy's address is believed, or answered at all.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import unicodedata
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, get_args

from pydantic import Field, StringConstraints, model_validator
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

from analysis.declared.base import Declared, read_declared
from analysis.declared.edition import Email, Line
from analysis.declared.mistakes import form
from analysis.errors import UserError, as_user_error
from analysis.files.hashes import state_of
from analysis.report.review.authors import git_entry

LOG = "log.tsv"
Role = Literal["reader", "commenter", "reviewer", "author"]
Action = Literal["read", "comment", "suggest", "edit", "approve", "decide", "release"]

# The first role that may; those after it in the order of roles may as well.
_FROM: MappingProxyType[Action, Role] = MappingProxyType({
    "read": "reader",
    "comment": "commenter",
    "suggest": "commenter",
    "edit": "reviewer",
    "approve": "reviewer",
    "decide": "author",  # whether a suggestion is taken
    "release": "author",
})  # fmt: skip
# What no file and no commit may hold of a name, and how long it may be.
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff<>]")
_NO_WIDTH = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f]")
_LONGEST = 200  # characters of a name, or of a field of the log
_NAME = form(r"^[^<>]+$", "a name without < and >")
_Header = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]+$")]
_Host = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]+(:\d{1,5})?$")]


# Letters of Cyrillic, Greek and Armenian that look like Latin ones, big and small.
_LATIN = str.maketrans(
    "АВЕКМНОРСТУХЅІЈԚԜӀаеорсухѕіјһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχօսհո",
    "ABEKMHOPCTYXSIJQWlaeopcyxsijhdqwlABEZHIKMNOPTYXaiKvopuxouhn",
)


def _look(name: str) -> str:
    """What a reader sees of a name: one form of a letter, and no sign without width."""
    plain = _NO_WIDTH.sub("", unicodedata.normalize("NFKC", name))
    shown = (sign for sign in plain if unicodedata.category(sign) != "Cf")
    return " ".join("".join(shown).translate(_LATIN).casefold().split())


def _scripts(word: str) -> set[str]:
    """Of Latin, Cyrillic and Greek those that a word has letters of."""
    names = (unicodedata.name(sign, "").partition(" ")[0] for sign in word)
    return {"LATIN", "CYRILLIC", "GREEK"}.intersection(names)


@dataclass(frozen=True)
class Person:
    """A name and an address, as Git has them; empty where nobody is known."""

    name: str = ""
    email: str = ""
    role: Role = "reader"

    @property
    def known(self) -> bool:
        """Whether what they save and approve can carry their name."""
        return bool(self.name and self.email)


def may(person: Person, action: Action) -> bool:
    """Whether a person may do something; who has no name may read alone."""
    roles = get_args(Role)
    enough = roles.index(person.role) >= roles.index(_FROM[action])
    return enough and (person.known or action == "read")


def allowed(person: Person) -> tuple[Action, ...]:
    """All that a person may do."""
    return tuple(action for action in _FROM if may(person, action))


def git_person(folder: Path) -> Person:
    """Whom Git's configuration names in a folder: an author, on their own machine."""

    def entry(name: str) -> str:
        return " ".join(_ODD.sub(" ", git_entry(name, folder)).split())[:_LONGEST]

    return Person(entry("name"), entry("email"), "author")


class Member(Declared):
    """One of the team; name and address are those of their commits."""

    name: Annotated[Line, StringConstraints(pattern=_NAME)]
    email: Email
    role: Role


class Mail(Declared):
    """How a team's digests are sent; the password is in the environment."""

    server: _Host
    sender: Email
    port: Annotated[int, Field(ge=1, le=65535)] = 25
    starttls: bool = False
    user: str = ""
    hour: Annotated[int, Field(ge=0, le=23)] = 7


class Team(Declared):
    """Who may what, and whose word is taken for who asks.

    ``host`` is the desk's name in browsers, ``proxies`` are the addresses or networks
    of the reverse proxy, ``listen`` is where the desk waits for it. ``header`` has the
    name of who asks, which ``people`` lists; ``others`` may read, or nothing. ``mail``
    sends a digest a day to those for whom something waits.
    """

    host: _Host
    proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], Field(min_length=1)]
    people: dict[str, Member]
    header: _Header = "X-Remote-User"
    listen: str = "127.0.0.1"
    scheme: Literal["https", "http"] = "https"
    others: Literal["read", "nothing"] = "nothing"
    mail: Mail | None = None

    @model_validator(mode="after")
    def _one_person_a_name(self) -> Team:
        looks: dict[str, Member] = {}
        for member in self.people.values():
            for word in re.split(r"[\W_]+", member.name):
                if len(scripts := sorted(map(str.title, _scripts(word)))) > 1:
                    what = f"{word!r} of {member.name!r} has letters of {scripts[0]}"
                    raise ValueError(f"{what} and {scripts[1]}: write it in one")
            other = looks.setdefault(_look(member.name), member)
            if other.name != member.name:
                what = f"{other.name!r} and {member.name!r} look alike"
                raise ValueError(f"{what}: write one name in one way")
            if other.email != member.email:
                what = "approvals and comments could not tell them apart"
                raise ValueError(f"two people are called {member.name!r}: {what}")
        return self

    def who(self, scope: Scope) -> Person | None:
        """Who asks, by the word of the proxy; None where nobody is to be answered."""
        names = Headers(scope=scope).getlist(self.header)
        if len(names) != 1 or not self._is_proxy(scope.get("client")):
            return None
        try:  # headers are read as bytes, and names are UTF-8
            name = names[0].encode("latin-1").decode("utf-8")
        except UnicodeError:
            name = names[0]
        if member := self.people.get(name):
            return Person(member.name, member.email, member.role)
        return Person() if self.others == "read" else None

    def _is_proxy(self, peer: tuple[str, int] | None) -> bool:
        try:
            address = ip_address(peer[0] if peer else "")
        except ValueError:
            return False
        return any(address in network for network in self.proxies)


@dataclass
class TeamFile:
    """The team of a file, read anew when the file changes.

    A file that cannot be read leaves the people who were there; ``problem`` says why.
    Where the desk listens and by which scheme it is reached stay as they were.
    """

    path: Path
    team: Team
    problem: str = ""
    _state: list[int] = field(default_factory=list)

    def who(self, scope: Scope) -> Person | None:
        """See :meth:`Team.who`."""
        return self.now().who(scope)

    def knows(self, host: str) -> bool:
        """Whether a request was sent to the desk's name."""
        return host == self.now().host

    def now(self) -> Team:
        """The team as the file has it."""
        state = state_of(self.path) if self.path.exists() else []
        if state == self._state:
            return self.team
        self._state = state
        try:
            new, self.problem = read_team(self.path), ""
        except (UserError, OSError) as error:
            self.problem = f"the people are as they were: {as_user_error(error)}"
            return self.team
        fixed = {"listen": self.team.listen, "scheme": self.team.scheme}
        if fixed != {name: getattr(new, name) for name in fixed}:
            self.problem = f"{self.path}: listen and scheme count from a new start"
        self.team = new.model_copy(update=fixed)
        return self.team


def team_file(path: Path) -> TeamFile:
    """A file of a team; a :class:`analysis.errors.UserError` for a mistake in it."""
    state = state_of(path) if path.exists() else []
    return TeamFile(path, read_team(path), _state=state)


def read_team(path: Path) -> Team:
    """The team of a file; a :class:`analysis.errors.UserError` for a mistake in it."""
    return read_declared(path, Team)


@dataclass
class ActionLog:
    """Who did what: a line each, added at the end of a file; ``None`` keeps none.

    What is done is done, also where the log cannot be written: ``problem`` says so
    until a line is added again.

    Fields are parted by tabs: time (UTC), name, what they did, edition, where, and the
    status of the answer, of which 200 is done and all others are refusals.
    """

    path: Path | None
    problem: str = ""

    def add(self, by: Person, action: str, edition: str, at: str, status: int) -> None:
        """Add a line, whole even where several are added at once."""
        if self.path is None:
            return
        when = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        fields = (when, by.name or "-", action, edition, at or "-", str(status))
        line = "\t".join(_ODD.sub(" ", field)[:_LONGEST] for field in fields) + "\n"
        try:
            self._write(self.path, line.encode("utf-8", "replace"))
        except OSError as error:
            self.problem = f"the log of who did what lacks lines: {error}"
        else:
            self.problem = ""

    @staticmethod
    def _write(path: Path, line: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK
        file = os.open(path, flags, 0o600)
        try:
            os.write(file, line)
        finally:
            os.close(file)


def asking(request: Request) -> Person:
    """Who asks, as the server put it into the scope."""
    person: Person = request.scope["person"]
    return person
