"""Which figures slides place, so that these and no others are drawn for them.

A figure stands on a slide by ``{{ figure("osh-osd-stream") }}``, or a part of it that
draws one metric by ``{{ figure("osh-osd-stream", metric="throughput") }}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from analysis.declared.edition import Edition
from analysis.declared.figure import part_id
from analysis.declared.studies import study_folder

SLIDES = "slides"
_TEXT = r"""["']([\w.-]+)["']"""
_FIGURE = re.compile(
    rf"\{{\{{\s*figure\(\s*{_TEXT}(?:\s*,\s*(?:metric\s*=\s*)?{_TEXT})?"
)


def placed_figures(folder: Path, edition: Edition) -> set[str]:
    """The ids of the figures, and parts of figures, that slides of an edition place."""
    texts = (path.read_text(encoding="utf-8") for path in _texts(folder, edition))
    found = (match for text in texts for match in _FIGURE.findall(text))
    return {part_id(id, metric) if metric else id for id, metric in found}


def _texts(folder: Path, edition: Edition) -> Iterator[Path]:
    """The texts of slides that are there: the edition's, and those of its studies."""
    if not edition.slides:
        return
    studies = (study_folder(folder, edition, id) for id in edition.study_ids)
    paths = [folder / edition.slides, *(own / f"{SLIDES}.md" for own in studies)]
    yield from filter(Path.is_file, paths)
