"""The verb ``inspect``: what it prints, its exit codes, and its speed's causes."""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.ingest.smf.sniff import TRANSFER
from analysis.ingest.tables.catalog import TABLES
from synthetic.emitters.rmf_xml import Interval, Processor, document
from tests.golden.update import SUFFIX, files, said

GOLDEN = Path(__file__).parents[1] / "golden"
LOG = GOLDEN / "uperf" / "rr-raw.txt"


@pytest.mark.parametrize("path", files(), ids=lambda p: f"{p.parent.name}/{p.name}")
def test_inspect_prints_what_stands_beside_each_golden_file(path):
    """After a change that is meant: ``python tests/golden/update.py``."""
    expected = path.with_name(path.name + SUFFIX).read_text(encoding="utf-8")
    assert said(path) == expected


def test_json_has_these_entries(capsys):
    assert main(["inspect", str(LOG), "--json"]) == 0
    about = json.loads(capsys.readouterr().out)
    assert list(about) == [
        "file", "format", "tool", "status", "reason", "records", "systems",
        "first_start_utc", "last_start_utc", "rows", "problems",
    ]  # fmt: skip
    assert about["file"] == str(LOG)
    assert about["rows"] == {"benchmark": 1, "interval": 3}
    assert about["first_start_utc"] == "2026-11-21T04:15:03.040390Z"


def test_rows_have_the_columns_of_their_table(capsys):
    path = GOLDEN / "procstat" / "before.txt"
    assert main(["inspect", str(path), "--rows"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 3
    for line in lines:
        assert list(line) == ["table", *TABLES["cpu_counter"]]
        assert line["source"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert line["position"] >= 1


def test_zone_is_passed_on(capsys):
    path = str(GOLDEN / "mpstat" / "str.json")
    starts = []
    for zone in ("UTC", "Asia/Tokyo"):
        main(["inspect", path, "--json", "--zone", zone])
        starts.append(json.loads(capsys.readouterr().out)["first_start_utc"])
    assert starts == ["2026-11-21T04:05:22.000000Z", "2026-11-20T19:05:22.000000Z"]


def test_text_tells_the_figures(capsys):
    assert main(["inspect", str(LOG)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("rr-raw.txt: uperf benchmark log\n")
    for figure in ("RR, 4 clients", "235,710 transactions/s", "16.97 µs", "47.14 MB/s"):
        assert figure in text
    assert "problems" not in text
    assert max(map(len, text.splitlines())) <= 88


def test_text_tells_what_is_wrong_and_where(capsys):
    assert main(["inspect", str(GOLDEN / "uperf" / "crr-reset-raw.txt")]) == 2
    text = capsys.readouterr().out
    assert "✗ failed – 8 errors, the first: Error for flowop read" in text
    assert "line 86: WARNING: 8 Errors detected during run" in text


def test_text_of_cpu_intervals(tmp_path, capsys):
    path = tmp_path / "report.xml"
    cpus = (Processor(dispatched=900, mvs_busy=900),)
    path.write_text(document(Interval(cpus, boost="ZIIP").xml()), encoding="utf-8")
    assert main(["inspect", str(path)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "2022-04-12T00:00:00 to 2022-04-12T00:30:00, local; unknown zone" in text
    assert "SYSA CP: 1 interval of 1800 s" in text
    assert "50.00% busy" in text
    assert "900.000 CPU seconds" in text
    assert "System Recovery Boost" in text


def test_many_problems_are_cut_short(tmp_path, capsys):
    path = tmp_path / "report.xml"
    report = Interval((Processor(dispatched=900, mvs_busy=900),)).xml()
    path.write_text(document(*[report] * 15), encoding="utf-8")
    main(["inspect", str(path), "--zone", "UTC"])
    assert "… and 4 more; --json prints them all" in capsys.readouterr().out


def test_unknown_file_lists_the_formats(tmp_path, capsys):
    path = tmp_path / "notes.txt"
    path.write_text("Hello\n", encoding="utf-8")
    assert main(["inspect", str(path)]) == 2
    text = capsys.readouterr().out
    assert "looks like text of a kind that is not known" in text
    assert " uperf," in text
    assert len(text.splitlines()) < 20


def test_details_are_printed_without_none_and_spare_digits(capsys):
    for name in ("qperf/several.txt", "iperf3/bidir.json", "iperf3/tcp.json"):
        assert main(["inspect", str(GOLDEN / name)]) == 0
    text = capsys.readouterr().out
    assert "None" not in text
    assert "sender bytes per second  –, –, –, 4,510,000,000" in text
    assert "2,347,160,688, 749,127,269" in text
    assert "retransmissions          17,704\n" in text


TEXT = b"1  R M F   C P U  A C T I V I T Y\n" * 40


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("day.smf", TEXT, "looks like text of a kind that is not known"),
        ("DAY.SMF", TEXT.decode().encode("cp037"), "looks like EBCDIC text"),
        ("day.smf", bytes(range(9)) * 99, "looks like binary data of a kind"),
    ],
)
def test_a_converted_dump_is_to_be_transferred_again(
    tmp_path, capsys, name, data, what
):
    (tmp_path / name).write_bytes(data)
    assert main(["inspect", str(tmp_path / name), "--json"]) == 2
    reason = json.loads(capsys.readouterr().out)["reason"]
    assert reason.startswith(what)
    assert reason.endswith(f"though an SMF dump by its name; {TRANSFER}")
    assert "BINARY, QUOTE SITE RDW" in TRANSFER


@pytest.mark.parametrize(("name", "data"), [("day.txt", TEXT), ("day.smf", b"%PDF-1")])
def test_other_files_get_no_advice_on_dumps(tmp_path, capsys, name, data):
    (tmp_path / name).write_bytes(data)
    main(["inspect", str(tmp_path / name), "--json"])
    assert TRANSFER not in capsys.readouterr().out


@pytest.mark.parametrize("form", [[], ["--json"], ["--rows"]])
def test_an_empty_file_is_called_so(tmp_path, capsys, form):
    path = tmp_path / "empty"
    path.touch()
    assert main(["inspect", str(path), *form]) == 2
    assert ("empty" in capsys.readouterr().out) == (form != ["--rows"])


def test_missing_file_is_one_clear_message(capsys):
    assert main(["inspect", "no/such.txt"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "error: no/such.txt: there is no such file\n  mend: check the path\n"
    )


def test_start_imports_nothing_heavy():
    """A user waits for it: no database, no statistics, no drawing."""
    code = (
        "import sys; from analysis.cli import main\n"
        f"main(['inspect', {str(LOG)!r}, '--json'])\n"
        "print(sorted({m.split('.')[0] for m in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    for heavy in ("duckdb", "scipy", "plotnine", "pandas", "pyarrow", "pydantic"):
        assert f"'{heavy}'" not in run.stdout


def test_reader_of_a_pipe_may_leave():
    """As in ``inspect FILE --rows | head -1``."""
    path = GOLDEN / "mpstat" / "str.json"
    program, file = shlex.quote(sys.executable), shlex.quote(str(path))
    command = f"{program} -m analysis inspect {file} --rows | head -n 0"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert run.stderr == ""


@pytest.mark.parametrize(
    ("name", "cut", "place"),
    [
        ("wrk/latency.txt", 0.5, {"line": 5}),  # where it ends
        ("wrk/all-errors.txt", 1, {"line": 1}),  # the result
        ("contract/wrong-unit.csv", 1, {"line": 2}),  # as the reason says
        ("flent/ping.flent.gz", 0.5, {"offset": 1987}),  # of what was unpacked
    ],
)
def test_each_file_that_is_wrong_tells_where(tmp_path, capsys, name, cut, place):
    data = (GOLDEN / name).read_bytes()
    path = tmp_path / "log"
    path.write_bytes(data[: int(cut * len(data))])
    main(["inspect", "--json", str(path)])
    about = json.loads(capsys.readouterr().out)
    assert about["status"] != "ok"
    first = about["problems"][0]
    assert {k: v for k, v in first.items() if k not in ("kind", "message")} == place


def test_text_tells_how_to_mend(tmp_path, capsys):
    path = tmp_path / "log"
    path.write_bytes((GOLDEN / "wrk" / "latency.txt").read_bytes()[:200])
    assert main(["inspect", str(path)]) == 2
    assert "copy the whole file again" in capsys.readouterr().out
    path.write_bytes(b"")
    assert main(["inspect", str(path)]) == 2
    assert "repeat the run" in capsys.readouterr().out


def test_one_usable_test_makes_a_file_usable(tmp_path, capsys):
    text = (GOLDEN / "qperf" / "several.txt").read_text()
    path = tmp_path / "log"
    path.write_text(text.replace("3.18 GB/sec", "3,18 GB/sec"))
    assert main(["inspect", str(path)]) == 0
    told = capsys.readouterr().out
    assert "tcp_bw: ✗ failed" in told
    assert "udp_bw: ✓ ok" in told
