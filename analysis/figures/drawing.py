"""Figures ready to be drawn, and how several are drawn at once."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import polars as pl
from pandas import option_context

from analysis.figures.captions import Caption
from analysis.figures.diagrams.sheet import Sheet
from analysis.figures.kind import KINDS
from analysis.figures.page import NARROW, SLIDE, SLIDE_SETUP, WIDE, PageFormat, Words
from analysis.figures.setting import Setting
from analysis.figures.svg import render_svg
from analysis.progress import WorkDone, counted

_FEW = 10  # figures that are drawn for what it costs to begin another process, or two
_LIBRARIES = ("plotnine", "matplotlib", "mizani", "lxml", "font-source-sans-pro")


@dataclass(frozen=True)
class Drawing:
    """One figure ready to be drawn."""

    setting: Setting
    frame: pl.DataFrame
    words: Words
    caption: Caption

    def svg(self, format: PageFormat, name: str, *, alone: bool = False) -> bytes:
        """The figure in one format; ``name`` makes its ids unique.

        What it finds and what it shows are text on a page. One that stands ``alone``,
        as on a slide, has both in the picture.
        """
        words, plot = self.words, KINDS[self.setting.figure.kind].plot
        about = f"{self.caption.subject} {words.subtitle}".rstrip()
        own = {"subtitle": about} if alone else {"title": ""}
        # Arrow keeps a million words well, and a dozen slowly.
        with option_context("mode.string_storage", "python"):
            drawn = plot(self.frame, self.setting, replace(words, **own), format)
            return drawn.svg() if isinstance(drawn, Sheet) else render_svg(drawn, name)

    def digest(self, look: str) -> str:
        """A hash over all that the drawing shows; ``look`` is that of the code."""
        setting = self.setting
        shown = (
            look,
            setting.id,
            setting.figure.model_dump(mode="json"),
            setting.study.model_dump(mode="json"),
            setting.labels,
            {id: study.title for id, study in setting.studies.items()},
            {id: s.model_dump(mode="json") for id, s in setting.systems.items()},
            {id: c.model_dump(mode="json") for id, c in setting.declared.items()},
            [row.id for row in setting.published],
            asdict(self.words),
            self.caption.subject,
            self.frame.rows(),
        )
        text = json.dumps(shown, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def draw(drawing: Drawing) -> tuple[bytes, ...]:
    """A figure in both formats, wide and narrow."""
    id = drawing.setting.id
    return drawing.svg(WIDE, id), drawing.svg(NARROW, f"{id}-narrow")


def draw_slide(drawing: Drawing) -> bytes:
    """A figure in the format of slides."""
    setup = KINDS[drawing.setting.figure.kind].setup
    format = SLIDE_SETUP if setup else SLIDE
    return drawing.svg(format, f"{drawing.setting.id}-slide", alone=True)


def draw_all(
    drawings: Sequence[Drawing],
    draw: Callable[[Drawing], Any] = draw,
    cores: int | None = None,
) -> list[Any]:
    """All figures, in both formats or as ``draw`` does, on ``cores`` or all."""
    cores = cores or len(os.sched_getaffinity(0))
    progress = WorkDone("drawing", len(drawings), "figures")
    if len(drawings) < _FEW or cores == 1:
        return [draw(drawing) for drawing in counted(drawings, progress)]
    # a process that is forked may wait forever for a thread of polars
    # and one that draws has no time to look for garbage
    others = ProcessPoolExecutor(
        min(cores, len(drawings)) - 1, get_context("spawn"), initializer=gc.disable
    )
    gc.disable()
    try:
        with others:
            asked = [others.submit(draw, drawing) for drawing in drawings]
            # from the end, this process draws what no other has begun
            turns = reversed(range(len(drawings)))
            begun = counted((i for i in turns if asked[i].cancel()), progress)
            own = {i: draw(drawings[i]) for i in begun}
            rest = [i for i in range(len(drawings)) if i not in own]
            drawn = {i: asked[i].result() for i in counted(rest, progress)}
            return [(own | drawn)[i] for i in range(len(drawings))]
    finally:
        gc.enable()


def look_digest() -> str:
    """A hash over the code that draws: every module of the project, every library."""
    KINDS.entries  # noqa: B018 - the kinds are imported when they are asked for
    files = {
        name: Path(file).read_bytes()
        for name, module in sorted(sys.modules.items())
        if name.startswith("analysis.") and (file := getattr(module, "__file__", None))
    }
    code = hashlib.sha256(b"".join(files.values())).hexdigest()
    return " ".join([code, *(version(library) for library in _LIBRARIES)])
