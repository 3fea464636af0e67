"""Series of values inside runs, as derive hands them to figures of time.

``series.json`` lies beside ``facts.json`` where a study asks for such a figure. It
holds ``{"schema": 1, "series": […]}``, sorted, one run and metric a line.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from analysis.declared.base import Declared
from analysis.declared.vocabulary import Origin
from analysis.errors import user_error
from analysis.facts.fact import edition_folders
from analysis.files.atomic import write_text

SERIES_FILE = "series.json"
_SCHEMA = 1


class RunSeries(Declared):
    """A metric in the intervals of one run, in order.

    ``starts`` and ``seconds`` are those of the intervals, from the start of what its
    log measures; ``values`` are in ``unit``. Only ``kept`` intervals are in the value
    of the run: others were omitted by the tool, or are left out as declared.
    ``warm_up`` is when a warm-up that is not declared seems to end. The level of the
    run changes at ``changes_at`` to ``changes_to`` times of what it was; None where it
    does not.
    """

    edition: str
    study: str
    workload: str
    metric: str
    configuration: str
    run: str
    origin: Origin
    unit: str
    starts: tuple[float, ...]
    seconds: tuple[float, ...]
    values: tuple[float, ...]
    kept: tuple[bool, ...]
    warm_up: float | None = None
    changes_at: float | None = None
    changes_to: float | None = None


class _File(Declared):
    version: Literal[1] = Field(alias="schema")
    series: tuple[RunSeries, ...]


def write_series(series: Iterable[RunSeries], path: Path) -> None:
    """Write the series; equal ones give equal bytes."""
    lines = ",\n".join(sorted(one.model_dump_json() for one in series))
    write_text(path, f'{{"schema": {_SCHEMA}, "series": [\n{lines}\n]}}\n')


def read_series(evidence: Path, editions: Iterable[str]) -> tuple[RunSeries, ...]:
    """The series beside a file of evidence, or of some editions in a folder of all
    facts: none where there is no file. A :class:`UserError` where one is damaged."""
    files = [evidence.with_name(SERIES_FILE)]
    if evidence.suffix != ".json":
        files = [folder / SERIES_FILE for folder in edition_folders(evidence, editions)]
    return tuple(one for file in files for one in _read_file(file))


def _read_file(path: Path) -> tuple[RunSeries, ...]:
    try:
        return _File.model_validate_json(path.read_bytes()).series
    except FileNotFoundError:
        return ()
    except ValidationError:
        what = "series of another version, or damaged"
        raise user_error(what, path, mend="run 'make report'") from None
