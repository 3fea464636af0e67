"""The planner: runs, sessions and hours, the order of the runs, the picture."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from analysis.cli import main
from analysis.declared.campaign import read_campaign
from analysis.declared.metrics import read_metrics
from analysis.derive.family import judge
from analysis.derive.runs import open_database
from analysis.derive.samples import read_evidence
from analysis.errors import UserError
from analysis.plan.design import (
    FamilyRule,
    RunPlan,
    Times,
    Wanted,
    chance,
    plan,
    shuffled,
)
from analysis.plan.pilot import Asked, Pilot, Scatter, pilot_of
from analysis.statistics.sessions import session_change
from tests.conftest import ROOT
from tests.derive.conftest import METRICS, World

ALONE = FamilyRule(1, "holm")
RR, STR = "RR10(100B)", "STR3(1B/20MB)"


def runs_of(within: float, between: float | None = None, **wanted: object) -> RunPlan:
    asked = replace(Wanted(5.0, 0.0, ALONE), **wanted)
    return plan([Scatter(RR, "rate", within, between)], 2, asked, None)


def test_runs_are_those_of_books():
    # Student's t of two sides, a shift of one deviation, 80% of 5%: 17 runs a side
    assert runs_of(math.log1p(0.05)).runs == {RR: 17}


def test_runs_grow_with_the_square_of_the_spread_over_the_change():
    one, half = runs_of(0.05).runs[RR], runs_of(0.05, change=2.5).runs[RR]
    assert 3.5 < half / one < 4.2
    assert runs_of(0.05, limit=2.5).runs[RR] > one
    assert runs_of(0.05, family=FamilyRule(20, "holm")).runs[RR] > 1.5 * one


def test_a_change_at_the_limit_is_never_seen_often_enough():
    found = runs_of(0.03, limit=5.0)
    assert (found.runs, found.unseen) == ({}, (RR,))


def test_sessions_that_differ_need_more_sessions_and_not_more_runs():
    few = runs_of(0.03, 0.01)
    many = runs_of(0.03, 0.04)
    assert many.sessions > few.sessions
    fixed = runs_of(0.03, 0.04, sessions=3)
    assert (fixed.runs, fixed.unseen) == ({}, (RR,))


def test_costly_sessions_are_fewer_and_have_more_runs():
    scatters = [Scatter(RR, "rate", 0.05, 0.02)]
    asked = Wanted(5.0, 2.5, ALONE)
    cheap, dear = (plan(scatters, 2, asked, Times(10, s)) for s in (0, 7200))
    assert dear.sessions < cheap.sessions
    assert dear.runs[RR] > cheap.runs[RR]
    seconds = 10 * 2 * dear.runs[RR] + 7200 * dear.sessions
    assert dear.hours == pytest.approx(seconds / 3600)


def test_a_workload_has_the_runs_of_the_metric_that_scatters_most():
    wide, narrow = Scatter(RR, "latency", 0.06), Scatter(RR, "rate", 0.02)
    asked = Wanted(5.0, 0.0, ALONE)
    assert plan([narrow, wide], 2, asked, None) == plan([wide], 2, asked, None)


@pytest.mark.parametrize("together", [False, True])
def test_the_order_has_each_run_once_and_both_sides_in_each_round(together):
    made = RunPlan(Wanted(5, 0, ALONE), 2, 3, {RR: 12, STR: 6})
    rows = shuffled(made, ("A", "B"), 1, together)
    assert [row["order"] for row in rows] == list(range(1, made.all_runs + 1))
    counts = Counter((r["configuration"], r["workload"], r["session"]) for r in rows)
    assert counts == {
        (side, load, session): each
        for side in "AB"
        for load, each in ((RR, 4), (STR, 2))
        for session in (1, 2, 3)
    }
    for nth in {row["round"] for row in rows}:
        of_round = [r for r in rows if r["round"] == nth]
        pairs = {(r["configuration"], r["workload"]) for r in of_round}
        assert pairs >= {("A", RR), ("B", RR)}
        sides = [r["configuration"] for r in of_round]
        if together:
            assert sides in (sorted(sides), sorted(sides)[::-1])
    of_one = [r for r in rows if (r["configuration"], r["workload"]) == ("A", RR)]
    assert [r["repetition"] for r in of_one] == list(range(1, 13))


def test_another_seed_gives_another_order():
    made = RunPlan(Wanted(5, 0, ALONE), 2, 1, {RR: 10})
    orders = [shuffled(made, ("A", "B"), seed) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    firsts = [row["configuration"] for row in orders[0][::2]]
    assert set(firsts) == {"A", "B"}  # no side is always first


@pytest.mark.parametrize(("sessions", "each"), [(4, 3), (8, 2), (12, 1)])
@pytest.mark.parametrize("limit", [0.0, 2.5])
def test_the_power_of_sessions_is_the_share_of_verdicts(sessions, each, limit):
    scatter, runs = Scatter(RR, "rate", 0.02, 0.03), sessions * each
    change = next(
        change / 10
        for change in range(10, 400)
        if chance(scatter, runs, sessions, Wanted(change / 10, limit, ALONE)) > 0.65
    )
    rng, seen, names = np.random.default_rng(sessions), 0, [*map(str, range(sessions))]
    for _ in range(300):
        moved = rng.normal(math.log1p(change / 100), scatter.between, sessions)
        sides = [
            np.exp(rng.normal(level, scatter.within, (each, sessions)))
            for level in (np.zeros(sessions), moved)
        ]
        medians = [dict(zip(names, np.median(s, axis=0), strict=True)) for s in sides]
        found = session_change(*(side.ravel() for side in sides), *medians)
        verdict = judge(found, found.p_value, "higher", limit, limit)
        seen += verdict == "improved"
    expected = chance(scatter, runs, sessions, Wanted(change, limit, ALONE))
    assert seen / 300 == pytest.approx(expected, abs=0.09)


# A pilot


def pilot(
    world: World, asked: Asked, *sessions: tuple[float, float], each: int = 6
) -> Pilot:
    """Of runs of A and B with a spread of 2%; each session moves both sides so."""
    rng, of_run = np.random.default_rng(1), dict[str, str]()
    for nth, moves in enumerate(sessions or [(0.0, 0.0)]):
        for side, moved in zip("AB", moves, strict=True):
            for n, rate in enumerate(1e5 * np.exp(rng.normal(moved, 0.02, each))):
                begun = 20.0 * len(world.rows["run"])
                run = f"{side}-{nth}-{n}"
                world.run(run, side, rate=float(rate), window=(begun, begun + 10))
                of_run |= {run: f"{nth}"} if sessions else {}
    world.write()
    with open_database(world.database) as con:
        campaigns = {"lab": read_campaign(world.raw / "lab")}
        evidence = read_evidence(con, campaigns, read_metrics(METRICS))
    return pilot_of(world.raw / "lab", evidence, of_run, asked)


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    made.campaign()
    return made


def test_a_pilot_tells_spread_times_and_comparisons(world):
    found = pilot(world, Asked(), each=40)
    assert (found.runs, found.sides, found.seconds) == (80, ("A", "B"), 20.0)
    values = [(scatter.workload, scatter.metric) for scatter in found.scatters]
    assert values == [(RR, "rate"), (RR, "latency")]
    assert found.comparisons == 2
    assert found.scatters[0].within == pytest.approx(0.02, rel=0.2)
    assert found.scatters[0].between is None
    assert found.scatters[0].degrees == 78


def test_what_a_session_does_to_both_sides_is_no_difference(world):
    moves = [0.1, -0.1, 0.05, -0.05, 0.2, -0.2, 0.1, 0.0]
    [rate, _] = pilot(world, Asked(), *[(move, move) for move in moves]).scatters
    assert rate.within == pytest.approx(0.02, rel=0.2)
    assert rate.between < 0.015


@pytest.mark.parametrize(("sides", "times"), [(("A", "B"), 1), (("B",), 2**0.5)])
def test_sessions_that_move_the_change_are_told(world, sides, times):
    moves = [0.1, -0.1, 0.05, -0.05, 0.1, -0.1, 0.05, -0.05]
    [rate, _] = pilot(world, Asked(sides), *[(0.0, move) for move in moves]).scatters
    assert rate.between == pytest.approx(times * np.std(moves, ddof=1), rel=0.25)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Asked(["C"]), "no configuration 'C'"),
        (Asked(metrics=["ratee"]), "no metric 'ratee'"),
        (Asked(workloads=["STR*"]), "no value of it has two runs"),
    ],
)
def test_what_a_pilot_has_not_is_named(world, asked, said):
    with pytest.raises(UserError, match=said) as caught:
        pilot(world, asked)
    assert caught.value.issues[0].mend


# The command


def test_a_guess_is_planned_for_and_told(capsys):
    assert (
        main(["plan", "--spread", "3", "--comparisons", "20", "--seconds", "12"]) == 0
    )
    said = capsys.readouterr().out
    assert "20 comparisons judged together (holm); power 80%" in said
    assert "sessions differ is not known" in said
    assert "hours, at 12 s a run" in said
    assert "noise: {floor: 5, adjust: holm}" in said


def test_json_has_all_of_it(capsys):
    command = "plan --spread 3 --between 1 --change 5 --workloads RR10(100B) --json"
    assert main(command.split()) == 0
    told = json.loads(capsys.readouterr().out)
    [one] = told["plans"]
    assert told["power"] == 0.8
    assert one["runs"][RR] * 2 == one["all_runs"]
    assert one["runs"][RR] % one["sessions"] == 0
    assert told["spreads"][0]["within"] == pytest.approx(3)


def test_the_order_is_a_file_that_a_script_can_follow(tmp_path, capsys):
    path = tmp_path / "order.csv"
    words = ["plan", "--spread", "3", "--change", "10", "--order", str(path)]
    assert main([*words, "--workloads", RR, STR, "--sides", "old", "new"]) == 0
    head, *rows = path.read_text().splitlines()
    assert head == "order,session,round,configuration,workload,repetition"
    named = list(csv.DictReader([head, *rows]))
    assert {row["configuration"] for row in named} == {"old", "new"}
    assert f"wrote {path}" in capsys.readouterr().out


def test_the_picture_has_a_panel_a_workload_and_a_line_a_plan(tmp_path):
    path = tmp_path / "power.svg"
    words = ["plan", "--spread", "3", "--picture", str(path), "--workloads", RR, STR]
    assert main(words) == 0
    texts = [text.text for text in etree.parse(path).getroot().iter("{*}text")]
    assert {f"{RR} scatters by 3%", f"{STR} scatters by 3%"} <= set(texts)
    assert sum(text.endswith("runs a side") for text in texts) == 6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("plan", "--campaign"),
        ("plan --spread -3", "--spread"),
        ("plan --spread 0", "no number above 0"),
        ("plan --spread 3 --comparisons 0", "no number from 1"),
        ("plan --spread 3 --order o.csv", "an order is of one change"),
        ("plan --spread 3 --change 5 --order o.csv", "an order is of workloads"),
        ("plan --spread 3 --workloads RR", "RR10(100B)"),
        ("plan --campaign raw/nowhere", "raw/nowhere"),
        ("plan --campaign raw/linux-veth --between 3", "goes with --spread"),
    ],
)
def test_mistakes_are_named_and_end_with_2(words, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("data", "report", "raw"):
        (tmp_path / name).symlink_to(ROOT / name)
    try:
        code = main(words.split())
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "o.csv").exists()


def test_what_nothing_shows_ends_with_2(capsys):
    assert main(["plan", "--spread", "30", "--change", "1", "--limit", "1"]) == 2
    assert "more than 10,000 runs a side" in capsys.readouterr().out
