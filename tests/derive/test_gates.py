from functools import partial

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
from tests.derive.conftest import SYSTEMS, Scenes

METRICS = read_metrics()


SCENES = Scenes()


@pytest.fixture(scope="module")
def flags(tmp_path_factory) -> dict[str, list[Flag]]:
    """What is found of the runs of each scene."""
    world = SCENES.fill(tmp_path_factory.mktemp("gates"))
    campaigns = read_campaigns({*SCENES}, world.raw)
    with open_database(world.write()) as con:
        evidence = read_evidence(con, campaigns, METRICS)
    return {
        name: [
            flag
            for id, found in evidence.flags.items()
            if id.startswith(f"{name}/")
            for flag in found
        ]
        for name in SCENES
    }


def names(flags: list[Flag]) -> list[str]:
    return sorted({KINDS[flag.kind].name for flag in flags})


def apart(nth: int) -> tuple[int, int]:
    """The time of a run that meets no other."""
    return 20 * nth, 20 * nth + 10


def counted(world, run: str, busy_seconds: float) -> None:
    """Clock ticks of the machine that both systems are on."""
    world.campaign(systems={n: s | {"host": "host"} for n, s in SYSTEMS.items()})
    world.interval(
        "host", 0, 10, 0, basis="procstat", scope="system", run=run,
        busy_seconds=busy_seconds,
    )  # fmt: skip


@SCENES
def sound(lab):
    lab.cpu(lab.run("r"), 2.0, 1.0)
    counted(lab, "r", 3.1)


def test_a_sound_run_has_no_flags(flags):
    assert flags["sound"] == []


def test_ratios_are_one_for_the_worked_example():
    assert little_ratio(100_000, 100, 10) == pytest.approx(1)
    # the worked example: 100,000/s at 10 µs on 4 CPs are 25%
    assert utilisation_ratio(100_000, 10, 4, 25) == pytest.approx(1)


# one way; flowops as transactions; bits as bytes
LATENCIES = (50, 200, 800)


@SCENES
def latencies(lab):
    for nth, latency in enumerate(LATENCIES):
        lab.run(f"r{nth}", rate=100_000, latency=latency, window=apart(nth))


def test_littles_law_finds_factors_of_two_and_eight(flags):
    found = flags["latencies"]
    assert {flag.kind for flag in found} == {"little"}
    assert [flag.value for flag in found] == pytest.approx([0.5, 2, 8])
    assert found[0].concerns(METRICS["latency"])
    assert not found[0].concerns(METRICS["cpu_cost"])


@SCENES
def narrow(lab):
    lab.campaign(gates={"little": 0.04})
    lab.run("r", rate=100_000, latency=95)


@SCENES
def wide(lab):
    lab.campaign(gates={"little": 0.06})
    lab.run("r", rate=100_000, latency=95)


def test_the_campaign_declares_the_tolerance(flags):
    assert (len(flags["narrow"]), len(flags["wide"])) == (1, 0)


THINKING = ((500, None, None), (100, None, 0.212), (9999, 500, None), (500, 0, 0.015))


def thinking(lab, think, own):
    mine = {"label": "A"} | ({} if own is None else {"think": own})
    lab.campaign(think=think, configurations={"A": mine})
    lab.run("r", workload="ECI100(32kB)", rate=197, latency=7_600)


for nth, case in enumerate(THINKING):
    SCENES[f"think-{nth}"] = partial(thinking, think=case[0], own=case[1])


@pytest.mark.parametrize("nth", range(len(THINKING)))
def test_littles_law_counts_the_time_of_thinking(flags, nth):
    """That of the configuration, where it has its own."""
    _, own, ratio = THINKING[nth]
    found = [(flag.kind, flag.value) for flag in flags[f"think-{nth}"]]
    kind = "little" if own == 0 else "little_thinking"
    assert found == ([(kind, pytest.approx(ratio, abs=0.001))] if ratio else [])


@SCENES
def neighbours(lab):
    lab.cpu(lab.run("r"), 2.0, 1.0)
    counted(lab, "r", 6.0)


def test_time_that_neighbours_used_breaks_the_utilisation_law(flags):
    (flag,) = flags["neighbours"]
    assert flag.kind == "against_ticks"
    assert flag.value == pytest.approx(0.5)
    assert flag.concerns(METRICS["cpu_cost"])


@SCENES
def two_machines(lab):
    counted(lab, "r", 1.0)
    lab.campaign(
        systems={
            "cli": SYSTEMS["cli"] | {"cpu": "procstat"},
            "srv": SYSTEMS["srv"] | {"host": "host"},
        }
    )
    lab.cpu(lab.run("r"), 2.0, 1.0)
    lab.rows["run_cpu"][0]["method"] = "procstat"


def test_ticks_of_one_machine_say_nothing_of_another(flags):
    """Control groups on one host, and a client elsewhere that counts its own ticks."""
    assert flags["two-machines"] == []


@SCENES
def beside(lab):
    for run in ("r", "s"):
        lab.cpu(lab.run(run, workload="STR1(1B/20MB)"), 2.0, 1.0)
        counted(lab, run, 6.0)


def test_ticks_are_no_check_of_a_run_beside_another(flags):
    found = flags["beside"]
    assert {flag.kind for flag in found} == {"beside_ticks"}
    (remark,) = describe_flags(found[:1], 2)
    assert "clock ticks of the machine cannot confirm" in remark.words
    assert found[0].of == CPU


@SCENES
def in_turn(lab):
    lab.campaign(cpu={"source": "lpar_busy"})
    lab.run("r", window=(0, 10))
    lab.run("s", window=(9.5, 19.5))
    lab.run("elsewhere", window=(0, 10), roles={"server": "x"})
    lab.interval("srv", 0, 10, busy_pct=25)


def test_runs_one_after_another_are_not_side_by_side(flags):
    assert names(flags["in-turn"]) == []


@SCENES
def printed_rate(lab):
    lab.campaign(cpu={"source": "lpar_busy"})
    lab.run("r", rate=100_000, transactions=2_000_000, latency=100)
    lab.interval("srv", 0, 10, busy_pct=25)


def test_rmf_time_is_held_against_the_rate_that_the_tool_printed(flags):
    (flag,) = flags["printed-rate"]
    assert flag.kind == "against_utilisation"
    assert flag.value == pytest.approx(0.5)
    assert flag.role == "server"


COVERAGES = (0.94, 0.9499, 0.95, 1.05, 1.0501, 1.06, 2.5)


@SCENES
def state(lab):
    for nth, coverage in enumerate(COVERAGES):
        lab.run(f"{coverage}", tick_coverage=coverage, window=apart(nth))
    lab.run("busy", idle_before=0.89, window=apart(len(COVERAGES)))


def test_ticks_may_miss_the_time_by_a_twentieth_and_the_machine_was_idle(flags):
    found = {flag.id: KINDS[flag.kind].name for flag in flags["state"]}
    outside = (0.94, 0.9499, 1.0501, 1.06, 2.5)
    ticks = {f"state/{coverage}": "tick coverage" for coverage in outside}
    assert found == ticks | {"state/busy": "idle before"}


@SCENES
def unknown(lab):
    lab.run("r", idle_before=None, tick_coverage=None)
    lab.rows["benchmark"][0] |= {"latency_mean_us": None}


def test_what_is_unknown_is_not_flagged(flags):
    assert flags["unknown"] == []


@SCENES
def degraded(lab):
    lab.run("r", status="degraded", reason="3 {odd} lines")


def test_a_degraded_run_says_why(flags):
    (text,) = describe_flags(flags["degraded"], 1)
    assert str(text) == "degraded: 1 of 1 runs: 3 {odd} lines"


@SCENES
def other_processors(lab):
    lab.campaign(cpu={"source": "lpar_busy", "idle": {"srv": 0.1}})
    lab.run("r", window=(0, 10))
    lab.interval("srv", -1, 11, busy_pct=25)
    lab.interval("srv", -1, 11, busy_pct=25, cpu_type="zIIP")


def test_overlap_other_processors_and_idle_load_are_said(flags):
    assert names(flags["other-processors"]) == [
        "idle",
        "normalisation",
        "overlap",
        "types",
    ]


@SCENES
def failed(lab):
    lab.run("r", status="failed", latency=1)


def test_failed_runs_are_not_checked(flags):
    assert flags["failed"] == []


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


def in_time(world, run: str, rates: list[float], omitted: int = 0) -> None:
    source = world.rows["source"][-1]["sha256"]
    for at, rate in enumerate(rates):
        row = {"run": run, "source": source, "start_s": 1.0 * at, "seconds": 1.0}
        row |= {"bytes_per_second": rate, "omitted": int(at < omitted)}
        world.rows["interval"].append(row)


HIGH, LOW = [100.0, 101, 99, 102, 98], [60.0, 61, 59, 62, 58]


@SCENES
def falls_inside(world):
    world.run("r", window=apart(0))
    in_time(world, "r", HIGH + LOW)


def test_a_run_whose_level_changes_inside_is_warned_of(flags):
    [flag] = flags["falls-inside"]
    assert (flag.kind, flag.value) == ("level_within", pytest.approx(0.6))
    [remark] = describe_flags([flag], 4)
    assert str(remark).startswith("level in a run: 1 of 4")
    assert "the level changes inside the run, to 0.6" in remark.words


@SCENES
def warms_up(world):
    world.run("r", window=apart(0))
    in_time(world, "r", LOW + HIGH * 2, omitted=5)


@SCENES
def steady(world):
    world.run("r", window=apart(0))
    in_time(world, "r", HIGH * 2)


def test_a_steady_run_is_not_nor_one_whose_warm_up_its_tool_leaves_out(flags):
    assert flags["warms-up"] == flags["steady"] == []
