"""What stands in raw files where numbers were read: lines, or records of SMF.

Raw files are other people's: texts are cut and freed of what does not print here, and
escaped where a page is made of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from string import digits
from typing import Any

import duckdb
import numpy as np
import polars as pl

from analysis.facts.evidence import AROUND, Excerpt, FileState, Passage
from analysis.ingest.logs.text import decode
from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import IN_BYTES
from analysis.ingest.smf.columns import kind_name
from analysis.ingest.smf.records import HEAD, PAD, Records
from analysis.ingest.tables.catalog import TABLES

PLACED = [name for name, of in TABLES.items() if {"run", "source", "position"} <= {*of}]
"""Tables whose rows say for which run they were read, of which file, and where."""
TEXT_CHARACTERS = 1_300_000  # of all excerpts of a campaign: a page stays below 3 MB
_LINE = 160  # characters of a line that are shown
_BEFORE = 40  # of them before the place, where a line is longer
_VALUES = 6  # different values of a column
_NOT_READ = ("campaign", "run", "source", "position", "_resolution")
_ROWS = """
SELECT t.* FROM "{table}" t JOIN wanted_place USING (source, position)
WHERE campaign = $1 ORDER BY ALL
"""
Place = tuple[str, int, tuple[str, ...]]  # record, line, texts
Columns = dict[tuple[str, int], list[tuple[str, str]]]  # by sha256 and position


def excerpts(
    con: duckdb.DuckDBPyConnection,
    campaign: str,
    files: Mapping[str, FileState],
    passages: Sequence[Passage],
    folder: Path,
) -> tuple[Excerpt, ...]:
    """What stands at the first position of each run in each file below ``folder``. Of
    more than ``TEXT_CHARACTERS`` the later runs of a name such as ``A-RR1-`` have none,
    as values lead to the first of their runs."""
    ranks, before = dict[str, int](), Counter[str]()
    for run in sorted({passage.run for passage in passages}):
        ranks[run] = before[run.rstrip(digits)]
        before[run.rstrip(digits)] += 1
    wanted: dict[str, dict[int, int]] = defaultdict(dict)
    for run, file, (position, *_) in sorted(passages):
        rank = wanted[file].get(position, ranks[run])
        wanted[file][position] = min(rank, ranks[run])
    places = [(files[f].sha256, at) for f, ats in wanted.items() for at in ats]
    columns = _columns(con, campaign, places)
    ranked = []
    for file, of_file in wanted.items():
        state = files[file]
        stands = _read(folder / file, state.format, of_file)
        for position, rank in of_file.items():
            rows = tuple(columns.get((state.sha256, position), ()))
            ranked.append((rank, Excerpt(file, position, *stands[position], rows)))
    shown, room = [], TEXT_CHARACTERS
    for _, excerpt in sorted(ranked):
        room -= sum(
            map(len, (*excerpt.texts, *(words for _, words in excerpt.columns)))
        )
        if room < 0:
            break
        shown.append(excerpt)
    return tuple(sorted(shown))


def _read(path: Path, form: str, positions: Collection[int]) -> dict[int, Place]:
    """What stands at each position of a file, by its format."""
    with RawFile(path) as raw:
        if form == "smf":
            with raw.open() as file:
                heads = [(file.seek(at), file.read(HEAD))[1] for at in positions]
            return dict(zip(positions, map(_record, heads), strict=True))
        data = raw.read_bytes()
    return dict(_texts(data, positions, in_bytes=form in IN_BYTES))


def _record(head: bytes) -> Place:
    """Type and length of a record by its first bytes."""
    zero, length = np.zeros(1, np.int64), int.from_bytes(head[:2])
    kinds = Records(head + bytes(PAD), zero, np.full(1, length), zero).kinds()
    return (
        f"SMF record {kind_name(*(int(k[0]) for k in kinds))}, {length:,} bytes",
        0,
        (),
    )


def _texts(
    data: bytes, positions: Collection[int], in_bytes: bool
) -> Iterator[tuple[int, Place]]:
    lines = decode(data).split("\n")
    for position in positions:
        line, column = position, 0
        if in_bytes:
            line = data.count(b"\n", 0, position) + 1
            column = position - (data.rfind(b"\n", 0, position) + 1)
        some = lines[max(line - AROUND, 1) - 1 : line + AROUND]
        yield position, ("", line, tuple(_printable(text, column) for text in some))


def _printable(text: str, column: int = 0) -> str:
    """A line as it is shown; of a long one the part that ``column`` lies in."""
    text = text.rstrip("\r").expandtabs(4)
    begin = max(column - _BEFORE, 0) if len(text) > _LINE else 0
    part = text[begin : begin + _LINE]
    part = "".join(letter if letter.isprintable() else "·" for letter in part)
    return "…" * (begin > 0) + part + "…" * (begin + _LINE < len(text))


def _columns(
    con: duckdb.DuckDBPyConnection, campaign: str, places: Sequence[tuple[str, int]]
) -> Columns:
    """What the tables have of each of ``places``; where a position gave several rows,
    each column has their different values."""
    schema = {"source": pl.String, "position": pl.Int64}
    con.register("wanted_place", pl.DataFrame(places, schema, orient="row"))
    columns: Columns = defaultdict(list)
    for table in PLACED:
        rows = con.sql(_ROWS.format(table=table), params=[campaign]).pl()
        read: dict[tuple[str, int], dict[str, dict[Any, None]]] = {}
        for row in rows.iter_rows(named=True):
            of_place = read.setdefault((row["source"], row["position"]), {})
            for name, value in row.items():
                if value is not None and not name.endswith(_NOT_READ):
                    of_place.setdefault(name, {})[value] = None
        for place, named in read.items():
            words = "; ".join(f"{name} {_text(*of)}" for name, of in named.items())
            columns[place].append((table, words))
    return columns


def _text(*values: Any) -> str:
    """Different values of a column."""
    texts = [f"{v:.10g}" if isinstance(v, float) else f"{v}" for v in values[:_VALUES]]
    return ", ".join(texts) + " …" * (len(values) > _VALUES)
