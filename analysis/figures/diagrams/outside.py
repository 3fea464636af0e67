"""What stands outside the machines of a set-up: networks, and what links go through."""

from __future__ import annotations

from itertools import pairwise

from analysis.figures.diagrams.lanes import EDGE, PAD, Ground, Span
from analysis.figures.diagrams.scene import Scene, Wire
from analysis.figures.diagrams.sheet import Sheet
from analysis.figures.page import BOLD, POINT, text_width, wrap
from analysis.figures.palette import INK, SOFT

_TURN = 4.0  # mm from an adapter to where its link turns out of the machine


def draw_networks(sheet: Sheet, scene: Scene, ground: Ground, bottom: float) -> None:
    """Those that share no system stand side by side, the others below one another."""
    joined = [id for _, systems in scene.networks for id in systems]
    beside, top, ends = len(set(joined)) == len(joined), sheet.y, [sheet.y]
    for label, systems in scene.networks:
        sheet.y = top if beside else sheet.y
        _draw_network(sheet, label, systems, ground, bottom)
        ends.append(sheet.y)
    sheet.y = max(ends)


def is_under(ends: Span, scene: Scene, ground: Ground) -> bool:
    """Whether a network would lie in the way of a link out of the machine."""
    bars = [_bar(systems, ground) for _, systems in scene.networks]
    return any(left < ends[1] and ends[0] < right for left, right in bars)


def drops_of(scene: Scene, ground: Ground) -> list[float]:
    """Where lines go down to networks."""
    return [sum(ground.legs[id]) / 2 for _, ids in scene.networks for id in ids]


def _bar(systems: tuple[str, ...], ground: Ground) -> Span:
    boxes = [ground.boxes[id] for id in systems]
    return min(x[0] for x in boxes), max(x[1] for x in boxes)


def _draw_network(
    sheet: Sheet, label: str, systems: tuple[str, ...], ground: Ground, bottom: float
) -> None:
    """A bar below the machines, with a line from each of its systems."""
    size, bar = sheet.format.text, _bar(systems, ground)
    lines = wrap(label, bar[1] - bar[0] - 4, size, BOLD)
    line = size * POINT * 1.3
    top = sheet.y + 3.0
    end = top + len(lines) * line + 1.8
    for id in systems:
        x = sum(ground.legs[id]) / 2
        sheet.line((x, bottom), (x, top), INK, EDGE)
    sheet.frame(bar, (top, end), INK, EDGE)
    for i, words in enumerate(lines):
        place = (sum(bar) / 2, top + 0.9 + line * (i + 0.5))
        sheet.text(place, words, weight=BOLD, align="center")
    sheet.y = end


def draw_outside(
    sheet: Sheet,
    wire: Wire,
    inside: tuple[Span, float],
    beside: tuple[int, list[float]],
    ground: Ground,
) -> None:
    """A link out of the machine, through what it goes via, and back.

    ``beside`` has how many links lie inside it, and where lines cross it.
    """
    ((start, stop), y), (nested, drops) = inside, beside
    size = ground.format.text
    turn = _TURN + 2.5 * nested
    left, right = start + turn, stop - turn
    label = ", ".join(filter(None, (wire.label, wire.speed)))
    room = _widest_room((left, right), drops)
    whole = ground.format.width if room == (left, right) else room[1] - room[0]
    lines = wrap(label, whole - 2 * PAD, size)
    level = sheet.y + 3.0 + ground.line * 0.6
    middle = sum(room) / 2
    half = text_width(wire.via, size, BOLD) / 2 + 2.0
    box = ((middle - half, middle + half), (level - 3.0, level + 3.0))
    way = [(start, y), (left, y), (left, level), (box[0][0], level)]
    sheet.numbered(way, wire.path, EDGE)
    sheet.path([(stop, y), (right, y), (right, level), (box[0][1], level)], INK, EDGE)
    sheet.frame(*box, INK, EDGE)
    sheet.text((middle, level), wire.via, weight=BOLD, align="center")
    sheet.y = level + 3.4
    for line in lines:
        at = (middle, sheet.y + ground.line / 2)
        sheet.text(at, line, color=SOFT, align="center")
        sheet.y += ground.line
    sheet.y += 0.8


def _widest_room(way: Span, drops: list[float]) -> Span:
    """The widest part of a way that no line crosses; all of it if none does."""
    across = sorted(x for x in drops if way[0] < x < way[1])
    edges = [way[0], *across, way[1]]
    return max(pairwise(edges), key=lambda part: part[1] - part[0])
