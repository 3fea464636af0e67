"""Numbers that no tool prints: of hundreds of digits, beyond 64 bits, not finite.

Readers take numbers as they come. Where one is out of all bounds, whatever the reader
made of it, the file has failed, and its line is told.
"""

from __future__ import annotations

import math
import re

from analysis.facts.remark import at_line, remark
from analysis.ingest.logs.benchmark import FIGURES
from analysis.ingest.logs.text import decode, quoted
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Problem, Reading

# 19 digits may be beyond 64 bits; a power of three digits may be beyond a float.
_MEASURED = (*FIGURES, "seconds")
_HUGE = re.compile(r"\d{19,}|\d[eE]\+?\d{3}", re.ASCII)


def has_odd_figures(reading: Reading) -> bool:
    """Whether a result has a figure that is not finite."""
    return any(
        (value := row[name]) is not None and not math.isfinite(value)
        for row in reading.results
        for name in _MEASURED
    )


def refused(raw: RawFile, format: str) -> Reading | None:
    """The file as one that failed for its first huge number; null where it has none."""
    text = decode(raw.read_bytes())
    found = _HUGE.search(text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start()) + 1
    told = remark("out_of_bounds", text=quoted(found[0]))
    problems = [Problem(told, line)]
    reason = at_line(line, told)
    return Reading(format, status="failed", cause=reason, problems=problems)
