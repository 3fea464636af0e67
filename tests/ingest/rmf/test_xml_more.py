"""RMF XML beside CPU: classes, channels, devices, PCIe, XCF, storage, overview."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.reading import Reading
from analysis.ingest.rmf import xml_report
from analysis.ingest.tables.catalog import TABLES
from synthetic.emitters.rmf_xml import Interval, Processor, document, variables
from tests.fresh import write_fresh
from tests.ingest.rmf.ddsml_more import (
    Class,
    channels,
    devices,
    indented,
    lines,
    part,
    report,
    segment,
    workload,
)

SAMPLES = Path(__file__).parents[4] / "shared" / "samples" / "rmf"
needs_samples = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="needs ../shared/samples"
)


@pytest.fixture
def read(tmp_path: Path):
    """Read the document of these reports as a file."""

    def read_reports(*reports: str) -> Reading:
        path = tmp_path / "report.xml"
        write_fresh(path, document(*reports))
        return xml_report.read(path, "America/New_York")

    return read_reports


def rows(reading: Reading, table: str) -> list[dict]:
    frame = reading.tables.get(table)
    return [] if frame is None else frame.to_dicts()


def test_a_service_class_is_read_without_problems(read):
    reading = read(workload(classes=(Class(),)))
    (row,) = rows(reading, "class_interval")
    assert (reading.status, reading.problems) == ("ok", [])
    assert (row["system"], row["class"], row["class_kind"]) == (
        "SYSA",
        "TCPIP",
        "service",
    )
    assert row["start_utc"] == "2022-04-12T04:00:00.000000Z"
    assert row["cp_seconds"] == pytest.approx(Class().cp())
    assert row["ziip_on_cp_seconds"] == pytest.approx(0.9)
    assert (row["ziip_seconds"], row["transactions"]) == (None, 3)
    assert (row["period"], row["importance"], row["workload"]) == (1, 4, "NET")
    assert row["response_ms"] == pytest.approx(8944.393)


def test_ziip_time_in_cpu_time_is_normalised(read):
    one = Class(tcb=10, ziip=4.0)
    reading = read(workload(classes=(one,), factor=1.5))
    (row,) = rows(reading, "class_interval")
    assert reading.problems == []
    assert row["cp_seconds"] == pytest.approx(one.cp())
    assert (row["ziip_seconds"], row["normalisation"]) == (4.0, 1.5)


def test_appl_that_contradicts_the_service_times_is_said(read):
    text = workload(classes=(Class(),)).replace("<value>2.670<", "<value>12.670<")
    reading = read(text)
    (problem,) = reading.problems
    assert reading.status == "degraded"
    assert problem.message.startswith(
        "service class TCPIP: service times give 12.876 s"
    )
    assert problem.offset is not None


def test_a_class_of_several_periods_is_one_row_without_period(read):
    several = Class(periods=((1, 2), (2, 3)))
    (row,) = rows(read(workload(classes=(several,))), "class_interval")
    assert (row["period"], row["importance"]) == (None, None)


def test_a_class_of_one_period_among_several(read):
    one = Class(periods=(), said={"Period": "2", "Importance": "3"})
    (row,) = rows(read(workload(classes=(one,))), "class_interval")
    assert (row["period"], row["importance"]) == (2, 3)


def test_report_classes_stay_apart_and_workloads_are_no_classes(read):
    both = (Class(), Class("ALLNET", "Report", zero=True))
    found = rows(read(workload(classes=both)), "class_interval")
    assert [row["class_kind"] for row in found] == ["service", "report"]
    assert (found[1]["cp_seconds"], found[1]["transactions"]) == (0.0, 0)


def test_classes_of_several_systems_carry_the_name_of_the_sysplex(read):
    reading = read(workload(classes=(Class(),), systems=("SYSA", "SYSB")))
    assert rows(reading, "class_interval")[0]["system"] == "PLEXA"
    assert reading.details["classes add up the systems"] == ["SYSA", "SYSB"]


def test_channels_have_speed_shares_and_bytes_in_their_units(read):
    found = {row["channel"]: row for row in rows(read(channels()), "channel_interval")}
    assert len(found) == 22
    osa, off, iqd = found["01"], found["FE"], found["ED"]
    assert (osa["kind"], osa["online"], osa["speed_mbps"]) == ("OSD", True, 25_000.0)
    assert (osa["partition_busy_pct"], osa["total_busy_pct"]) == (1.5, 2.25)
    assert osa["total_read_bytes_per_second"] == pytest.approx(230_000)
    assert (off["online"], off["partition_busy_pct"]) == (False, None)
    assert iqd["partition_write_bytes_per_second"] == pytest.approx(16e9)
    assert iqd["total_write_bytes_per_second"] == pytest.approx(4_096_000)
    assert iqd["total_messages_per_second"] == pytest.approx(250_000)
    assert iqd["receive_failures_per_second"] == 1.0


def test_a_channel_of_several_tables_is_one_row(read):
    one = lines(["Channel Path ID", "Type", "Util% (LPAR)"], ["ED", "IQD", ""])
    two = lines(["Channel Path ID", "Util% (LPAR)"], ["ED", "5.0"], ["ED", "6.0"])
    both = read(
        report("CHAN", segment("x", part("", one)), segment("y", part("", two)))
    )
    (row,) = rows(both, "channel_interval")
    assert (row["kind"], row["partition_busy_pct"]) == ("IQD", 5.0)


def test_devices_have_their_times_and_shares(read):
    found = rows(read(devices(number=3)), "device_interval")
    assert [row["device"] for row in found] == ["05000", "05001", "05002"]
    first = found[0]
    assert (first["volume"], first["lcu"], first["rate"]) == ("VOL000", "000E", 1.378)
    assert (first["pending_ms"], first["disconnect_ms"]) == (0.075, 0.03)
    assert (first["connect_ms"], first["iosq_ms"]) == (0.341, 0.01)
    assert (first["connect_pct"], first["busy_pct"]) == (0.02, 0.03)


def test_pcie_functions_have_bytes_of_rate_times_interval(read):
    heads = ["Function ID", "Function PCHID", "Function Name", "Owner Job Name"]
    heads += ["Function Allocation Time", "DMA Read Transfer Rate"]
    heads += ["DMA Write Transfer Rate"]
    general = lines(
        heads, ["001B", "07E4", "ISM", "VTAM", "900", "1.5", "0.25"], ["001C", "0138"]
    )
    reading = read(report("PCIE", segment("General PCIE Activity", part("", general))))
    one, two = rows(reading, "pcie_interval")
    assert (one["function"], one["channel"], one["job"]) == ("001B", "07E4", "VTAM")
    assert (one["counts"], one["bytes_in"]) == ("dma", 1_350_000_000)
    assert one["bytes_out"] == 225_000_000
    assert (two["bytes_in"], two["allocated_seconds"]) == (None, None)


def test_xcf(read):
    local = lines(
        ["Transport Class", "Status", "Requests Rejected"], ["DEFAULT", "Active", "2K"]
    )
    members = lines(
        ["Group", "Member", "Status", "Requests Out", "Requests In"],
        ["EZBTCPCS", "SYSATCPIP", "Active", "18", "1K"],
    )
    reading = read(
        report(
            "XCF",
            segment("XCF Usage by System", part("Local within System SYSA", local)),
            segment("XCF Usage by Member", part("Members on System SYSA", members)),
        )
    )
    one, two = rows(reading, "xcf_interval")
    assert (one["direction"], one["transport_class"]) == ("local", "DEFAULT")
    assert one["rejected"] == 2000
    assert (two["xcf_group"], two["member"]) == ("EZBTCPCS", "SYSATCPIP")
    assert (two["requests_out"], two["requests_in"]) == (18, 1000)


def test_virtual_storage(read):
    heads = ["Key", "Below 16M Min", "Below 16M Max", "Below 16M Avg", "Above 16M Avg"]
    free = {"Maximum possible user region above 16M": "1831M", "Samples": "180"}
    reading = read(
        report(
            "VSTOR",
            segment(
                "Common Storage Summary",
                part("Static Storage Map", lines(["Area", "Size"], ["ECSA", "79.0M"])),
                part("CSA", lines(heads, ["0", "100K", "104K", "102K", "19.2M"])),
                part("CSA/SQA Free Space", variables(free)),
            ),
        )
    )
    found = {(r["area"], r["place"]): r for r in rows(reading, "storage_interval")}
    assert found["Static Storage Map ECSA", None]["mean_bytes"] == 79 * 2**20
    below = found["CSA 0", "below 16M"]
    assert (below["minimum_bytes"], below["maximum_bytes"]) == (102_400, 106_496)
    assert found["CSA 0", "above 16M"]["mean_bytes"] == pytest.approx(19.2 * 2**20)
    assert len(found) == 4


def test_overview(read):
    table = lines(
        ["Date", "Time", "Int", "CPUBSY", "NUMPROC", "TRANS"],
        ["04/12/2022", "00.00.00", "00.30.00", "25.0", "4", "100.5"],
        ["04/12", "00.30.00", "00.30.00", "N/A", "4", "1K"],
    )
    reading = read(
        report("OVW", segment("x", part("", table)), description="Overview Report")
    )
    (cpu,) = rows(reading, "cpu_interval")
    assert (cpu["busy_seconds"], cpu["system"]) == (1800.0, "SYSA")
    values = [r["value"] for r in rows(reading, "metric_interval")]
    assert values == [25.0, 4.0, 100.5, None, 4.0, 1000.0]


def test_rows_without_a_channel_or_a_device_are_left_out(read):
    table = lines(["Channel Path ID", "Util% (LPAR)"], [" \n ", "1.5"], ["", "2.5"])
    none = report("CHAN", segment("Details", part("", table)))
    assert read(none).status == "failed"
    one = none.replace(" \n ", "0A")
    (row,) = rows(read(one), "channel_interval")
    assert (row["channel"], row["partition_busy_pct"]) == ("0A", 1.5)


def test_documents_that_an_editor_indented(tmp_path):
    text = document(workload(), channels(), devices(number=3))
    frames = []
    for form in (text, indented(text)):
        path = tmp_path / "report.xml"
        path.write_text(form)
        tables = xml_report.read(path, "UTC").tables
        frames.append({n: f.drop("position").to_dicts() for n, f in tables.items()})
    assert frames[0] == frames[1]
    assert set(frames[0]) == {"class_interval", "channel_interval", "device_interval"}


def test_a_damaged_report_costs_no_other(read):
    cpus = (Processor(dispatched=90, mvs_busy=90),)
    times = ["00.00.00", "00.30.00", "01.00.00"]
    one, two, three = (
        Interval(cpus, start=f"04/12/2022-{at}", end="").xml() for at in times
    )
    reading = read(one, two.replace("</segment>", "</segmnt>", 1), three)
    assert len(rows(reading, "cpu_interval")) == 2
    assert reading.status == "degraded"
    assert "damaged and was left out" in reading.reason
    assert reading.problems[0].offset == document(one).index("</ddsml>") + 2
    # Without its end tag, a report takes nothing of the next one with it.
    reading = read(one, two.replace("</postprocessor>", ""), three)
    assert len(rows(reading, "cpu_interval")) == 2


def test_encoding_of_the_document_counts(tmp_path):
    text = document(devices(number=1)).replace("UTF-8", "ISO-8859-1")
    path = tmp_path / "report.xml"
    path.write_bytes(text.replace("VOL000", "VÖL000").encode("latin-1"))
    reading = xml_report.read(path, "UTC")
    assert rows(reading, "device_interval")[0]["volume"] == "VÖL000"


@given(st.integers(0, 40_000), st.binary(min_size=1, max_size=4))
def test_damage_never_crashes(tmp_path, at, bytes_):
    data = bytearray(document(workload(), channels(), devices(number=9)).encode())
    place = at % len(data)
    data[place : place + len(bytes_)] = bytes_
    path = tmp_path / "damaged.xml"
    write_fresh(path, bytes(data))
    reading = xml_report.read(path, "UTC")
    for name, frame in reading.tables.items():
        assert dict(frame.schema) == TABLES[name]


@needs_samples
def test_genuine_classes_to_the_digit():
    """Service times 0.870, 0.289, 0.005 of STCHIGH; APPL% CP 0.06 of 1799.997 s."""
    reading = xml_report.read(SAMPLES / "postprocessor-wlmgl.xml", "America/New_York")
    found = {row["class"]: row for row in rows(reading, "class_interval")}
    assert (reading.status, reading.problems) == ("ok", [])
    assert len(found) == 14
    high = found["STCHIGH"]
    assert high["cp_seconds"] == pytest.approx(0.870 + 0.289 + 0.005)
    assert round(100 * high["cp_seconds"] / high["seconds"], 2) == 0.06
    assert (high["system"], high["period"], high["importance"]) == ("RPRT", 1, 2)
    assert found["STCLOW"]["transactions"] == 3
    assert found["UNIX"]["period"] is None


@needs_samples
def test_genuine_channels_to_the_digit():
    reading = xml_report.read(SAMPLES / "postprocessor-chan.xml", "America/New_York")
    found = {row["channel"]: row for row in rows(reading, "channel_interval")}
    assert (reading.status, len(found)) == ("ok", 14)
    assert found["02"]["total_read_bytes_per_second"] == pytest.approx(230_000)
    assert (found["01"]["speed_mbps"], found["02"]["speed_mbps"]) == (100.0, 1000.0)
    assert (found["ED"]["kind"], found["ED"]["total_messages_per_second"]) == ("IQD", 0)


def test_an_impossible_percentage_of_a_channel_or_an_overview_is_told(read):
    table = lines(["Channel Path ID", "Util% (LPAR)"], ["0A", "150"], ["0B", "1.5"])
    reading = read(report("CHAN", segment("Details", part("", table))))
    assert reading.reason.startswith("partition_busy_pct of 0A is 150%, which cannot")
    busy = [r["partition_busy_pct"] for r in rows(reading, "channel_interval")]
    assert (reading.status, busy) == ("degraded", [None, 1.5])
    table = lines(
        ["Date", "Time", "Int", "CPUBSY", "NUMPROC"],
        ["04/12/2022", "00.00.00", "00.30.00", "250", "4"],
        ["04/12/2022", "00.30.00", "00.30.00", "25", "4"],
    )
    text = report("OVW", segment("x", part("", table)), description="Overview Report")
    reading = read(text)
    assert reading.reason.startswith("busy_pct of CP is 250%, which cannot be")
    assert [r["busy_pct"] for r in rows(reading, "cpu_interval")] == [25.0]
