"""Figures drawn, several at once, and their files: a folder each.

The whole edition is put in place at once. What was drawn of the same facts and words by
the same code is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import polars as pl

from analysis.errors import Place
from analysis.facts.sentences import inside, listed
from analysis.figures import page
from analysis.figures.chart import with_breaks
from analysis.figures.keys import key_svg
from analysis.figures.kind import KINDS, FigureKind
from analysis.figures.published import spoken_rows
from analysis.figures.select import as_frame, only
from analysis.figures.setting import Setting
from analysis.figures.sheet import Sheet
from analysis.figures.words import Caption, origins_of, sizes_text
from analysis.files.atomic import whole_folder
from analysis.files.cache import Cache
from analysis.files.checksums import seal
from analysis.files.csv_text import write_frame
from analysis.progress import WorkDone, counted

FILES = ("figure.svg", "figure-narrow.svg")
KEY = "key.svg"  # how to read its kind
ALTS = "alts.json"  # beside pictures for slides
CHARTS = "charts.json"  # what office programs draw themselves, by figure
# Columns of figure.csv. A row of record "fact" is a median or a change with its
# interval, a row of record "run" one repetition behind the fact of the same key, and a
# row of record "published" a number of data/published.csv that the figure overlays.
COLUMNS = (
    "workload", "role", "metric", "configuration", "record", "run", "value", "low",
    "high", "unit", "n", "verdict", "origin", "basis", "baseline", "model", "qualifier",
    "key",
)  # fmt: skip
# What marks of a picture are in a chart of an office program.
_IN_CHARTS = {
    **dict.fromkeys(
        ("thick line:", "upright line, where longer than its mark:"), "line:"
    ),
    "open diamond:": "bar without a fill:",
    " · thin line: lowest to highest run": "",
}
_FEW = 10  # figures that are drawn for what it costs to begin another process, or two
_LIBRARIES = ("plotnine", "matplotlib", "mizani", "lxml", "font-source-sans-pro")
Drawer = Callable[["Drawing"], tuple[bytes, ...]]


@dataclass(frozen=True)
class Drawing:
    """One figure ready to be drawn."""

    setting: Setting
    frame: pl.DataFrame
    words: page.Words
    caption: Caption

    @property
    def kind(self) -> FigureKind:
        """Its kind."""
        return KINDS[self.setting.figure.kind]

    def sheet(self, format: page.PageFormat, alone: bool = False) -> Sheet:
        """The figure in one format.

        What it finds and what it shows are text on a page. One that stands ``alone``
        says what it shows; what it finds is the title of its slide.
        """
        sheet, words = Sheet(format), self.words
        about = f"{self.caption.subject} {words.subtitle}".rstrip()
        sheet.head("", about if alone else words.subtitle)
        self.kind.plot(self.frame, self.setting, sheet)
        sheet.foot(words.foot)
        return sheet

    def digest(self, look: str) -> str:
        """A hash over all that the drawing shows; ``look`` is that of the code."""
        setting = replace(self.setting, place=Place(""))
        shown = (look, setting, self.words, self.caption, self.frame.rows())
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]


def draw(drawing: Drawing) -> tuple[bytes, ...]:
    """A figure in both formats, wide and narrow."""
    id = drawing.setting.id
    return drawing.sheet(page.WIDE).svg(id), drawing.sheet(page.NARROW).svg(
        f"{id}-narrow"
    )


def draw_slide(drawing: Drawing) -> tuple[bytes, ...]:
    """A figure in the format of slides, with as much air as a slide has for it."""
    format = page.SLIDE_SETUP if drawing.kind.setup else page.SLIDE
    sheets = (drawing.sheet(replace(format, air=air), alone=True) for air in page.AIR)
    sheet = next((s for s in sheets if s.y <= page.SLIDE_HEIGHT), None)
    sheet = sheet or drawing.sheet(format, alone=True)
    return (sheet.svg(f"{drawing.setting.id}-slide"),)


def draw_all(
    drawings: Sequence[Drawing], draw: Drawer = draw, cores: int | None = None
) -> list[tuple[bytes, ...]]:
    """All figures, in both formats or as ``draw`` does, on ``cores`` or all."""
    cores = cores or len(os.sched_getaffinity(0))
    progress = WorkDone("drawing", len(drawings), "figures")
    if len(drawings) < _FEW or cores == 1:
        return [draw(drawing) for drawing in counted(drawings, progress)]
    # a process that is forked may wait forever for a thread of polars
    with ProcessPoolExecutor(cores, get_context("spawn")) as processes:
        return list(counted(processes.map(draw, drawings), progress))


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


def write_figures(
    drawings: list[Drawing],
    out: Path,
    cache: Path | None = None,
    slides: Sequence[Drawing] = (),
    cores: int | None = None,
) -> None:
    """Replace ``out`` by a folder with one folder for each figure, and no other.

    What was drawn of the same facts and words by the same code is in the ``cache``.
    """
    drawn = _drawn(drawings, draw, FILES, cache, cores)
    with whole_folder(out) as draft:
        for drawing, svgs in zip(drawings, drawn, strict=True):
            _write_figure(drawing, svgs, draft / drawing.setting.id)
        if slides:
            write_slides(slides, draft / "slides", cache, cores)
        seal(draft)


def write_slides(
    drawings: Sequence[Drawing],
    out: Path,
    cache: Path | None = None,
    cores: int | None = None,
) -> None:
    """Replace ``out`` by a folder with the picture of each figure for a slide, and
    ``alts.json``, the alt text of each, and ``charts.json``, those that office programs
    can draw, with what stands above and below them."""
    alts = {drawing.setting.id: drawing.words.alt for drawing in drawings}
    drawn = _drawn(drawings, draw_slide, ("slide.svg",), cache, cores)
    with whole_folder(out) as draft:
        _write(
            draft, [f"{d.setting.id}.svg" for d in drawings], [svg for (svg,) in drawn]
        )
        _write_json(draft / ALTS, alts)
        _write_json(draft / CHARTS, dict(filter(None, map(_charts, drawings))))


def _charts(drawing: Drawing) -> tuple[str, dict[str, Any]] | None:
    """The id of a figure, and its charts with their words; nothing where none is."""
    if drawing.kind.chart is None:
        return None
    charts = with_breaks(drawing.kind.chart(drawing.frame, drawing.setting))
    foot = drawing.words.foot
    for mark, drawn in _IN_CHARTS.items():
        foot = foot.replace(mark, drawn)
    about = {"about": drawing.caption.subject, "foot": foot}
    return drawing.setting.id, about | {"charts": [asdict(one) for one in charts]}


def _drawn(
    drawings: Sequence[Drawing],
    draw: Drawer,
    names: Sequence[str],
    folder: Path | None,
    cores: int | None,
) -> list[tuple[bytes, ...]]:
    """The files of each drawing, by name, drawn where they are not kept."""
    cache = Cache("figures", folder) if folder else None
    look = look_digest()
    keys = [f"{d.setting.id}-{d.digest(look)}-{len(names)}" for d in drawings]
    kept: dict[str, tuple[bytes, ...]] = {}
    for key in keys if cache else ():
        with suppress(OSError):
            if cache and (entry := cache.get(key)):
                kept[key] = tuple((entry / name).read_bytes() for name in names)
    missing = {key: d for key, d in zip(keys, drawings, strict=True) if key not in kept}
    fresh = draw_all([*missing.values()], draw, cores)
    for key, svgs in zip(missing, fresh, strict=True):
        kept[key] = svgs
        if cache:
            cache.put(key, partial(_write, names=names, svgs=svgs))
    return [kept[key] for key in keys]


def _write(folder: Path, names: Sequence[str], svgs: Sequence[bytes]) -> None:
    for name, svg in zip(names, svgs, strict=True):
        (folder / name).write_bytes(svg)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def data_of(drawing: Drawing) -> pl.DataFrame:
    """What a figure shows as a table: its facts, runs and published numbers."""
    kind = drawing.kind
    if kind.columns:
        return drawing.frame.select(kind.columns)
    facts = as_frame(drawing.frame.filter(pl.col("record") != "stated").to_dicts())
    rows = spoken_rows(only(facts, "fact"), drawing.setting, kind.overlays)
    return pl.concat([facts, as_frame(rows)]).select(COLUMNS)


def _write_figure(drawing: Drawing, svgs: tuple[bytes, ...], folder: Path) -> None:
    folder.mkdir()
    _write(folder, FILES, svgs)
    if drawing.kind.key:
        name = f"{drawing.setting.id}-key"
        (folder / KEY).write_bytes(key_svg(drawing.kind.key, name))
    data = data_of(drawing)
    about = _describe(drawing, data, svgs)
    if {"model", "origin"} <= set(data.columns):
        # the origin of what a model computed says that it did, and over what
        modelled = pl.format("modelled over {}", pl.col("origin"))
        origin = pl.when(pl.col("model").is_not_null()).then(modelled)
        data = data.with_columns(origin=origin.otherwise(pl.col("origin")))
    write_frame(data, folder / "figure.csv")
    _write_json(folder / "figure.json", about)


def _describe(
    drawing: Drawing, data: pl.DataFrame, svgs: tuple[bytes, ...]
) -> dict[str, Any]:
    setting, words, kind = drawing.setting, drawing.words, drawing.kind
    (width, height), (slim, tall) = map(_size, svgs)
    frame, table = drawing.frame, kind.table
    code = setting.file.text if setting.file else ""
    facts = only(frame, "fact")["key"].to_list() if "key" in frame.columns else []
    return {
        "id": setting.id,
        "study": setting.study_id,
        "kind": setting.figure.kind,
        "question": setting.figure.question,
        "title": words.title,
        "subtitle": words.subtitle,
        "alt": words.alt,
        "setup": kind.setup,
        "table": asdict(table(frame, setting)) if table else None,
        "caption": str(drawing.caption),
        "reads": " ".join([kind.reads, *_of_counts(drawing)]).strip(),
        "origins": origins_of(data),
        "sizes": sizes_text(frame),
        "facts": facts,
        "foot": words.foot,
        "code": hashlib.sha256(code.encode()).hexdigest() if code else "",
        "width_mm": width,
        "height_mm": height,
        "narrow_width_mm": slim,
        "narrow_height_mm": tall,
    }


def _of_counts(drawing: Drawing) -> list[str]:
    """That counts have no medians, where there are some."""
    if "metric" not in drawing.frame.columns:
        return []
    metrics, ids = drawing.setting.metrics, dict.fromkeys(drawing.frame["metric"])
    known = [metrics[id] for id in ids if id in metrics]
    if labels := [inside(metric.label) for metric in known if metric.per]:
        return [f"Of {listed(labels)} the value is that of all runs, no median."]
    return []


def _size(svg: bytes) -> tuple[float, float]:
    """Width and height in mm."""
    match = re.search(rb'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert match, "every SVG of this stage has a viewBox"  # noqa: S101
    return round(float(match[1]) * page.POINT, 1), round(
        float(match[2]) * page.POINT, 1
    )
