"""One interval from several files counts once, and differences are said."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.ingest.joining.choose import choose_sources, count_once
from analysis.ingest.reading import Reading
from analysis.ingest.tables.catalog import frame

FILES = {"dump.smf": "s", "cpu.xml": "x", "cpu.txt": "t"}
ORDER = ["smf", "rmf_xml", "rmf_text"]


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
        kept, problems = choose_sources(tables, readings, FILES, order)
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
    assert choose(row("x"), row("x"))[0] == ["x", "x"]
    assert choose(row("s"), row("u"))[0] == ["s", "u"]
    assert choose(row("s"), row("x", start_utc=None))[0] == ["s", "x"]


def test_of_two_files_of_one_format_the_more_precise_is_chosen():
    readings = {"a.xml": Reading("rmf_xml"), "b.xml": Reading("rmf_xml")}
    rows = [row("a", basis="lpar_busy"), row("b", basis="dispatch")]
    kept, _ = choose_sources(
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
    chosen, problems = choose_sources(tables, readings, files, ORDER)
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
        chosen, problems = choose_sources(tables, readings, FILES, ORDER)
        return chosen["class_interval"]["source"].to_list(), problems

    assert kept(*rows) == (["s", "s"], [])
    _, ((file, problem),) = kept(*rows[:2], of_class("x", 2, 1.5))
    assert file == "cpu.xml"
    assert "is 1.5 here and 1 in the file" in problem.message


def test_tables_without_intervals_pass():
    tables = {"cpu_counter": pl.DataFrame({"source": ["a", "b"]})}
    assert count_once(tables, {}, {}, ORDER) == (tables, [])


def counted(table: str, *rows: dict) -> list[dict]:
    """The rows that count, of files of one format."""
    files = {"a.xml": "a", "b.xml": "b"}
    readings = {file: Reading("rmf_xml") for file in files}
    tables = {table: frame(table, list(rows))}
    return count_once(tables, readings, files, ORDER)[0][table].to_dicts()


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
