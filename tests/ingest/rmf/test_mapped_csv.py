"""CSV of other products: what the mapping says, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.ingest.detect import read_file
from analysis.ingest.reading import Reading

CPU = """\
table: cpu_interval
start: {column: When, format: "%Y-%m-%d %H:%M"}
seconds: {column: Minutes, factor: 60}
where: {Kind: [CPU]}
columns:
  system: {column: SID}
  cpu_type: CP
  online_cpus: {column: NCPU}
  busy_pct: {column: Busy, null_if: ["n/a"]}
  basis: lpar_busy
"""
LINES = """\
SID,Kind,When,Minutes,NCPU,Busy
SYSA,CPU,2022-04-12 00:30,15,4,25.0
SYSA,DASD,2022-04-12 00:30,15,4,99.0
SYSA,CPU,2022-04-12 00:45,15,4,n/a
"""


@pytest.fixture
def read(tmp_path: Path):
    """Read lines by a mapping."""

    def read_lines(
        lines: str, mapping: str, name: str = "cpu.csv.mapping.yaml"
    ) -> Reading:
        (tmp_path / name).write_text(mapping, encoding="utf-8")
        path = tmp_path / "cpu.csv"
        path.write_text(lines, encoding="utf-8")
        return read_file(path, "America/New_York")

    return read_lines


def rows(reading: Reading, table: str = "cpu_interval") -> list[dict]:
    frame = reading.tables.get(table)
    return [] if frame is None else frame.to_dicts()


@pytest.mark.parametrize("name", ["cpu.csv.mapping.yaml", "csv.mapping.yaml"])
def test_columns_are_read_as_the_mapping_says(read, name):
    reading = read(LINES, CPU, name)
    one, two = rows(reading)
    assert (reading.format, reading.status) == ("mapped_csv", "ok")
    assert reading.problems == []
    assert one["start_utc"] == "2022-04-12T04:30:00.000000Z"
    assert (one["system"], one["seconds"], one["position"]) == ("SYSA", 900.0, 2)
    assert one["busy_seconds"] == pytest.approx(0.25 * 4 * 900)
    assert (two["busy_pct"], two["busy_seconds"]) == (None, None)


def test_mapping_of_the_folder_is_for_the_files_that_it_names(read):
    reading = read(LINES, f"files: 'disk*.csv'\n{CPU}", "csv.mapping.yaml")
    assert reading.format == "unknown"


def test_end_of_the_interval_and_own_zone(read):
    mapping = CPU.replace("start: {", "start: {means: end, zone: UTC, ")
    assert rows(read(LINES, mapping))[0]["start_utc"] == "2022-04-12T00:15:00.000000Z"


def test_a_time_with_an_offset_is_not_taken_for_local(read):
    mapping = CPU.replace("%H:%M", "%H:%M%z")
    lines = LINES.replace("00:30", "00:30+0200").replace("00:45", "00:45+0200")
    assert rows(read(lines, mapping))[0]["start_utc"] == "2022-04-11T22:30:00.000000Z"


def test_decimal_comma_and_delimiter(read):
    lines = LINES.replace(",", ";").replace("25.0", "1.025,5")
    mapping = CPU + 'delimiter: ";"\ndecimal: ","\n'
    mapping = mapping.replace("busy_pct: {", "busy_pct: {factor: 0.01, ")
    assert rows(read(lines, mapping))[0]["busy_pct"] == pytest.approx(10.255)


def test_classes(read):
    mapping = """\
table: class_interval
start: {column: T}
seconds: 900
columns:
  system: SYSA
  class: {column: SCNAME}
  class_kind: service
  cp_seconds: {column: CPUTM, factor: 0.001}
  transactions: {column: ENDED}
"""
    lines = "T,SCNAME,CPUTM,ENDED\n2022-11-06 01:00:00,A,1500,3\n"
    lines += "2022-11-06 01:00:00,B,2500,\n"
    one, two = rows(read(lines, mapping), "class_interval")
    assert (one["cp_seconds"], one["transactions"]) == (1.5, 3)
    assert two["transactions"] is None
    # Two lines of one interval in the hour that the clock shows twice.
    assert one["start_utc"] == two["start_utc"]


def test_bad_lines_are_said_and_left_out(read):
    lines = (
        LINES + "SYSA,CPU,never,15,4,1.0\nSYSA,CPU\nSYSA,CPU,2022-04-12 01:00,15,4,x\n"
    )
    reading = read(lines, CPU)
    assert reading.status == "degraded"
    assert [(p.line, p.message) for p in reading.problems] == [
        (5, "the time or the length of this line is not understood"),
        (6, "it has 2 cells, but 6 headings"),
        (7, "Busy: 'x' is no figure"),
    ]


def test_a_mapped_column_that_the_file_lacks_is_refused(read):
    with pytest.raises(UserError, match="no column 'Busy'"):
        read(LINES.replace("Busy", "Load"), CPU)


@pytest.mark.parametrize(
    ("old", "new", "what", "line"),
    [
        ("cpu_interval", "cpu_intervals", "no table 'cpu_intervals'", 1),
        ("busy_pct", "busy_percent", "no column 'busy_percent'", 9),
        ("  basis: lpar_busy\n", "", "needs the column 'basis'", 5),
        ("where:", "were:", "no such entry", 4),
    ],
)
def test_mistakes_in_the_mapping_have_their_line(read, old, new, what, line):
    with pytest.raises(UserError, match=what) as caught:
        read(LINES, CPU.replace(old, new))
    assert caught.value.issues[0].where.line == line


def test_encoding_that_does_not_exist(read):
    with pytest.raises(UserError, match="not an encoding"):
        read(LINES, CPU + "encoding: klingon\n")


def test_a_file_without_lines_is_empty(read):
    assert read(LINES.splitlines()[0] + "\n", CPU).status == "empty"


def test_the_example_of_the_page_is_read_as_it_says(tmp_path, root):
    """The page's mapping and lines are read as it says."""
    page = (root / "docs" / "how-to" / "csv-mapping.md").read_text(encoding="utf-8")
    blocks = {
        block.partition("\n")[0]: block.partition("\n")[2]
        for block in page.split("```")[1::2]
    }
    (tmp_path / "lpar.csv").write_text(blocks["csv"])
    (tmp_path / "lpar.csv.mapping.yaml").write_text(blocks["yaml"])
    (row, _) = rows(read_file(tmp_path / "lpar.csv", "UTC"))
    assert (row["system"], row["seconds"], row["busy_seconds"]) == (
        "SYSA",
        900.0,
        900.0,
    )


def test_an_impossible_percentage_is_told(read):
    reading = read(LINES.replace("25.0", "250"), CPU)
    assert reading.reason == "busy_pct of CP is 250%, which cannot be: it was not used"
    assert (reading.status, len(rows(reading))) == ("degraded", 1)
