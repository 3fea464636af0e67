"""Segments of the Virtual Storage Activity report (VSTOR) in XML."""

from __future__ import annotations

from collections.abc import Iterable

from synthetic.ddsml import Rows, table
from synthetic.emitters.rmf_report import StorageArea
from synthetic.emitters.rmf_xml_classes import part, segment

_HEADS = [
    "Area",
    *(f"{place} 16M {what}" for place in ("Below", "Above") for what in
      ("Min", "Max", "Avg")),
]  # fmt: skip
_LARGE, _LARGER = 10_000, 100.0  # K up to here, then M with a decimal, then without


def storage_segments(areas: Iterable[StorageArea]) -> list[str]:
    """Common storage, and the private area of each job."""
    by_job: dict[str | None, Rows] = {}
    for it in areas:
        sizes = [printed(it.below_bytes)] * 3 + [printed(it.above_bytes)] * 3
        by_job.setdefault(it.job, []).append(([it.area, *sizes], False))
    return [_segment(job, rows) for job, rows in by_job.items()]


def _segment(job: str | None, rows: Rows) -> str:
    if job is None:
        inner = part("Allocated CSA/SQA", table(_HEADS, rows))
        return segment("Common Storage Summary", inner)
    return segment("Private Area Summary", part(job, table(_HEADS, rows)))


def printed(size: int | None) -> str:
    """A size as RMF prints it: 1062K, 33.5M, 140M."""
    if size is None:
        return ""
    if (kilo := round(size / 2**10)) < _LARGE:
        return f"{kilo}K"
    mega = size / 2**20
    return f"{mega:.1f}M" if mega < _LARGER else f"{mega:.0f}M"
