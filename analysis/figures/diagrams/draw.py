"""Drawing a set-up diagram: boxes at the sides, a lane a configuration between them."""

from __future__ import annotations

import polars as pl

from analysis.figures.diagrams.lanes import EDGE, HAIR, PAD, Ground, Span, draw_lane
from analysis.figures.diagrams.scene import Box, Scene, Wire, scene_of
from analysis.figures.diagrams.sheet import Sheet, draw_foot, draw_head, widest
from analysis.figures.page import BOLD, POINT, PageFormat, Words, text_width, wrap
from analysis.figures.palette import BAND, BASELINE, INK, SOFT
from analysis.figures.setting import Setting

_LEG = 3.0  # mm, the width of the legs that boxes have on a phone
_BETWEEN = 1.2  # mm above a box in a box
_TURN = 4.0  # mm from an adapter to where its link turns out of the machine


def draw_topology(
    _frame: pl.DataFrame, setting: Setting, words: Words, format: PageFormat
) -> Sheet:
    """Systems as boxes in the frames of their machines, lanes between them."""
    sheet, scene = Sheet(format), scene_of(setting)
    ground = _ground(scene, format)
    draw_head(sheet, words)
    top = sheet.y
    labelled = bool(scene.machines)
    sheet.y += (ground.line + 1.0 if labelled else 0.0) + PAD
    boxes_top = sheet.y
    text_end = boxes_top + max(_height(box, ground) for box in scene.boxes)
    if format.stacked:
        sheet.y = text_end + 1.5
    leaving = [
        draw_lane(sheet, lane, ground, setting, i) for i, lane in enumerate(scene.lanes)
    ]
    bottom = max(sheet.y, text_end) + 1.0
    for box in scene.boxes:
        _draw_box(sheet, box, ground, (boxes_top, text_end, bottom))
    end = _draw_machines(sheet, scene, ground, (top, boxes_top, text_end, bottom))
    sheet.y = end
    wires = [wire for lane in leaving for wire in lane]
    if not format.stacked:
        _draw_networks(sheet, scene, ground, bottom)
    for i, (wire, ends, y) in enumerate(wires):
        _draw_outside(sheet, wire, (ends, y), len(wires) - 1 - i, ground)
    if format.stacked:  # where legs are outermost, and links would cross them
        _draw_networks(sheet, scene, ground, bottom)
    draw_foot(sheet, words)
    return sheet


def _ground(scene: Scene, format: PageFormat) -> Ground:
    """Boxes at both sides (and in the middle); on a phone, side by side with legs."""
    margin = PAD + 0.6 if scene.machines else 0.4
    count, order = len(scene.boxes), tuple(box.id for box in scene.boxes)
    room = (margin, format.width - margin)
    if format.stacked:
        width = (room[1] - room[0] - (count - 1) * 2 * PAD) / count
    else:
        lines = [line for box in scene.boxes for line in (box.id, *box.lines)]
        width = max(30.0, widest(lines, format.text, BOLD) + 2 * PAD + 1.0)
    step = (room[1] - room[0] - width) / (count - 1)
    boxes = {
        id: (room[0] + i * step, room[0] + i * step + width)
        for i, id in enumerate(order)
    }
    legs = dict(boxes)
    if format.stacked:
        legs = {id: (a, a + _LEG) for id, (a, _) in boxes.items()}
        legs[order[-1]] = (room[1] - _LEG, room[1])
        for id in order[1:-1]:
            middle = sum(boxes[id]) / 2
            legs[id] = (middle - _LEG / 2, middle + _LEG / 2)
    return Ground(format, boxes, legs, order)


def _height(box: Box, ground: Ground) -> float:
    held = sum(_held_height(label, box, ground) for label in box.holds)
    return (len(_wrapped(box, ground)) + 1) * ground.line + 2 * PAD + held


def _held(label: str, box: Box, ground: Ground) -> list[str]:
    """The lines of a box in a box."""
    left, right = ground.boxes[box.id]
    return wrap(label, right - left - 2 * PAD - 3, ground.format.text)


def _held_height(label: str, box: Box, ground: Ground) -> float:
    return len(_held(label, box, ground)) * ground.line + 1.6 + _BETWEEN


def _wrapped(box: Box, ground: Ground) -> list[str]:
    left, right = ground.boxes[box.id]
    size = ground.format.text
    return [part for line in box.lines for part in wrap(line, right - left - 4, size)]


def _draw_box(
    sheet: Sheet, box: Box, ground: Ground, y: tuple[float, float, float]
) -> None:
    """A system: its name and lines; ``y`` are its top, the end of text, its end."""
    top, text_end, bottom = y
    x, leg = ground.boxes[box.id], ground.legs[box.id]
    end = text_end if ground.format.stacked else bottom
    sheet.rect(x, (top, end), BAND)
    sheet.frame(x, (top, end), INK, EDGE)
    if ground.format.stacked:
        sheet.rect(leg, (end, bottom), BASELINE, 0.45)
    at = top + PAD + ground.line / 2
    sheet.text((x[0] + PAD, at), box.id, ground.format.text + 1, INK, BOLD)
    for line in _wrapped(box, ground):
        at += ground.line
        sheet.text((x[0] + PAD, at), line, color=SOFT)
    at += ground.line / 2
    for label in box.holds:
        high = _held_height(label, box, ground)
        inner = (x[0] + PAD, x[1] - PAD)
        sheet.rect(inner, (at + _BETWEEN, at + high), "white")
        sheet.frame(inner, (at + _BETWEEN, at + high), INK, HAIR)
        for i, line in enumerate(_held(label, box, ground)):
            place = (inner[0] + 1.5, at + _BETWEEN + 0.8 + ground.line * (i + 0.5))
            sheet.text(place, line)
        at += high


def _draw_machines(
    sheet: Sheet,
    scene: Scene,
    ground: Ground,
    y: tuple[float, float, float, float],
) -> float:
    """A frame round the systems of each machine; the lower end of the lowest one."""
    top, _, text_end, bottom = y
    lowest = bottom
    for label, systems in scene.machines:
        left = min(ground.boxes[id][0] for id in systems) - PAD
        right = max(ground.boxes[id][1] for id in systems) + PAD
        alone = ground.format.stacked and len(systems) < len(scene.boxes)
        end = (text_end if alone else bottom) + PAD
        sheet.frame((left, right), (top, end), SOFT, HAIR, "dashed")
        middle = top + PAD * 0.6 + ground.line / 2
        sheet.text((left + PAD, middle), label, color=SOFT, weight=BOLD)
        lowest = max(lowest, end)
    return lowest


def _draw_networks(sheet: Sheet, scene: Scene, ground: Ground, bottom: float) -> None:
    """Those that share no system stand side by side, the others below one another."""
    joined = [id for _, systems in scene.networks for id in systems]
    beside, top, ends = len(set(joined)) == len(joined), sheet.y, [sheet.y]
    for label, systems in scene.networks:
        sheet.y = top if beside else sheet.y
        _draw_network(sheet, label, systems, ground, bottom)
        ends.append(sheet.y)
    sheet.y = max(ends)


def _draw_network(
    sheet: Sheet, label: str, systems: tuple[str, ...], ground: Ground, bottom: float
) -> None:
    """A bar below the machines, with a line from each of its systems."""
    size, boxes = sheet.format.text, [ground.boxes[id] for id in systems]
    bar = (min(x[0] for x in boxes), max(x[1] for x in boxes))
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


def _draw_outside(
    sheet: Sheet,
    wire: Wire,
    inside: tuple[Span, float],
    nested: int,
    ground: Ground,
) -> None:
    """A link out of the machine, through what it goes via, and back."""
    (start, stop), y = inside
    size = ground.format.text
    turn = _TURN + 2.5 * nested
    left, right = start + turn, stop - turn
    label = ", ".join(filter(None, (wire.label, wire.speed)))
    lines = wrap(label, ground.format.width - 2 * PAD, size)
    level = sheet.y + 3.0 + ground.line * 0.6
    middle = (left + right) / 2
    half = text_width(wire.via, size, BOLD) / 2 + 2.0
    box = ((middle - half, middle + half), (level - 3.0, level + 3.0))
    sheet.path([(start, y), (left, y), (left, level), (box[0][0], level)], INK, EDGE)
    sheet.path([(stop, y), (right, y), (right, level), (box[0][1], level)], INK, EDGE)
    sheet.frame(*box, INK, EDGE)
    sheet.text((middle, level), wire.via, weight=BOLD, align="center")
    sheet.y = level + 3.4
    for line in lines:
        at = (middle, sheet.y + ground.line / 2)
        sheet.text(at, line, color=SOFT, align="center")
        sheet.y += ground.line
    sheet.y += 0.8
