"""A dump that several processes read gives what one pass gives."""

from __future__ import annotations

import pickle
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.ingest.raw_file import RawFile
from analysis.ingest.reading import Reading
from analysis.ingest.smf import spans
from analysis.ingest.smf.checks import with_capture
from analysis.ingest.smf.dump import read_dump
from analysis.ingest.smf.gathered import Dump, DumpOptions
from analysis.ingest.smf.trouble import Trouble
from synthetic.smf import rmf
from synthetic.smf.dump import blocked, unblocked
from tests.ingest.smf.made_cics import Task, dictionary, performance
from tests.ingest.smf.test_smf_damage import RECORDS

READ = spans.read_span
# By type and subtype: what is joined, or depends, over several records, and headers.
KINDS = {(2, 0), (3, 0), (70, 1), (72, 3), (30, 2), (119, 5), (119, 20), (119, 21)}
SOME = [r for r in RECORDS if (r[5], r[22] << 8 | r[23] if len(r) > 24 else 0) in KINDS]
# So that pieces of a broken record, a session's end or an equal record lie far away.
MANY = [*SOME, *SOME[::-1], *SOME[3:]] * 2
DUMPS = {
    "unblocked": unblocked(MANY),
    "spanned": unblocked(MANY, 333),
    "blocked": blocked(MANY, 1000),
}


class Pool(Executor):
    """Does at once what it is asked for, and hands it over as processes do. Who else
    reads waits for its first answer, so that it has one to give."""

    def __init__(self) -> None:
        self.answers: list[bool] = []
        self.here: list[bool] = []
        self.asked = threading.Event()

    def submit(self, work: Callable[..., Any], /, *of: Any, **by: Any) -> Future[Any]:
        done: Future[Any] = Future()
        answer = pickle.dumps(READ(*of, **by))
        done.set_result(pickle.loads(answer))  # noqa: S301 - it is our own
        self.answers.append(done.result() is not None)
        self.asked.set()
        return done

    def read_here(self, *of: Any) -> Dump | None:
        assert self.asked.wait(60)
        found = READ(*of)
        self.here.append(found is not None)
        return found


@pytest.fixture(autouse=True, scope="module")
def short_spans():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "LEAST", 6_000)
        patch.setattr(spans, "MOST", 8_000)
        patch.setattr(spans, "_RECORDS", 2)
        yield


def read_both(data: bytes, chunk: int) -> tuple[Reading, Reading, Pool]:
    pool = Pool()
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(spans, "read_span", pool.read_here)
        path = Path(folder, "dump.smf")
        path.write_bytes(data)
        with RawFile(path) as raw:
            one = read_dump(raw, "UTC", chunk=chunk)
            by_pool = spans.in_spans(path, pool, 2)
            many = read_dump(raw, "UTC", chunk=chunk, in_spans=by_pool)
    return one, many, pool


def assert_same(one: Reading, many: Reading) -> None:
    """All is equal but the order of rows, which ingest sorts."""
    for name in ("status", "reason", "systems", "records", "kinds", "details"):
        assert getattr(many, name) == getattr(one, name), name
    assert [p.as_dict() for p in many.problems] == [p.as_dict() for p in one.problems]
    assert many.tables.keys() == one.tables.keys()
    for name, rows in one.tables.items():
        order = rows.columns
        assert many.tables[name].sort(order).equals(rows.sort(order)), name


@pytest.mark.parametrize("kind", DUMPS)
def test_a_sound_dump_is_read_in_spans(kind):
    one, many, pool = read_both(DUMPS[kind], 3_500)
    assert pool.answers and all(pool.answers) and all(pool.here)
    assert len(pool.answers) + len(pool.here) > 3
    assert sum(one.records.values()) == len(MANY)
    assert_same(one, many)


@settings(max_examples=8, deadline=None)
@given(kind=st.sampled_from(sorted(DUMPS)), chunk=st.sampled_from([8_000, 1 << 20]),
       draw=st.data())  # fmt: skip
def test_a_damaged_dump_gives_the_same_rows_and_problems(kind, chunk, draw):
    data = bytearray(DUMPS[kind])
    for _ in range(draw.draw(st.integers(1, 4))):
        at = draw.draw(st.integers(0, len(data) - 1))
        gone = draw.draw(st.sampled_from([0, 0, 1, 300]))
        data[at : at + gone] = draw.draw(st.binary(max_size=3))
    assert_same(*read_both(bytes(data), chunk)[:2])


def test_records_that_need_what_was_told_before_are_read_in_one_pass():
    many = [performance([Task(cpu=nth)] * 3) for nth in range(30)]
    one, other, pool = read_both(unblocked([dictionary(), *many]), 2_500)
    assert pool.answers and not all([*pool.answers, *pool.here])
    assert one.tables["cics_transaction"].height == 90
    assert_same(one, other)


def test_a_place_that_only_looks_like_a_record_is_no_place_to_cut(tmp_path):
    """Records within a record: whoever reads up to there does not arrive there."""
    within = unblocked(SOME[1:3] * 8)
    head, size = SOME[1][:24], (24 + len(within)).to_bytes(2, "big")
    record = size + head[2:] + within
    path = tmp_path / "dump.smf"
    path.write_bytes(unblocked(SOME[:2]) + record + unblocked(SOME[:4]))
    with path.open("rb") as file:
        cuts = spans.spans(file, False, 2)
    assert len(cuts) == 2
    options, place = DumpOptions("UTC"), tmp_path / "rows"
    assert spans.read_span(path, False, options, cuts[0], place) is None


@pytest.mark.parametrize("broken", [0, 3])
def test_after_a_stretch_that_is_not_as_hoped_no_other_one_is_begun(
    broken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, lock = list[int](), threading.Lock()

    def read(nth: int, *_: object) -> str | None:
        with lock:
            begun.append(nth)
        if nth == broken:
            return None
        time.sleep(0.05)
        return "read"

    monkeypatch.setattr(spans, "read_span", read)
    with ThreadPoolExecutor(1) as pool:
        found = spans._in_turn([(nth,) for nth in range(40)], pool, 1)
    assert broken in begun and found[broken] is None
    assert len(begun) < 40 and found.count("read") == len(begun) - 1


def test_who_fails_elsewhere_is_heard_and_nothing_else_is_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, failed = list[int](), threading.Event()

    class Broken(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            done: Future[Any] = Future()
            done.set_exception(BrokenExecutor())
            failed.set()
            return done

    def read(nth: int, *_: object) -> str:
        assert failed.wait(60)
        here.append(nth)
        time.sleep(0.05)
        return "read"

    monkeypatch.setattr(spans, "read_span", read)
    with pytest.raises(BrokenExecutor):
        spans._in_turn([(nth,) for nth in range(40)], Broken(), 1)
    assert len(here) < 40


def test_no_digit_tells_how_many_records_were_decoded_together(tmp_path):
    """Of two classes, and of each by itself: by one value polars divides otherwise."""
    interval = rmf.Interval(sid="SYSA")
    periods = [rmf.Period(n + 1, cpu=1e6 + n, srb=2e5, ended=9) for n in range(2)]
    classes = [
        rmf.class_activity(interval, f"CLASS{nth}", periods, responses=840)
        for nth in range(2)
    ]
    path = tmp_path / "dump.smf"
    found = list[list[float]]()
    for records in (classes, classes[:1]):
        path.write_bytes(unblocked(records))
        with RawFile(path) as raw:
            rows = read_dump(raw, "UTC").tables["class_interval"]
        found.append(rows.sort("class", "period")["cp_seconds"].to_list()[:2])
    assert found[0] == found[1]


def test_the_capture_ratio_is_one_whatever_the_order_of_the_sum():
    seconds = [0.1, 0.2, 0.3, 14.1, 11.75, 2.35, 1e-3]
    cpu = pl.DataFrame({"busy_seconds": [90.0], "position": [0]}).with_columns(
        system=pl.lit("SYSA"), token=1, cpu_type=pl.lit("CP"), start=0, seconds=900.0
    )
    told = set[float]()
    for order in islice(permutations(seconds), 0, None, 97):
        captured = pl.DataFrame({"cp_seconds": order}).with_columns(
            system=pl.lit("SYSA"), token=1, hidden=False
        )
        told |= {*with_capture(cpu, captured, Trouble())["capture_pct"]}
        if len(told) > 1:
            break
    assert len(told) == 1


def test_the_capture_ratio_is_one_whether_or_not_a_column_has_one_value():
    told = set[float]()
    for busy in (pl.lit(800.0), pl.Series([800.0, 800.0])):
        cpu = pl.DataFrame({"position": [0, 1], "token": [1, 2]}).with_columns(
            system=pl.lit("SYSA"), cpu_type=pl.lit("CP"), start=0, seconds=900.0,
            busy_seconds=busy,
        )  # fmt: skip
        captured = cpu.select("system", "token", cp_seconds=338.400188, hidden=False)
        told |= {*with_capture(cpu, captured, Trouble())["capture_pct"]}
    assert len(told) == 1
