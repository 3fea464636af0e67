"""Facts of counts, of tails of latency and of columns that only a log has."""

from __future__ import annotations

import pytest

from analysis.declared.metrics import Metric, read_metrics
from analysis.derive.runs import open_database, read_runs
from analysis.derive.values import check_expressions, derive_rates
from analysis.errors import UserError
from tests.derive.conftest import Scenes, fact

SCENES = Scenes()
LOAD = "question.str1-1b-20mb.-"
AGAIN = {"A": [0, 0, 0, 0, 0, 0], "B": [3, 5, 2, 4, 6, 4]}
GIGABYTE = 10 * 47.7  # runs of 10 s, 47.7 transactions of 20 MB a second


def with_columns(lab, events, name="retransmits", **columns):
    """Runs of A and B with the same load, each with a number of events."""
    for configuration, counts in events.items():
        for nth, count in enumerate(counts):
            begun = 20.0 * (len(lab.rows["run"]) * 37 % 97)
            lab.run(
                f"{configuration}-{nth}", configuration, "STR1(1B/20MB)",
                rate=47.7 + nth / 1e4,
                window=(begun, begun + 10),
            )  # fmt: skip
            lab.rows["benchmark"][-1] |= {name: count} | columns
    lab.study()


@SCENES
def from_nothing(lab):
    with_columns(lab, AGAIN)


def test_a_count_is_that_of_all_runs_and_zero_is_a_value(scenes):
    none = fact(scenes["from-nothing"], f"{LOAD}.retransmits.A")
    some = fact(scenes["from-nothing"], f"{LOAD}.retransmits.B")
    moved = GIGABYTE * 20_971_521 / 1e9
    assert none.value == 0 and none.low == 0
    assert none.high == pytest.approx(3.6889 / (6 * moved), rel=1e-4)
    assert some.value == pytest.approx(24 / (6 * moved), rel=1e-4)
    assert some.samples[0] == pytest.approx(3 / moved, rel=1e-4)
    assert "of all runs together" in some.lineage.rule
    assert [w.words for w in none.warnings if "0 in all 6 runs" in w.words]


def test_a_rise_from_nothing_has_a_verdict_and_no_percentage(scenes):
    delta = fact(scenes["from-nothing"], f"{LOAD}.retransmits.B.delta")
    assert delta.printed.startswith("from 0 to 0.4") and "%" not in delta.printed
    assert delta.verdict == "regressed"
    assert delta.detectable is None
    assert "from_none" in [warning.kind for warning in delta.warnings]


@SCENES
def nothing_at_all(lab):
    with_columns(lab, {"A": [0] * 6, "B": [0] * 6})


def test_nothing_on_both_sides_is_said_in_words_and_tests_nothing(scenes):
    delta = fact(scenes["nothing-at-all"], f"{LOAD}.retransmits.B.delta")
    assert (delta.printed, delta.verdict, delta.p_value) == (
        "0 in all runs",
        None,
        None,
    )
    moved = fact(scenes["nothing-at-all"], f"{LOAD}.throughput.B.delta")
    assert "over 1 comparison" in moved.lineage.rule  # counts without events are none


@SCENES
def in_sessions(lab):
    """Each session has its luck: that of B is no worse than that of A."""
    with_columns(lab, {"A": [1, 1, 30, 30], "B": [30, 30, 1, 2]})
    for nth, run in enumerate(lab.rows["run"]):
        run["session"] = f"{nth // 2}"


def test_sessions_are_the_units_of_counts_where_they_are_known(scenes):
    value = fact(scenes["in-sessions"], f"{LOAD}.retransmits.A")
    assert "interval over 2 sessions" in value.lineage.rule
    delta = fact(scenes["in-sessions"], f"{LOAD}.retransmits.B.delta")
    assert delta.sessions == 2 and delta.verdict == "inconclusive"


@SCENES
def without_datagrams(lab):
    with_columns(lab, {"A": [0] * 6, "B": [0] * 6}, "lost_datagrams", datagrams=0)


def test_what_has_nothing_to_be_counted_per_is_no_value(scenes):
    metrics = {found.metric for found in scenes["without-datagrams"].facts}
    assert "throughput" in metrics and not {"retransmits", "datagrams_lost"} & metrics


DEPTH = Metric(
    label="Depth", unit="packets", better="lower", roles=False, shapes=("RR",),
    means="Depth.", evidence="benchmark", rule="as told", expression="log_depth * 2",
)  # fmt: skip


def test_a_metric_of_a_column_that_only_the_log_has(world):
    for nth, figures in enumerate(('{"depth": 21.5}', '{"mss": 9}', None)):
        world.run(f"r{nth}")
        world.rows["benchmark"][-1]["figures"] = figures
    assert check_expressions({"depth": DEPTH}, world.root) == []
    with open_database(world.write()) as con:
        rows = derive_rates(read_runs(con), read_metrics() | {"depth": DEPTH})
    assert rows["depth"].to_list() == [43.0, None, None]


def test_tails_are_of_one_instance_and_counts_of_all(world):
    tails = {"latency_p99_us": 90.0, "latency_max_us": 500.0, "retransmits": 2}
    for name in ("one", "two", "two"):
        if not world.rows["run"] or world.rows["run"][-1]["run"] != name:
            world.run(name)
        else:
            world.rows["benchmark"].append(world.rows["benchmark"][-1].copy())
        world.rows["benchmark"][-1] |= tails
    world.rows["benchmark"][-1]["latency_max_us"] = 700.0
    with open_database(world.write()) as con:
        one, two = derive_rates(read_runs(con), read_metrics()).to_dicts()
    assert (one["latency_p99"], one["latency_max"]) == (90, 500)
    assert (two["latency_p99"], two["latency_max"]) == (None, 700)
    assert one["retransmits"] == pytest.approx(2 / (one["bytes_moved"] / 1e9))
    assert two["retransmits"] == pytest.approx(4 / (two["bytes_moved"] / 1e9))


def test_what_a_count_is_per_is_checked_as_the_expression_is(tmp_path):
    again = read_metrics()["retransmits"]
    odd = {"again": again.model_copy(update={"per": "hours"})}
    [issue] = check_expressions(odd, tmp_path)
    assert issue.what == "again: the expression uses hours"
    path = tmp_path / "metrics.yaml"
    path.write_text(
        "cost:\n  label: Cost\n  unit: 1\n  better: lower\n  roles: true\n"
        "  shapes: [RR]\n  means: A.\n  evidence: cpu\n  times: [CP]\n  rule: a\n"
        "  expression: cps\n  per: counted\n".replace("unit: 1", "unit: s")
    )
    with pytest.raises(UserError, match="'per', has the evidence benchmark"):
        read_metrics(path)
