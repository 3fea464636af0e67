import pytest

from analysis.cli import main
from analysis.derive.cpu_time import declared_systems
from analysis.derive.gates import Flag, describe_flags, flag_conditions
from analysis.derive.runs import open_database, read_campaigns, read_runs
from analysis.facts.fact import read_facts
from tests.derive.conftest import Scenes, derive, utc

SCENES = Scenes()


@pytest.fixture(scope="module")
def conditions(tmp_path_factory) -> dict[str, list[Flag]]:
    """What is found of the runs of each scene."""
    world = SCENES.fill(tmp_path_factory.mktemp("conditions"))
    campaigns = read_campaigns({*SCENES}, world.raw)
    with open_database(world.write()) as con:
        found = flag_conditions(con, read_runs(con), declared_systems(campaigns))
    return {
        name: [flag for flag in found if flag.id.startswith(f"{name}/")]
        for name in SCENES
    }


def lpar(lab):
    """The CPU time is LPAR busy."""
    lab.campaign(cpu={"source": "lpar_busy"})


@SCENES
def sound(lab):
    lpar(lab)
    lab.run("r")
    lab.interval("srv", 0, 10, 25, smt=True, hiperdispatch=True, capture_pct=90.0)


def test_a_sound_interval_is_not_flagged(conditions):
    assert conditions["sound"] == []


@SCENES
def boosts(lab):
    lpar(lab)
    for nth, column in enumerate(("boost", "boost_class")):
        lab.run(column, window=(20 * nth, 20 * nth + 10))
        lab.interval("srv", 20 * nth, 10, 25, **{column: "Boost Type SPEED"})


def test_boost_is_flagged_as_it_is_told(conditions):
    found = conditions["boosts"]
    assert [flag.id for flag in found] == ["boosts/boost", "boosts/boost_class"]
    assert {(flag.kind, flag.role) for flag in found} == {("boost", "server")}
    assert all(flag.values == {"boosts": ("Boost Type SPEED",)} for flag in found)


@SCENES
def outside(lab):
    lpar(lab)
    lab.run("r")
    lab.interval("srv", 0, 10, 25)
    lab.interval("srv", 10, 10, 25, boost="speed boost", capture_pct=20.0)
    lab.interval("srv", -5, 10, 25, boost="speed boost")


def test_intervals_outside_the_run_do_not_count(conditions):
    assert conditions["outside"] == []


@SCENES
def overlapping(lab):
    lpar(lab)
    lab.run("r")
    lab.interval("srv", -5, 20, 25, boost="speed boost")


def test_an_overlapping_interval_counts_where_none_is_inside(conditions):
    assert [flag.kind for flag in conditions["overlapping"]] == ["boost"]


@SCENES
def same_capacity(lab):
    lpar(lab)
    for nth in range(2):
        lab.run(f"r{nth}", window=(20 * nth, 20 * nth + 10))
        lab.interval("srv", 20 * nth, 10, 25, capacity_adjustment=80)


def test_a_capacity_that_stays_the_same_is_comparable(conditions):
    assert conditions["same-capacity"] == []


@SCENES
def cps(lab):
    lpar(lab)
    for nth, (configuration, cps) in enumerate([("A", 4), ("A", 2), ("B", 8)]):
        lab.run(f"r{nth}", configuration, window=(20 * nth, 20 * nth + 10))
        lab.interval("srv", 20 * nth, 10, 25, online_cpus=float(cps))


def test_cps_that_come_and_go_within_a_configuration_are_flagged(conditions):
    found = conditions["cps"]
    assert [flag.id for flag in found] == ["cps/r0", "cps/r1"]
    (remark,) = describe_flags(found[:1], 2)
    assert "2 to 4 processors were online" in remark.words


def lose(world, start: float, stop: float, count: int | None = 1234) -> None:
    """SMF of the server loses records between two times, in seconds."""
    row = {"system": "srv", "start_utc": utc(start), "end_utc": utc(stop)}
    row |= {"records_lost": count, "source": world.file(f"lost-{start}"), "position": 0}
    world.rows["smf_loss"].append(row)


# Ends of runs are rounded: a second before and after a run is of it.
DURING = ((-5, 1), (3, 4), (5, 5), (9, 20), (-5, 20), (-5, -1), (11, 20))
OTHERWISE = ((-5, -1.5), (11.5, 20))


@SCENES
def losses(lab):
    """A run each 100 s, and a loss at that time after its start."""
    lpar(lab)
    for nth, (start, stop) in enumerate((*DURING, *OTHERWISE)):
        begun = 100 * nth
        lab.run(f"r{nth}", window=(begun, begun + 10))
        lab.interval("srv", begun, 10, 25)
        lose(lab, begun + start, begun + stop)


def test_records_that_smf_lost_during_a_run_are_flagged_and_others_not(conditions):
    flags = conditions["losses"]
    assert {(flag.id, flag.kind, flag.role) for flag in flags} == {
        (f"losses/r{nth}", "lost", role)
        for nth in range(len(DURING))
        for role in ("server", None)
    }
    assert {flag.value for flag in flags} == {1234}


def test_a_loss_travels_with_the_values_that_rest_on_smf(world):
    lpar(world)
    world.study(tests=[])
    world.run("r")
    world.run("s", window=(20, 30))
    for start in (0, 20):
        world.interval("srv", start, 10, 25)
    lose(world, 2, 3)
    lose(world, 4, 5, 6)
    facts = {f"{f.role}.{f.metric}": f for f in derive(world).facts}
    (warning,) = (w for w in facts["server.cpu_cost"].warnings if w.kind == "lost")
    assert str(warning) == (
        "SMF data lost: 1 of 2 runs: SMF of srv lost 1,240 records at that time: what "
        "they would have told is missing"
    )
    assert not [w for w in facts["None.rate"].warnings if w.kind == "lost"]


@SCENES
def unknown_loss(lab):
    lpar(lab)
    lab.run("r")
    lose(lab, 2, 3, None)


def test_a_loss_of_unknown_size_is_said_as_such(conditions):
    (remark,) = describe_flags(conditions["unknown-loss"][:1], 1)
    assert "lost more than 65,535 records" in remark.words


@SCENES
def worst_capture(lab):
    lpar(lab)
    lab.run("r")
    lab.interval("srv", 0, 5, 25, capture_pct=60.0)
    lab.interval("srv", 5, 5, 25, capture_pct=160.0)


def test_the_worst_capture_ratio_of_a_run_is_said_once(conditions):
    (flag,) = conditions["worst-capture"]
    assert (flag.kind, flag.value) == ("capture", 160.0)


def test_a_change_of_the_machine_is_no_result(world):
    lpar(world)
    world.study(metrics=["cpu_cost"])
    for nth in range(12):
        start, of_b = 20 * nth, nth % 2 == 1  # in turn, so that no drift explains it
        world.run(f"r{nth}", "AB"[of_b], window=(start, start + 10))
        world.interval("srv", start, 10, (50 if of_b else 25) + nth * 5 % 7 / 10)
    assert _verdict(world) == "regressed"
    world.rows["cpu_interval"][-1]["boost"] = "speed boost"
    assert _verdict(world) == "inconclusive"


def _verdict(world) -> str | None:
    world.write()
    assert main(world.arguments()) == 0
    facts = read_facts(world.root / "facts.json").facts
    (delta,) = (fact for fact in facts if fact.kind == "delta")
    return delta.verdict
