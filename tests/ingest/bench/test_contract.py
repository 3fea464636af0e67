"""The benchmark contract: units in names, Little's law, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.ingest.bench.contract import COLUMNS
from tests.ingest.logs import golden, little, reader, row, text_of

HEAD = "benchmark_contract,tool,workload,seconds,transactions,latency_mean_ms\n"
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "benchmark-contract.md"


@pytest.fixture
def read(tmp_path):
    return reader("contract", tmp_path)


def test_a_result_in_csv_agrees_with_the_law_of_little():
    reading = golden("contract/awm.csv")
    result = row(reading)
    assert (reading.status, reading.tool) == ("ok", "AWM")
    assert (result["shape"], result["clients"], result["rate"]) == ("RR", 40, 40000)
    assert (result["request_bytes"], result["response_bytes"]) == (200, 1000)
    assert result["latency_mean_us"] == pytest.approx(998)
    assert little(reading) == pytest.approx(1, abs=0.01)


def test_a_result_in_json_agrees_with_the_law_of_little():
    reading = golden("contract/results.json")
    assert little(reading) == pytest.approx(1, abs=0.01)
    assert row(reading)["latency_p99_us"] == pytest.approx(6100)


def test_response_time_of_terminals_in_seconds():
    reading = golden("contract/tpns.csv")
    assert row(reading)["latency_mean_us"] == pytest.approx(184_000)
    assert row(reading)["test"] == "AVG LAST of 500 terminals"


def test_a_declared_failure():
    reading = golden("contract/failed.csv")
    assert (reading.status, reading.reason) == ("failed", "the server did not answer")


TESTS = (
    "benchmark_contract,tool,test,seconds,transactions,errors,status,reason\n"
    "1,AWM,one,200,8000000,0,ok,\n"
    "1,AWM,two,200,8000000,0,failed,no answer\n"
    "1,AWM,three,200,8000000,900000,ok,\n"
    "1,AWM,four,200,8000000,1,ok,\n"
)


def test_a_failed_test_does_not_fail_the_others(read):
    reading = read(TESTS)
    assert reading.verdict().in_words == ("failed", "2 of 4 tests: no answer")
    verdicts = {t: reading.verdict(t).in_words for t in ("one", "two", "three", "four")}
    assert verdicts == {
        "one": ("ok", ""),
        "two": ("failed", "no answer"),
        "three": ("failed", "900,000 of 8,900,000 failed"),
        "four": ("degraded", "1 of 8,000,001 failed"),
    }
    rates = {result["test"]: result["rate"] for result in reading.results}
    assert rates == {"one": 40000, "two": None, "three": None, "four": 40000}


def test_a_file_that_is_cut_off_costs_its_last_test(read):
    reading = read(TESTS.removesuffix("\n"))
    assert reading.verdict("one").in_words == ("ok", "")
    assert reading.verdict("four")[0] == "truncated"
    assert reading.results[-1]["rate"] is None


def test_without_names_one_failed_result_fails_all(read):
    reading = read(TESTS.replace(",one,", ",,"))
    assert reading.verdicts == {}
    assert reading.verdict("one")[0] == reading.status == "failed"


@pytest.mark.parametrize(
    ("latency", "status"),
    [("0.998", "ok"), ("0.499", "degraded"), ("7.98", "degraded"), ("998", "degraded")],
)
def test_littles_law_finds_factors_of_2_8_and_1000(read, latency, status):
    reading = read(f"{HEAD}1,AWM,RR40(200B/1000B),200,8000000,{latency}\n")
    assert reading.status == status


@pytest.mark.parametrize(("latency", "status"), [("5", "ok"), ("900", "degraded")])
def test_clients_that_think_may_wait_less_than_always(read, latency, status):
    reading = read(f"{HEAD}1,driver,ECI100(32kB),60,11820,{latency}\n")
    assert reading.status == status


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD.replace(",", ";"), "not separated by commas"),
        (f"{HEAD}1,AWM,RR40(200B),200,8000000\n", "5 cells"),
        (f'{HEAD}1,AWM,RR40(200B),200,"8,000,000",1\n', "a comma in a number"),
        (f'{HEAD}1,AWM,RR40(200B),200,8000000,"0,9"\n', "a comma in a number"),
        (f"{HEAD}2,AWM,RR40(200B),200,8000000,1\n", "benchmark_contract is not 1"),
        (f"{HEAD}1,AWM,40 users,200,8000000,1\n", "is not a workload name"),
        (f"{HEAD}1,AWM,RR40(200B),0,8000000,1\n", "seconds is not positive"),
        (f"{HEAD}1,AWM,RR40(200B),,8000000,1\n", "no value for seconds"),
        (HEAD, "no results"),
        (HEAD.replace("latency_mean_ms", "latency"), "no column 'latency'"),
        ('{"benchmark_contract": 1, "results": 3}', "not a list"),
        ('{"benchmark_contract": 1, "results": [{"tool": true}]}', "neither"),
    ],
)
def test_what_is_refused(read, text, reason):
    reading = read(text)
    assert reading.status == "failed"
    assert reason in reading.reason


def test_mistakes_have_their_line(read):
    good = "1,AWM,RR40(200B),200,8000000,1\n"
    reading = read(f"{HEAD}{good}{good.replace('200,8', '200;8')}")
    assert reading.problems[0].line == 3


@pytest.mark.parametrize(
    ("rate", "status"), [(40000, "ok"), (41000, "degraded"), (4000, "failed")]
)
def test_time_and_rate_must_fit(read, rate, status):
    head = HEAD.replace("latency_mean_ms", "rate")
    reading = read(f"{head}1,AWM,RR40(200B),200,8000000,{rate}\n")
    assert reading.status == status


def test_workload_and_columns_must_fit(read):
    head = HEAD.replace("latency_mean_ms", "clients")
    reading = read(f"{head}1,AWM,RR40(200B),200,8000000,20\n")
    assert (reading.status, "contradicts" in reading.reason) == ("failed", True)


def test_a_cut_file_is_truncated(read):
    assert read(text_of("contract/awm.csv").rstrip()).status == "truncated"
    assert read(text_of("contract/results.json")[:-4]).status == "truncated"


def test_the_page_names_every_column():
    text = PAGE.read_text(encoding="utf-8")
    missing = [c for c in COLUMNS if f"`{c}`" not in text]
    in_each_unit = ("latency_p", "latency_max", "latency_deviation", "jitter")
    assert [c for c in missing if not c.startswith(in_each_unit)] == []


def test_the_examples_of_the_page_are_read(read):
    text = PAGE.read_text(encoding="utf-8")
    blocks = [b.split("\n", 1)[1] for b in text.split("```")[1::2]]
    examples = [b for b in blocks if "benchmark_contract" in b]
    assert len(examples) == 3
    assert [read(example).status for example in examples] == ["ok"] * 3


@pytest.mark.parametrize(("units", "size"), [("binary", 8192), ("decimal", 8000)])
def test_units_of_payloads_are_stated(read, units, size):
    text = "benchmark_contract,tool,workload,payload_units,seconds,transactions\n"
    found = read(f"{text}1,mine,CRR10(64B/8kB),{units},60,1000\n")
    assert row(found)["response_bytes"] == size


def test_units_of_payloads_that_do_not_exist(read):
    text = "benchmark_contract,tool,workload,payload_units,seconds,transactions\n"
    found = read(f"{text}1,mine,CRR10(64B/8kB),metric,60,1000\n")
    assert found.status == "failed"
    assert "'metric' is neither binary nor decimal" in found.reason


def test_other_numbers_are_kept_by_their_names(read):
    head = "benchmark_contract,tool,seconds,transactions,retransmits,log_queue_depth\n"
    result = row(read(f"{head}1,own,10,1000,3,7.5\n"))
    assert result["retransmits"] == 3
    assert result["figures"] == '{"queue_depth": 7.5}'
    assert read(f"{head}1,own,10,1000,3,deep\n").status == "failed"
