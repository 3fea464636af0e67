"""From a database to facts: arms that were not measured are predicted, or are gaps."""

from __future__ import annotations

import pytest

from analysis.cli import main
from analysis.facts.fact import Facts
from tests.derive.conftest import derive

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


@pytest.fixture
def missing_baseline(world):
    """B was measured on a z17; A, the baseline on a z16, was not."""
    world.campaign(configurations=arms(A=Z16, B=Z17))
    world.runs("B", RATES, workload=NAME)
    world.study()
    return world


def test_a_missing_baseline_is_predicted_from_the_measured_test(
    missing_baseline, capsys
):
    facts = derive(missing_baseline)
    predicted = sum(f.estimate is not None for f in facts.facts)
    assert f", {predicted} predicted: " in capsys.readouterr().out
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
    assert "too small a gain" in estimate.notes[0]
    assert facts.gaps == ()


def test_an_interpolation_tells_the_error_of_the_points_it_used(world):
    osh = {"cpc": "z17", "interface": "osh", "cps": 4, "mtu": 1500}
    world.campaign(configurations=arms(A=None, B=osh))
    rates = {1: 20_000.0, 10: 180_000.0, 20: 300_000.0, 40: 420_000.0}
    for clients, rate in rates.items():
        for arm in ("A", "B") if clients != 20 else ("A",):
            for i in range(-2, 3):
                start = 1000 * clients + 20 * i  # one load after another
                name, window = f"RR{clients}(1kB)", (start, start + 10)
                run = f"{arm}-{name}-{i}"
                here = rate * (1 + i / 1000)
                world.run(run, arm, name, rate=here, window=window)
                world.cpu(run, rate / 1e5, rate / 1e5)
    world.study()
    facts = derive(world)
    estimate = find(facts, "rr20-1kb.-.rate.B").estimate
    assert (estimate.rung, estimate.backtest_of) == ("interpolation", "left out")
    assert estimate.backtest_n == 1
    assert 0 < estimate.backtest_error < 20
    assert estimate.notes == ()  # three loads are not like a published series of six
    latency = find(facts, "rr20-1kb.-.latency.B").estimate
    assert latency.backtest_error == pytest.approx(estimate.backtest_error, rel=0.2)


def test_a_change_against_a_prediction_has_a_range_and_no_test(missing_baseline):
    facts = derive(missing_baseline)
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


def test_the_error_of_the_measured_side_counts_once(missing_baseline):
    facts = derive(missing_baseline)
    value = find(facts, "rr10-1kb.-.latency.A")
    delta = find(facts, "rr10-1kb.-.latency.B.delta")
    measured = find(facts, "rr10-1kb.-.latency.B").value
    ends = [100 * (measured / x - 1) for x in (value.high, value.low)]
    assert [delta.low, delta.high] == pytest.approx(ends)


def test_every_value_of_the_measured_arm_is_there(missing_baseline):
    facts = derive(missing_baseline).facts
    keys = {f.key.replace(".A", ".B") for f in facts if f.configuration == "A"}
    assert keys == {
        f.key for f in facts if f.configuration == "B" and f.kind == "value"
    }


def test_synthetic_runs_make_synthetic_predictions(world):
    world.campaign(configurations=arms(A=Z16, B=Z17))
    world.runs("B", RATES, workload=NAME, origin="synthetic")
    world.study()
    facts = derive(world)
    assert {f.origin for f in facts.facts} == {"synthetic"}
    assert find(facts, "rr10-1kb.-.rate.A").estimate


def test_a_measured_arm_is_never_compared_with_one_made_of_synthetic_runs(world):
    osh = {"cpc": "z17", "interface": "osh", "cps": 4, "mtu": 1500}
    world.campaign(configurations=arms(A=None, B=osh))
    world.runs("A", RATES, workload="RR10(1kB)")
    for i, clients in enumerate((1, 40)):
        name, window = f"RR{clients}(1kB)", (100 * i, 100 * i + 10)
        slow = [rate / 100 * clients**0.5 for rate in RATES]
        world.runs("B", slow, workload=name, origin="synthetic", window=window)
    world.study()
    facts = derive(world)
    assert find(facts, "rr10-1kb.-.rate.B").origin == "synthetic"
    assert not [f for f in facts.facts if f.kind == "delta"]
    mixed = [g for g in facts.gaps if g.baseline]
    assert {(g.baseline, g.workload) for g in mixed} == {("A", "RR10(1kB)")}
    assert "never mixes measured with synthetic" in str(mixed[0].why)


def test_what_nothing_can_tell_is_a_gap_with_its_reason(world, capsys):
    world.runs("A", RATES, workload=NAME)
    world.study(metrics=["latency", "cpu_cost"])
    facts = derive(world)
    assert ", 3 without estimate: " in capsys.readouterr().out
    assert {f.configuration for f in facts.facts} == {"A"}
    assert {(g.configuration, g.metric, g.role) for g in facts.gaps} == {
        ("B", "latency", None),
        ("B", "cpu_cost", "client"),
        ("B", "cpu_cost", "server"),
    }
    reason = str(facts.gaps[0].why)
    for rung in ("interpolation: ", "generation: "):
        assert rung in reason


def test_the_control_is_not_predicted(world):
    world.runs("A", RATES, workload=NAME)
    world.runs("B", RATES, workload=NAME)
    world.study(tests=["A2", "B"], noise={"floor": 2.0, "control": "A2"})
    facts = derive(world)
    assert not facts.gaps
    assert not [f for f in facts.facts if f.estimate]


def test_an_arm_only_lacks_what_its_own_baseline_has(world):
    world.campaign(configurations=arms(A=None, A2=None, B=None, C=None))
    for arm, name in (("A", NAME), ("B", NAME), ("A2", "RR1(1kB)"), ("C", "RR1(1kB)")):
        world.runs(arm, RATES, workload=name)
    world.study(tests=["B", "C"], baselines={"C": "A2"})
    assert not derive(world).gaps


def test_runs_at_the_same_time_are_known_as_a_mix(world):
    for i, rate in enumerate(RATES):
        window = (100 * i, 100 * i + 10)
        for name in ("RR10(4kB)", "STR1(5MB/1B)"):
            run = world.run(f"{name}-{i}", "A", name, rate=rate, window=window)
            world.cpu(run, 1.0, 1.0)
    world.study(workloads=["RR*"])
    (why,) = {str(gap.why) for gap in derive(world).gaps if gap.metric == "latency"}
    assert "no model tells apart workloads that run at the same time" in why


def test_a_lab_with_ids_of_its_own_has_a_fourth_load_predicted(world):
    """Nothing but runs is known of its machines: no model, and no id of IBM."""
    names = {"zen4-dpdk": {"label": "Zen 4"}, "zen4-xdp": {"label": "Zen 4, XDP"}}
    systems = {
        "probe": {"role": "client", "cps": 16}, "target": {"role": "server", "cps": 4}
    }  # fmt: skip
    world.campaign(configurations=names, systems=systems)
    source = {"client": "probe", "server": "target"}
    rates = {1: 20_000.0, 10: 180_000.0, 40: 420_000.0}
    for nth, (clients, rate) in enumerate(rates.items()):
        for arm, faster in (("zen4-dpdk", 1.0), ("zen4-xdp", 1.2)):
            for i in range(-3, 4):
                name, here = f"RR{clients}(1kB)", rate * faster * (1 + i / 1000)
                start = 1000.0 * nth + 40 * (i + 3) + 20 * (faster > 1)
                run = world.run(
                    f"{arm}-{name}-{i}", arm, name, rate=here,
                    window=(start, start + 10), roles=source,
                )  # fmt: skip
                for role, system in source.items():
                    used = {
                        "run": run, "role": role, "system": system, "cpu_type": "CP",
                        "cpu_seconds": rate / 1e5, "coverage": 1.0, "method": "cgroup",
                        "source": world.file(f"{run}-{role}"),
                    }  # fmt: skip
                    world.rows["run_cpu"].append(used)
    asked = {"workloads": ["RR20(1kB)"]}
    world.study(baseline="zen4-dpdk", tests=["zen4-xdp"], estimate=asked)
    facts = derive(world)
    rate = find(facts, "rr20-1kb.-.rate.zen4-dpdk")
    assert rate.estimate.rung == "interpolation"
    assert 180_000 < rate.low < rate.value < rate.high < 420_000
    assert find(facts, "rr20-1kb.server.cpu_cost.zen4-xdp").estimate
    change = find(facts, "rr20-1kb.-.rate.zen4-xdp.delta")
    assert change.value == pytest.approx(20, abs=3)


@pytest.mark.parametrize(
    ("model", "details", "line", "words"),
    [
        (Z17 | {"cpc": "z9"}, {}, 17, "no capacity of a CPC 'z9' is known"),
        (Z17 | {"cps": 3}, {}, 17, "no system of this campaign has 3 CPs"),
        (Z17, {"MTU": 1500}, 17, "the details say MTU 1500"),
        (Z17, {"mtu": "1500 (regular frames)"}, 17, "the details say MTU 1500"),
    ],
)
def test_a_contradictory_model_is_named_with_its_line(
    world, capsys, model, details, line, words
):
    declared = arms(A=model)
    declared["A"]["details"] = details
    world.campaign(configurations=declared | arms(B=None))
    world.runs("A", RATES, workload=NAME)
    world.study()
    world.write()
    assert main(world.arguments()) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "lab/campaign.yaml:" in said
    assert "mend: " in said


def test_a_control_has_the_model_of_what_it_repeats(world, capsys):
    declared = arms(A=Z17, A2=Z16, B=None)
    declared["A2"]["control_of"] = "A"
    world.campaign(configurations=declared)
    world.runs("A", RATES, workload=NAME)
    world.study()
    world.write()
    assert main(world.arguments()) == 2
    assert "A2 repeats A, but not its model" in capsys.readouterr().err


def test_two_campaigns_agree_about_a_configuration(world, capsys):
    world.campaign(configurations=arms(A=Z17, B=Z17))
    world.campaign("later", configurations=arms(A=Z16, B=Z17))
    world.runs("A", RATES, workload=NAME)
    world.study(campaigns=["lab", "later"])
    world.write()
    assert main(world.arguments()) == 2
    assert "lab and later declare 'A' unlike" in capsys.readouterr().err
