"""Several results in one log: which of them is the run's."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import polars as pl
import pytest

from analysis.cli import main
from analysis.declared.workload import parse_workload
from analysis.errors import UserError
from analysis.ingest.campaign.choose_test import unlike
from analysis.ingest.store import ingest
from tests.ingest.campaign.test_runs import LOG, set_cell

GOLDEN = Path(__file__).parents[2] / "golden"
WORKLOAD = "STR1(1B/20MB)"
CONTRACT = "benchmark_contract,tool,start,seconds,transactions,rate,workload\n"


def use_log(folder, log: str | Path, workload: str = WORKLOAD) -> None:
    """Give the first run another log and its workload, without any times."""
    if isinstance(log, Path):
        shutil.copy(log, folder.path / LOG)
    else:
        (folder.path / LOG).write_text(log)
    set_cell(folder, "workload", workload)
    set_cell(folder, "start", "")
    set_cell(folder, "end", "")
    meta = (folder.path / LOG).with_name("meta.json")
    meta.write_text(meta.read_text().replace("workload=", "driver="))
    folder.sign()


def add_test_column(folder, test: str) -> None:
    path = folder.path / "runs.csv"
    head, first, *rest = path.read_text().splitlines()
    lines = [f"{head},test", f"{first},{test}", *(f"{line}," for line in rest)]
    path.write_text("\n".join(lines) + "\n")


def mistakes(folder) -> list[str]:
    with pytest.raises(UserError) as caught:
        ingest(folder.path)
    return [str(issue).replace(f"{folder.path}/", "") for issue in caught.value.issues]


def own_rows(folder) -> list[dict]:
    benchmark = ingest(folder.path)["benchmark"]
    run = (folder.path / "runs.csv").read_text().splitlines()[1].split(",")[0]
    return benchmark.filter(pl.col("run") == run).to_dicts()


def test_several_tests_are_refused_until_one_is_chosen(folder):
    use_log(folder, GOLDEN / "ftp_zos" / "get-put.txt")
    assert mistakes(folder) == [
        f"runs.csv:2: {LOG} holds 2 tests: 'RETR', 'STOR'\n"
        "  mend: name one of them in the column test of runs.csv"
    ]


@pytest.mark.parametrize("test", ["RETR", "STOR"])
def test_the_chosen_rows_alone_are_the_runs(folder, test):
    use_log(folder, GOLDEN / "ftp_zos" / "get-put.txt")
    add_test_column(folder, test)
    (row,) = own_rows(folder)
    assert row["test"] == test


def test_a_test_that_is_not_in_the_log_is_named_with_those_that_are(folder, capsys):
    use_log(folder, GOLDEN / "ftp_zos" / "get-put.txt")
    add_test_column(folder, "APPE")
    assert main(["ingest", "--campaign", str(folder.path)]) == 2
    told = capsys.readouterr().err
    assert f"runs.csv:2: {LOG} holds no test 'APPE'" in told
    assert "its tests are 'RETR', 'STOR'" in told


def test_a_test_of_a_log_without_names_is_refused(folder):
    add_test_column(folder, "RETR")
    (mistake,) = mistakes(folder)
    assert "name none in the column test" in mistake


def test_results_without_clients_are_not_added_up(folder):
    text = (GOLDEN / "iperf2" / "bounceback.txt").read_text().replace("/mss/", "/-/")
    again = re.sub(r"(local \S+ port) \d+", r"\1 49999", text)
    use_log(folder, text + again, "RR1(100B)")
    (mistake,) = mistakes(folder)
    assert "holds 2 results, not all of which tell their clients" in mistake
    use_log(folder, text, "RR1(100B)")
    assert len(own_rows(folder)) == 1


@pytest.mark.parametrize(
    ("start", "refused"),
    [("04:00:05", False), ("04:00:09", False), ("04:00:10", True), ("05:00:00", True)],
)
def test_results_one_after_another_are_no_instances(folder, start, refused):
    text = CONTRACT + "".join(
        f"1,tool,2026-11-21T{at}Z,10,1000,100,RR10(100B)\n"
        for at in ("04:00:00", start)
    )
    use_log(folder, text, "RR20(100B)")
    if refused:
        (mistake,) = mistakes(folder)
        assert "holds results one after another, of 2026-11-21T04:00:00" in mistake
    else:
        assert len(own_rows(folder)) == 2


def test_netperf_instances_with_a_brand_each_are_one_load(folder):
    log = GOLDEN / "netperf_omni" / "concurrent.keyval"
    use_log(folder, log, "RR4(100B)")
    assert len(own_rows(folder)) == 4


def test_results_that_have_more_clients_than_the_workload_are_not_added_up(folder):
    """Such as those of three runs that were written to one log in turn."""
    text = (GOLDEN / "netperf" / "rr.txt").read_text()
    logs = [
        text.replace("14872.91", rate) for rate in ("14872.91", "14901.07", "14855.32")
    ]
    use_log(folder, "".join(logs), "RR1(100B)")
    (mistake,) = mistakes(folder)
    assert "workload is RR1(100B), but" in mistake
    assert "holds 3 results, of 3 clients together" in mistake
    assert "in a log of its own" in mistake


def name_log_twice(folder, first: str, second: str) -> list[str]:
    """Two runs of one log; the second one is a new line with its own test."""
    add_test_column(folder, first)
    path = folder.path / "runs.csv"
    header, line, *rest = path.read_text().splitlines()
    cells = dict(zip(header.split(","), line.split(","), strict=True))
    other = cells | {"run": "second", "repetition": "9", "test": second, "order": ""}
    path.write_text("\n".join([header, line, ",".join(other.values()), *rest]) + "\n")
    return [cells["run"], "second"]


@pytest.mark.parametrize(
    ("log", "workload", "tests", "figures"),
    [
        ("ftp_zos/get-put.txt", "STR1(1B/20MB)", ("RETR", "STOR"), (40.33e6, 30.57e6)),
        ("qperf/several.txt", "STR1(1B/20MB)", ("tcp_bw", "udp_bw"), (3.18e9, 2.5e9)),
    ],
)
def test_each_test_of_a_log_may_be_a_run(folder, log, workload, tests, figures):
    use_log(folder, GOLDEN / log, workload)
    runs = name_log_twice(folder, *tests)
    tables = ingest(folder.path)
    rows = tables["benchmark"].filter(pl.col("run").is_in(runs)).sort("test")
    assert rows["run"].to_list() == runs
    assert rows["test"].to_list() == list(tests)
    assert rows["bytes_per_second"].to_list() == pytest.approx(figures, rel=1e-3)
    assert rows["source"].n_unique() == 1
    status = tables["run"].filter(pl.col("run").is_in(runs))["status"]
    assert set(status) <= {"ok", "degraded"}


def test_a_failed_test_of_a_log_fails_its_own_run_alone(folder):
    text = (GOLDEN / "qperf" / "several.txt").read_text()
    use_log(folder, text.replace("3.18 GB/sec", "3,18 GB/sec"))
    runs = name_log_twice(folder, "tcp_bw", "udp_bw")
    tables = ingest(folder.path)
    found = tables["run"].filter(pl.col("run").is_in(runs))
    assert found["status"].to_list() == ["failed", "ok"]
    assert found["reason"][0].startswith("tcp_bw: ")
    rows = tables["benchmark"].filter(pl.col("run").is_in(runs)).sort("test")
    assert rows["bytes_per_second"].to_list() == [None, 2.5e9]


def test_a_log_that_is_cut_off_fails_the_run_of_its_last_test_alone(folder):
    text = (GOLDEN / "qperf" / "several.txt").read_text()
    use_log(folder, text.rstrip("\n"))
    runs = name_log_twice(folder, "tcp_bw", "udp_bw")
    found = ingest(folder.path)["run"].filter(pl.col("run").is_in(runs))
    assert found["status"].to_list() == ["ok", "truncated"]


def test_an_error_of_no_test_fails_the_runs_of_all(folder):
    text = (GOLDEN / "qperf" / "several.txt").read_text()
    use_log(folder, text + "failed to connect\n")
    runs = name_log_twice(folder, "tcp_bw", "udp_bw")
    found = ingest(folder.path)["run"].filter(pl.col("run").is_in(runs))
    assert found["status"].to_list() == ["failed", "failed"]


def test_each_run_of_a_log_has_the_bytes_of_its_own_workload(folder):
    use_log(folder, GOLDEN / "ftp_zos" / "get-put.txt")
    runs = name_log_twice(folder, "RETR", "STOR")
    set_cell(folder, "workload", "STR1(20MB/1B)", line=3)
    rows = ingest(folder.path)["benchmark"].filter(pl.col("run").is_in(runs))
    sizes = rows.sort("test").select("request_bytes", "response_bytes").rows()
    assert sizes == [(1, 20 * 2**20), (20 * 2**20, 1)]


@pytest.mark.parametrize(
    ("tests", "mistake"),
    [
        (("RETR", ""), f"3: another run has one test of the log '{LOG}'"),
        (("", "STOR"), f"2: another run has one test of the log '{LOG}'"),
        (("STOR", "STOR"), f"3: the log '{LOG} STOR' is already in line 2"),
        (("", ""), f"3: the log '{LOG}' is already in line 2"),
    ],
)
def test_no_result_is_that_of_two_runs(folder, tests, mistake):
    use_log(folder, GOLDEN / "ftp_zos" / "get-put.txt")
    name_log_twice(folder, *tests)
    told = mistakes(folder)
    assert f"runs.csv:{mistake}" in told[0].splitlines()[0]
    assert len(told) == 1


def test_what_a_log_tells_otherwise_than_its_workload_is_named():
    work = parse_workload("RR40(100B/200B)")
    row = {"shape": "STR", "request_bytes": 1, "response_bytes": None}
    assert list(unlike(work, row)) == ["shape", "request_bytes"]
