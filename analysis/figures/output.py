"""The files of figures: a folder each, and the whole edition put in place at once."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from analysis.figures.drawing import Drawing, draw_all, draw_slide, look_digest
from analysis.figures.kind import KINDS
from analysis.figures.page import POINT
from analysis.figures.published import spoken_rows
from analysis.figures.select import as_frame, only
from analysis.figures.words import assumed_sizes, origins_of
from analysis.files.atomic import whole_folder, write_text
from analysis.files.csv_text import write_frame
from analysis.files.digests import CACHE

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
_NONE: Mapping[str, bytes] = MappingProxyType({})


def write_figures(
    drawings: list[Drawing],
    out: Path,
    cache: Path = CACHE,
    slides: Sequence[Drawing] = (),
    cores: int | None = None,
) -> None:
    """Replace ``out`` by a folder with one folder for each figure, and no other.

    What was drawn of the same facts and words by the same code is not drawn again: the
    ``cache`` tells what ``out`` was drawn from.
    """
    look, known = look_digest(), cache / "figures" / f"{_name_of(out)}.json"
    digests = {d.setting.id: d.digest(look) for d in drawings}
    on_slides = {f"{d.setting.id}.svg": d.digest(look) for d in slides}
    before = _read(known)
    drawn = {
        id: kept
        for id, digest in digests.items()
        if (kept := _kept(out / id, FILES, before.get(id), digest))
    }
    missing = [drawing for drawing in drawings if drawing.setting.id not in drawn]
    fresh = draw_all(missing, cores=cores)
    drawn |= {d.setting.id: svgs for d, svgs in zip(missing, fresh, strict=True)}
    shown = {
        name: kept[0]
        for name, digest in on_slides.items()
        if (kept := _kept(out / _SLIDES, (name,), before.get(name), digest))
    }
    with whole_folder(out) as draft:
        for drawing in drawings:
            id = drawing.setting.id
            _write_figure(drawing, drawn[id], draft / id)
        if slides:
            shown = write_slides(slides, draft / _SLIDES, shown, cores)
    told = {id: _drawn(digest, FILES, drawn[id]) for id, digest in digests.items()}
    told |= {n: _drawn(of, (n,), (shown[n],)) for n, of in on_slides.items()}
    known.parent.mkdir(parents=True, exist_ok=True)
    write_text(known, json.dumps(told, indent=1, sort_keys=True) + "\n")


def write_slides(
    drawings: Sequence[Drawing],
    out: Path,
    known: Mapping[str, bytes] = _NONE,
    cores: int | None = None,
) -> dict[str, bytes]:
    """Replace ``out`` by a folder with the picture of each figure for a slide.

    ``alts.json`` has the alt text of each. Returns the pictures by name; those that are
    ``known`` are not drawn again.
    """
    alts = {drawing.setting.id: drawing.words.alt for drawing in drawings}
    missing = [d for d in drawings if f"{d.setting.id}.svg" not in known]
    fresh = draw_all(missing, draw_slide, cores)
    names = (f"{drawing.setting.id}.svg" for drawing in missing)
    found = {**known, **dict(zip(names, fresh, strict=True))}
    with whole_folder(out) as draft:
        for name, svg in found.items():
            (draft / name).write_bytes(svg)
        told = json.dumps(alts, ensure_ascii=False, indent=1)
        write_text(draft / ALTS, told + "\n")
    return found


def _name_of(out: Path) -> str:
    """The name of what is known of a folder."""
    return hashlib.sha256(os.path.abspath(out).encode()).hexdigest()[:16]


def _read(known: Path) -> dict[str, Any]:
    try:
        found = json.loads(known.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _kept(
    folder: Path, names: tuple[str, ...], told: Any, digest: str
) -> tuple[bytes, ...] | None:
    """The drawings of a folder, if they are what was told of them."""
    try:
        svgs = tuple((folder / name).read_bytes() for name in names)
    except OSError:
        return None
    return svgs if told == _drawn(digest, names, svgs) else None


def _drawn(
    digest: str, names: tuple[str, ...], svgs: tuple[bytes, ...]
) -> dict[str, str]:
    """From what the drawings were made, and their own hashes."""
    hashes = (hashlib.sha256(svg).hexdigest() for svg in svgs)
    return {"from": digest, **dict(zip(names, hashes, strict=True))}


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
    for name, svg in zip(FILES, svgs, strict=True):
        (folder / name).write_bytes(svg)
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
