"""The set-up diagram: what is joined to what, as a study declares it.

Systems are boxes in the frames of their machines, from left to right. Between them lies
a lane for what some configurations have in common, with adapters and links, and below
the machines what stands outside. On a phone the boxes stand side by side, and the lanes
lie below them, between their legs.
"""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from analysis.declared.topology import details_in
from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import listed
from analysis.figures import page
from analysis.figures.kind import FigureKind
from analysis.figures.scene import Box, Card, Lane, Row, Scene, Wire, scene_of
from analysis.figures.setting import Setting
from analysis.figures.sheet import BESIDE_CHIP, RING, Sheet, widest
from analysis.figures.svg import Span

COLUMNS = ("record", "name", "label", "joins", "configurations")
_PAD = 2.0  # mm between a frame and what it holds
_EDGE, _HAIR = 1.1, 0.7  # points of a system's edge, and of the others
_LEADING = 1.3  # of the size of the text
_APART = 16.0  # mm that boxes stand apart at least, but on a phone
_BOX = 30 / 170  # of the page, the least width of a box
_LEG = 3.0  # mm, the width of the legs that boxes have on a phone
_BETWEEN = 1.2  # mm above a box in a box
_SIDE = 0.31  # of the room between systems that an adapter with a link takes
_ROOM = 7.0  # mm beside the words of a shared adapter: other faces may be wider
_TURN = 4.0  # mm from an adapter to where its link turns out of the machine


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
            if wire := row.wire:
                label = ", ".join(filter(None, (wire.named, wire.via)))
                rows.append(("link", "", label, " ".join(wire.ends), names))
    return pl.DataFrame(rows, schema=list(COLUMNS), orient="row")


def words_topology(_frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Title, foot line and alt text of a set-up diagram."""
    scene, boxes, lanes = scene_of(setting), [], []
    for box in scene.boxes:
        by = f", by {box.joined} "
        inside = (by.join(box.holds),) if box.joined else box.holds
        boxes.append(f"{box.id} ({', '.join((*box.lines, *inside))})")
    for lane in scene.lanes:
        ids = lane.configurations
        whose = setting.label_list(ids) if ids else "All configurations"
        lanes.append(f"{whose}: {'; '.join(map(_row_words, lane.rows))}")
    machines = [f"{listed(ids)} in {label}" for label, ids in scene.machines]
    networks = [
        f"{listed(ids)} {'joined by' if len(ids) > 1 else 'with'} {name}"
        for name, ids in scene.networks
    ]
    parts = [f"Set-up diagram: {listed(boxes)}", *machines, *lanes, *networks]
    foot = "drawn from the declared systems and configurations"
    return page.Words(setting.figure.question, "", foot, ". ".join(parts) + ".")


def _row_words(row: Row) -> str:
    """One row of a lane in words."""
    cards = [
        f"{card.label} ({listed([f'{p} of {s}' for s, p in card.ports.items()])})"
        for card in row.cards
    ]
    if row.wire is None:
        shared = any(len(card.ports) > 1 for card in row.cards)
        return f"{listed(cards)}{', shared' if shared else ''}"
    via = f" through {row.wire.via}" if row.wire.via else ""
    ends = f"{listed(row.wire.ends)} joined by {row.wire.named}{via}"
    return f"{ends}, at {listed(cards)}" if cards else ends


def check_topology(setting: Setting) -> list[Issue]:
    """Whether a diagram names what the campaign declares, and draws all of it."""

    def issue(what: str, mend: str) -> Issue:
        name = f"figure {setting.figure.id}: the diagram of {setting.study_id}"
        return Issue(f"{name} {what}", setting.place, mend)

    topology, known = setting.study.topology, setting.study.configurations
    if topology is None:
        mend = "declare topology: with its systems, adapters and links"
        return [issue("has no topology", mend)]
    if setting.figure.metrics:
        return [issue("draws no metrics", "write metrics: []")]
    issues = []
    for id, system in topology.systems.items():
        if system.outside and id in setting.systems:
            what = f"has {id!r} outside, which is a system of its campaigns"
            issues.append(issue(what, "drop outside, or give it a name of its own"))
        if not system.outside and id not in setting.systems:
            names = ", ".join(setting.systems)
            mend = f"use some of: {names}; or declare outside: true"
            issues.append(issue(f"there is no system {id!r} in its campaigns", mend))
    named = dict.fromkeys(id for part in topology.parts for id in part.configurations)
    for id in (id for id in named if id not in known):
        what = f"names {id!r}, which is no configuration of the study"
        issues.append(issue(what, f"use some of: {', '.join(known)}"))
    left = [id for id in known if id not in named]
    if left and all(part.configurations for part in topology.parts):
        mend = "give each configuration an adapter, a link or a network"
        issues.append(issue(f"leaves out {', '.join(left)}", mend))
    for label, configurations in topology.labels():
        for id in configurations or known:
            details = setting.declared[id].details if id in setting.declared else {}
            for name in (n for n in details_in(label) if n not in details):
                what = f"needs the detail {name!r}, which {id} does not have"
                issues.append(issue(what, f"use some of: {', '.join(details)}"))
    return issues


def plot_topology(_frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """Systems as boxes in the frames of their machines, lanes between them."""
    _Drawing(sheet, scene_of(setting), setting).draw()


class _Drawing:
    """A scene that is drawn on a sheet.

    ``boxes`` are the ends of each system from left to right, and ``legs`` what lanes
    lie between: the boxes, or on a phone what reaches down from them.
    """

    def __init__(self, sheet: Sheet, scene: Scene, setting: Setting) -> None:
        self.sheet, self.scene = sheet, scene
        self.colours, self.label = setting.colours, setting.label
        self.format, self.phone = sheet.format, sheet.format.stacked
        self.size = self.format.text
        self.line = self.size * page.POINT * _LEADING
        self.order = [box.id for box in scene.boxes]
        margin = _PAD + 0.6 if scene.machines else 0.4
        room, count = self.format.width - 2 * margin, len(self.order)
        width = (room - (count - 1) * 2 * _PAD) / count
        if not self.phone:
            lines = [line for box in scene.boxes for line in (box.id, *box.lines)]
            wanted = widest(lines, self.size, page.BOLD) + 2 * _PAD + 1.0
            most = (room - (count - 1) * _APART) / count
            width = min(max(_BOX * self.format.width, wanted), most)
        self.width, free = width, room - width
        self.boxes: dict[str, Span] = {}
        self.legs: dict[str, Span] = {}
        for i, id in enumerate(self.order):
            left = margin + i * (free / (count - 1))
            self.boxes[id] = self.legs[id] = (left, left + width)
            if self.phone:
                off = (width - _LEG) * (0.5 * (i > 0) + 0.5 * (i == count - 1))
                self.legs[id] = (left + off, left + off + _LEG)

    def draw(self) -> None:
        """All of it, from the line of the sheet down."""
        sheet, scene, top = self.sheet, self.scene, self.sheet.y
        sheet.y += (self.line + 1.0 if scene.machines else 0.0) + _PAD
        begin = sheet.y
        text_end = begin + max(map(self._box_height, scene.boxes))
        if self.phone:
            sheet.y = text_end + 1.5
        leaving = [
            way for n, lane in enumerate(scene.lanes) for way in self._lane(lane, n)
        ]
        bottom = max(sheet.y, text_end) + 1.0
        for box in scene.boxes:
            self._box(box, begin, text_end, bottom)
        sheet.y = self._machines(top, text_end, bottom)
        # On a phone legs are outermost, and links of lower rows would cross them.
        bars = [self._bar(systems) for _, systems in scene.networks]
        under = self.phone or any(
            left < ends[1] and ends[0] < right
            for _, ends, _ in leaving
            for left, right in bars
        )
        if not under:
            self._networks(bottom)
        drops = [self._middle(id) for _, ids in scene.networks for id in ids]
        for i, way in enumerate(leaving, 1):
            turn = _TURN + 2.5 * (len(leaving) - i)
            self._way(*way, turn, drops if under else [])
        if under:
            self._networks(bottom)

    def _between(self, one: str, other: str) -> Span:
        """The room between two systems."""
        first, last = sorted((one, other), key=self.order.index)
        return self.legs[first][1], self.legs[last][0]

    def _middle(self, id: str) -> float:
        return sum(self.legs[id]) / 2

    def _wrap(self, label: str, width: float, weight: int = page.NORMAL) -> list[str]:
        return page.wrap(label, width, self.size, weight)

    def _lines(self, box: Box) -> list[str]:
        room = self.width - 4
        return [part for line in box.lines for part in self._wrap(line, room)]

    def _held(self, box: Box) -> list[list[str]]:
        """The lines of each box in a box."""
        return [self._wrap(label, self.width - 2 * _PAD - 3) for label in box.holds]

    def _held_height(self, lines: list[str]) -> float:
        return len(lines) * self.line + 1.6 + _BETWEEN

    def _box_height(self, box: Box) -> float:
        held = sum(map(self._held_height, self._held(box)))
        held += max(len(box.holds) - 1, 0) * (self.line if box.joined else 0.0)
        return (len(self._lines(box)) + 1) * self.line + 2 * _PAD + held

    def _box(self, box: Box, top: float, text_end: float, bottom: float) -> None:
        """A system: its name, its lines, the boxes in it, and what joins them."""
        sheet, x = self.sheet, self.boxes[box.id]
        end = text_end if self.phone else bottom
        sheet.rect(x, (top, end), page.BAND)
        sheet.frame(x, (top, end), page.INK, _EDGE)
        if self.phone:
            sheet.rect(self.legs[box.id], (end, bottom), page.BASELINE, 0.45)
        name = (x[0] + _PAD, top + _PAD + self.line / 2)
        sheet.text(name, box.id, self.size + 1, page.INK, page.BOLD)
        at = (name[0], name[1] + self.line / 2)
        y = sheet.lines(at, self._lines(box), self.line, color=page.SOFT)
        inner = (x[0] + _PAD, x[1] - _PAD)
        for n, lines in enumerate(self._held(box)):
            if n and box.joined:
                left, end = inner[0] + 2 * _PAD, y + self.line + _BETWEEN
                sheet.line((left, y), (left, end), page.INK, _EDGE)
                sheet.text((left + 1.5, (y + end) / 2), box.joined, color=page.SOFT)
                y += self.line
            frame = (y + _BETWEEN, y + self._held_height(lines))
            sheet.rect(inner, frame, "white")
            sheet.frame(inner, frame, page.INK, _HAIR)
            sheet.lines((inner[0] + 1.5, frame[0] + 0.8), lines, self.line)
            y = frame[1]

    def _machines(self, top: float, text_end: float, bottom: float) -> float:
        """A frame round the systems of each machine; the end of the lowest one."""
        lowest = bottom
        for label, systems in self.scene.machines:
            left, right = self._bar(systems)
            alone = self.phone and len(systems) < len(self.order)
            end = (text_end if alone else bottom) + _PAD
            x = (left - _PAD, right + _PAD)
            self.sheet.frame(x, (top, end), page.SOFT, _HAIR, dashed=True)
            middle = top + _PAD * 0.6 + self.line / 2
            self.sheet.text((left, middle), label, color=page.SOFT, weight=page.BOLD)
            lowest = max(lowest, end)
        return lowest

    def _lane(self, lane: Lane, index: int) -> list[tuple[Wire, Span, float]]:
        """One lane; gives the links that leave the machine, which are drawn below it,
        with their ends and their height."""
        sheet = self.sheet
        left, right = self.legs[self.order[0]][1], self.legs[self.order[-1]][0]
        if index:
            sheet.line((left + _PAD, sheet.y), (right - _PAD, sheet.y), page.RULE)
            sheet.y += 1.0
        # names stand before the second system and the frame of its machine
        x, most = left + _PAD, self._between(*self.order[:2])[1] - 2 * _PAD
        for id in lane.configurations:
            start = left + _PAD + BESIDE_CHIP
            lines = self._wrap(self.label(id), most - start, page.BOLD)
            width = widest(lines, self.size, page.BOLD) + 4
            if x > left + _PAD and (len(lines) > 1 or x + BESIDE_CHIP + width > most):
                x, sheet.y = left + _PAD, sheet.y + self.line
            sheet.chip(x, sheet.y + self.line / 2, self.colours[id])
            at = (x + BESIDE_CHIP, sheet.y)
            end = sheet.lines(at, lines, self.line, weight=page.BOLD)
            x, sheet.y = x + BESIDE_CHIP + width, end - self.line
        sheet.y += self.line * bool(lane.configurations)
        leaving = []
        for rows in _level(lane.rows):
            top, ends = sheet.y + 1.6, []
            depths = [0.0 if r.leaves else self._measured(r)[1] for r in rows]
            for row, depth in zip(rows, depths, strict=True):
                sheet.y = top + max(depths) - depth
                leaving += self._row(row)
                ends.append(sheet.y)
            sheet.y = max(ends)
        sheet.y += 1.6
        return leaving

    def _row(self, row: Row) -> list[tuple[Wire, Span, float]]:
        """Adapters on the edges of their systems, and what joins them."""
        sheet, top, wire = self.sheet, self.sheet.y, row.wire
        if shared := [card for card in row.cards if len(card.ports) > 1]:
            self._shared(shared[0])
            return []
        side, ends = self._sides(row)
        height, depth = self._measured(row)
        for card in row.cards:
            half = self._card_height(card, side) / 2
            middle = top + height / 2
            self._card(card, side, (middle - half, middle + half))
        sheet.y = top + height
        y = top + depth
        if wire is None or wire.via:
            return [(wire, ends, y)] if wire else []
        middle, off = sum(ends) / 2, _off_line(wire)
        sheet.numbered([(ends[0], y), (ends[1], y)], wire.path, _EDGE)
        label = self._wrap(wire.label, ends[1] - ends[0] - 2)
        for i, line in enumerate(reversed(label)):
            at = (middle, y - off - self.line * (i + 0.5))
            sheet.text(at, line, align="center")
        speed = (middle, y + off + self.line / 2)
        sheet.text(speed, wire.speed, color=page.QUIET, align="center")
        return []

    def _sides(self, row: Row) -> tuple[float, Span]:
        """The width of the adapters of a row, and where its line starts and ends."""
        gaps = [self._between(*pair) for pair in pairwise(self.order)]
        free = min(right - left for left, right in gaps) * 0.45
        if row.wire is None:
            return free, (0.0, 0.0)
        start, stop = self._between(*row.wire.ends)
        near = (start, stop) in gaps
        side = (stop - start if near else free) * _SIDE if row.cards else 0.0
        return side, (start + side, stop - side)

    def _measured(self, row: Row) -> tuple[float, float]:
        """The height of a row, and how far below its top its line lies."""
        if any(len(card.ports) > 1 for card in row.cards):
            return 0.0, 0.0
        side, ends = self._sides(row)
        cards = [self._card_height(card, side) for card in row.cards]
        if row.wire is None:
            return max(cards), 0.0
        wire, inside = row.wire, not row.wire.via
        above = len(self._wrap(wire.label, ends[1] - ends[0] - 2)) if inside else 0
        below = 1 if wire.speed and inside else 0
        words = (above + below) * self.line + 2 * _off_line(wire) + 1.0
        height = max([words, *cards])
        return height, height / 2 + (above - below) * self.line / 2

    def _card_lines(self, card: Card, side: float) -> tuple[list[str], list[str]]:
        """The port, then what the adapter is; words that are the same once."""
        (port,) = card.ports.values()
        label = self._wrap(card.label, side - 3) if card.label != port else []
        return self._wrap(port, side - 3, page.BOLD), label

    def _card_height(self, card: Card, side: float) -> float:
        return sum(map(len, self._card_lines(card, side))) * self.line + 1.6

    def _card(self, card: Card, side: float, y: Span) -> None:
        """An adapter on the inner edge of its system."""
        (system,) = card.ports
        leg, last = self.legs[system], system == self.order[-1]
        x = (leg[0] - side, leg[0]) if last else (leg[1], leg[1] + side)
        self.sheet.frame(x, y, page.INK, _HAIR)
        port, label = self._card_lines(card, side)
        at = (x[0] + 1.5, y[0] + 0.8)
        end = self.sheet.lines(at, port, self.line, weight=page.BOLD)
        self.sheet.lines((at[0], end), label, self.line, color=page.SOFT)

    def _shared(self, card: Card) -> None:
        """A frame round the ports of an adapter, which joins its two systems inside."""
        sheet, top = self.sheet, self.sheet.y
        first, last = sorted(card.ports, key=self.order.index)
        left, right = self._between(first, last)
        frame = (left + _PAD, right - _PAD)
        lines = self._wrap(card.label, frame[1] - frame[0] - _ROOM)
        middle = (sum(frame) / 2, top + 1.0)
        upper = sheet.lines(middle, lines, self.line, align="center") + 0.4
        box = (upper, upper + self.line + 1.2)
        sheet.frame(frame, (top, box[1] + 1.4), page.INK, _HAIR)
        start = self._port(card.ports[first], left, 1, box)
        stop = self._port(card.ports[last], right, -1, box)
        y, x = sum(box) / 2, (start + stop) / 2
        half = page.text_width("shared", self.size) / 2 + 1.0
        if stop - start < 2 * half + 3:
            sheet.line((start, y), (stop, y), page.INK, _EDGE)
        else:
            sheet.line((start, y), (x - half, y), page.INK, _EDGE)
            sheet.line((x + half, y), (stop, y), page.INK, _EDGE)
            sheet.text((x, y), "shared", color=page.SOFT, align="center")
        sheet.y = box[1] + 1.4

    def _port(self, port: str, edge: float, way: int, y: Span) -> float:
        """A port of a shared adapter, joined to the edge of its system; its inner end.

        ``way`` is 1 where the adapter lies right of the system, and −1 where left.
        """
        outer = edge + way * (_PAD + 1.6)
        inner = outer + way * (page.text_width(port, self.size, page.BOLD) + 3)
        x, middle = (min(outer, inner), max(outer, inner)), sum(y) / 2
        self.sheet.line((edge, middle), (outer, middle), page.INK, _EDGE)
        self.sheet.frame(x, y, page.INK, _HAIR)
        self.sheet.text((sum(x) / 2, middle), port, weight=page.BOLD, align="center")
        return inner

    def _bar(self, systems: tuple[str, ...]) -> Span:
        ends = [self.boxes[id] for id in systems]
        return min(x[0] for x in ends), max(x[1] for x in ends)

    def _networks(self, bottom: float) -> None:
        """Bars with a line from each of their systems. Those that share no system stand
        side by side, the others below one another."""
        sheet, top, ends = self.sheet, self.sheet.y, [self.sheet.y]
        joined = [id for _, systems in self.scene.networks for id in systems]
        beside = len(set(joined)) == len(joined)
        for label, systems in self.scene.networks:
            bar, begin = self._bar(systems), (top if beside else sheet.y) + 3.0
            lines = self._wrap(label, bar[1] - bar[0] - 4, page.BOLD)
            end = begin + len(lines) * self.line + 1.8
            for x in map(self._middle, systems):
                sheet.line((x, bottom), (x, begin), page.INK, _EDGE)
            sheet.frame(bar, (begin, end), page.INK, _EDGE)
            at = (sum(bar) / 2, begin + 0.9)
            sheet.lines(at, lines, self.line, weight=page.BOLD, align="center")
            sheet.y = end
            ends.append(end)
        sheet.y = max(ends)

    def _way(
        self, wire: Wire, ends: Span, y: float, turn: float, drops: list[float]
    ) -> None:
        """A link out of the machine, through what it goes via, and back.

        ``turn`` is how far from its ends it turns, and ``drops`` are where lines cross.
        """
        sheet, left, right = self.sheet, ends[0] + turn, ends[1] - turn
        across = sorted(x for x in drops if left < x < right)
        parts = pairwise([left, *across, right])
        room = max(parts, key=lambda part: part[1] - part[0])  # that no line crosses
        whole = room[1] - room[0] if across else self.format.width
        label = ", ".join(filter(None, (wire.label, wire.speed)))
        level, middle = sheet.y + 3.0 + self.line * 0.6, sum(room) / 2
        half = page.text_width(wire.via, self.size, page.BOLD) / 2 + 2.0
        box = (middle - half, middle + half)
        ways = [
            [(end, y), (turned, y), (turned, level), (side, level)]
            for end, turned, side in zip(ends, (left, right), box, strict=True)
        ]
        sheet.numbered(ways[0], wire.path, _EDGE)
        sheet.path(ways[1], page.INK, _EDGE)
        sheet.frame(box, (level - 3.0, level + 3.0), page.INK, _EDGE)
        sheet.text((middle, level), wire.via, weight=page.BOLD, align="center")
        lines = self._wrap(label, whole - 2 * _PAD)
        look = {"color": page.SOFT, "align": "center"}
        sheet.y = sheet.lines((middle, level + 3.4), lines, self.line, **look) + 0.8


def _level(rows: tuple[Row, ...]) -> list[list[Row]]:
    """Rows by their height: links that go on from one pair to the next share one."""
    levels: list[list[Row]] = []
    for row in rows:
        last = levels[-1] if levels else []
        wires = [each.wire for each in (*last, row) if each.wire and not each.leaves]
        pairs = {frozenset(wire.ends) for wire in wires}
        if last and len(wires) == len(pairs) == len(last) + 1:
            last.append(row)
        else:
            levels.append([row])
    return levels


def _off_line(wire: Wire) -> float:
    """How far its words stand from a line, or from the ring on it."""
    return RING + 0.3 if wire.path else 0.6


KIND = FigureKind(
    id="topology",
    data=data_topology,
    words=words_topology,
    plot=plot_topology,
    draws="the set-up diagram, with `metrics: []`",
    answers="what is joined to what?",
    caption="Set-up: {all}.",
    reads="Boxes are systems with what runs on them; lines join what is connected.",
    key=(
        ("box", "system, or an adapter on its edge"),
        ("link", "link or network"),
        ("outline", "one machine"),
    ),
    setup=True,
    check=check_topology,
    columns=COLUMNS,
)
