"""Rows beyond the limit of memory go to a file and come back as they were."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl

from analysis.ingest.smf import spill
from synthetic.smf.dump import START
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import Connection, connection


def test_frames_come_back_in_order():
    kept = spill.Spill(limit=10_000)
    frames = [
        pl.DataFrame({"n": range(i, i + 400), "text": [f"row number {i}"] * 400})
        for i in range(0, 8_000, 400)
    ]
    for nth, frame in enumerate(frames):
        kept.add("even" if nth % 2 == 0 else "odd", frame)
    assert kept.names() == ["even", "odd"]
    assert len(kept.parts["even"]) > 2
    assert kept.whole("even").equals(pl.concat(frames[::2]))
    assert kept.whole("odd").equals(pl.concat(frames[1::2]))


def test_files_are_removed_and_rows_stay():
    kept = spill.Spill(limit=0)
    kept.add("t", pl.DataFrame({"n": [1, 2, 3]}))
    folder = Path(kept.folder.name)
    rows = kept.whole("t")
    kept.folder.cleanup()
    assert not folder.exists()
    assert rows["n"].to_list() == [1, 2, 3]


def test_a_dump_gives_the_same_tables_either_way(read_records, monkeypatch):
    made = []
    for nth in range(200):
        start = START + nth * dt.timedelta(seconds=30)
        made.append(connection(Connection(start, bytes_in=nth), nth))
        made.append(address_space(Space(start=start, cpt=nth)))
    whole = read_records(*made, *made)
    monkeypatch.setattr(spill.Spill.__init__, "__defaults__", (5_000,))
    spilled = read_records(*made, *made, chunk=8_000)
    assert whole.problems == spilled.problems
    for name, table in whole.tables.items():
        assert spilled.tables[name].equals(table), name
