import pytest

from analysis.derive.cpu_time import declared_systems, match_intervals, reasons_without
from analysis.derive.runs import open_database, read_campaigns
from tests.derive.conftest import utc


def matched(world, **cpu) -> list[dict]:
    world.campaign(cpu={"source": "lpar_busy"} | cpu)
    declared = declared_systems(read_campaigns({"lab"}, world.raw))
    with open_database(world.write()) as con:
        return match_intervals(con, declared).to_dicts()


def reasons(world) -> dict[tuple[str, str], str]:
    campaigns = read_campaigns({"lab"}, world.raw)
    with open_database(world.write()) as con:
        match_intervals(con, declared_systems(campaigns))
        return reasons_without(con, campaigns)


def test_only_intervals_wholly_inside_count(world):
    world.run("r", window=(5, 30))
    for start in range(0, 40, 10):  # 0 and 30 touch the run's window or less
        world.interval("srv", start, 10, busy_pct=start)
    (row,) = matched(world)
    assert row["cpu_seconds"] == pytest.approx((0.1 + 0.2) * 4 * 10)
    assert row["seconds"] == pytest.approx(20)
    assert row["coverage"] == pytest.approx(0.8)
    assert row["overlap"] is False
    assert len(row["files"]) == 2


def test_without_one_inside_the_overlap_is_weighted_and_said(world):
    world.run("r", window=(0.5, 19))
    world.interval("srv", 0, 10, busy_pct=20)
    world.interval("srv", 10, 10, busy_pct=40)
    (row,) = matched(world)
    assert row["cpu_seconds"] == pytest.approx(0.2 * 4 * 9.5 + 0.4 * 4 * 9)
    assert row["coverage"] == pytest.approx(1)
    assert row["overlap"] is True


def test_an_interval_of_which_the_most_is_outside_tells_nothing_of_a_run(world):
    """A quarter of an hour in which one minute is the run, and one of 89% in a run."""
    world.run("r", window=(0, 60))
    world.run("s", window=(2000, 2089))
    world.interval("srv", -400, 900, busy_pct=20)
    world.interval("srv", 1990, 100, busy_pct=20)
    assert matched(world) == []
    assert reasons(world) == {
        ("lab", "srv"): "its intervals last 100 s or more and the runs up to 89 s, and "
        "one counts where 90% of it lies in a run: let RMF and SMF write one each "
        "minute, in step with the load, or let runs last longer "
        "(docs/how-to/zos-lab.md)",
        ("lab", "cli"): "no file has its records 70-1, or a CPU report of RMF",
    }


def test_where_the_records_are_of_other_jobs_these_are_named(world):
    world.run("r", window=(0, 10))
    for job in ("FTPD1", "TCPIP2"):
        row = {"system": "srv", "job": job, "start_utc": utc(0), "seconds": 10.0}
        row |= {"cp_seconds": 1.0, "source": world.file(f"{job}.smf")}
        world.rows["address_space_interval"].append(row)
    assert matched(world, source="address_space", jobs=["TCPIP"]) == []
    assert reasons(world)["lab", "srv"] == "its intervals are of FTPD1, TCPIP2"


def test_where_no_file_has_the_records_others_that_are_there_are_named(world):
    world.run("r", window=(0, 10))
    world.interval("srv", 0, 10, busy_pct=20)
    assert matched(world, source="address_space", jobs=["TCPIP"]) == []
    why = "no file has its records 30-2 and 30-3, for which SMFPRMxx needs "
    assert reasons(world)["lab", "srv"] == (
        why + "INTERVAL(SMF,SYNC); until then lpar_busy could be its source in "
        "campaign.yaml"
    )


def test_each_system_falls_back_alone(world):
    world.run("r", window=(0, 10))
    world.interval("srv", 0, 10, busy_pct=20)
    world.interval("cli", -0.5, 10, busy_pct=20)
    found = {row["role"]: row for row in matched(world)}
    assert found["server"]["overlap"] is False
    assert found["client"]["overlap"] is True
    assert found["client"]["coverage"] == pytest.approx(0.95)


def test_lengths_may_wobble(world):
    world.run("r", window=(0, 600))
    world.interval("srv", -0.004, 300.003, busy_pct=20)
    world.interval("srv", 299.999, 300.004, busy_pct=20)
    (row,) = matched(world)
    assert row["overlap"] is False
    assert row["seconds"] == pytest.approx(600.007)


def test_processor_types_stay_apart(world):
    world.run("r", window=(0, 10))
    world.interval("srv", 0, 10, busy_pct=25)
    world.interval("srv", 0, 10, busy_pct=10, cpu_type="zIIP", online_cpus=2.0)
    assert [(r["cpu_type"], r["cpu_seconds"]) for r in matched(world)] == [
        ("CP", pytest.approx(10)),
        ("zIIP", pytest.approx(2)),
    ]


def test_dispatch_time_goes_before_a_rounded_percentage(world):
    world.run("r", window=(0, 10))
    world.interval("srv", 0, 10, busy_pct=25, busy_seconds=10.123)
    assert matched(world)[0]["cpu_seconds"] == 10.123


def test_other_systems_campaigns_and_bases_do_not_count(world):
    world.run("r", window=(0, 10))
    world.interval("other", 0, 10, busy_pct=25)
    world.interval("srv", 0, 10, busy_pct=25, basis="mpstat", scope="system")
    world.interval("srv", 0, 10, busy_pct=25, source=world.file("x", "elsewhere"))
    world.interval("srv", 10, 10, busy_pct=25)
    assert matched(world) == []


def test_cps_that_are_varied_off_weigh_by_time(world):
    world.run("r", window=(0, 40))
    world.interval("srv", 0, 10, busy_pct=50)
    world.interval("srv", 10, 30, busy_pct=50, online_cpus=2.0)
    (row,) = matched(world)
    assert row["online_cpus"] == pytest.approx(2.5)
    assert row["cpu_seconds"] == pytest.approx(50)


@pytest.mark.parametrize(
    ("start", "seconds", "overlap"),
    [
        (-1.0, 300, False),  # at most a second may lie outside
        (-1.01, 300, True),
        (-0.5, 50, False),  # and of short intervals a hundredth
        (-0.51, 50, True),
        (-1.5, 1000, True),
    ],
)
def test_how_far_an_interval_may_reach_out(world, start, seconds, overlap):
    world.run("r", window=(0, 2000))
    world.interval("srv", start, seconds, busy_pct=20)
    (row,) = matched(world)
    assert row["overlap"] is overlap
