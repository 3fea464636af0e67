import pytest

from analysis.cli import main
from analysis.derive.cpu_time import declared_systems
from analysis.derive.gates import Flag, describe_flags, flag_conditions
from analysis.derive.runs import open_database, read_campaigns, read_runs
from analysis.facts.fact import read_facts
from tests.derive.conftest import derive, utc


def conditions(world) -> list[Flag]:
    campaigns = read_campaigns({"lab"}, world.raw)
    with open_database(world.write()) as con:
        return flag_conditions(con, read_runs(con), declared_systems(campaigns))


@pytest.fixture
def lpar(world):
    """A world whose CPU time is LPAR busy."""
    world.campaign(cpu={"source": "lpar_busy"})
    return world


def test_a_sound_interval_is_not_flagged(lpar):
    lpar.run("r")
    lpar.interval("srv", 0, 10, 25, smt=True, hiperdispatch=True, capture_pct=90.0)
    assert conditions(lpar) == []


@pytest.mark.parametrize("column", ["boost", "boost_class"])
def test_boost_is_flagged_as_it_is_told(lpar, column):
    lpar.run("r")
    lpar.interval("srv", 0, 10, 25, **{column: "Boost Type SPEED"})
    (flag,) = conditions(lpar)
    assert (flag.kind, flag.role) == ("boost", "server")
    assert flag.values == {"boosts": ("Boost Type SPEED",)}


def test_intervals_outside_the_run_do_not_count(lpar):
    lpar.run("r")
    lpar.interval("srv", 0, 10, 25)
    lpar.interval("srv", 10, 10, 25, boost="speed boost", capture_pct=20.0)
    lpar.interval("srv", -5, 10, 25, boost="speed boost")
    assert conditions(lpar) == []


def test_an_overlapping_interval_counts_where_none_is_inside(lpar):
    lpar.run("r")
    lpar.interval("srv", -5, 20, 25, boost="speed boost")
    assert [flag.kind for flag in conditions(lpar)] == ["boost"]


def test_a_capacity_that_stays_the_same_is_comparable(lpar):
    for nth in range(2):
        lpar.run(f"r{nth}", window=(20 * nth, 20 * nth + 10))
        lpar.interval("srv", 20 * nth, 10, 25, capacity_adjustment=80)
    assert conditions(lpar) == []


def test_cps_that_come_and_go_within_a_configuration_are_flagged(lpar):
    for nth, (configuration, cps) in enumerate([("A", 4), ("A", 2), ("B", 8)]):
        lpar.run(f"r{nth}", configuration, window=(20 * nth, 20 * nth + 10))
        lpar.interval("srv", 20 * nth, 10, 25, online_cpus=float(cps))
    found = conditions(lpar)
    assert [flag.id for flag in found] == ["lab/r0", "lab/r1"]
    (remark,) = describe_flags(found[:1], 2)
    assert "2 to 4 CPs were online" in remark.words


def lose(world, start: float, stop: float, count: int | None = 1234) -> None:
    """SMF of the server loses records between two times, in seconds."""
    row = {"system": "srv", "start_utc": utc(start), "end_utc": utc(stop)}
    row |= {"records_lost": count, "source": world.file(f"lost-{start}"), "position": 0}
    world.rows["smf_loss"].append(row)


@pytest.mark.parametrize("span", [(-5, 1), (3, 4), (5, 5), (9, 20), (-5, 20)])
def test_records_that_smf_lost_during_a_run_are_flagged(lpar, span):
    lpar.run("r")
    lpar.interval("srv", 0, 10, 25)
    lose(lpar, *span)
    flags = conditions(lpar)
    assert [(flag.kind, flag.role) for flag in flags] == [
        ("lost", "server"), ("lost", None)
    ]  # fmt: skip
    assert {flag.value for flag in flags} == {1234}


@pytest.mark.parametrize("span", [(-5, -2), (12, 20)])
def test_records_that_smf_lost_at_another_time_are_not(lpar, span):
    lpar.run("r")
    lpar.interval("srv", 0, 10, 25)
    lose(lpar, *span)
    assert conditions(lpar) == []


def test_a_loss_travels_with_the_values_that_rest_on_smf(lpar):
    lpar.study(tests=[])
    lpar.run("r")
    lpar.run("s", window=(20, 30))
    for start in (0, 20):
        lpar.interval("srv", start, 10, 25)
    lose(lpar, 2, 3)
    lose(lpar, 4, 5, 6)
    facts = {f"{f.role}.{f.metric}": f for f in derive(lpar).facts}
    (warning,) = (w for w in facts["server.cpu_cost"].warnings if w.kind == "lost")
    assert str(warning) == (
        "SMF data lost: 1 of 2 runs: SMF of srv lost 1,240 records at that time: what "
        "they would have told is missing"
    )
    assert not [w for w in facts["None.rate"].warnings if w.kind == "lost"]


def test_a_loss_of_unknown_size_is_said_as_such(lpar):
    lpar.run("r")
    lose(lpar, 2, 3, None)
    (remark,) = describe_flags(conditions(lpar)[:1], 1)
    assert "lost more than 65,535 records" in remark.words


def test_the_worst_capture_ratio_of_a_run_is_said_once(lpar):
    lpar.run("r")
    lpar.interval("srv", 0, 5, 25, capture_pct=60.0)
    lpar.interval("srv", 5, 5, 25, capture_pct=160.0)
    (flag,) = conditions(lpar)
    assert (flag.kind, flag.value) == ("capture", 160.0)


def test_a_change_of_the_machine_is_no_result(lpar):
    lpar.study(metrics=["cpu_cost"])
    for nth in range(12):
        start, of_b = 20 * nth, nth % 2 == 1  # in turn, so that no drift explains it
        lpar.run(f"r{nth}", "AB"[of_b], window=(start, start + 10))
        lpar.interval("srv", start, 10, (50 if of_b else 25) + nth * 5 % 7 / 10)
    assert _verdict(lpar) == "regressed"
    lpar.rows["cpu_interval"][-1]["boost"] = "speed boost"
    assert _verdict(lpar) == "inconclusive"


def _verdict(world) -> str | None:
    world.write()
    assert main(world.arguments()) == 0
    facts = read_facts(world.root / "facts.json").facts
    (delta,) = (fact for fact in facts if fact.kind == "delta")
    return delta.verdict
