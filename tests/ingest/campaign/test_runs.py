"""Mistakes of an author in runs.csv."""

from __future__ import annotations

import datetime as dt

import pytest
import yaml

from analysis.ingest.campaign.check import read_checked
from analysis.ingest.campaign.runs import (
    CpuFile,
    cpu_cell,
    parse_cpu,
    parse_time,
    read_rows,
)

CSV = "runs.csv"
FIRST = "A-RR10(100B)-01,"
LOG = "A/RR10(100B)/rep01/client.txt"
META = "A/RR10(100B)/rep01/meta.json"
START, END = "2026-11-21T04:26:49.", "2026-11-21T04:"


def cells(folder, line: int) -> list[str]:
    return (folder.path / CSV).read_text().splitlines()[line - 1].split(",")


def set_cell(folder, column: str, text: str, line: int = 2) -> None:
    lines = (folder.path / CSV).read_text().splitlines()
    at = lines[0].split(",").index(column)
    row = lines[line - 1].split(",")
    row[at] = text
    lines[line - 1] = ",".join(row)
    (folder.path / CSV).write_text("\n".join(lines) + "\n")


def get_cell(folder, column: str, line: int = 2) -> str:
    return cells(folder, line)[cells(folder, 1).index(column)]


@pytest.mark.parametrize(
    ("column", "text", "what"),
    [
        ("run", "", "the run has no id"),
        ("configuration", "C", "there is no configuration 'C'"),
        ("workload", "RR10", "workload: 'RR10' is not a workload name"),
        ("workload", "RR0(100B)", "workload: 'RR0(100B)': a workload has at least"),
        ("repetition", "0", "repetition: '0' is not a whole number of 1 or more"),
        ("repetition", "1.5", "repetition: '1.5' is not a whole number"),
        ("repetition", "9" * 5000, "is not a whole number"),
        ("order", "first", "order: 'first' is not a whole number"),
        ("start", "yesterday", "start: 'yesterday' is not a time"),
        ("start", "2026-11-21T04:26:11", "start: the time '2026-11-21T04:26:11' has"),
        ("start", "0001-01-01T00:00:00+23:00", "is out of all bounds"),
        ("end", "2026-11-21T04:00:00Z", "the run ends at 2026-11-21T04:00:00Z, before"),
        ("end", "", "only one of start and end is given"),
        ("client", "cly", "client: there is no system 'cly'"),
        ("client", "srv", "client: the system 'srv' is a server"),
        ("log", "", "the run has no log"),
        ("log", "A/client.txt", "the file 'A/client.txt' does not exist"),
        ("log", "../client.txt", "leads out of the campaign's folder"),
        ("log", "/etc/hostname", "the file '/etc/hostname' is an absolute path"),
        ("cpu", "A/meta.json", "the file 'A/meta.json' does not exist"),
        ("cpu", f"{META};{META}", f"cpu: the file {META!r} is named twice"),
        ("cpu", f"SYSA={META}", "cpu: there is no system 'SYSA'"),
    ],
)
def test_a_wrong_cell_is_named_with_its_line(folder, column, text, what):
    set_cell(folder, column, text, line=3 if column == "log" and not text else 2)
    found = folder.found()
    assert len(found) == 1
    assert found[0].startswith(("runs.csv:2: ", "runs.csv:3: "))
    assert what in found[0]


def test_a_near_name_is_offered(folder):
    set_cell(folder, "client", "cly")
    assert folder.issues()[0].mend == (
        "did you mean 'cli'? campaign.yaml declares cli, srv"
    )


def test_a_deleted_log_is_named_once_and_by_its_run(folder):
    (folder.path / LOG).unlink()
    assert folder.found() == [f"runs.csv:2: the file {LOG!r} does not exist"]


def test_a_run_named_twice_is_named_with_both_lines(folder):
    set_cell(folder, "run", get_cell(folder, "run", 2), line=3)
    assert folder.found() == [
        "runs.csv:3: the run 'A-RR10(100B)-01' is already in line 2"
    ]


def test_a_line_copied_whole_is_named(folder):
    text = (folder.path / CSV).read_text()
    (folder.path / CSV).write_text(text + text.splitlines()[1] + "\n")
    found = folder.found()
    assert [f.split("'")[0] for f in found] == [
        "runs.csv:6: the run ",
        "runs.csv:6: the repetition ",
        "runs.csv:6: the log ",
        "runs.csv:6: the order ",
    ]


def test_a_repetition_is_one_also_where_the_workload_is_written_otherwise(folder):
    for column in ("configuration", "repetition"):
        set_cell(folder, column, get_cell(folder, column, 2), line=3)
    set_cell(folder, "workload", "RR[10](100B/100B)", line=3)
    assert folder.found() == [
        "runs.csv:3: the repetition 'A RR10(100B) 1' is already in line 2"
    ]


@pytest.fixture
def nobody(folder):
    """A folder whose first run names no system; ``nobody(roles)`` declares some."""

    def declare(*roles: str) -> None:
        set_cell(folder, "client", "")
        set_cell(folder, "server", "")
        path = folder.path / "campaign.yaml"
        data = yaml.safe_load(path.read_text())
        for system in data["systems"].values():
            system.pop("role")
        for system, role in zip(data["systems"].values(), roles, strict=False):
            system["role"] = role
        path.write_text(yaml.safe_dump(data))

    return declare


def test_no_system_at_all_is_named(folder, nobody):
    nobody()
    assert folder.found() == ["runs.csv:2: no system took part"]


def test_a_run_that_names_none_has_the_declared_roles(folder, nobody):
    nobody("client")
    assert read_checked(folder.path).runs[0].roles == {"client": "cli"}
    assert read_checked(folder.path).runs[1].roles == {"client": "cli", "server": "srv"}


def test_two_systems_of_one_declared_role_are_no_default(folder, nobody):
    nobody("server", "server")
    assert folder.found() == [
        "runs.csv:2: which server took part, cli or srv?",
        "runs.csv:3: client: the system 'cli' is a server",
        "runs.csv:4: client: the system 'cli' is a server",
        "runs.csv:5: client: the system 'cli' is a server",
    ]


def test_a_system_with_two_roles_in_one_run_is_named(folder, nobody):
    nobody()
    set_cell(folder, "client", "cli")
    set_cell(folder, "server", "cli")
    assert folder.found() == [
        "runs.csv:2: the system 'cli' is client and server of one run"
    ]


def test_mistakes_of_many_lines_come_at_once_in_their_order(folder):
    set_cell(folder, "repetition", "x", line=4)
    set_cell(folder, "workload", "x", line=2)
    set_cell(folder, "configuration", "x", line=3)
    assert [f.split(":")[1] for f in folder.found()] == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("workload", "work_load", "the column 'workload' is missing"),
        ("workload", "work_load", "there is no column 'work_load'"),
        ("order", "run", "the column 'run' is there twice"),
    ],
)
def test_a_wrong_header_is_named(folder, old, new, what):
    folder.edit(CSV, old, new)
    assert f"runs.csv:1: {what}" in folder.found()


@pytest.mark.parametrize("text", ["", "\n\n", "run,configuration\n"])
def test_a_file_without_runs_is_named(folder, text):
    header = (folder.path / CSV).read_text().splitlines()[0]
    (folder.path / CSV).write_text(f"{header}\n" if "," in text else text)
    assert folder.found() == ["runs.csv: there are no runs in it"]


def test_a_missing_table_of_runs_is_named(folder):
    (folder.path / CSV).unlink()
    assert folder.found() == ["runs.csv: this file is missing"]


def test_a_line_with_a_missing_cell_is_named(folder):
    folder.edit(CSV, ",cli,srv,", ",cli,")
    assert "runs.csv:2: 11 cells, but the header has 12 columns" in folder.found()


@pytest.mark.parametrize(("mark", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_another_separator_is_named(folder, mark, name):
    text = (folder.path / CSV).read_text().replace(";", "|").replace(",", mark)
    (folder.path / CSV).write_text(text)
    (issue,) = folder.issues()
    assert issue.what == f"the columns are separated by {name}"
    assert "comma separated" in issue.mend


def test_csv_as_a_spreadsheet_saves_it_is_read(folder):
    text = (folder.path / CSV).read_text().replace("\n", "\r\n") + "\r\n,,,,,,,,,,\r\n"
    (folder.path / CSV).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert len(read_checked(folder.path).runs) == 4


def test_text_that_is_not_utf8_is_named_with_its_line(folder):
    data = (folder.path / CSV).read_bytes().replace(b",cli,", b",cl\xed,", 2)
    (folder.path / CSV).write_bytes(data)
    assert folder.found() == ["runs.csv:2: not UTF-8 text"]


def test_a_quote_that_is_never_closed_is_named(folder):
    folder.edit(CSV, FIRST, f'"{FIRST}')
    assert folder.found()[0].startswith("runs.csv:2: not valid CSV")


def test_lines_count_as_an_editor_counts_them(tmp_path):
    header = "run,configuration,workload,repetition,start,end,log,note\n"
    path = tmp_path / CSV
    path.write_text(f'{header}\na,A,RR1(1B),1,,,x,"two\nlines"\nb,A,RR1(1B),2,,,y,\n')
    rows, issues = read_rows(path)
    assert not issues
    assert [row.line for row in rows] == [3, 5]


def test_times_become_utc():
    expected = dt.datetime(2026, 1, 31, 8, 30, tzinfo=dt.UTC)
    assert parse_time("2026-01-31T09:30:00+01:00") == expected
    assert parse_time("2026-01-31 08:30:00Z") == expected
    assert parse_time("") is None


def test_a_cpu_file_may_name_its_system():
    assert parse_cpu(" rmf/a.xml ; SYSB=rmf/b.xml;") == (
        CpuFile("rmf/a.xml"),
        CpuFile("rmf/b.xml", "SYSB"),
    )
    assert parse_cpu("rmf/day=1.xml") == (CpuFile("rmf/day=1.xml"),)


@pytest.mark.parametrize(("units", "size"), [("binary", 1024), ("decimal", 1000)])
def test_the_campaign_states_the_units_of_payloads(folder, units, size):
    folder.edit("campaign.yaml", "\nsystems:", f"\npayload_units: {units}\nsystems:")
    set_cell(folder, "workload", "RR10(1kB)")
    (line,) = [r for r in read_checked(folder.path).runs if r.line == 2]
    assert line.workload.request_bytes == size


def test_units_of_payloads_that_do_not_exist(folder):
    folder.edit("campaign.yaml", "\nsystems:", "\npayload_units: metric\nsystems:")
    (found,) = folder.found()
    assert "payload_units: 'metric' is not known here" in found


@pytest.mark.parametrize(
    "entries",
    [
        ("a;b.txt", "c.txt"),
        ("SYSA=day;1.xml",),
        (";", "rmf/;;.xml"),
        ("it's {a} $(b).txt", "-x"),
    ],
)
def test_a_semicolon_in_the_name_of_a_cpu_file_is_kept(entries):
    read = parse_cpu(cpu_cell(entries))
    assert (
        tuple(f"{e.system}={e.file}" if e.system else e.file for e in read) == entries
    )


def test_an_order_against_the_starts_is_named_with_both_lines(folder):
    lines = (folder.path / CSV).read_text().splitlines()
    at = {get_cell(folder, "start", n): n for n in range(2, len(lines) + 1)}
    first, *_, last = (at[start] for start in sorted(at))
    orders = [get_cell(folder, "order", line) for line in (first, last)]
    for line, order in zip((first, last), reversed(orders), strict=True):
        set_cell(folder, "order", order, line)
    found = folder.found()
    assert all("ended before order" in words for words in found)
    assert any(words.startswith(f"runs.csv:{first}: ") for words in found)


def test_an_order_that_follows_the_starts_is_left_alone(folder):
    lines = (folder.path / CSV).read_text().splitlines()
    starts = [get_cell(folder, "start", n) for n in range(2, len(lines) + 1)]
    for line, start in enumerate(starts, 2):
        set_cell(folder, "order", str(sorted(starts).index(start) + 1), line)
    assert len(read_checked(folder.path).runs) == len(starts)


def in_sessions(folder, sessions: str) -> None:
    """Of the lines, which are put in the order of their runs."""
    header, *lines = (folder.path / CSV).read_text().splitlines()
    at = header.split(",").index("start")
    lines.sort(key=lambda line: line.split(",")[at])
    (folder.path / CSV).write_text("\n".join([header, *lines]) + "\n")
    for line, session in enumerate(sessions, 2):
        set_cell(folder, "session", session, line)


@pytest.mark.parametrize(
    ("sessions", "what"),
    [
        ("1212", ["runs.csv:4: session '1' was over when line 3 began",
                  "runs.csv:5: session '2' was over when line 4 began"]),
        ("1221", ["runs.csv:5: session '1' was over when line 3 began"]),
        ("11?2", ["runs.csv:4: the session '?' will not do here"]),
    ],
)  # fmt: skip
def test_sessions_that_cannot_be_are_named_with_their_lines(folder, sessions, what):
    in_sessions(folder, sessions)
    assert folder.found() == what


def test_a_run_without_a_session_among_others_is_named(folder):
    in_sessions(folder, "1112")
    set_cell(folder, "session", "", line=3)
    assert folder.found() == [
        "runs.csv:3: the run has no session, and that in line 2 has one"
    ]


def test_sessions_of_runs_are_read(folder):
    in_sessions(folder, "1122")
    runs = read_checked(folder.path).runs
    assert [run.session for run in runs] == [*"1122"]


def test_sessions_of_other_systems_may_be_side_by_side(folder):
    in_sessions(folder, "1212")
    path = folder.path / "campaign.yaml"
    other = "  cli2: {role: client, cps: 2}\n  srv2: {role: server, cps: 2}\n"
    path.write_text(path.read_text().replace("  srv:\n", f"{other}  srv:\n", 1))
    for line in (3, 5):
        set_cell(folder, "client", "cli2", line)
        set_cell(folder, "server", "srv2", line)
    assert [run.session for run in read_checked(folder.path).runs] == [*"1212"]
