"""What an author declares of a set-up: systems, adapters and links of a study.

``topology:`` in study.yaml. Labels take the details of a configuration, as
campaign.yaml has them, by name in braces: ``"{Interface}"``. So a diagram says what the
list of the configurations says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field, model_validator

from analysis.declared.base import Declared
from analysis.declared.mistakes import form
from analysis.declared.names import Id
from analysis.declared.vocabulary import Role

_NAME = form(
    r"^[a-z0-9][a-z0-9-]*$",
    "small letters, digits and hyphens, a letter or digit first",
)
Name = Annotated[str, Field(pattern=_NAME)]
Text = Annotated[str, Field(min_length=1)]
_DETAIL = re.compile(r"\{([^{}]+)\}")


class DrawnSystem(Declared):
    """A box: the role of a system, what runs on it, and boxes that it holds, such as
    containers or address spaces."""

    role: Role
    """Its role."""
    runs: str = ""
    """What runs on it."""
    holds: tuple[str, ...] = ()
    """Boxes that it holds, such as containers."""
    joined: str = ""
    """What joins each box that it holds to the next one."""
    outside: bool = False
    """Whether the campaign has no record of it."""


class Machine(Declared):
    """A frame round the systems that share a machine."""

    label: Text
    """What the machine is called."""
    systems: Annotated[tuple[Id, ...], Field(min_length=1)]
    """The systems on it."""


class Adapter(Declared):
    """An adapter on the edge of its system, or a frame round the ports of two.

    Systems that share an adapter reach one another inside it.
    """

    label: Text
    """What it is called."""
    ports: Annotated[dict[Id, Text], Field(min_length=1, max_length=2)]
    """By which name each system knows it."""
    configurations: tuple[Id, ...] = ()
    """Those that have it; left out, all."""


class Link(Declared):
    """A line between two systems or adapters, with its type and speed.

    One that goes ``via`` something, such as a switch, leaves the machine, and may go
    past systems. Lines of one ``path`` have its number on them.
    """

    ends: tuple[str, str]
    """The two systems or adapters that it joins."""
    label: Text
    """Its type."""
    speed: str = ""
    """Its speed."""
    via: str = ""
    """What it goes through, such as a switch."""
    path: Annotated[int, Field(ge=1, le=9)] | None = None
    """The number on it, of the way that it is part of."""
    configurations: tuple[Id, ...] = ()
    """Those that have it; left out, all."""


class DrawnNetwork(Declared):
    """What stands outside the machine and joins systems, such as a switch; of one
    system, what it alone has there, such as storage devices."""

    label: Text
    """What it is called."""
    systems: Annotated[tuple[Id, ...], Field(min_length=1)]
    """The systems that it joins."""
    configurations: tuple[Id, ...] = ()
    """Those that have it; left out, all."""


class Topology(Declared):
    """The set-up of a study: boxes from left to right, and what joins them."""

    systems: Annotated[dict[Id, DrawnSystem], Field(min_length=2, max_length=4)]
    """Boxes from left to right."""
    machines: tuple[Machine, ...] = ()
    """Frames round systems that share a machine."""
    adapters: dict[Name, Adapter] = Field(default_factory=dict)
    """Adapters on the edges of systems, by id."""
    links: tuple[Link, ...] = ()
    """Lines between neighbours."""
    networks: tuple[DrawnNetwork, ...] = ()
    """What stands outside the machines."""

    @property
    def parts(self) -> tuple[Adapter | Link | DrawnNetwork, ...]:
        """What joins systems, or stands on their edges."""
        return (*self.links, *self.adapters.values(), *self.networks)

    def systems_of(self, end: str) -> tuple[str, ...]:
        """The systems at one end of a link, which is a system or an adapter."""
        return tuple(self.adapters[end].ports) if end in self.adapters else (end,)

    def labels(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every label with the configurations that it is for; none means all."""
        for box in self.systems.values():
            yield from ((text, ()) for text in (box.runs, *box.holds, box.joined))
        for machine in self.machines:
            yield machine.label, ()
        for adapter in self.adapters.values():
            for text in (adapter.label, *adapter.ports.values()):
                yield text, adapter.configurations
        for link in self.links:
            yield f"{link.label} {link.speed} {link.via}", link.configurations
        for network in self.networks:
            yield network.label, network.configurations

    @model_validator(mode="after")
    def _systems_are_declared(self) -> Topology:
        both = sorted(set(self.systems) & set(self.adapters))
        if both:
            raise ValueError(f"{both[0]} is both a system and an adapter")
        ends = [*self.systems, *self.adapters]
        ports = [tuple(adapter.ports) for adapter in self.adapters.values()]
        others = [m.systems for m in self.machines] + [n.systems for n in self.networks]
        for name in (name for names in (*ports, *others) for name in names):
            if name not in self.systems:
                known = ", ".join(self.systems)
                raise ValueError(f"there is no system {name!r}; it has {known}")
        for end in (end for link in self.links for end in link.ends):
            if end not in ends:
                known = ", ".join(ends)
                raise ValueError(f"a link ends at {end!r}; there are {known}")
        return self

    @model_validator(mode="after")
    def _neighbours_are_joined(self) -> Topology:
        for link in self.links:
            ends = [self.systems_of(end) for end in link.ends]
            if any(len(end) > 1 for end in ends):
                raise ValueError(
                    f"link {link.label!r} ends at an adapter that two systems "
                    "share, which joins them itself"
                )
            if not link.via or ends[0] == ends[1]:
                self._check_neighbours([end[0] for end in ends], f"link {link.label!r}")
        joined = [
            (f"adapter {id!r}", [*one.ports]) for id, one in self.adapters.items()
        ]
        joined += [(f"machine {m.label!r}", [*m.systems]) for m in self.machines]
        for what, systems in joined:
            if len(systems) > 1:
                self._check_neighbours(systems, what)
        return self

    def _check_neighbours(self, joined: list[str], what: str) -> None:
        """A :class:`ValueError` unless the systems are distinct and side by side."""
        order = list(self.systems)
        places = sorted(order.index(system) for system in joined)
        if len(places) < 2 or places != list(range(places[0], places[-1] + 1)):
            raise ValueError(f"{what} must join systems that stand side by side")


def details_in(label: str) -> list[str]:
    """The names in braces of a label, in order."""
    return _DETAIL.findall(label)


def filled(label: str, details: list[dict[str, str | int | float]]) -> str:
    """A label with its details put in; those that differ are joined by ``or``.

    Every configuration of ``details`` must have every detail that the label names.
    """

    def values(name: re.Match[str]) -> str:
        return " or ".join(dict.fromkeys(str(each[name[1]]) for each in details))

    return _DETAIL.sub(values, label)
