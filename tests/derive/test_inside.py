"""What happens inside runs: what is left out, as declared; series of figures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.cli import main
from analysis.facts.remark import Remark
from analysis.facts.series import read_series
from tests.derive.conftest import FIGURE, Scenes, derive, fact

SCENES = Scenes()
RATES = [40.0, 60, 100, 102, 98, 100, 101, 99, 100, 10]  # of the ten seconds of a run
WHOLE = sum(RATES) / 10
TIMELINE = FIGURE | {"kind": "timeline", "id": "time"}


def in_time(world, run, rates=RATES, seconds=1.0, column="rate", source=""):
    """The intervals that a run's log tells."""
    of = {"run": run, "source": source or world.rows["source"][-1]["sha256"]}
    for at, rate in enumerate(rates):
        row = {"start_s": at * seconds, "seconds": seconds, column: rate, "omitted": 0}
        world.rows["interval"].append(of | row)


def one_run(world, rates=RATES, **more):
    world.study(workloads=["*"])
    world.run("a", rate=WHOLE, **more)
    in_time(world, "a", rates)


def value(facts, metric="rate", workload="rr10-100b"):
    return fact(facts, f"question.{workload}.-.{metric}.A")


def kinds(one):
    return [warning.kind for warning in one.warnings]


@SCENES
def declared(lab):
    lab.campaign(warm_up=2, cut_off=1)
    one_run(lab)


def test_a_declared_warm_up_is_left_out_of_the_value(scenes):
    """By hand: the seven rates from the third to the ninth second are 100 on average,
    all ten 81."""
    one = value(scenes["declared"])
    assert one.value == pytest.approx(100)
    assert "ends_left_out" in kinds(one)
    assert "without the first 2 s and the last 1 s" in one.lineage.rule


def test_what_intervals_do_not_tell_is_of_the_whole_run_and_says_so(scenes):
    one = value(scenes["declared"], "latency")
    assert one.value == pytest.approx(10 / WHOLE * 1e6)
    assert "ends_in" in kinds(one)
    assert "without" not in one.lineage.rule


@SCENES
def undeclared(lab):
    one_run(lab, RATES[:9])


def test_a_warm_up_that_is_not_declared_is_told_and_stays(scenes):
    one = value(scenes["undeclared"])
    assert one.value == pytest.approx(WHOLE)
    [told] = [warning for warning in one.warnings if warning.kind == "warm_up"]
    assert "the first 2 s differ" in told.words


@SCENES
def few_warm_up(lab):
    lab.study(workloads=["*"])
    for nth in range(4):
        lab.run(f"r{nth}", rate=100, window=(20 * nth, 20 * nth + 10))
        in_time(lab, f"r{nth}", RATES if nth < 2 else [100.0] * 10)


def test_half_of_the_runs_are_no_reason_to_propose_a_warm_up(scenes):
    assert "warm_up" not in kinds(value(scenes["few-warm-up"]))


@SCENES
def no_intervals(lab):
    lab.campaign(warm_up=2)
    lab.study(workloads=["*"])
    lab.run("a", rate=WHOLE)


@SCENES
def one_interval(lab):
    lab.campaign(warm_up=2)
    lab.study(workloads=["*"])
    lab.run("a", rate=WHOLE)
    in_time(lab, "a", [WHOLE], seconds=10.0)


@SCENES
def overlapping(lab):
    lab.campaign(warm_up=2)
    one_run(lab)
    in_time(lab, "a")


@pytest.mark.parametrize("scene", ["no-intervals", "one-interval", "overlapping"])
def test_what_cannot_be_left_out_stays_in_and_that_is_said(scenes, scene):
    """Of a log without intervals, with one, or of two tests at once."""
    one = value(scenes[scene])
    assert one.value == pytest.approx(WHOLE)
    assert "ends_in" in kinds(one)
    assert "ends_left_out" not in kinds(one)


@SCENES
def nearly_whole_seconds(lab):
    """iperf3's second interval begins at 0.999988 s."""
    lab.campaign(warm_up=1)
    lab.study(workloads=["*"])
    lab.run("a", rate=WHOLE)
    in_time(lab, "a", [10.0, 20, 30], seconds=0.999988)


def test_an_interval_may_begin_a_moment_early(scenes):
    assert value(scenes["nearly-whole-seconds"]).value == pytest.approx(25)


@SCENES
def bytes_alone(lab):
    """As of netperf: a transaction has 200 bytes, whatever the second."""
    lab.campaign(warm_up=2, cut_off=1)
    lab.study(workloads=["*"])
    lab.run("a", rate=WHOLE)
    in_time(lab, "a", [rate * 200 for rate in RATES], column="bytes_per_second")


def test_either_figure_follows_the_other(scenes):
    assert value(scenes["bytes-alone"]).value == pytest.approx(100)


@SCENES
def two_logs(lab):
    lab.campaign(warm_up=2, cut_off=1)
    one_run(lab)
    first = lab.rows["benchmark"][-1]
    other = lab.file("other")
    lab.rows["benchmark"].append(first | {"source": other})
    in_time(lab, "a", [rate * 2 for rate in RATES], source=other)


def test_logs_of_instances_side_by_side_are_added(scenes):
    assert value(scenes["two-logs"]).value == pytest.approx(300)


def test_a_warm_up_longer_than_the_run_is_an_error(world, capsys):
    world.campaign(warm_up=9.5, cut_off=0.5)
    one_run(world)
    world.write()
    assert main(world.arguments()) == 2
    said = capsys.readouterr().err
    assert "campaign.yaml:" in said
    assert "run lab/a has 10 s, of which 10 s are left out" in said
    assert not (world.root / "facts.json").exists()


@pytest.mark.parametrize("wrong", [-1, "two"])
def test_what_is_no_time_is_an_error(world, capsys, wrong):
    world.campaign(warm_up=wrong)
    one_run(world)
    world.write()
    assert main(world.arguments()) == 2
    assert "warm_up" in capsys.readouterr().err


def test_the_gate_of_littles_law_is_of_the_whole_run(world):
    """The rate without its warm-up and the latency with it do not fit."""
    world.campaign(warm_up=2, cut_off=1)
    one_run(world)
    assert "little" not in kinds(value(derive(world)))


def test_series_are_handed_over_where_a_study_asks_for_them(world):
    world.campaign(warm_up=2, cut_off=1)
    world.study(workloads=["*"], figures=[TIMELINE])
    world.run("a", rate=WHOLE)
    in_time(world, "a")
    world.run("b", "B", rate=WHOLE, window=(20, 30))
    in_time(world, "b", [100.0] * 3 + [50.0] * 7)
    world.run("failed", "B", status="failed", window=(40, 50))
    in_time(world, "failed")
    derive(world)
    path = world.root / "series.json"
    first, second = read_series(path, [])
    assert (first.run, first.unit, first.values) == ("a", "1/s", tuple(RATES))
    assert first.kept == (False,) * 2 + (True,) * 7 + (False,)
    assert (second.run, second.warm_up) == ("b", 3)
    text = path.read_bytes()
    derive(world)
    assert path.read_bytes() == text


def test_a_change_of_level_is_the_one_that_is_warned_of(world):
    world.study(workloads=["*"], figures=[TIMELINE], tests=[], baseline="A")
    world.run("a", rate=80)
    in_time(world, "a", [100.0, 101, 99, 100, 102, 60, 61, 59, 60, 58])
    facts = derive(world)
    [series] = read_series(world.root / "series.json", [])
    assert (series.changes_at, series.changes_to) == (5, pytest.approx(0.6))
    [told] = [w for w in value(facts).warnings if w.kind == "level_within"]
    assert told == replace(told, values=Remark("level_within").values | told.values)
    assert told.values["low"] == series.changes_to


def test_many_intervals_are_judged_together(world):
    """Of forty seconds by tenths, in which single intervals say little."""
    world.study(workloads=["*"], figures=[TIMELINE], tests=[], baseline="A")
    world.run("a", rate=80)
    rates = [100.0 + 40 * (nth % 5) for nth in range(200)]
    in_time(world, "a", rates + [rate / 2 for rate in rates], seconds=0.1)
    derive(world)
    [series] = read_series(world.root / "evidence.json", [])
    assert len(series.values) == 200
    assert series.values[:2] == (120, 200)  # of 100 and 140, of 180 and 220
    assert (series.changes_at, series.changes_to) == (pytest.approx(20), 0.5)


def test_no_series_are_written_where_no_figure_needs_them(world):
    one_run(world)
    derive(world)
    assert not (world.root / "series.json").exists()
