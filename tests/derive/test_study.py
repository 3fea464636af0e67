import numpy as np
import pytest

from analysis.statistics.median_change import measure_change
from tests.derive.conftest import FAST, SLOW, Scenes, derive, fact

SCENES = Scenes()


def compared(lab):
    """A against B, ten runs each, B faster by half."""
    lab.runs("A", SLOW)
    lab.runs("B", FAST)


@SCENES
def plain(lab):
    compared(lab)
    lab.study()


def test_a_value_has_interval_samples_and_lineage(scenes):
    found = fact(scenes["plain"], "question.rr10-100b.-.rate.A")
    assert (found.value, found.n, found.printed) == (99.5, 10, "99.5 trans/s")
    assert (found.low, found.high) == (96, 103)
    assert found.confidence == pytest.approx(0.9785, abs=1e-4)
    assert (found.role, found.baseline, found.verdict) == (None, None, None)
    assert sorted(found.samples) == sorted(SLOW)
    assert found.samples == tuple(SLOW)
    assert found.lineage.runs[0] == "A-RR10-1"
    assert found.lineage.files == tuple(
        sorted(f"sha-plain-A-RR10-{i}" for i in range(1, 11))
    )


def test_a_change_has_verdict_p_value_and_lineage(scenes):
    found = fact(scenes["plain"], "question.rr10-100b.-.rate.B.delta")
    assert found.value == pytest.approx(50)
    assert (found.printed, found.unit, found.baseline) == ("+50%", "%", "A")
    assert (found.verdict, found.threshold, found.n) == ("improved", 2, 10)
    assert found.p_adjusted >= found.p_value > 0
    assert len(found.lineage.runs) == len(found.lineage.files) == 20
    assert "Mann-Whitney" in found.lineage.rule


@SCENES
def untested(lab):
    compared(lab)
    lab.study(tests=[])


def test_a_study_without_tests_has_values_with_intervals_and_no_changes(scenes):
    facts = scenes["untested"]
    found = fact(facts, "question.rr10-100b.-.rate.A")
    assert (found.value, found.low, found.high) == (99.5, 96, 103)
    assert {(f.kind, f.configuration) for f in facts.facts} == {("value", "A")}


def test_a_cost_has_a_role_and_both_its_files(scenes):
    found = fact(scenes["plain"], "question.rr10-100b.client.cpu_cost.B.delta")
    assert found.verdict == "improved"  # the same CPU seconds for more transactions
    assert "sha-plain-B-RR10-1-cpu" in found.lineage.files
    assert "sha-plain-B-RR10-1" in found.lineage.files


@SCENES
def shapes(lab):
    compared(lab)
    lab.runs("A", SLOW, workload="STR3(1B/20MB)")
    lab.study()


def test_a_workload_only_has_the_metrics_of_its_shape(scenes):
    metrics = {(f.workload, f.metric) for f in scenes["shapes"].facts}
    assert ("STR3(1B/20MB)", "throughput") in metrics
    assert ("STR3(1B/20MB)", "latency") not in metrics
    assert ("RR10(100B)", "throughput") not in metrics


@SCENES
def chosen_roles(lab):
    compared(lab)
    lab.study(metrics=["latency", "cpu_cost"], roles={"cpu_cost": ["server"]})


def test_a_study_may_choose_roles_of_the_metrics_that_have_some(scenes):
    roles = {(f.metric, f.role) for f in scenes["chosen-roles"].facts}
    assert roles == {("latency", None), ("cpu_cost", "server")}


@SCENES
def chosen(lab):
    compared(lab)
    lab.runs("A", SLOW, workload="CRR10(64B/8kB)")
    lab.study(workloads=["RR*"], metrics=["latency"])


def test_a_study_may_choose_workloads_and_metrics(scenes):
    facts = scenes["chosen"].facts
    assert {(f.workload, f.metric) for f in facts} == {("RR10(100B)", "latency")}


@SCENES
def failed(lab):
    compared(lab)
    lab.run("B-bad", "B", rate=1e9, status="failed", reason="connection reset")
    lab.run("B-cut", "B", rate=1e9, status="truncated", reason="cut at line 9")
    lab.study()


def test_failed_runs_are_counted_and_enter_no_median(scenes):
    facts = scenes["failed"]
    value = fact(facts, "question.rr10-100b.-.rate.B")
    assert (value.n, value.value) == (10, pytest.approx(149.25))
    assert "excluded: 2 of 12 runs failed" in map(str, value.warnings)
    delta = fact(facts, "question.rr10-100b.-.rate.B.delta")
    assert "excluded: B: 2 of 12 runs failed" in map(str, delta.warnings)
    (count,) = [r for r in facts.runs if r.configuration == "B"]
    assert (count.used, count.excluded) == (10, 2)
    assert count.reasons == (
        ("B-bad", "failed: connection reset"),
        ("B-cut", "truncated: cut at line 9"),
    )


@SCENES
def no_benchmark(lab):
    compared(lab)
    lab.run("B-none", "B")
    lab.rows["benchmark"].pop()
    lab.study()


def test_a_sound_run_without_a_benchmark_is_excluded_too(scenes):
    (count,) = [r for r in scenes["no-benchmark"].runs if r.configuration == "B"]
    assert count.reasons == (("B-none", "failed: no benchmark result"),)


@SCENES
def odd_repetitions(lab):
    compared(lab)
    for at, row in enumerate(lab.rows["run"], 1):
        row["repetition"] = 2 * at
    lab.study()


def test_repetitions_that_no_line_lists_are_told(scenes):
    (count,) = [r for r in scenes["odd-repetitions"].runs if r.configuration == "A"]
    assert count.missing[:3] == ("1", "3", "5")


@SCENES
def all_failed(lab):
    lab.runs("A", SLOW)
    lab.run("B-bad", "B", status="failed", reason="no server")
    lab.study()


def test_a_cell_whose_runs_all_failed_has_counts_and_no_fact(scenes):
    facts = scenes["all-failed"]
    assert {f.configuration for f in facts.facts} == {"A"}
    (count,) = [r for r in facts.runs if r.configuration == "B"]
    assert (count.used, count.excluded) == (0, 1)


@SCENES
def three(lab):
    lab.runs("A", SLOW[:3])
    lab.runs("B", FAST[:3])
    lab.study()


def test_three_runs_are_observed_and_not_tested(scenes):
    facts = scenes["three"]
    found = fact(facts, "question.rr10-100b.-.rate.B.delta")
    assert (found.printed, found.verdict, found.low) == ("+50%", None, None)
    assert found.p_value is found.p_adjusted is None
    assert str(found.warnings[0]) == "not tested: n = 3; a test needs n ≥ 5"
    value = fact(facts, "question.rr10-100b.-.rate.B")
    assert (value.low, value.confidence) == (None, 0)
    assert "few: n = 3; an interval needs n ≥ 6" in map(str, value.warnings)


@SCENES
def single(lab):
    lab.runs("A", SLOW)
    lab.runs("B", FAST[:1])
    lab.study()


def test_a_single_run_prints_no_percentage(scenes):
    found = fact(scenes["single"], "question.rr10-100b.-.rate.B.delta")
    assert found.printed == "need n ≥ 4"


@SCENES
def control(lab):
    compared(lab)
    lab.runs("A2", [rate * 1.6 for rate in SLOW])
    lab.study(tests=["A2", "B"], noise={"floor": 2.0, "control": "A2"})


def test_the_control_raises_the_threshold_of_the_tests_but_not_its_own(scenes):
    facts = scenes["control"]
    tested = fact(facts, "question.rr10-100b.-.rate.B.delta")
    control = fact(facts, "question.rr10-100b.-.rate.A2.delta")
    assert tested.threshold == pytest.approx(max(abs(control.low), control.high))
    assert tested.verdict == "inconclusive"  # +50%, but noise alone does +60%
    assert control.threshold == 2


@SCENES
def few(lab):
    lab.runs("A", SLOW[:4])
    lab.runs("B", FAST[:4])
    lab.study()


def test_four_runs_suffice_for_three_comparisons(scenes):
    found = fact(scenes["few"], "question.rr10-100b.-.rate.B.delta")
    assert found.p_value == pytest.approx(1 / 70)
    assert (found.p_adjusted, found.verdict) == (pytest.approx(3 / 70), "improved")
    assert "few_for_all" not in [w.kind for w in found.warnings]


@SCENES
def repeats(lab):
    for name, rates in (("A", SLOW), ("B", FAST)):
        lab.runs(name, rates, workload="STR3(1B/20MB)")
    lab.study(metrics=["cpu_cost", "cpu_cost_per_mb"])


def test_a_metric_that_repeats_another_counts_once(scenes):
    facts = scenes["repeats"]
    cost = fact(facts, "question.str3-1b-20mb.client.cpu_cost.B.delta")
    per_mb = fact(facts, "question.str3-1b-20mb.client.cpu_cost_per_mb.B.delta")
    assert cost.p_adjusted == per_mb.p_adjusted == 2 * cost.p_value  # of two roles
    assert "over 2 comparisons" in cost.lineage.rule


@SCENES
def blocks(lab):
    for at, (name, rates) in enumerate((("A", SLOW), ("B", [1.05 * r for r in SLOW]))):
        for n, rate in enumerate(rates):
            start = 1000.0 * at + 20 * n
            lab.run(f"{name}{n}", name, rate=rate, window=(start, start + 10))
    lab.study(metrics=["rate"])


def test_runs_in_blocks_that_resemble_their_neighbours_count_for_fewer(scenes):
    found = fact(scenes["blocks"], "question.rr10-100b.-.rate.B.delta")
    assert [w.kind for w in found.warnings if w.kind == "alike"]
    plain = measure_change(*([np.array(r) for r in (SLOW, [1.05 * r for r in SLOW])]))
    assert found.p_value > plain.p_value
    assert found.low < plain.low < plain.high < found.high


@SCENES
def shuffled(lab):
    for at, (name, rates) in enumerate((("A", SLOW), ("B", [1.05 * r for r in SLOW]))):
        for n, rate in enumerate(rates):
            start = 40.0 * n + 20 * at
            lab.run(f"{name}{n}", name, rate=rate, window=(start, start + 10))
    lab.study(metrics=["rate"])


def test_shuffled_runs_keep_interval_and_p_value(scenes):
    found = fact(scenes["shuffled"], "question.rr10-100b.-.rate.B.delta")
    plain = measure_change(*([np.array(r) for r in (SLOW, [1.05 * r for r in SLOW])]))
    assert (found.p_value, found.low) == (plain.p_value, plain.low)


@SCENES
def wide(lab):
    compared(lab)
    lab.study(metrics=["rate"])
    lab.study("wide", tests=["B", "A2"])
    lab.runs("A2", SLOW)


def test_p_values_are_adjusted_over_the_whole_table(scenes):
    facts = scenes["wide"]
    alone = fact(facts, "question.rr10-100b.-.rate.B.delta")
    wide = fact(facts, "wide.rr10-100b.-.rate.B.delta")
    assert alone.p_adjusted == alone.p_value == wide.p_value
    assert wide.p_adjusted > wide.p_value


def test_another_study_moves_no_interval(world):
    compared(world)
    world.study()
    before = fact(derive(world), "question.rr10-100b.-.rate.B.delta")
    world.study("another", baseline="B", tests=["A"])
    assert fact(derive(world), before.key) == before


@SCENES
def flagged(lab):
    lab.runs("A", SLOW, latency=1.0)
    lab.runs("B", FAST)
    lab.study()


def test_flags_travel_to_the_facts_that_use_the_run(scenes):
    facts = scenes["flagged"]
    warned = "Little's law: 10 of 10 runs: rate × latency ÷ clients is 9.5e-06"
    value = fact(facts, "question.rr10-100b.-.latency.A")
    assert any(str(w).startswith(warned) for w in value.warnings)
    delta = fact(facts, "question.rr10-100b.-.latency.B.delta")
    told = "Little's law: A: 10 of 10 runs"
    assert any(str(w).startswith(told) for w in delta.warnings)
    assert not fact(facts, "question.rr10-100b.client.cpu_cost.A").warnings


@SCENES
def overlap(lab):
    lab.campaign(cpu={"source": "lpar_busy"})
    lab.run("r", "A", window=(0, 10))
    lab.interval("cli", 0, 10, busy_pct=25)
    lab.interval("srv", -1, 11, busy_pct=25)
    lab.run("s", "B", window=(0, 10))
    lab.study()


def test_a_flag_of_one_role_does_not_reach_the_other(scenes):
    facts = scenes["overlap"]
    warned = {
        role: fact(facts, f"question.rr10-100b.{role}.cpu_cost.A").warnings
        for role in ("client", "server")
    }
    assert any(str(w).startswith("overlap: 1 of 1 runs") for w in warned["server"])
    assert not any(w.kind == "overlap" for w in warned["client"])


@SCENES
def modes(lab):
    lab.runs("A", SLOW)
    lab.runs("B", [*FAST[:6], 700, 710, 720, 730])
    lab.study()


def test_two_modes_are_said_of_the_value_and_of_the_delta(scenes):
    facts = scenes["modes"]
    value = fact(facts, "question.rr10-100b.-.rate.B")
    delta = fact(facts, "question.rr10-100b.-.rate.B.delta")
    assert str(value.warnings[0]).startswith("bimodal: 6 runs near")
    assert str(delta.warnings[0]).startswith("bimodal: B: 6 runs near")
    assert not any(w.kind == "mixture" for w in delta.warnings)  # 100 is not 150


@SCENES
def mixture(lab):
    lab.runs("A", SLOW)
    lab.runs("B", [*SLOW[:6], 700, 710, 720, 730])
    lab.study()


def test_mixtures_of_the_same_modes_are_said_of_the_delta(scenes):
    delta = fact(scenes["mixture"], "question.rr10-100b.-.rate.B.delta")
    [said] = [str(w) for w in delta.warnings if w.kind == "mixture"]
    assert said == (
        "mixture: the runs have modes near 99.5 and 715; 0 of 10 runs of A and 4 of "
        "10 runs of B are in the upper one"
    )


@SCENES
def thin(lab):
    compared(lab)
    for row in lab.rows["run_cpu"]:
        if row["run"] in ("B-RR10-1", "B-RR10-2"):
            row["coverage"] = 0.79 if row["run"] == "B-RR10-1" else 0.8  # as declared
    lab.study()


def test_thin_cpu_evidence_stops_the_cost_of_that_run_alone(scenes, warned):
    facts = scenes["thin"]
    cost = fact(facts, "question.rr10-100b.client.cpu_cost.B")
    assert (cost.n, fact(facts, "question.rr10-100b.-.rate.B").n) == (9, 10)
    assert "missing: 1 of 10 runs lack this value" in map(str, cost.warnings)
    said = warned
    assert "run thin/B-RR10-1: the CPU evidence of its client covers 0.79" in said
    assert "declared 0.8" in said


@SCENES
def two_campaigns(lab):
    compared(lab)
    lab.campaign("later")
    for i, rate in enumerate(FAST):
        lab.run(f"later-{i}", "B", rate=rate, campaign="later")
    lab.study(campaigns=[lab.lab, "later"])


def test_two_campaigns_make_one_sample(scenes):
    assert fact(scenes["two-campaigns"], "question.rr10-100b.-.rate.B").n == 20


@SCENES
def origins(lab):
    lab.runs("A", SLOW)
    lab.runs("B", FAST, origin="modelled")
    lab.study()


def test_a_derived_fact_takes_the_weakest_origin(scenes):
    facts = scenes["origins"]
    assert fact(facts, "question.rr10-100b.-.rate.A").origin == "measured"
    assert fact(facts, "question.rr10-100b.-.rate.B.delta").origin == "modelled"


def twice(lab):
    """A against B, and A2 against C: each test has a baseline of its own."""
    compared(lab)
    names = {id: {"label": id, "details": {}} for id in ("A", "A2", "B", "C")}
    lab.campaign(configurations=names)
    lab.runs("A2", [rate * 3 for rate in SLOW])
    lab.runs("C", [rate * 3.3 for rate in SLOW])


@SCENES
def baselines(lab):
    twice(lab)
    lab.study(tests=["B", "C"], baselines={"C": "A2"})


def test_each_test_is_compared_with_its_own_baseline(scenes):
    facts = scenes["baselines"]
    first = fact(facts, "question.rr10-100b.-.rate.B.delta")
    second = fact(facts, "question.rr10-100b.-.rate.C.delta")
    assert (first.baseline, first.printed) == ("A", "+50%")
    assert (second.baseline, second.printed) == ("A2", "+10%")
    assert second.lineage.runs[0] == "A2-RR10-1"
    assert fact(facts, "question.rr10-100b.-.rate.A2").value == 3 * 99.5
    assert {f.configuration for f in facts.facts if f.kind == "delta"} == {"B", "C"}


@SCENES
def chain(lab):
    twice(lab)
    lab.study(tests=["A2", "C"], baselines={"C": "A2"})


def test_a_test_may_be_the_baseline_of_the_next(scenes):
    rates = [
        f for f in scenes["chain"].facts if (f.metric, f.kind) == ("rate", "delta")
    ]
    assert [(f.configuration, f.baseline) for f in rates] == [("A2", "A"), ("C", "A2")]


@SCENES
def own_control(lab):
    twice(lab)
    noise = {"floor": 2.0, "control": "C"}
    lab.study(tests=["B", "C"], baselines={"C": "A2"}, noise=noise)


def test_the_control_is_held_against_its_own_baseline(scenes):
    facts = scenes["own-control"]
    tested = fact(facts, "question.rr10-100b.-.rate.B.delta")
    control = fact(facts, "question.rr10-100b.-.rate.C.delta")
    assert tested.threshold == pytest.approx(max(abs(control.low), control.high))
    assert tested.threshold < 20  # +10% of C against A2, not +230% against A


@SCENES
def zero(lab):
    for at, (name, used) in enumerate((("A", 1.0), ("B", 0.0))):
        for n, rate in enumerate(SLOW):
            start = 1000.0 * at + 20 * n
            run = lab.run(f"{name}{n}", name, rate=rate, window=(start, start + 10))
            lab.cpu(run, used + n * used / 10, used)
    lab.study(metrics=["cpu_cost"])


def test_runs_in_blocks_may_be_zero(scenes):
    found = fact(scenes["zero"], "question.rr10-100b.client.cpu_cost.B.delta")
    assert (found.value, found.low, found.high) == (-100, None, None)
    assert [w.kind for w in found.warnings if w.subject == "B"] == ["equal"]
    assert found.verdict is None


@SCENES
def tools(lab):
    compared(lab)
    for row in lab.rows["benchmark"]:
        if row["run"].startswith("B"):
            row["tool"] = "netperf"
    lab.study()


def test_sides_that_different_tools_loaded_are_told(scenes):
    facts = scenes["tools"]
    [told] = [
        warning
        for warning in fact(facts, "question.rr10-100b.-.rate.B.delta").warnings
        if warning.kind == "tools"
    ]
    assert told.words == "A was loaded by uperf, B was loaded by netperf"
    value = fact(facts, "question.rr10-100b.-.rate.B")
    assert "tools" not in {warning.kind for warning in value.warnings}
