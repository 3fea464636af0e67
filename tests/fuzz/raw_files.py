"""Raw files: golden files, dumps of SMF, reports of RMF, as ``inspect`` reads them."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analysis.errors import UserError
from analysis.ingest.detect import read_file
from analysis.ingest.inspect_file import describe, is_usable, row_lines, summary
from analysis.ingest.reading import Reading
from synthetic.emitters.rmf_xml import Interval, Processor, document
from synthetic.smf.dump import unblocked
from tests.fuzz.guard import FoundError, guarded
from tests.fuzz.target import Seed, Target
from tests.golden.update import files
from tests.ingest.rmf import ddsml_more as more
from tests.ingest.rmf.listing import Block, Cpus, Listing
from tests.ingest.rmf.test_mapped_csv import CPU, LINES
from tests.ingest.rmf.test_monitor3 import COLUMNS, ROWS, as_json, as_xml
from tests.ingest.rmf.test_text import cpu_pages
from tests.ingest.smf.test_smf_damage import DUMPS, RECORDS
from tests.synthetic.emitters.examples import EXAMPLES

_TWO = (Processor(dispatched=24.36, mvs_busy=23.94), Processor("IIP", dispatched=7.7))
_LARGEST = 200_000  # bytes of a golden file that still is read fast


def _logs() -> Iterator[Seed]:
    for path in files():
        data = path.read_bytes()
        if len(data) <= _LARGEST:
            yield Seed(f"{path.parent.name}/{path.name}", data, path.name)


def _reports() -> Iterator[Seed]:
    texts = {
        "cpu.xml": document(Interval(_TWO).xml()),
        "more.xml": document(more.channels(), more.devices(), more.queues()),
        "cpc.xml": as_xml(COLUMNS, ROWS),
        "cpc.json": as_json(COLUMNS, ROWS),
        "cpu.txt": cpu_pages(Cpus(list(_TWO))),
        "plain.txt": cpu_pages(Cpus(list(_TWO)), Listing(asa=False)),
        "class.txt": Listing().page("WORKLOAD ACTIVITY", Block().by(), plex="PLEXA"),
    }
    for name, text in texts.items():
        yield Seed(f"rmf/{name}", text.encode(), name)
    mapping = "cpu.csv.mapping.yaml"
    yield Seed("csv", LINES.encode(), "cpu.csv", {mapping: CPU})
    yield Seed("mapping", CPU.encode(), mapping, {"cpu.csv": LINES})


def look(folder: Path, seed: Seed) -> None:
    """Read the input as ``inspect`` does.

    Raises:
        FoundError: A false success, a number that is none, or two answers.
    """
    path = folder / seed.file.removesuffix(".mapping.yaml")
    with guarded(folder):
        first = _said(path)
    if first and zlib.crc32((folder / seed.file).read_bytes()) % 4 == 0:
        with guarded(folder):
            again = _said(path)
        if first != again:
            told = _first_difference(first, again)
            raise FoundError(f"two readings differ: {told}")


def _first_difference(first: str, again: str) -> str:
    """The lines that differ, the first of each."""
    pairs = zip(first.splitlines(), again.splitlines(), strict=False)
    told = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    return " / ".join(f"{line:.300}" for line in told)


def _said(path: Path) -> str:
    """All that ``inspect`` prints; empty for a mistake that it tells."""
    try:
        reading = read_file(path, "UTC")
    except UserError:
        return ""
    _check(reading)
    parts = [json.dumps(summary(path, reading)), *row_lines(path, reading)]
    return "\n".join([*parts, *describe(path, reading)])


def _check(reading: Reading) -> None:
    if reading.status != "ok":
        return
    told = reading.circumstances.known() or reading.details or reading.problems
    if not (reading.tables or reading.results or told):
        raise FoundError("ok, and nothing is told")
    if reading.results and not is_usable(reading):
        raise FoundError("ok, and of no use")
    frames = (frame.to_dicts() for frame in reading.tables.values())
    for row in (*reading.results, *(row for rows in frames for row in rows)):
        wrong = [name for name, value in row.items() if _is_no_number(value)]
        if wrong:
            raise FoundError(f"ok, and no number: {wrong[0]} is {row[wrong[0]]}")


def _is_no_number(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _dumps() -> Iterator[Seed]:
    for kind, data in DUMPS.items():
        yield Seed(f"smf/{kind}", data, "dump.smf")
    for nth, record in enumerate(RECORDS):  # one alone is read ten times as fast
        yield Seed(f"smf/record-{nth}", unblocked([record] * 2), "dump.smf")


def _emitted(*rooms: str) -> Iterator[Seed]:
    """What emitters of these formats write; of the others where none is named."""
    for format, data in EXAMPLES.items():
        room = format.partition("_")[0]
        if room in rooms or (not rooms and room not in ("smf", "rmf")):
            yield Seed(f"emitted/{format}", data, f"{format}.txt")


TARGETS = (
    Target("smf", (*_dumps(), *_emitted("smf")), look),
    Target("rmf", (*_reports(), *_emitted("rmf")), look),
    Target("logs", (*_logs(), *_emitted()), look),
)
