"""RMF text: the same figures whatever the layout, and nothing where figures miss."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.detect import read_file
from analysis.ingest.reading import Reading
from analysis.ingest.rmf import text_report
from synthetic.emitters.rmf_xml import Processor
from tests.fresh import write_fresh
from tests.ingest.rmf.listing import (
    DEVICE_HEADS,
    Block,
    Core,
    Cpus,
    Listing,
    device_head,
    device_line,
    policy_lines,
    smt_activity,
)

ZONE = "America/New_York"
CPU, PARTITIONS = "CPU ACTIVITY", "PARTITION DATA REPORT"
WORKLOAD = "WORKLOAD ACTIVITY"
TWO = [
    Processor(dispatched=24.36, mvs_busy=23.94),
    Processor(dispatched=7.7, mvs_busy=7.56),
]


@pytest.fixture
def read(tmp_path: Path):
    """Read a text as a file."""

    def read_text(text: str, zone: str | None = ZONE, **more: str) -> Reading:
        path = tmp_path / "report.txt"
        write_fresh(path, text)
        return text_report.read(path, zone, **more)

    return read_text


def rows(reading: Reading, table: str = "cpu_interval") -> list[dict]:
    frame = reading.tables.get(table)
    return [] if frame is None else frame.to_dicts()


def cpu_pages(cpus: Cpus, listing: Listing = Listing()) -> str:  # noqa: B008
    return listing.page(CPU, *cpus.activity()) + listing.page(
        PARTITIONS, *cpus.partitions(), page=3
    )


@pytest.mark.parametrize("asa", [True, False])
@pytest.mark.parametrize("shift", [0, 1, 5])
def test_one_interval_is_read_with_and_without_printer_controls(read, asa, shift):
    text = cpu_pages(Cpus(TWO, shift=shift), Listing(asa=asa))
    reading = read(text)
    (row,) = rows(reading)
    assert (reading.status, reading.problems) == ("ok", [])
    assert reading.systems == ["SYSA"]
    assert row["start_utc"] == "2022-04-12T04:30:00.000000Z"
    assert (row["seconds"], row["cpu_type"], row["online_cpus"]) == (1800.0, "CP", 2.0)
    assert row["busy_pct"] == pytest.approx(0.89)
    assert row["mvs_busy_pct"] == pytest.approx(0.875, abs=0.005)
    assert row["busy_seconds"] == pytest.approx(32.06, abs=0.001)
    assert (row["basis"], row["position"]) == ("dispatch", 1)
    assert reading.details["machine"]["MVS Partition Name"] == "LPARA"


def test_partitions_and_the_time_that_is_no_partitions(read):
    found = rows(read(cpu_pages(Cpus(TWO))), "partition_interval")
    names = {row["partition"]: row for row in found}
    assert set(names) == {"LPARA", "OTHER", "PHYSICAL"}
    assert names["LPARA"]["own"]
    assert names["LPARA"]["online_cpus"] == 2.0
    assert names["LPARA"]["dispatch_seconds"] == pytest.approx(32.06)
    assert names["PHYSICAL"]["dispatch_seconds"] == pytest.approx(7.832)
    assert names["PHYSICAL"]["effective_seconds"] is None


def test_cpu_numbers_are_hexadecimal_and_go_over_pages(read):
    cpus = Cpus([Processor(dispatched=18.0 * n, mvs_busy=18.0 * n) for n in range(40)])
    listing = Listing()
    text = listing.page(CPU, *cpus.activity(0, 25))
    text += listing.page(CPU, *cpus.activity(25), page=2)
    reading = read(text)
    (row,) = rows(reading)
    assert reading.problems == []
    assert row["online_cpus"] == 40.0
    assert row["busy_pct"] == pytest.approx(19.5)


def test_parked_and_absent_figures(read):
    cpus = [
        Processor(dispatched=1440, mvs_busy=1440),
        Processor(parked=1800),
        Processor(parked=900, dispatched=90, mvs_busy=90),
        Processor("IIP", dispatched=360, mvs_busy=360),
        Processor(online=0),
    ]
    reading = read(cpu_pages(Cpus(cpus)))
    cp, ziip = rows(reading)
    assert reading.problems == []
    assert (cp["online_cpus"], ziip["cpu_type"]) == (3.0, "zIIP")
    assert cp["busy_pct"] == pytest.approx((80 + 0 + 5) / 3)
    assert cp["mvs_busy_pct"] == pytest.approx((80 * 100 + 10 * 50) / 150)
    assert cp["parked_pct"] == pytest.approx(50)
    assert ziip["busy_seconds"] == pytest.approx(360)


def test_threads_of_a_core_count_for_mvs_busy_and_not_as_cpus(read):
    cores = [Core("IIP", 900.0, (720.0, 540.0)), Core("IIP", 180.0, (90.0, 0.0))]
    reading = read(Listing().page(CPU, *smt_activity(cores)))
    (row,) = rows(reading)
    assert reading.problems == []
    assert (row["online_cpus"], row["busy_pct"]) == (2.0, pytest.approx(30.0))
    assert row["mvs_busy_pct"] == pytest.approx((40 + 30 + 5 + 0) / 4)


def test_a_printed_average_that_does_not_fit_is_said(read):
    (problem,) = read(cpu_pages(Cpus(TWO, reported={"CP": "0.93"}))).problems
    assert problem.message.startswith("LPAR busy of CP")
    assert problem.line == 1


def test_wait_completion_and_dedicated_cpus(read):
    for cpus in (Cpus(TWO, wait="YES"), Cpus(TWO, weight="DED")):
        (row,) = rows(read(cpu_pages(cpus)))
        assert row["basis"] == "lpar_busy"


def test_boost_is_said(read):
    reading = read(cpu_pages(Cpus(TWO, boost="ZIIP")))
    assert reading.details["boost"] == ["Boost Type ZIIP"]
    assert rows(reading)[0]["boost"] == "Boost Type ZIIP"


def test_a_duration_report_has_the_length_of_its_interval(read):
    listing = Listing(interval="001.30.00", end="04/12/2022-02.00.00")
    (row,) = rows(read(cpu_pages(Cpus(TWO, seconds=1800), listing)))
    assert row["seconds"] == 5400.0


@pytest.mark.parametrize(
    ("date", "order", "utc"),
    [
        ("04/12/2022", "mdy", "2022-04-12"),
        ("04/12/2022", "dmy", "2022-12-04"),
        ("04.12.2022", "mdy", "2022-12-04"),
        ("2022/04/12", "ymd", "2022-04-12"),
    ],
)
def test_date_order_is_a_setting(read, date, order, utc):
    reading = read(cpu_pages(Cpus(TWO), Listing(date=date)), "UTC", dates=order)
    assert rows(reading)[0]["start_utc"].startswith(utc)


def test_a_date_that_is_none_in_the_order_names_the_setting(read):
    reading = read(cpu_pages(Cpus(TWO), Listing(date="31/12/2022")))
    assert reading.status == "failed"
    assert "--dates" in reading.problems[0].message


def test_the_setting_reaches_the_reader(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(cpu_pages(Cpus(TWO)))
    reading = read_file(path, "UTC", dates="dmy")
    assert reading.format == "rmf_text"
    assert rows(reading)[0]["start_utc"].startswith("2022-12-04")


def test_without_zone_rows_have_no_time(read):
    reading = read(cpu_pages(Cpus(TWO)), None)
    assert reading.status == "degraded"
    assert rows(reading)[0]["start_utc"] is None


def test_several_intervals_and_systems(read):
    later, other = Listing(time="01.00.00"), Listing(system="SYSB")
    one, two = cpu_pages(Cpus(TWO)), cpu_pages(Cpus(TWO), later)
    reading = read(one + two + cpu_pages(Cpus(TWO), other))
    assert [row["system"] for row in rows(reading)] == ["SYSA", "SYSA", "SYSB"]
    assert reading.records == {CPU: 3}


def test_interval_that_is_there_twice_counts_once(read):
    text = cpu_pages(Cpus(TWO))
    reading = read(text + text)
    assert len(rows(reading)) == 1
    assert "second time" in reading.problems[0].message


def test_other_reports_are_counted(read):
    other = Listing().page("CHANNEL PATH ACTIVITY", "DETAILS FOR ALL CHANNELS")
    reading = read(other + cpu_pages(Cpus(TWO)))
    assert reading.details["present, not decoded"] == ["CHANNEL PATH ACTIVITY"]
    alone = read(other)
    assert alone.status == "failed"
    assert "not decoded: CHANNEL PATH ACTIVITY" in alone.reason


def test_a_page_between_the_pages_of_a_report(read):
    listing = Listing()
    cpus = Cpus(TWO)
    text = listing.page(CPU, *cpus.activity())
    text += listing.page("PAGING ACTIVITY", "x", page=2)
    text += listing.page(PARTITIONS, *cpus.partitions(), page=3)
    assert rows(read(text))[0]["basis"] == "dispatch"


def test_cpus_that_are_cut_off_make_no_average(read):
    text = Listing().page(CPU, *Cpus(TWO).activity())
    cut = text[: text.index(" 1    CP")]
    reading = read(cut)
    assert (reading.status, rows(reading)) == ("truncated", [])
    assert reading.problems[-1].line == cut.rstrip().count("\n") + 1
    later = cpu_pages(Cpus(TWO), Listing(time="01.00.00"))
    reading = read(cut + "\n" + later)
    assert (reading.status, len(rows(reading))) == ("degraded", 1)


def test_a_damaged_line_of_a_cpu_makes_no_average(read):
    text = cpu_pages(Cpus(TWO)).replace(" 1    CP ", " ?    CP ")
    reading = read(text)
    assert (reading.status, rows(reading)) == ("failed", [])
    assert "not understood" in reading.problems[0].message


LAYOUTS = ["old", "new"]


def classes_page(blocks: list[list[str]], factor: float = 1.0, **more) -> str:
    lines = [line for block in blocks for line in block]
    listing = Listing(**more)
    policy = policy_lines(factor, ["SYSA"])
    return listing.page(WORKLOAD, *lines, plex="PLEXA") + listing.page(
        WORKLOAD, *policy, page=2, plex="PLEXA"
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("asa", [True, False])
def test_classes_in_both_layouts(read, layout, asa):
    blocks = [Block(), Block("ALLNET", "REPORT", ended="356K", period="")]
    reading = read(classes_page([getattr(b, layout)() for b in blocks], asa=asa))
    one, two = rows(reading, "class_interval")
    assert (reading.status, reading.problems) == ("ok", [])
    assert (one["system"], one["class"], one["class_kind"]) == (
        "SYSA",
        "TCPIP",
        "service",
    )
    assert one["cp_seconds"] == pytest.approx(blocks[0].cp(), abs=1e-9)
    assert one["ziip_seconds"] is None
    assert one["ziip_on_cp_seconds"] == pytest.approx(0.9)
    assert (one["period"], one["importance"], one["transactions"]) == (1, 4, 3)
    assert one["workload"] == "NETWORK"
    assert one["response_ms"] == pytest.approx(8944)
    assert (two["class_kind"], two["period"]) == ("report", None)
    assert two["transactions"] == 356_000


@pytest.mark.parametrize("layout", LAYOUTS)
def test_normalised_ziip_time_is_taken_off(read, layout):
    block = Block(tcb=10.0, ziip=4.0)
    page = classes_page([getattr(block, layout)(factor=1.5)], factor=1.5)
    reading = read(page)
    (row,) = rows(reading, "class_interval")
    assert reading.problems == []
    assert row["cp_seconds"] == pytest.approx(block.cp())
    assert (row["ziip_seconds"], row["normalisation"]) == (4.0, 1.5)


def test_service_times_that_contradict_appl_are_said(read):
    block = Block(tcb=10.0, ziip=4.0)
    reading = read(classes_page([block.new(factor=1.5)], factor=1.0))
    assert "APPL% CP gives" in reading.problems[0].message


def test_class_without_data(read):
    block = Block(zero=True)
    (row,) = rows(read(classes_page([block.new()])), "class_interval")
    assert (row["cp_seconds"], row["transactions"]) == (0.0, 0)


def test_workloads_and_the_policy_are_no_classes(read):
    lines = Block().new()
    lines[0] = "REPORT BY: POLICY=BASEPOL    WORKLOAD=NETWORK"
    assert rows(read(classes_page([lines])), "class_interval") == []


OVERVIEW = [
    "NUMBER OF INTERVALS 3                TOTAL LENGTH OF INTERVALS 01.29.59",
    " DATE  TIME     INT      CPUBUSY   NUMPROC    TRANS1",
    " MM/DD HH.MM.SS HH.MM.SS",
    " 12/31 23.00.00 00.30.00     36.3         4     102.5",
    " 12/31 23.30.00 00.30.00     12.1         4",
    " 01/01 00.00.00 00.29.59      1.2         4       1K",
]


def test_overview(read):
    listing = Listing(date="12/31/2022", time="23.00.00", end="01/01/2023-00.29.59")
    reading = read(listing.page("RMF OVERVIEW REPORT", *OVERVIEW), "UTC")
    cpus, metrics = rows(reading), rows(reading, "metric_interval")
    assert reading.status == "ok"
    assert [row["start_utc"][:16] for row in cpus] == [
        "2022-12-31T23:00",
        "2022-12-31T23:30",
        "2023-01-01T00:00",
    ]
    assert cpus[0]["busy_seconds"] == pytest.approx(0.363 * 4 * 1800)
    trans = {
        r["start_utc"][11:16]: r["value"] for r in metrics if r["metric"] == "TRANS1"
    }
    assert trans == {"23:00": 102.5, "00:00": 1000.0}


def test_a_condition_that_an_overview_has_twice_is_two_figures(read):
    lines = [line.replace("NUMPROC", " TRANS1") for line in OVERVIEW]
    listing = Listing(date="12/31/2022", time="23.00.00", end="01/01/2023-00.29.59")
    reading = read(listing.page("RMF OVERVIEW REPORT", *lines), "UTC")
    first = [r for r in rows(reading, "metric_interval") if "23:00" in r["start_utc"]]
    figures = {row["metric"]: row["value"] for row in first}
    assert figures == {"CPUBUSY": 36.3, "TRANS1": 4.0, "TRANS1 2": 102.5}


def test_overview_without_the_number_of_cpus(read):
    lines = [line.replace("NUMPROC", "OTHER  ") for line in OVERVIEW]
    listing = Listing(date="12/31/2022", time="23.00.00", end="01/01/2023-00.29.59")
    reading = read(listing.page("RMF OVERVIEW REPORT", *lines), "UTC")
    assert rows(reading) == []
    assert "NUMPROC" in reading.problems[-1].message


@given(st.integers(0, 20000), st.binary(min_size=1, max_size=3))
def test_damage_never_crashes(tmp_path, at, bytes_):
    cpus = Cpus([*TWO, Processor("IIP", dispatched=9.0, mvs_busy=9.0)])
    data = bytearray((cpu_pages(cpus) + classes_page([Block().old()])).encode())
    place = at % len(data)
    data[place : place + len(bytes_)] = bytes_
    path = tmp_path / "damaged.txt"
    write_fresh(path, bytes(data))
    reading = text_report.read(path, ZONE)
    for row in rows(reading):
        assert 0 <= row["busy_pct"] <= 100.5


@given(st.data())
def test_cut_anywhere_never_makes_other_figures(read, data):
    cpus = Cpus(TWO)
    text = cpu_pages(cpus)
    at = data.draw(st.integers(0, len(text) - 1))
    for row in rows(read(text[:at])):
        assert row["busy_pct"] == pytest.approx(0.89)
        assert row["busy_seconds"] == pytest.approx(32.06, abs=0.05)


@st.composite
def processors(draw) -> Processor:
    parked = draw(st.one_of(st.just(0.0), st.floats(0, 1800)))
    busy = draw(st.floats(0, 1)) * (1800 - parked)
    kind = draw(st.sampled_from(["CP", "IIP"]))
    return Processor(kind, parked=parked, dispatched=busy, mvs_busy=busy)


@given(st.lists(processors(), min_size=1, max_size=20), st.integers(0, 9))
def test_figures_survive_the_layout(read, cpus, shift):
    ordered = sorted(cpus, key=lambda cpu: cpu.kind)
    reading = read(cpu_pages(Cpus(ordered, shift=shift)))
    assert reading.problems == []
    for row in rows(reading):
        kind = {"CP": "CP", "zIIP": "IIP"}[row["cpu_type"]]
        mine = [cpu for cpu in ordered if cpu.kind == kind]
        used = sum(cpu.dispatched for cpu in mine)
        assert row["online_cpus"] == len(mine)
        assert row["busy_seconds"] == pytest.approx(used, abs=0.00051)


def test_recognised_by_title_and_heading():
    text = cpu_pages(Cpus(TWO)).encode()
    assert text_report.recognise(text)
    assert not text_report.recognise(b"C P U  A C T I V I T Y\n")
    assert not text_report.recognise(b"SYSTEM ID SYSA\n")


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        (cpu_pages(Cpus(TWO)), (" 1.35 ", " 1,35 ")),
        (classes_page([Block().old()]), ("2.670", "2,670")),
        (classes_page([Block().new()]), ("2.670", "2,670")),
    ],
    ids=["cpu", "old-classes", "new-classes"],
)
def test_a_figure_with_a_comma_is_told_with_its_line(read, text, damage):
    reading = read(text.replace(*damage, 1))
    (problem,) = (p for p in reading.problems if "comma" in p.message)
    assert reading.status in ("degraded", "failed")
    assert damage[1].strip() in text.replace(*damage, 1).split("\n")[problem.line - 1]


def test_a_line_of_an_overview_whose_time_is_damaged_is_told(read):
    listing = Listing(date="12/31/2022", time="23.00.00", end="01/01/2023-00.29.59")
    page = listing.page("RMF OVERVIEW REPORT", *OVERVIEW)
    reading = read(page.replace("23.30.00", "2x.30.00"), "UTC")
    assert (reading.status, len(rows(reading))) == ("degraded", 2)
    assert page.split("\n")[reading.problems[0].line - 1].lstrip().startswith("12/31")


def test_a_type_of_cpus_without_lpar_busy_is_told(read):
    cpus = [*TWO, Processor("IIP", dispatched=360, mvs_busy=180)]
    text = cpu_pages(Cpus(cpus))
    assert text.count("20.00        10.00") == 2
    reading = read(text.replace("20.00        10.00", "-----        10.00"))
    told = ("degraded", "zIIP has no figure of LPAR busy")
    assert (reading.status, reading.reason) == told
    assert [row["cpu_type"] for row in rows(reading)] == ["CP"]


DEVICES = "DIRECT ACCESS DEVICE ACTIVITY"
# Headings of another release: no cylinders, fewer figures, other places.
OTHER_HEADS = (
    "                                         DEVICE   AVG",
    "STORAGE  DEV DEVICE  VOLUME  PAV    LCU  ACTIVITY RESP",
    " GROUP   NUM  TYPE   SERIAL               RATE    TIME",
)
OTHER_ROWS = (
    "PRIMEDB D100  33909  RZ5D0D    1   00AB   128.437 .512",
    "        D101  33909  RZ5D0E                 0.000 .000",
    "        LCU                        00AB   128.437 .512",
)


def device_page(*rows: str, page: int = 1) -> str:
    lines = [device_head(60), *(f"    {head}" for head in DEVICE_HEADS)]
    return Listing().page(DEVICES, *lines, *(f"    {row}" for row in rows), page=page)


def device_row(device: str = "0A01", rate: float = 128.437) -> str:
    return device_line(device, "SYN001", 10, rate, (0.128, 0.0, 1.25), (16.05, 16.05))


def test_devices_stand_under_their_headings_wherever_these_are(read):
    reading = read(Listing().page(DEVICES, *OTHER_HEADS, *OTHER_ROWS))
    busy, idle = rows(reading, "device_interval")
    assert (reading.status, reading.problems) == ("ok", [])
    assert (busy["device"], busy["volume"], busy["lcu"]) == ("D100", "RZ5D0D", "00AB")
    assert (busy["rate"], busy["response_ms"]) == (128.437, 0.512)
    assert (busy["connect_ms"], busy["busy_pct"]) == (None, None)
    assert (idle["device"], idle["lcu"], idle["rate"]) == ("D101", None, 0.0)


def test_devices_of_a_report_anew_are_told(read):
    text = device_page(device_row()) + device_page(device_row("0A02"), page=2)
    reading = read(text + device_page(device_row()))
    found = [row["device"] for row in rows(reading, "device_interval")]
    assert found == ["00A01", "00A02", "00A01"]
    (problem,) = read(text + text).problems
    assert "again" in problem.message or "second time" in problem.message


@pytest.mark.parametrize(
    ("damaged", "told"),
    [("128,437", "comma"), ("12x.437", "no activity rate that is a number")],
)
def test_a_damaged_line_of_a_device_is_left_out(read, damaged, told):
    text = device_page(device_row(), device_row("0A02"))
    reading = read(text.replace("128.437", damaged, 1))
    assert reading.status == "degraded"
    assert told in reading.problems[0].message
    assert [row["device"] for row in rows(reading, "device_interval")] == ["00A02"]


def test_an_impossible_percentage_is_told(read):
    text = cpu_pages(Cpus(TWO))
    assert text.count(" 1.35 ") == 1
    reading = read(text.replace(" 1.35 ", " 99999"[:6]))
    told = [problem.message for problem in reading.problems]
    assert "LPAR busy of a CP is 99999%, which cannot be: it was not used" in told
    assert reading.status == "degraded"
