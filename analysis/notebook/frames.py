"""What a build derived and read, as frames."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import polars as pl

from analysis.declared.metrics import METRICS_FILE
from analysis.errors import user_error
from analysis.facts import fact
from analysis.facts.fact import Fact, read_facts
from analysis.program import PROGRAM, is_checkout


def _project() -> Path:
    """The project that the working folder is in or below; else the checkout."""
    here = Path.cwd()
    around = (f for f in (here, *here.parents) if (f / METRICS_FILE).is_file())
    return next(around, PROGRAM if is_checkout() else here)


_PROJECT = _project()
FACTS = _PROJECT / fact.FACTS
TABLES = _PROJECT / "data/build/ingest"
_NUMBERS = (
    "value",
    "low",
    "high",
    "low_90",
    "high_90",
    "confidence",
    "p_value",
    "p_adjusted",
    "threshold",
)
_NESTED = ("warnings", "samples", "lineage", "estimate")


def load_facts(
    edition: str | None = None, study: str | None = None, path: Path = FACTS
) -> pl.DataFrame:
    """The facts of all editions, of one, or of one study: a row a fact.

    Columns are those of :class:`analysis.facts.fact.Fact`; ``warnings`` are their
    words, ``samples`` the values of the ``runs``, ``files`` the sha256 of raw files,
    ``rule`` how it was derived, ``predicted`` whether a model told it. A
    :class:`analysis.errors.UserError` where there are no facts yet.
    """
    facts = read_facts(path).facts
    wanted = [
        one
        for one in facts
        if edition in (None, one.edition) and study in (None, one.study)
    ]
    return pl.DataFrame([_row(fact) for fact in wanted], schema=_schema())


def load_tables(*names: str, folder: Path = TABLES) -> dict[str, pl.DataFrame]:
    """Tables of all campaigns by name, with a column ``campaign``; all without names.

    What they hold is told by the comments of ``perf.duckdb``. A
    :class:`analysis.errors.UserError` names a table that is not there.
    """
    files: dict[str, list[Path]] = {}
    for file in sorted(folder.glob("*/*.parquet"), key=_in_turn):
        files.setdefault(file.stem.partition(".")[0], []).append(file)
    for name in names or [""] * (not files):
        if name not in files:
            what = f"there is no table {name!r}" if name else "there are no tables yet"
            known = f"choose of {', '.join(files)}" if files else "run 'make report'"
            raise user_error(what, folder, mend=known)
    wanted = names or tuple(files)
    return {name: pl.concat(map(_of_campaign, files[name])) for name in wanted}


def _in_turn(file: Path) -> tuple[Path, str, int, str]:
    """The order of files: of a large table there may be several, which are numbered."""
    table, _, nth = file.stem.partition(".")
    return file.parent, table, int(nth) if nth.isdecimal() else 0, nth


def _of_campaign(file: Path) -> pl.DataFrame:
    return pl.read_parquet(file).with_columns(campaign=pl.lit(file.parent.name))


def _row(fact: Fact) -> dict[str, object]:
    entries = {name: getattr(fact, name) for name in _plain()}
    return entries | {
        "origin": fact.shown_origin,
        "predicted": fact.predicted,
        "warnings": [warning.words for warning in fact.warnings],
        "samples": list(fact.samples),
        "runs": list(fact.lineage.runs),
        "files": list(fact.lineage.files),
        "rule": fact.lineage.rule,
    }


def _plain() -> list[str]:
    return [field.name for field in fields(Fact) if field.name not in _NESTED]


def _schema() -> dict[str, pl.DataType | type[pl.DataType]]:
    """One type a column, also where there is no fact."""
    texts: dict[str, pl.DataType | type[pl.DataType]] = dict.fromkeys(
        _plain(), pl.String
    )
    lists = dict.fromkeys(("warnings", "runs", "files"), pl.List(pl.String))
    return {
        **texts,
        **dict.fromkeys(_NUMBERS, pl.Float64),
        **dict.fromkeys(("n", "sessions"), pl.Int64),
        "predicted": pl.Boolean,
        "samples": pl.List(pl.Float64),
        **lists,
        "rule": pl.String,
    }
