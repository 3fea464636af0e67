"""The set-up diagram: systems, adapters and links as a study declares them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest

import polars as pl

from analysis.declared.campaign import System
from analysis.declared.topology import Adapter, DrawnSystem, Link, Topology, filled
from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.figures.page import Words
from analysis.figures.setting import Setting

COLUMNS = ("record", "name", "label", "joins", "configurations")


@dataclass(frozen=True)
class Box:
    """A system: its name, the lines below it, and the boxes that it holds, each of
    which something may have ``joined`` to the next."""

    id: str
    lines: tuple[str, ...]
    holds: tuple[str, ...] = ()
    joined: str = ""

    @property
    def inside(self) -> tuple[str, ...]:
        """What it holds, in words."""
        if not self.joined:
            return self.holds
        return (f"{f', by {self.joined} '.join(self.holds)}",)


@dataclass(frozen=True)
class Card:
    """An adapter: what it is, and the port by which each of its systems knows it."""

    id: str
    label: str
    ports: dict[str, str]


@dataclass(frozen=True)
class Wire:
    """A link: what it is, how fast, and what it goes through outside the machine.

    ``path`` is the number on it, empty without one.
    """

    ends: tuple[str, str]
    label: str
    speed: str
    via: str
    path: str = ""

    @property
    def named(self) -> str:
        """``path 1: OSA-Express, 25GbE``."""
        words = ", ".join(filter(None, (self.label, self.speed)))
        return f"path {self.path}: {words}" if self.path else words


@dataclass(frozen=True)
class Row:
    """What lies at one height: adapters of different systems, and a link of theirs."""

    cards: tuple[Card, ...]
    wire: Wire | None = None


@dataclass(frozen=True)
class Lane:
    """What configurations have in common, from top to bottom; all where none is named.

    Rows whose link leaves the machine come last.
    """

    configurations: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Scene:
    """All of a diagram with its words filled in."""

    boxes: tuple[Box, ...]
    machines: tuple[tuple[str, tuple[str, ...]], ...]
    lanes: tuple[Lane, ...] = field(default=())
    networks: tuple[tuple[str, tuple[str, ...]], ...] = ()


def scene_of(setting: Setting) -> Scene:
    """The diagram of a study, of the configurations that the figure draws."""
    topology = setting.study.topology
    assert topology  # noqa: S101 - the check of declarations asks for one
    everywhere = _Filler(setting, ())
    boxes = tuple(
        Box(
            id,
            _lines(drawn, everywhere(drawn.runs), setting.systems.get(id)),
            tuple(map(everywhere, drawn.holds)),
            everywhere(drawn.joined),
        )
        for id, drawn in topology.systems.items()
    )
    machines = tuple((everywhere(m.label), m.systems) for m in topology.machines)
    lanes = (_lane(topology, setting, ids) for ids in _groups(topology, setting))
    networks = tuple(
        (_Filler(setting, network.configurations)(network.label), network.systems)
        for network in topology.networks
    )
    return Scene(boxes, machines, tuple(sorted(lanes, key=_leaves)), networks)


def data_topology(_facts: Facts, setting: Setting) -> pl.DataFrame:
    """The elements of the diagram, a row each; it has no facts."""
    scene = scene_of(setting)
    rows = [("system", b.id, ", ".join(b.lines), "", "") for b in scene.boxes]
    rows += [("inside", "", held, b.id, "") for b in scene.boxes for held in b.holds]
    rows += [("network", "", label, " ".join(ids), "") for label, ids in scene.networks]
    rows += [("machine", "", label, " ".join(ids), "") for label, ids in scene.machines]
    for lane in scene.lanes:
        names = " ".join(lane.configurations)
        for row in lane.rows:
            for card in row.cards:
                ports = " ".join(f"{s}:{port}" for s, port in card.ports.items())
                rows.append(("adapter", card.id, card.label, ports, names))
            if row.wire:
                wire = row.wire
                label = ", ".join(filter(None, (wire.named, wire.via)))
                rows.append(("link", "", label, " ".join(wire.ends), names))
    return pl.DataFrame(rows, schema=list(COLUMNS), orient="row")


def words_topology(_frame: pl.DataFrame, setting: Setting) -> Words:
    """Title, foot line and alt text of a set-up diagram."""
    scene = scene_of(setting)
    told = [f"{b.id} ({', '.join((*b.lines, *b.inside))})" for b in scene.boxes]
    inside = [f"{listed(list(ids))} in {label}" for label, ids in scene.machines]
    lanes = [
        f"{_whose(lane, setting)}: " + "; ".join(_told(row) for row in lane.rows)
        for lane in scene.lanes
    ]
    joined = [
        f"{listed(list(ids))} {'joined by' if len(ids) > 1 else 'with'} {name}"
        for name, ids in scene.networks
    ]
    parts = [f"Set-up diagram: {listed([*told])}", *inside, *lanes, *joined]
    alt = ". ".join(parts) + "."
    foot = "drawn from the declared systems and configurations"
    return Words(setting.figure.question, "", foot, alt)


def _whose(lane: Lane, setting: Setting) -> str:
    ids = lane.configurations
    return setting.label_list(ids) if ids else "All configurations"


def cps_of(system: System) -> str:
    """``4 dedicated CPs``."""
    kind = "dedicated " if system.dedicated else ""
    return f"{system.cps} {kind}{'CP' if system.cps == 1 else 'CPs'}"


class _Filler:
    """Puts the details of configurations into labels."""

    def __init__(self, setting: Setting, configurations: tuple[str, ...]) -> None:
        ids = configurations or setting.configurations
        self.details = [setting.declared[id].details for id in ids]

    def __call__(self, label: str) -> str:
        return filled(label, self.details)


def _lines(drawn: DrawnSystem, runs: str, system: System | None) -> tuple[str, ...]:
    known = cps_of(system) if system else ""
    return tuple(filter(None, (drawn.role, runs, known)))


def _groups(topology: Topology, setting: Setting) -> list[tuple[str, ...]]:
    """Which configurations have parts in common, as drawn from top to bottom."""
    parts: list[Adapter | Link] = [*topology.links, *topology.adapters.values()]
    wanted = setting.configurations
    named = dict.fromkeys(part.configurations for part in parts)
    drawn = [ids for ids in named if not ids or any(id in wanted for id in ids)]
    return sorted(drawn, key=lambda ids: [wanted.index(i) for i in ids if i in wanted])


def _lane(topology: Topology, setting: Setting, ids: tuple[str, ...]) -> Lane:
    """The lane of some configurations: links with their adapters, then the others."""
    kept = tuple(id for id in ids if id in setting.configurations)
    fill = _Filler(setting, kept)
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
        path = str(link.path or "")
        rows.append(Row(ends, Wire((left, right), *words, path)))
    shared = [card for card in cards.values() if len(card.ports) > 1]
    rows += [Row((card,)) for card in shared]
    return Lane(kept, tuple(sorted(rows + _alone(cards), key=_outside)))


def _alone(cards: dict[str, Card]) -> list[Row]:
    """Adapters that nothing joins, one of each system beside one another."""
    own: dict[str, list[Card]] = {}
    for card in cards.values():
        if len(card.ports) == 1:
            own.setdefault(next(iter(card.ports)), []).append(card)
    return [
        Row(tuple(card for card in beside if card))
        for beside in zip_longest(*own.values())
    ]


def _outside(row: Row) -> bool:
    return bool(row.wire and row.wire.via)


def _leaves(lane: Lane) -> bool:
    return any(map(_outside, lane.rows))


def _told(row: Row) -> str:
    """One row of a lane in words."""
    cards = [
        f"{card.label} ({listed([f'{p} of {s}' for s, p in card.ports.items()])})"
        for card in row.cards
    ]
    if row.wire is None:
        shared = any(len(card.ports) > 1 for card in row.cards)
        return f"{listed(cards)}{', shared' if shared else ''}"
    via = f" through {row.wire.via}" if row.wire.via else ""
    ends = f"{listed(list(row.wire.ends))} joined by {row.wire.named}{via}"
    return f"{ends}, at {listed(cards)}" if cards else ends
