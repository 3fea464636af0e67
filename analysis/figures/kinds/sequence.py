"""The sequence diagram of a workload: who sends what, and when connections are open."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from analysis.declared.workload import SHAPES, Workload, format_size, parse_workload
from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.figures import page
from analysis.figures.kind import FigureKind
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet

COLUMNS = ("step", "sender", "receiver", "message", "bytes", "again")
DRAWN = ("RR", "CRR", "STR")
_ENDS = ("client", "server")
_STEP, _HEAD = 7.2, 7.0  # mm: the height of a step, and of the name of an end
_TIP = 1.6  # mm of an arrow's tip
_BULK = 64 * 1024  # bytes from which on an arrow is thick


class DrawnMessage(NamedTuple):
    """A message; ``again`` ones make a transaction, which is repeated."""

    forth: bool
    message: str
    bytes: int | None
    again: bool


def check_sequence(setting: Setting) -> list[Issue]:
    """Whether the workload is one that can be drawn."""
    name, mend = setting.figure.workloads, f"draw one of {', '.join(DRAWN)}"
    try:
        shape = parse_workload(name).shape
    except ValueError as error:
        return [Issue(str(error), setting.place, mend)]
    if shape in DRAWN:
        return []
    return [Issue(f"{name}: {shape} has no sequence", setting.place, mend)]


def steps_of(load: Workload) -> list[DrawnMessage]:
    """The messages of a client, in order."""
    each = load.shape == "CRR"
    return [
        DrawnMessage(True, "opens a connection", None, each),
        DrawnMessage(True, "request", load.request_bytes, True),
        DrawnMessage(False, "response", load.response_bytes, True),
        DrawnMessage(True, "closes the connection", None, each),
    ]


def data_sequence(_facts: Facts, setting: Setting) -> pl.DataFrame:
    """The messages, a row each; they are no facts."""
    rows = [
        (at, *_ENDS[:: 1 if step.forth else -1], step.message, step.bytes, step.again)
        for at, step in enumerate(steps_of(parse_workload(setting.figure.workloads)), 1)
    ]
    return pl.DataFrame(rows, schema=list(COLUMNS), orient="row")


def words_sequence(_frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Title, subtitle, foot line and alt text."""
    load = parse_workload(setting.figure.workloads)
    many = f"{load.clients} client{'s' if load.clients > 1 else ''}"
    subtitle = f"A transaction is {SHAPES[load.shape].transaction}."
    messages = [
        f"{_ENDS[not step.forth]}: {_label(step)}" + (" (again)" if step.again else "")
        for step in steps_of(load)
    ]
    alt = f"Sequence diagram of {load.name} with {many}. {'; '.join(messages)}."
    foot = f"{many} at the same time, each as drawn"
    return page.Words(setting.figure.question, subtitle, foot, alt)


def _label(step: DrawnMessage) -> str:
    size = f", {format_size(step.bytes)}" if step.bytes is not None else ""
    return f"{step.message}{size}"


def plot_sequence(_frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """Two ends with their messages between them, from top to bottom."""
    format, steps = sheet.format, steps_of(parse_workload(setting.figure.workloads))
    half = 12.0 if format.stacked else 16.0
    left, right = half + 0.4, min(format.width, 120.0) - half - 0.4
    for x, name in zip((left, right), _ENDS, strict=True):
        sheet.rect((x - half, x + half), (sheet.y, sheet.y + _HEAD), page.BAND)
        sheet.frame((x - half, x + half), (sheet.y, sheet.y + _HEAD), page.INK, 1.1)
        sheet.text((x, sheet.y + _HEAD / 2), name, weight=page.BOLD, align="center")
    top = sheet.y = sheet.y + _HEAD
    again = [at for at, step in enumerate(steps) if step.again]
    for at, step in enumerate(steps):
        sheet.y += 3.0 * (at == again[0])
        _draw_step(sheet, step, (left, right), sheet.y + _STEP - 1.6)
        sheet.y += _STEP + 3.0 * (at == again[-1])
    begin = top + again[0] * _STEP + 1.4
    end = begin + len(again) * _STEP + 3.4
    sheet.frame((left - 6, right + 6), (begin, end), page.SOFT, 0.7, dashed=True)
    sheet.text((left + 2, begin + 2.2), "again and again", color=page.SOFT)
    for x in (left, right):
        sheet.line((x, top), (x, sheet.y + 2.0), page.QUIET, 0.7)
    sheet.y += 2.0


def _draw_step(
    sheet: Sheet, step: DrawnMessage, ends: tuple[float, float], y: float
) -> None:
    """An arrow with its words above it, thick where it carries much."""
    start, stop = ends if step.forth else ends[::-1]
    way = 1 if step.forth else -1
    much = (step.bytes or 0) >= _BULK
    dashed = step.bytes is None
    sheet.line((start, y), (stop, y), page.INK, 2.6 if much else 1.1, dashed)
    back = stop - way * _TIP
    sheet.path([(back, y - _TIP / 2), (stop, y), (back, y + _TIP / 2)], page.INK, 1.1)
    sheet.text((sum(ends) / 2, y - 2.3), _label(step), align="center")


KIND = FigureKind(
    id="sequence",
    data=data_sequence,
    words=words_sequence,
    plot=plot_sequence,
    draws="the messages of one workload, which `workloads` names, with `metrics: []`",
    answers="what is a transaction?",
    caption="The messages of a workload.",
    reads="Time goes down: each arrow is one message between the two sides.",
    key=(
        ("link", "message"),
        ("box", "connection that is open"),
    ),
    setup=True,
    check=check_sequence,
    columns=COLUMNS,
)
