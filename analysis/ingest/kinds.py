"""The kinds of formats: logs of benchmarks, and evidence of CPU time."""

from __future__ import annotations

from analysis.ingest.detect import FORMATS

EVIDENCE = ("linux", "rmf", "smf", "campaign")  # kinds that are no logs


def kind_of(format: str) -> str:
    """The kind of a format, which is its module's package: ``bench``, ``rmf``."""
    return str(getattr(FORMATS[format], "__name__", "")).split(".")[2]
