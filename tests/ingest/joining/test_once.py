"""One interval from several files counts once, and differences are said."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.ingest.joining.once import OnceCounter
from analysis.ingest.reading import Problems, Reading
from analysis.ingest.tables.catalog import frame

FILES = {"dump.smf": "s", "cpu.xml": "x", "cpu.txt": "t"}
ORDER = ["smf", "rmf_xml", "rmf_text"]


def counted_once(
    tables: dict[str, pl.DataFrame],
    readings: dict[str, Reading],
    files: dict[str, str],
    order: list[str],
) -> tuple[dict[str, pl.DataFrame], Problems]:
    """The rows that count, and what is said of the others."""
    once = OnceCounter(readings, files, order)
    kept = {name: once.rows(name, table) for name, table in tables.items()}
    return kept, once.problems()


def row(source: str, minute: int = 0, busy: float = 25.0, **more: object) -> dict:
    start = f"2022-04-12T04:{minute:02d}:00.000000Z"
    return {
        "system": "SYSA",
        "cpu_type": "CP",
        "start_utc": start,
        "seconds": 900.0,
        "busy_pct": busy,
        "source": source,
    } | more


@pytest.fixture
def choose():
    """Choose among rows; the sources that were kept, and what is said by file."""

    def choose_rows(*rows: dict, order: list[str] = ORDER) -> tuple[list[str], dict]:
        readings = {
            "dump.smf": Reading("smf"),
            "cpu.xml": Reading("rmf_xml"),
            "cpu.txt": Reading("rmf_text"),
        }
        tables = {"cpu_interval": frame("cpu_interval", list(rows))}
        kept, problems = counted_once(tables, readings, FILES, order)
        said: dict[str, list[str]] = {}
        for name, problem in problems:
            said.setdefault(name, []).append(problem.message)
        return kept["cpu_interval"]["source"].to_list(), said

    return choose_rows


def test_the_declared_order_chooses(choose):
    rows = [row("t"), row("x"), row("s")]
    assert choose(*rows) == (["s"], {})
    assert choose(*rows, order=["rmf_text", "smf", "rmf_xml"]) == (["t"], {})


def test_rounding_is_no_difference_but_more_is(choose):
    assert choose(row("s", busy=25.004), row("x", busy=25.0))[1] == {}
    kept, said = choose(row("s", busy=25.0), row("x", busy=26.0))
    assert kept == ["s"]
    assert said == {
        "cpu.xml": [
            "busy_pct of the interval from 2022-04-12T04:00:00.000000Z is 26 here and "
            "25 in the file that was taken"
        ]
    }


def test_many_differences_are_one_problem(choose):
    rows = [row(s, m, 25.0 + (s == "x")) for s in "sx" for m in (0, 15, 30)]
    (said,) = choose(*rows)[1]["cpu.xml"]
    assert said.endswith("; and 2 more intervals differ")


def test_intervals_that_only_the_later_file_has_stay(choose):
    kept, _ = choose(row("s", 0), row("x", 0), row("x", 15))
    assert kept == ["s", "x"]


def test_shorter_intervals_within_a_longer_one_are_dropped(choose):
    short = [row("t", minute, seconds=300.0, busy=99.0) for minute in (0, 5, 10)]
    assert choose(row("x"), *short) == (["x"], {})


def test_neighbours_and_others_do_not_overlap(choose):
    late = row("x", 15, start_utc="2022-04-12T04:14:59.997000Z")
    assert choose(row("s"), late)[0] == ["s", "x"]
    assert choose(row("s"), row("x", cpu_type="zIIP"))[0] == ["s", "x"]
    assert choose(row("s"), row("x", system="SYSB"))[0] == ["s", "x"]


def test_rows_of_one_file_and_of_other_formats_are_left_alone(choose):
    assert choose(row("x"), row("x", run="r"))[0] == ["x", "x"]
    assert choose(row("s"), row("u", run="r"))[0] == ["s", "u"]
    assert choose(row("s"), row("x", start_utc=None))[0] == ["s", "x"]


def test_of_two_files_of_one_format_the_more_precise_is_chosen():
    readings = {"a.xml": Reading("rmf_xml"), "b.xml": Reading("rmf_xml")}
    rows = [row("a", basis="lpar_busy"), row("b", basis="dispatch")]
    kept, _ = counted_once(
        {"cpu_interval": frame("cpu_interval", rows)},
        readings,
        {"a.xml": "a", "b.xml": "b"},
        ORDER,
    )
    assert kept["cpu_interval"]["source"].to_list() == ["b"]


@pytest.mark.parametrize(
    ("minutes", "kept"), [((0, 5, 10), ["b", "b", "b"]), ((0, 5), ["a"])]
)
def test_of_one_format_finer_intervals_come_first_where_they_leave_no_gap(
    minutes: tuple[int, ...], kept: list[str]
) -> None:
    readings = {"a.xml": Reading("rmf_xml"), "b.xml": Reading("rmf_xml")}
    rows = [row("a"), *(row("b", minute, seconds=299.99) for minute in minutes)]
    tables = {"cpu_interval": frame("cpu_interval", rows)}
    files = {"a.xml": "a", "b.xml": "b"}
    chosen, problems = counted_once(tables, readings, files, ORDER)
    assert chosen["cpu_interval"]["source"].to_list() == kept
    assert problems == []


def of_class(source: str, period: int | None, cp: float) -> dict:
    more = {"class": "NET", "class_kind": "service", "cp_seconds": cp}
    return row(source, **more, period=period)


def test_a_class_by_periods_and_as_a_whole_counts_once():
    readings = {"dump.smf": Reading("smf"), "cpu.xml": Reading("rmf_xml")}
    rows = [of_class("s", 1, 2.0), of_class("s", 2, 1.0), of_class("x", None, 3.0)]

    def kept(*rows: dict) -> tuple[list[str], list]:
        tables = {"class_interval": frame("class_interval", list(rows))}
        chosen, problems = counted_once(tables, readings, FILES, ORDER)
        return chosen["class_interval"]["source"].to_list(), problems

    assert kept(*rows) == (["s", "s"], [])
    _, ((file, problem),) = kept(*rows[:2], of_class("x", 2, 1.5))
    assert file == "cpu.xml"
    assert "is 1.5 here and 1 in the file" in problem.message


def test_tables_without_intervals_pass():
    tables = {"cpu_counter": pl.DataFrame({"source": ["a", "b"]})}
    assert counted_once(tables, {}, {}, ORDER) == (tables, [])


def counted(table: str, *rows: dict) -> list[dict]:
    """The rows that count, of files of one format."""
    files = {"a.xml": "a", "b.xml": "b"}
    readings = {file: Reading("rmf_xml") for file in files}
    tables = {table: frame(table, list(rows))}
    return counted_once(tables, readings, files, ORDER)[0][table].to_dicts()


def test_an_interval_that_one_file_tells_twice_counts_once():
    bases = [row("a", basis=basis) for basis in ("lpar_busy", "dispatch")]
    assert [r["basis"] for r in counted("cpu_interval", *bases)] == ["dispatch"]
    shorter = row("a", seconds=60.0)
    assert len(counted("cpu_interval", row("a"), shorter)) == 2
    untimed = row("a", start_utc=None)
    assert len(counted("cpu_interval", untimed, untimed)) == 2


def test_an_interval_of_an_address_space_counts_once():
    def space(source: str, cp: float | None, asid: int = 7) -> dict:
        more = {"job": "TCPIP", "asid": asid, "cp_seconds": cp}
        return row(source, **more)

    rows = [space("a", None), space("b", 2.0), space("b", 1.0, asid=8)]
    used = [r["cp_seconds"] for r in counted("address_space_interval", *rows)]
    assert used == [2.0, 1.0]


DUMPS = {"week.smf": "w", "day.smf": "d", "a.smf": "x"}


def connection(source: str, port: int, position: int = 0) -> dict[str, object]:
    return {
        "system": "SYSA",
        "local_port": port,
        "start_utc": "2026-01-12T14:00:00.000000Z",
        "bytes_in": 100,
        "source": source,
        "position": position,
    }


def once(*rows: dict[str, object]) -> tuple[pl.DataFrame, list]:
    tables = {"tcp_connection": frame("tcp_connection", list(rows))}
    kept, problems = counted_once(tables, {}, DUMPS, ORDER)
    return kept["tcp_connection"], problems


def test_the_first_file_by_name_keeps_the_record() -> None:
    rows = [connection("w", 1, 0), connection("w", 2, 500), connection("d", 2, 64)]
    kept, problems = once(*rows)
    assert kept.select("source", "local_port").rows() == [("w", 1), ("d", 2)]
    assert [(file, problem.message) for file, problem in problems] == [
        (
            "week.smf",
            "1 rows of tcp_connection are in an earlier file too; they count once",
        )
    ]


def test_records_that_differ_in_anything_stay() -> None:
    other = connection("d", 1) | {"bytes_in": 101}
    kept, problems = once(connection("w", 1), other)
    assert (kept.height, problems) == (2, [])


def test_one_dump_under_two_names_counts_once() -> None:
    """Equal bytes have one sha256, so that rows differ in nothing at all."""
    rows = [connection("x", 1), connection("x", 1)]
    assert once(*rows)[0].height == 1
