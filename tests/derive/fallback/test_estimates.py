"""From a database to facts: arms that were not measured are predicted, or are gaps."""

from __future__ import annotations

import pytest

from analysis.cli import main
from analysis.facts.fact import Facts
from tests.derive.conftest import Scenes, derive

SCENES = Scenes()

HS = {"interface": "hipersockets", "cps": 4, "mtu": 8192}
Z16, Z17 = HS | {"cpc": "z16"}, HS | {"cpc": "z17"}
RATES = [400_000.0 + 1000 * i for i in range(-3, 4)]
NAME = "RR10(1kB)"


def arms(**models):
    return {
        id: {"label": id, "details": {}} | ({"model": model} if model else {})
        for id, model in models.items()
    }


def find(facts: Facts, tail: str):
    (found,) = [f for f in facts.facts if f.key == f"question.{tail}"]
    return found


@SCENES
def missing_baseline(lab):
    """B was measured on a z17; A, the baseline on a z16, was not."""
    lab.campaign(configurations=arms(A=Z16, B=Z17))
    lab.runs("B", RATES, workload=NAME)
    lab.study()


def test_a_missing_baseline_is_predicted_from_the_measured_test(scenes):
    facts = scenes["missing-baseline"]
    found = find(facts, "rr10-1kb.client.cpu_cost.A")
    measured = find(facts, "rr10-1kb.client.cpu_cost.B")
    assert found.value == pytest.approx(measured.value * 9116 / 8237)
    assert (found.n, found.samples, found.confidence) == (0, (), 0.9)
    assert found.low < found.value < found.high
    assert found.origin == "modelled"
    assert found.printed[0].isdigit()
    assert found.lineage.runs == measured.lineage.runs
    assert found.lineage.files == measured.lineage.files
    assert str(found.warnings[0]).startswith("predicted: generation transfer: from")
    estimate = found.estimate
    assert (estimate.rung, estimate.model) == ("generation", "generation transfer")
    assert estimate.backtest_n == 11
    assert estimate.backtest_error == pytest.approx(6.79, abs=0.05)
    assert "no machine was measured" in estimate.notes[0]
    assert {(gap.metric, gap.configuration) for gap in facts.gaps} == {
        ("utilisation", "A")
    }


@SCENES
def interpolated(lab):
    osh = {"cpc": "z17", "interface": "osh", "cps": 4, "mtu": 1500}
    lab.campaign(configurations=arms(A=None, B=osh))
    rates = {4: 80_000.0, 10: 180_000.0, 20: 300_000.0, 40: 420_000.0}
    for clients, rate in rates.items():
        for arm in ("A", "B") if clients != 20 else ("A",):
            for i in range(-2, 3):
                start = 1000 * clients + 20 * i  # one load after another
                name, window = f"RR{clients}(1kB)", (start, start + 10)
                run = f"{arm}-{name}-{i}"
                here = rate * (1 + i / 1000)
                lab.run(run, arm, name, rate=here, window=window)
                lab.cpu(run, rate / 1e5, rate / 1e5)
    lab.study()


def test_an_interpolation_tells_the_error_behind_its_range(scenes):
    facts = scenes["interpolated"]
    estimate = find(facts, "rr20-1kb.-.rate.B").estimate
    assert (estimate.rung, estimate.backtest_of) == ("interpolation", "measured")
    assert (estimate.backtest_n, estimate.backtest_error) == (9, 12.1)
    assert "fewer than two of its own loads" in estimate.notes[0]


def test_a_change_against_a_prediction_has_a_range_and_no_test(scenes):
    facts = scenes["missing-baseline"]
    found = find(facts, "rr10-1kb.-.latency.B.delta")
    assert found.value == pytest.approx((8237 / 9116 - 1) * 100)
    assert found.printed == "−9.6%"
    assert found.low < found.value < found.high < 5
    assert (found.verdict, found.p_value, found.p_adjusted) == (None, None, None)
    assert (found.n, found.confidence, found.baseline) == (0, 0.9, "A")
    assert found.estimate.rung == "generation"
    assert found.origin == "modelled"
    assert str(found.warnings[0]).startswith("predicted: ")
    assert found.lineage.rule.startswith("predicted: ")


def test_the_error_of_the_measured_side_counts_once(scenes):
    facts = scenes["missing-baseline"]
    value = find(facts, "rr10-1kb.-.latency.A")
    delta = find(facts, "rr10-1kb.-.latency.B.delta")
    measured = find(facts, "rr10-1kb.-.latency.B").value
    ends = [100 * (measured / x - 1) for x in (value.high, value.low)]
    assert [delta.low, delta.high] == pytest.approx(ends)


def test_every_value_of_the_measured_arm_is_there(scenes):
    facts = [f for f in scenes["missing-baseline"].facts if f.metric != "utilisation"]
    keys = {f.key.replace(".A", ".B") for f in facts if f.configuration == "A"}
    assert keys == {
        f.key for f in facts if f.configuration == "B" and f.kind == "value"
    }


@SCENES
def synthetic_runs(lab):
    lab.campaign(configurations=arms(A=Z16, B=Z17))
    lab.runs("B", RATES, workload=NAME, origin="synthetic")
    lab.study()


def test_synthetic_runs_make_synthetic_predictions(scenes):
    facts = scenes["synthetic-runs"]
    assert {f.origin for f in facts.facts} == {"synthetic"}
    assert find(facts, "rr10-1kb.-.rate.A").estimate


@SCENES
def mixed(lab):
    osh = {"cpc": "z17", "interface": "osh", "cps": 4, "mtu": 1500}
    lab.campaign(configurations=arms(A=None, B=osh))
    lab.runs("A", RATES, workload="RR10(1kB)")
    for i, clients in enumerate((5, 40)):
        name, window = f"RR{clients}(1kB)", (100 * i, 100 * i + 10)
        slow = [rate / 100 * clients**0.5 for rate in RATES]
        lab.runs("B", slow, workload=name, origin="synthetic", window=window)
    lab.study()


def test_a_measured_arm_is_never_compared_with_one_made_of_synthetic_runs(scenes):
    facts = scenes["mixed"]
    assert find(facts, "rr10-1kb.-.rate.B").origin == "synthetic"
    assert not [f for f in facts.facts if f.kind == "delta"]
    mixed = [g for g in facts.gaps if g.baseline]
    assert {(g.baseline, g.workload) for g in mixed} == {("A", "RR10(1kB)")}
    assert "never mixes measured with synthetic" in str(mixed[0].why)


def test_what_nothing_can_tell_is_a_gap_with_its_reason(world, capsys):
    world.campaign("later", configurations=arms(A=Z16, B=Z17))
    world.runs("B", RATES, workload=NAME, campaign="later")
    world.study("transfer", campaigns=["later"], edition="atlas")
    world.runs("A", RATES, workload=NAME)
    world.study(metrics=["latency", "cpu_cost"])
    facts = derive(world)
    predicted = sum(f.estimate is not None for f in facts.facts)
    said = f", {predicted} predicted, 5 without estimate: "
    assert said in capsys.readouterr().out and predicted > 0
    facts = facts.of("paper")
    assert {f.configuration for f in facts.facts} == {"A"}
    assert {(g.configuration, g.metric, g.role) for g in facts.gaps} == {
        ("B", "latency", None),
        ("B", "cpu_cost", "client"),
        ("B", "cpu_cost", "server"),
    }
    reason = str(facts.gaps[0].why)
    for rung in ("interpolation: ", "generation: "):
        assert rung in reason


@SCENES
def control(lab):
    lab.runs("A", RATES, workload=NAME)
    lab.runs("B", RATES, workload=NAME)
    lab.study(tests=["A2", "B"], noise={"floor": 2.0, "control": "A2"})


def test_the_control_is_not_predicted(scenes):
    facts = scenes["control"]
    assert not facts.gaps
    assert not [f for f in facts.facts if f.estimate]


@SCENES
def own_baseline(lab):
    lab.campaign(configurations=arms(A=None, A2=None, B=None, C=None))
    for arm, name in (("A", NAME), ("B", NAME), ("A2", "RR1(1kB)"), ("C", "RR1(1kB)")):
        lab.runs(arm, RATES, workload=name)
    lab.study(tests=["B", "C"], baselines={"C": "A2"})


def test_an_arm_only_lacks_what_its_own_baseline_has(scenes):
    assert not scenes["own-baseline"].gaps


@SCENES
def at_once(lab):
    for i, rate in enumerate(RATES):
        window = (100 * i, 100 * i + 10)
        for name in ("RR10(4kB)", "STR1(5MB/1B)"):
            run = lab.run(f"{name}-{i}", "A", name, rate=rate, window=window)
            lab.cpu(run, 1.0, 1.0)
    lab.study(workloads=["RR*"])


def test_runs_at_the_same_time_are_known_as_a_mix(scenes):
    (why,) = {str(gap.why) for gap in scenes["at-once"].gaps if gap.metric == "latency"}
    assert "no model tells apart workloads that run at the same time" in why


@SCENES
def own_ids(lab):
    names = {"zen4-dpdk": {"label": "Zen 4"}, "zen4-xdp": {"label": "Zen 4, XDP"}}
    systems = {
        "probe": {"role": "client", "cps": 16}, "target": {"role": "server", "cps": 4}
    }  # fmt: skip
    lab.campaign(configurations=names, systems=systems)
    source = {"client": "probe", "server": "target"}
    rates = {1: 40_000.0, 10: 220_000.0, 40: 420_000.0}
    for nth, (clients, rate) in enumerate(rates.items()):
        for arm, faster in (("zen4-dpdk", 1.0), ("zen4-xdp", 1.2)):
            for i in range(-3, 4):
                name, here = f"RR{clients}(1kB)", rate * faster * (1 + i / 1000)
                start = 1000.0 * nth + 40 * (i + 3) + 20 * (faster > 1)
                run = lab.run(
                    f"{arm}-{name}-{i}", arm, name, rate=here,
                    window=(start, start + 10), roles=source,
                )  # fmt: skip
                for role, system in source.items():
                    used = {
                        "run": run, "role": role, "system": system, "cpu_type": "CP",
                        "cpu_seconds": rate / 1e5, "coverage": 1.0, "method": "cgroup",
                        "source": lab.file(f"{run}-{role}"),
                    }  # fmt: skip
                    lab.rows["run_cpu"].append(used)
    asked = {"workloads": ["RR20(1kB)"]}
    lab.study(baseline="zen4-dpdk", tests=["zen4-xdp"], estimate=asked)


def test_a_lab_with_ids_of_its_own_has_a_fourth_load_predicted(scenes):
    """Nothing but runs is known of its machines: no model, and no id of IBM."""
    facts = scenes["own-ids"]
    rate = find(facts, "rr20-1kb.-.rate.zen4-dpdk")
    assert rate.estimate.rung == "interpolation"
    assert 180_000 < rate.low < rate.value < rate.high < 520_000
    assert find(facts, "rr20-1kb.server.cpu_cost.zen4-xdp").estimate
    change = find(facts, "rr20-1kb.-.rate.zen4-xdp.delta")
    assert change.value == pytest.approx(20, abs=3)


CONTRADICTIONS = {
    "cps": (Z17 | {"cps": 3}, {}, "no system of this campaign has 3 CPs"),
    "mtu": (Z17, {"MTU": 1500}, "the details say MTU 1500"),
    "words": (Z17, {"mtu": "1500 (regular frames)"}, "the details say MTU 1500"),
}


def test_each_contradictory_model_is_named_with_its_line(world, capsys):
    repeats = arms(A=Z17, A2=Z16, B=None)
    repeats["A2"]["control_of"] = "A"
    declared = {"control": repeats}
    for name, (model, details, _) in CONTRADICTIONS.items():
        declared[name] = arms(A=model, B=None)
        declared[name]["A"]["details"] = details
    for name, configurations in declared.items():
        world.campaign(name, configurations=configurations)
        world.runs("A", RATES, workload=NAME, campaign=name)
        world.study(name, campaigns=[name])
    world.write()
    assert main(world.arguments()) == 2
    said = capsys.readouterr().err
    for name, (_, _, words) in CONTRADICTIONS.items():
        [line] = [li for li in said.splitlines() if f"{name}/campaign.yaml:" in li]
        assert words in line
    assert "A2 repeats A, but not its model" in said
    assert said.count("mend: ") == len(declared)


def test_two_campaigns_agree_about_a_configuration(world, capsys):
    world.campaign(configurations=arms(A=Z17, B=Z17))
    world.campaign("later", configurations=arms(A=Z16, B=Z17))
    world.runs("A", RATES, workload=NAME)
    world.study(campaigns=["lab", "later"])
    world.write()
    assert main(world.arguments()) == 2
    assert "lab and later declare 'A' unlike" in capsys.readouterr().err
