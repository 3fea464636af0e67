"""The files of figures: a folder each, and the whole edition put in place at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from analysis.figures.drawing import Drawing, draw_all, draw_slide, look_digest
from analysis.figures.kind import KINDS
from analysis.figures.page import POINT
from analysis.figures.published import spoken_rows
from analysis.figures.select import as_frame, only
from analysis.figures.words import assumed_sizes, origins_of
from analysis.files.atomic import whole_folder, write_text
from analysis.files.cache import Cache
from analysis.files.checksums import seal
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
    "basis",
    "baseline",
    "model",
    "qualifier",
    "key",
)


FILES = ("figure.svg", "figure-narrow.svg")
ALTS = "alts.json"  # beside pictures for slides
_SLIDES = "slides"


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
    drawn = _drawn(drawings, FILES, draw_all, cache, cores)
    with whole_folder(out) as draft:
        for drawing, svgs in zip(drawings, drawn, strict=True):
            _write_figure(drawing, svgs, draft / drawing.setting.id)
        if slides:
            write_slides(slides, draft / _SLIDES, cache, cores)
        seal(draft)


def write_slides(
    drawings: Sequence[Drawing],
    out: Path,
    cache: Path | None = None,
    cores: int | None = None,
) -> None:
    """Replace ``out`` by a folder with the picture of each figure for a slide, and
    ``alts.json``, the alt text of each."""
    alts = {drawing.setting.id: drawing.words.alt for drawing in drawings}

    def draw(missing: Sequence[Drawing], cores: int | None) -> list[tuple[bytes, ...]]:
        return [(svg,) for svg in draw_all(missing, draw_slide, cores)]

    drawn = _drawn(drawings, ("slide.svg",), draw, cache, cores)
    with whole_folder(out) as draft:
        for drawing, (svg,) in zip(drawings, drawn, strict=True):
            (draft / f"{drawing.setting.id}.svg").write_bytes(svg)
        told = json.dumps(alts, ensure_ascii=False, indent=1)
        write_text(draft / ALTS, told + "\n")


def _drawn(
    drawings: Sequence[Drawing],
    names: Sequence[str],
    draw: Callable[..., Sequence[tuple[bytes, ...]]],
    folder: Path | None,
    cores: int | None,
) -> list[tuple[bytes, ...]]:
    """The files of each drawing, by name, drawn where they are not kept."""
    cache = Cache("figures", folder) if folder else None
    look = look_digest()
    keys = [f"{d.setting.id}-{d.digest(look)}-{len(names)}" for d in drawings]
    kept = {key: _kept(cache, key, names) for key in keys}
    missing = [d for d, key in zip(drawings, keys, strict=True) if not kept[key]]
    fresh = iter(draw(missing, cores=cores))
    for key in keys:
        if kept[key]:
            continue
        kept[key] = svgs = next(fresh)
        if cache:
            cache.put(key, partial(_write, names=names, svgs=svgs))
    return [kept[key] or () for key in keys]


def _kept(
    cache: Cache | None, key: str, names: Sequence[str]
) -> tuple[bytes, ...] | None:
    entry = cache.get(key) if cache else None
    try:
        return tuple((entry / name).read_bytes() for name in names) if entry else None
    except OSError:
        return None


def _write(folder: Path, names: Sequence[str], svgs: Sequence[bytes]) -> None:
    for name, svg in zip(names, svgs, strict=True):
        (folder / name).write_bytes(svg)


def data_of(drawing: Drawing) -> pl.DataFrame:
    """What a figure shows as a table: its facts, runs and published numbers."""
    kind = KINDS[drawing.setting.figure.kind]
    if kind.columns:
        return drawing.frame.select(kind.columns)
    own = as_frame(drawing.frame.filter(pl.col("record") != "stated").to_dicts())
    rows = spoken_rows(only(own, "fact"), drawing.setting, kind.overlays)
    return pl.concat([own, as_frame(rows)]).select(COLUMNS)


def _write_figure(drawing: Drawing, svgs: tuple[bytes, ...], folder: Path) -> None:
    folder.mkdir()
    _write(folder, FILES, svgs)
    data = data_of(drawing)
    write_frame(_with_models(data), folder / "figure.csv")
    text = json.dumps(_describe(drawing, data, svgs), ensure_ascii=False, indent=1)
    (folder / "figure.json").write_text(text + "\n", encoding="utf-8")


def _with_models(data: pl.DataFrame) -> pl.DataFrame:
    """Data whose origin says of what a model computed that it did, and over what."""
    if not {"model", "origin"} <= set(data.columns):
        return data
    modelled = pl.format("modelled over {}", pl.col("origin"))
    origin = pl.when(pl.col("model").is_not_null()).then(modelled)
    return data.with_columns(origin=origin.otherwise(pl.col("origin")))


def _describe(
    drawing: Drawing, data: pl.DataFrame, svgs: tuple[bytes, ...]
) -> dict[str, Any]:
    setting, words = drawing.setting, drawing.words
    (width, height), (slim, tall) = map(_size, svgs)
    return {
        "id": setting.id,
        "study": setting.study_id,
        "kind": setting.figure.kind,
        "question": setting.figure.question,
        "title": words.title,
        "subtitle": words.subtitle,
        "alt": words.alt,
        "setup": KINDS[setting.figure.kind].setup,
        "table": _table(drawing),
        "caption": str(drawing.caption),
        "origins": origins_of(data),
        "assumed": assumed_sizes(drawing.frame),
        "facts": _keys(drawing.frame),
        "foot": words.foot,
        "width_mm": width,
        "height_mm": height,
        "narrow_width_mm": slim,
        "narrow_height_mm": tall,
    }


def _table(drawing: Drawing) -> dict[str, Any] | None:
    """The table that stands on pages in place of the drawing."""
    table = KINDS[drawing.setting.figure.kind].table
    return asdict(table(drawing.frame, drawing.setting)) if table else None


def _keys(frame: pl.DataFrame) -> list[str]:
    """The keys of the facts that are drawn; none for a diagram."""
    return only(frame, "fact")["key"].to_list() if "key" in frame.columns else []


def _size(svg: bytes) -> tuple[float, float]:
    """Width and height in mm."""
    found = re.search(rb'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found, "every SVG of this stage has a viewBox"  # noqa: S101
    return round(float(found[1]) * POINT, 1), round(float(found[2]) * POINT, 1)
