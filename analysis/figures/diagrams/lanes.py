"""The lanes of a set-up diagram: adapters and links between the systems."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.figures.diagrams.scene import Card, Lane, Row, Wire
from analysis.figures.diagrams.sheet import BESIDE_CHIP, RING, Sheet, draw_chip
from analysis.figures.page import BOLD, NORMAL, POINT, PageFormat, text_width, wrap
from analysis.figures.palette import INK, QUIET, RULE, SOFT
from analysis.figures.setting import Setting

PAD = 2.0  # mm between a frame and what it holds
EDGE, HAIR = 1.1, 0.7  # points of a system's edge, and of the others
Span = tuple[float, float]
_SIDE = 0.31  # of the room between systems that an adapter with a link takes
_LEADING = 1.3
_ROOM = 7.0  # mm beside the words of a shared adapter: other faces may be wider
Leaving = tuple[Wire, Span, float]  # a link, where it starts and ends, its height


@dataclass(frozen=True)
class Ground:
    """Where systems stand: ``legs`` are what lanes lie between, by system."""

    format: PageFormat
    boxes: dict[str, Span]
    legs: dict[str, Span]
    order: tuple[str, ...]

    def between(self, one: str, other: str) -> Span:
        """The room between two neighbours."""
        first, last = sorted((one, other), key=self.order.index)
        return self.legs[first][1], self.legs[last][0]

    def beside(self, one: str, other: str) -> bool:
        """Whether two systems stand side by side."""
        return abs(self.order.index(one) - self.order.index(other)) == 1

    @property
    def line(self) -> float:
        """The height of a line of text."""
        return self.format.text * POINT * _LEADING


def draw_lane(
    sheet: Sheet, lane: Lane, ground: Ground, setting: Setting, index: int
) -> list[Leaving]:
    """One lane; gives the links that leave the machine, which are drawn below it."""
    left = ground.legs[ground.order[0]][1]
    right = ground.legs[ground.order[-1]][0]
    if index:
        sheet.line((left + PAD, sheet.y), (right - PAD, sheet.y), RULE, 0.5)
        sheet.y += 1.0
    x, y = left + PAD, sheet.y + ground.line / 2
    for id in lane.configurations:
        color = setting.colours[id]
        if x + text_width(id, ground.format.text, BOLD) + 4 > right:
            x, y = left + PAD, y + ground.line
        draw_chip(sheet, x, y, color)
        sheet.text((x + BESIDE_CHIP, y), id, weight=BOLD)
        x += BESIDE_CHIP + text_width(id, ground.format.text, BOLD) + 4
    sheet.y = y + ground.line / 2 if lane.configurations else sheet.y
    leaving = []
    for rows in _level(lane.rows):
        top, depth = sheet.y + 1.6, max(_line_depth(row, ground) for row in rows)
        ends = []
        for row in rows:
            sheet.y = top + depth - _line_depth(row, ground)
            leaving += _draw_row(sheet, row, ground)
            ends.append(sheet.y)
        sheet.y = max(ends)
    sheet.y += 1.6
    return leaving


def _level(rows: tuple[Row, ...]) -> list[list[Row]]:
    """Rows by their height: links that go on from one pair to the next share one."""
    levels: list[list[Row]] = []
    for row in rows:
        last = levels[-1] if levels else []
        wires = [each.wire for each in (*last, row) if each.wire and not each.wire.via]
        pairs = {frozenset(wire.ends) for wire in wires}
        if last and len(wires) == len(pairs) == len(last) + 1:
            last.append(row)
        else:
            levels.append([row])
    return levels


def _line_depth(row: Row, ground: Ground) -> float:
    """How far below the top of its row the line of a link lies."""
    if row.wire is None or row.wire.via:
        return 0.0
    return _measured(row, row.wire, ground)[1]


def _draw_row(sheet: Sheet, row: Row, ground: Ground) -> list[Leaving]:
    """Adapters on the edges of their systems, and what joins them."""
    shared = [card for card in row.cards if len(card.ports) > 1]
    if shared:
        _draw_shared(sheet, shared[0], ground)
        return []
    wire, top = row.wire, sheet.y
    if wire is None:
        side = _card_room(ground)
        height = max(_card_height(card, side, ground) for card in row.cards)
        _draw_cards(sheet, row, side, ground, (top, top + height))
        sheet.y += height
        return []
    side, ends = _sides(row, wire, ground)
    height, depth = _measured(row, wire, ground)
    y = top + depth
    _draw_cards(sheet, row, side, ground, (top, top + height))
    sheet.y += height
    if wire.via:
        return [(wire, ends, y)]
    _draw_wire(sheet, wire, ends, y, _link_lines(wire, ends, ground))
    return []


def _sides(row: Row, wire: Wire, ground: Ground) -> tuple[float, Span]:
    """The width of the adapters of a link, and where its line starts and ends."""
    start, stop = ground.between(*wire.ends)
    room = stop - start if ground.beside(*wire.ends) else _card_room(ground)
    side = room * _SIDE if row.cards else 0.0
    return side, (start + side, stop - side)


def _measured(row: Row, wire: Wire, ground: Ground) -> tuple[float, float]:
    """The height of a row, and how far below its top its line lies."""
    side, ends = _sides(row, wire, ground)
    above = 0 if wire.via else len(_link_lines(wire, ends, ground))
    below = 1 if wire.speed and not wire.via else 0
    words = (above + below) * ground.line + 2 * _off_line(wire) + 1.0
    height = max([words, *(_card_height(c, side, ground) for c in row.cards)])
    return height, height / 2 + (above - below) * ground.line / 2


def _draw_wire(
    sheet: Sheet, wire: Wire, ends: Span, y: float, above: list[str]
) -> None:
    """A line with its type above and its speed below it."""
    line, middle = sheet.format.text * POINT * _LEADING, sum(ends) / 2
    sheet.numbered([(ends[0], y), (ends[1], y)], wire.path, EDGE)
    off = _off_line(wire)
    for i, words in enumerate(reversed(above)):
        sheet.text((middle, y - off - line * (i + 0.5)), words, align="center")
    if wire.speed:
        at = (middle, y + off + line / 2)
        sheet.text(at, wire.speed, color=QUIET, align="center")


def _off_line(wire: Wire) -> float:
    """How far its words stand from a line, or from the ring on it."""
    return RING + 0.3 if wire.path else 0.6


def _draw_cards(sheet: Sheet, row: Row, side: float, ground: Ground, y: Span) -> None:
    """The adapters of a row, in the middle of its height."""
    for card in row.cards:
        half, middle = _card_height(card, side, ground) / 2, sum(y) / 2
        _draw_card(sheet, card, side, ground, (middle - half, middle + half))


def _link_lines(wire: Wire, inner: Span, ground: Ground) -> list[str]:
    return wrap(wire.label, inner[1] - inner[0] - 2, ground.format.text)


def _card_room(ground: Ground) -> float:
    """How wide an adapter may be that nothing joins."""
    gaps = [
        ground.between(*pair)
        for pair in zip(ground.order, ground.order[1:], strict=False)
    ]
    return min(right - left for left, right in gaps) * 0.45


def _card_lines(card: Card, side: float, ground: Ground) -> list[tuple[str, int]]:
    """The port in bold, then what the adapter is; words that are the same once."""
    (port,) = card.ports.values()
    size = ground.format.text
    lines = [(line, BOLD) for line in wrap(port, side - 3, size, BOLD)]
    if card.label != port:
        lines += [(line, NORMAL) for line in wrap(card.label, side - 3, size)]
    return lines


def _card_height(card: Card, side: float, ground: Ground) -> float:
    return len(_card_lines(card, side, ground)) * ground.line + 1.6


def _draw_card(sheet: Sheet, card: Card, side: float, ground: Ground, y: Span) -> None:
    """An adapter on the inner edge of its system."""
    (system,) = card.ports
    leg = ground.legs[system]
    first = system != ground.order[-1]
    x = (leg[1], leg[1] + side) if first else (leg[0] - side, leg[0])
    sheet.frame(x, y, INK, HAIR)
    at = y[0] + 0.8 + ground.line / 2
    for line, weight in _card_lines(card, side, ground):
        color = INK if weight == BOLD else SOFT
        sheet.text((x[0] + 1.5, at), line, color=color, weight=weight)
        at += ground.line


def _draw_shared(sheet: Sheet, card: Card, ground: Ground) -> None:
    """A frame round the ports of an adapter, which joins its two systems inside."""
    first, last = sorted(card.ports, key=ground.order.index)
    edges = ground.between(first, last)
    frame = (edges[0] + PAD, edges[1] - PAD)
    lines = wrap(card.label, frame[1] - frame[0] - _ROOM, ground.format.text)
    top = sheet.y
    for i, line in enumerate(lines):
        y = top + 1.0 + ground.line * (i + 0.5)
        sheet.text((sum(frame) / 2, y), line, align="center")
    upper = top + 1.4 + len(lines) * ground.line
    box = (upper, upper + ground.line + 1.2)
    sheet.frame(frame, (top, box[1] + 1.4), INK, HAIR)
    start = _draw_port(sheet, card.ports[first], edges[0], 1, box)
    stop = _draw_port(sheet, card.ports[last], edges[1], -1, box)
    _draw_line_with(sheet, "shared", (start, stop), sum(box) / 2)
    sheet.y = box[1] + 1.4


def _draw_line_with(sheet: Sheet, word: str, ends: Span, y: float) -> None:
    """A line that gives way to a word in its middle, if there is room for one."""
    half = text_width(word, sheet.format.text) / 2 + 1.0
    middle = sum(ends) / 2
    if ends[1] - ends[0] < 2 * half + 3:
        sheet.line((ends[0], y), (ends[1], y), INK, EDGE)
        return
    sheet.line((ends[0], y), (middle - half, y), INK, EDGE)
    sheet.line((middle + half, y), (ends[1], y), INK, EDGE)
    sheet.text((middle, y), word, color=SOFT, align="center")


def _draw_port(sheet: Sheet, port: str, edge: float, way: int, y: Span) -> float:
    """A port of a shared adapter, joined to the edge of its system; its inner end.

    ``way`` is 1 where the adapter lies right of the system, and −1 where left.
    """
    outer = edge + way * (PAD + 1.6)
    inner = outer + way * (text_width(port, sheet.format.text, BOLD) + 3)
    x, middle = (min(outer, inner), max(outer, inner)), sum(y) / 2
    sheet.line((edge, middle), (outer, middle), INK, EDGE)
    sheet.frame(x, y, INK, HAIR)
    sheet.text((sum(x) / 2, middle), port, weight=BOLD, align="center")
    return inner
