import pytest

from analysis.derive.cpu_time import declared_systems, match_intervals
from analysis.derive.runs import open_database, read_campaigns
from tests.derive.conftest import utc

CLASS = {"source": "class", "classes": ["NET"]}
JOBS = {"source": "address_space", "jobs": ["TCPIP", "FTPD1"]}


def matched(world, **cpu) -> list[dict]:
    world.campaign(cpu=cpu)
    declared = declared_systems(read_campaigns({"lab"}, world.raw))
    with open_database(world.write()) as con:
        return match_intervals(con, declared).to_dicts()


@pytest.fixture
def put(world):
    """Puts rows of the system srv into a table; the run lasts 10 s."""
    world.run("r")

    def put_row(table: str, start: float = 0, seconds: float = 10, **columns):
        source = columns.pop("source", None) or world.file(f"f{len(world.rows[table])}")
        row = {"system": "srv", "start_utc": utc(start), "seconds": seconds}
        world.rows[table].append(row | {"source": source} | columns)

    return put_row


def test_periods_of_a_class_add_up_and_its_total_does_not(world, put):
    net = {"class": "NET", "class_kind": "service"}
    put("class_interval", **net, period=1, cp_seconds=1.0)
    put("class_interval", **net, period=2, cp_seconds=2.0)
    put("class_interval", **net, cp_seconds=3.0)
    put("class_interval", **net | {"class": "ELSE"}, cp_seconds=5.0)
    put("class_interval", **net | {"class_kind": "report"}, cp_seconds=7.0)
    (row,) = matched(world, **CLASS)
    assert row["cpu_seconds"] == pytest.approx(3)
    assert (row["coverage"], row["seconds"]) == (1, 10)


def test_a_class_without_cpu_seconds_is_no_evidence(world, put):
    put("class_interval", **{"class": "NET"}, class_kind="service", period=1)
    assert matched(world, **CLASS) == []


def test_jobs_side_by_side_do_not_cover_more_time(world, put):
    for asid in (7, 8):
        put("address_space_interval", job="TCPIP", asid=asid, cp_seconds=2.0)
    put("address_space_interval", 0, 5, job="FTPD1", asid=9, cp_seconds=1.0)
    (row,) = matched(world, **JOBS)
    assert row["cpu_seconds"] == pytest.approx(5)
    assert (row["seconds"], row["coverage"]) == (10, 1)
    assert row["uneven"] is True


def test_dispatch_time_of_partition_data_serves_where_the_cpus_lack_it(world, put):
    world.interval("srv", 0, 10, 25, basis="lpar_busy")
    own = {"partition": "LPARA", "cpu_type": "CP", "dispatch_seconds": 12.0}
    put("partition_interval", **own, own=True)
    put("partition_interval", **own | {"partition": "LPARB"}, own=False)
    (row,) = matched(world, source="dispatch")
    assert row["cpu_seconds"] == 12
    assert row["waits"] is True  # or the reader would have taken it as time used


def test_dispatch_time_is_not_counted_from_both_tables(world, put):
    world.interval("srv", 0, 10, 25, dispatch_seconds=12.0, basis="dispatch")
    put(
        "partition_interval", 0.003, 9.998, partition="LPARA", cpu_type="CP",
        dispatch_seconds=12.001, own=True,
    )  # fmt: skip
    (row,) = matched(world, source="dispatch")
    assert row["cpu_seconds"] == 12
    assert row["waits"] is False


@pytest.mark.parametrize(
    ("own", "partition", "counted"),
    [
        (100, 199, 24.0),  # they share a second
        (100, 198.5, 12.0),
        (200, 101, 24.0),
        (200, 101.5, 12.0),
    ],
)
def test_rows_of_both_tables_that_share_no_more_than_a_second_are_two(
    world, put, own, partition, counted
):
    world.run("long", window=(100, 400))
    world.interval("srv", own, 100, 25, dispatch_seconds=12.0, basis="dispatch")
    put(
        "partition_interval", partition, 100, partition="LPARA", cpu_type="CP",
        dispatch_seconds=12.0, own=True,
    )  # fmt: skip
    rows = matched(world, source="dispatch")
    (row,) = [row for row in rows if row["id"] == "lab/long"]
    assert row["cpu_seconds"] == pytest.approx(counted)


def test_a_partition_without_cpus_is_no_evidence_of_no_cpu_time(world, put):
    own = {"partition": "LPARA", "cpu_type": "CP", "own": True}
    put("partition_interval", **own, online_cpus=0.0, dispatch_seconds=0.0)
    assert matched(world, source="dispatch") == []


def test_the_factor_of_the_service_policy_serves_where_rmf_prints_no_other(world, put):
    world.interval("srv", 0, 10, 25, cpu_type="zIIP")
    put("class_interval", **{"class": "X"}, class_kind="service", normalisation=1.5)
    (row,) = matched(world, source="lpar_busy")
    assert row["factor"] == 1.5


def test_an_interval_without_a_figure_is_no_evidence(world):
    world.run("r")
    world.interval("srv", 0, 10, None, basis="mvs_busy")
    assert matched(world, source="lpar_busy") == []
