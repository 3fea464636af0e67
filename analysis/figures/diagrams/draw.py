"""Drawing a set-up diagram: boxes at the sides, a lane a configuration between them."""

from __future__ import annotations

import polars as pl

from analysis.figures.diagrams.lanes import EDGE, HAIR, PAD, Ground, draw_lane
from analysis.figures.diagrams.outside import (
    draw_networks,
    draw_outside,
    drops_of,
    is_under,
)
from analysis.figures.diagrams.scene import Box, Scene, scene_of
from analysis.figures.diagrams.sheet import Sheet, draw_foot, draw_head, widest
from analysis.figures.page import BOLD, PageFormat, Words, wrap
from analysis.figures.palette import BAND, BASELINE, INK, SOFT
from analysis.figures.setting import Setting

_APART = 16.0  # mm that boxes stand apart at least, but on a phone
_BOX = 30 / 170  # of the page, the least width of a box
_LEG = 3.0  # mm, the width of the legs that boxes have on a phone
_BETWEEN = 1.2  # mm above a box in a box


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
    # On a phone legs are outermost, and links of lower rows would cross them.
    below = format.stacked or any(is_under(ends, scene, ground) for _, ends, _ in wires)
    if not below:
        draw_networks(sheet, scene, ground, bottom)
    for i, (wire, ends, y) in enumerate(wires):
        drops = drops_of(scene, ground) if below else []
        draw_outside(sheet, wire, (ends, y), (len(wires) - 1 - i, drops), ground)
    if below:
        draw_networks(sheet, scene, ground, bottom)
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
        most = (room[1] - room[0] - (count - 1) * _APART) / count
        least = _BOX * format.width
        wanted = max(least, widest(lines, format.text, BOLD) + 2 * PAD + 1.0)
        width = min(wanted, most)
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
    held += (len(box.holds) - 1) * _joint(box, ground) if box.holds else 0.0
    return (len(_wrapped(box, ground)) + 1) * ground.line + 2 * PAD + held


def _held(label: str, box: Box, ground: Ground) -> list[str]:
    """The lines of a box in a box."""
    left, right = ground.boxes[box.id]
    return wrap(label, right - left - 2 * PAD - 3, ground.format.text)


def _held_height(label: str, box: Box, ground: Ground) -> float:
    return len(_held(label, box, ground)) * ground.line + 1.6 + _BETWEEN


def _joint(box: Box, ground: Ground) -> float:
    """How far boxes in a box stand apart for what joins them."""
    return ground.line if box.joined else 0.0


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
    _draw_held(sheet, box, ground, at + ground.line / 2)


def _draw_held(sheet: Sheet, box: Box, ground: Ground, at: float) -> None:
    """The boxes in a box from a height on, with what joins them."""
    left, right = ground.boxes[box.id]
    inner, joint = (left + PAD, right - PAD), _joint(box, ground)
    for n, label in enumerate(box.holds):
        if n and joint:
            x = inner[0] + 2 * PAD
            sheet.line((x, at), (x, at + joint + _BETWEEN), INK, EDGE)
            sheet.text((x + 1.5, at + (joint + _BETWEEN) / 2), box.joined, color=SOFT)
            at += joint
        high = _held_height(label, box, ground)
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
