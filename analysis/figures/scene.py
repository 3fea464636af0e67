"""A set-up as a study declares it: systems, adapters and links with their words."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from analysis.declared.topology import Adapter, Link, Topology, filled
from analysis.figures.setting import Setting


class Box(NamedTuple):
    """A system: its name, the lines below it, and the boxes that it holds, each of
    which something may have ``joined`` to the next."""

    id: str
    lines: tuple[str, ...]
    holds: tuple[str, ...]
    joined: str


class Card(NamedTuple):
    """An adapter: what it is, and the port by which each of its systems knows it."""

    id: str
    label: str
    ports: dict[str, str]


class Wire(NamedTuple):
    """A link: what it is, how fast, and what it goes through outside the machine, and
    the number of its ``path``, empty without one."""

    ends: tuple[str, str]
    label: str
    speed: str
    via: str
    path: str

    @property
    def named(self) -> str:
        """``path 1: OSA-Express, 25GbE``."""
        words = ", ".join(filter(None, (self.label, self.speed)))
        return f"path {self.path}: {words}" if self.path else words


class Row(NamedTuple):
    """What lies at one height: adapters of different systems, and a link of theirs."""

    cards: tuple[Card, ...]
    wire: Wire | None = None

    @property
    def leaves(self) -> bool:
        """Whether its link leaves the machine."""
        return bool(self.wire and self.wire.via)


class Lane(NamedTuple):
    """What configurations have in common, from top to bottom; all where none is named.
    Rows whose link leaves the machine come last."""

    configurations: tuple[str, ...]
    rows: tuple[Row, ...]


class Scene(NamedTuple):
    """All of a diagram with its words filled in; machines and networks are labels with
    their systems."""

    boxes: tuple[Box, ...]
    machines: tuple[tuple[str, tuple[str, ...]], ...]
    lanes: tuple[Lane, ...]
    networks: tuple[tuple[str, tuple[str, ...]], ...]


def scene_of(setting: Setting) -> Scene:
    """The diagram of a study, of the configurations that the figure draws."""
    topology, wanted = _topology(setting), setting.configurations
    boxes = []
    for id, drawn in topology.systems.items():
        lines = [drawn.role, _fill(setting, drawn.runs)]
        lines += filter(None, [setting.systems.get(id)])
        holds = tuple(_fill(setting, held) for held in drawn.holds)
        words = tuple(filter(None, lines))
        boxes.append(Box(id, words, holds, _fill(setting, drawn.joined)))
    parts: list[Adapter | Link] = [*topology.links, *topology.adapters.values()]
    named = dict.fromkeys(part.configurations for part in parts)
    groups = [ids for ids in named if not ids or any(id in wanted for id in ids)]
    groups.sort(key=lambda ids: [wanted.index(i) for i in ids if i in wanted])
    lanes = [_lane(topology, setting, ids) for ids in groups]
    machines = tuple((_fill(setting, m.label), m.systems) for m in topology.machines)
    networks = tuple(
        (_fill(setting, network.label, network.configurations), network.systems)
        for network in topology.networks
    )
    lanes.sort(key=lambda lane: any(row.leaves for row in lane.rows))
    return Scene(tuple(boxes), machines, tuple(lanes), networks)


def _topology(setting: Setting) -> Topology:
    topology = setting.study.topology
    assert topology  # noqa: S101 - the check of declarations asks for one
    return topology


def _fill(setting: Setting, label: str, configurations: tuple[str, ...] = ()) -> str:
    """A label with the details of configurations, or of all that are drawn."""
    ids = configurations or setting.configurations
    return filled(label, [setting.declared[id].details for id in ids])


def _lane(topology: Topology, setting: Setting, ids: tuple[str, ...]) -> Lane:
    """The lane of some configurations: links with their adapters, then the others."""
    kept = tuple(id for id in ids if id in setting.configurations)

    def fill(label: str) -> str:
        return _fill(setting, label, kept)

    cards = {
        id: Card(
            id, fill(adapter.label), {s: fill(p) for s, p in adapter.ports.items()}
        )
        for id, adapter in topology.adapters.items()
        if adapter.configurations == ids
    }
    rows = []
    for link in (each for each in topology.links if each.configurations == ids):
        ends = tuple(cards.pop(end) for end in link.ends if end in cards)
        left, right = (topology.systems_of(end)[0] for end in link.ends)
        words = (fill(link.label), fill(link.speed), fill(link.via))
        rows.append(Row(ends, Wire((left, right), *words, str(link.path or ""))))
    rows += [Row((card,)) for card in cards.values() if len(card.ports) > 1]
    alone: dict[str, list[Card]] = {}
    for card in cards.values():
        if len(card.ports) == 1:
            alone.setdefault(next(iter(card.ports)), []).append(card)
    beside = zip_longest(*alone.values())  # one of each system beside one another
    rows += [Row(tuple(card for card in each if card)) for each in beside]
    return Lane(kept, tuple(sorted(rows, key=lambda row: row.leaves)))
