"""The files of figures: a folder each, and the whole edition put in place at once."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from analysis.figures.captions import Around
from analysis.figures.kind import KINDS
from analysis.figures.overlay import spoken_rows
from analysis.figures.parts import Words
from analysis.figures.select import as_frame, only
from analysis.figures.setting import Setting
from analysis.figures.svg import render_svg
from analysis.figures.theme import NARROW, POINT, WIDE, PageFormat
from analysis.figures.words import origins_of
from analysis.files.atomic import whole_folder
from analysis.files.csv_text import write_frame

# Columns of figure.csv. A row of record "fact" is a median or a change with its
# interval, a row of record "run" one repetition behind the fact of the same key, and a
# row of record "published" a number of data/published.csv that the figure overlays.
COLUMNS = (
    "workload",
    "role",
    "metric",
    "configuration",
    "record",
    "run",
    "value",
    "low",
    "high",
    "unit",
    "n",
    "verdict",
    "origin",
    "baseline",
    "model",
    "qualifier",
    "key",
)


@dataclass(frozen=True)
class Drawing:
    """One figure ready to be drawn."""

    setting: Setting
    frame: pl.DataFrame
    words: Words
    around: Around

    def data(self) -> pl.DataFrame:
        """What the figure shows as a table: its facts, runs and published numbers."""
        kind = KINDS[self.setting.figure.kind]
        if kind.columns:
            return self.frame.select(kind.columns)
        rows = spoken_rows(self.frame, self.setting, kind.overlays)
        return pl.concat([self.frame, as_frame(rows)]).select(COLUMNS)

    def svg(self, format: PageFormat, name: str) -> bytes:
        """The figure in one format; ``name`` makes its ids unique."""
        draw = KINDS[self.setting.figure.kind].draw
        return render_svg(draw(self.frame, self.setting, self.words, format), name)


def write_figures(drawings: list[Drawing], out: Path) -> None:
    """Replace ``out`` by a folder with one folder for each figure, and no other."""
    with whole_folder(out) as draft:
        for drawing in drawings:
            _write_figure(drawing, draft / drawing.setting.id)


def _write_figure(drawing: Drawing, folder: Path) -> None:
    folder.mkdir()
    id = drawing.setting.id
    wide, narrow = drawing.svg(WIDE, id), drawing.svg(NARROW, f"{id}-narrow")
    (folder / "figure.svg").write_bytes(wide)
    (folder / "figure-narrow.svg").write_bytes(narrow)
    write_frame(_with_models(drawing.data()), folder / "figure.csv")
    text = json.dumps(_describe(drawing, wide, narrow), ensure_ascii=False, indent=1)
    (folder / "figure.json").write_text(text + "\n", encoding="utf-8")


def _with_models(data: pl.DataFrame) -> pl.DataFrame:
    """Data whose origin says of what a model computed that it did, and over what."""
    if not {"model", "origin"} <= set(data.columns):
        return data
    modelled = pl.format("modelled over {}", pl.col("origin"))
    origin = pl.when(pl.col("model").is_not_null()).then(modelled)
    return data.with_columns(origin=origin.otherwise(pl.col("origin")))


def _describe(drawing: Drawing, wide: bytes, narrow: bytes) -> dict[str, Any]:
    setting, words = drawing.setting, drawing.words
    (width, height), (slim, tall) = _size(wide), _size(narrow)
    return {
        "id": setting.id,
        "study": setting.study_id,
        "kind": setting.figure.kind,
        "question": setting.figure.question,
        "title": words.title,
        "subtitle": words.subtitle,
        "alt": words.alt,
        "setup": KINDS[setting.figure.kind].setup,
        **asdict(drawing.around),
        "origins": origins_of(drawing.data()),
        "facts": _keys(drawing.frame),
        "foot": words.foot,
        "width_mm": width,
        "height_mm": height,
        "narrow_width_mm": slim,
        "narrow_height_mm": tall,
    }


def _keys(frame: pl.DataFrame) -> list[str]:
    """The keys of the facts that are drawn; none for a diagram."""
    return only(frame, "fact")["key"].to_list() if "key" in frame.columns else []


def _size(svg: bytes) -> tuple[float, float]:
    """Width and height in mm."""
    found = re.search(rb'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found, "every SVG of this stage has a viewBox"  # noqa: S101
    return round(float(found[1]) * POINT, 1), round(float(found[2]) * POINT, 1)
