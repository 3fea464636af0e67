import pytest

from analysis.declared.metrics import read_metrics
from analysis.derive.gates import (
    CPU,
    Flag,
    describe_flags,
    little_ratio,
    utilisation_ratio,
)
from analysis.derive.runs import open_database, read_campaigns
from analysis.derive.samples import read_evidence
from analysis.facts.kinds import KINDS
from tests.derive.conftest import SYSTEMS

METRICS = read_metrics()


def flags(world) -> list[Flag]:
    campaigns = read_campaigns({"lab"}, world.raw)
    with open_database(world.write()) as con:
        evidence = read_evidence(con, campaigns, METRICS)
    return [flag for found in evidence.flags.values() for flag in found]


def names(world) -> list[str]:
    return sorted({KINDS[flag.kind].name for flag in flags(world)})


def counted(world, run: str, busy_seconds: float) -> None:
    """Clock ticks of the machine that both systems are on."""
    world.campaign(systems={n: s | {"host": "host"} for n, s in SYSTEMS.items()})
    world.interval(
        "host", 0, 10, 0, basis="procstat", scope="system", run=run,
        busy_seconds=busy_seconds,
    )  # fmt: skip


def test_a_sound_run_has_no_flags(world):
    world.cpu(world.run("r"), 2.0, 1.0)
    counted(world, "r", 3.1)
    assert flags(world) == []


def test_the_identities():
    assert little_ratio(100_000, 100, 10) == pytest.approx(1)
    # the worked example: 100,000/s at 10 µs on 4 CPs are 25%
    assert utilisation_ratio(100_000, 10, 4, 25) == pytest.approx(1)


# one way; flowops as transactions; bits as bytes
@pytest.mark.parametrize("latency", [50, 200, 800])
def test_littles_law_finds_factors_of_two_and_eight(world, latency):
    world.run("r", rate=100_000, latency=latency)
    (flag,) = flags(world)
    assert flag.kind == "little"
    assert flag.value == pytest.approx(latency / 100)
    assert flag.concerns(METRICS["latency"])
    assert not flag.concerns(METRICS["cpu_cost"])


@pytest.mark.parametrize(("tolerance", "found"), [(0.04, 1), (0.06, 0)])
def test_the_campaign_declares_the_tolerance(world, tolerance, found):
    world.campaign(gates={"little": tolerance})
    world.run("r", rate=100_000, latency=95)
    assert len(flags(world)) == found


@pytest.mark.parametrize(
    ("think", "own", "ratio"),
    [(500, None, None), (100, None, 0.212), (9999, 500, None), (500, 0, 0.015)],
)
def test_littles_law_counts_the_time_of_thinking(world, think, own, ratio):
    """That of the configuration, where it has its own."""
    mine = {"label": "A"} | ({} if own is None else {"think": own})
    world.campaign(think=think, configurations={"A": mine})
    world.run("r", workload="ECI100(32kB)", rate=197, latency=7_600)
    found = [(flag.kind, flag.value) for flag in flags(world)]
    kind = "little" if own == 0 else "little_thinking"
    assert found == ([(kind, pytest.approx(ratio, abs=0.001))] if ratio else [])


def test_time_that_neighbours_used_breaks_the_utilisation_law(world):
    world.cpu(world.run("r"), 2.0, 1.0)
    counted(world, "r", 6.0)
    (flag,) = flags(world)
    assert flag.kind == "against_ticks"
    assert flag.value == pytest.approx(0.5)
    assert flag.concerns(METRICS["cpu_cost"])


def test_ticks_of_one_machine_say_nothing_of_another(world):
    """Control groups on one host, and a client elsewhere that counts its own ticks."""
    counted(world, "r", 1.0)
    world.campaign(
        systems={
            "cli": SYSTEMS["cli"] | {"cpu": "procstat"},
            "srv": SYSTEMS["srv"] | {"host": "host"},
        }
    )
    world.cpu(world.run("r"), 2.0, 1.0)
    world.rows["run_cpu"][0]["method"] = "procstat"
    assert flags(world) == []


def test_ticks_are_no_check_of_a_run_beside_another(world):
    for run in ("r", "s"):
        world.cpu(world.run(run, workload="STR1(1B/20MB)"), 2.0, 1.0)
        counted(world, run, 6.0)
    found = flags(world)
    assert {flag.kind for flag in found} == {"beside_ticks"}
    (remark,) = describe_flags(found[:1], 2)
    assert "clock ticks of the machine cannot confirm" in remark.words
    assert found[0].of == CPU


def test_runs_one_after_another_are_not_side_by_side(world):
    world.campaign(cpu={"source": "lpar_busy"})
    world.run("r", window=(0, 10))
    world.run("s", window=(9.5, 19.5))
    world.run("elsewhere", window=(0, 10), roles={"server": "x"})
    world.interval("srv", 0, 10, busy_pct=25)
    assert names(world) == []


def test_rmf_time_is_held_against_the_rate_that_the_tool_printed(world):
    world.campaign(cpu={"source": "lpar_busy"})
    world.run("r", rate=100_000, transactions=2_000_000, latency=100)
    world.interval("srv", 0, 10, busy_pct=25)
    (flag,) = flags(world)
    assert flag.kind == "against_utilisation"
    assert flag.value == pytest.approx(0.5)
    assert flag.role == "server"


@pytest.mark.parametrize(
    ("column", "value", "gate"),
    [
        ("idle_before", 0.89, "idle before"),
        ("tick_coverage", 0.94, "tick coverage"),
        ("tick_coverage", 2.5, "tick coverage"),
    ],
)
def test_the_machines_state_is_a_gate(world, column, value, gate):
    world.run("r", **{column: value})
    assert names(world) == [gate]


def test_what_is_unknown_is_not_flagged(world):
    world.run("r", idle_before=None, tick_coverage=None)
    world.rows["benchmark"][0] |= {"latency_mean_us": None}
    assert flags(world) == []


def test_a_degraded_run_says_why(world):
    world.run("r", status="degraded", reason="3 {odd} lines")
    (text,) = describe_flags(flags(world), 1)
    assert str(text) == "degraded: 1 of 1 runs: 3 {odd} lines"


def test_overlap_other_processors_and_idle_load_are_said(world):
    world.campaign(cpu={"source": "lpar_busy", "idle": {"srv": 0.1}})
    world.run("r", window=(0, 10))
    world.interval("srv", -1, 20, busy_pct=25)
    world.interval("srv", -1, 20, busy_pct=25, cpu_type="zIIP")
    assert names(world) == ["idle", "normalisation", "overlap", "types"]


def test_failed_runs_are_not_checked(world):
    world.run("r", status="failed", latency=1)
    assert flags(world) == []


def test_one_warning_gives_the_count_and_the_range():
    gate = ("against_ticks", CPU, {"tolerance": 0.1})
    found = [Flag("a", *gate, 0.5), Flag("b", *gate, 0.8), Flag("c", *gate, 0.6)]
    (all_three,) = describe_flags(found, 10)
    assert str(all_three) == (
        "utilisation law: 3 of 10 runs: rate × cost is 0.5 to 0.8 of the busy time in "
        "clock ticks, not within 1 ± 0.1"
    )
    (one,) = describe_flags(found[:1], 10)
    assert "1 of 10 runs: rate × cost is 0.5 of" in str(one)
    assert describe_flags([], 10) == ()


@pytest.mark.parametrize(
    ("coverage", "found"),
    [(0.9499, 1), (0.95, 0), (1.05, 0), (1.0501, 1), (1.06, 1)],
)
def test_ticks_may_miss_the_time_by_a_twentieth(world, coverage, found):
    world.run("r", tick_coverage=coverage)
    assert len(flags(world)) == found
