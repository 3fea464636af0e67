"""RMF XML: averages as RMF makes them, local times, replies that hold no report."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.errors import UserError
from analysis.ingest.physical import read_safely
from analysis.ingest.reading import Reading
from analysis.ingest.rmf import xml_report
from synthetic.emitters.rmf_xml import Interval, Processor, document
from tests.fresh import write_fresh
from tests.ingest.rmf.ddsml_more import indented, message, other_report

SAMPLES = Path(__file__).parents[4] / "shared" / "samples" / "rmf"
ZONE = "America/New_York"
TWO = (
    Processor(dispatched=24.36, mvs_busy=23.94),
    Processor(dispatched=7.7, mvs_busy=7.56),
)

needs_samples = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason="needs ../shared/samples"
)


def rows_of(reading: Reading) -> list[dict]:
    table = reading.tables.get("cpu_interval")
    return [] if table is None else table.to_dicts()


@pytest.fixture
def read(tmp_path: Path):
    """Read a text as a file."""

    def read_text(text: str, zone: str | None = ZONE) -> Reading:
        path = tmp_path / "report.xml"
        write_fresh(path, text)
        return xml_report.read(path, zone)

    return read_text


def test_one_interval_has_its_system_start_and_length(read):
    text = document(Interval(TWO, seconds=1799.997).xml())
    reading = read(text)
    (row,) = rows_of(reading)
    assert (reading.status, reading.problems) == ("ok", [])
    assert reading.systems == ["SYSA"]
    assert reading.records == {"CPU": 1}
    assert row["start_utc"] == "2022-04-12T04:00:00.000000Z"
    assert row["seconds"] == 1799.997
    assert (row["cpu_type"], row["online_cpus"]) == ("CP", 2.0)
    assert row["busy_pct"] == pytest.approx(0.89, abs=0.005)
    assert row["mvs_busy_pct"] == pytest.approx(0.875, abs=0.005)
    assert row["busy_seconds"] == pytest.approx(32.06, abs=0.001)
    assert (row["basis"], row["parked_pct"]) == ("dispatch", 0.0)
    assert row["position"] == text.index("<postprocessor>")


@pytest.mark.parametrize(
    ("reason", "change"), [("NONE", None), ("N/A", None), ("POWER", "POWER")]
)
def test_why_the_capacity_was_changed_is_told(read, reason, change):
    said = "<name>Boost Class</name><value>NONE</value>"
    other = f"<name>Change Reason</name><value>{reason}</value>"
    (row,) = rows_of(read(document(Interval(TWO).xml().replace(said, other))))
    assert row["capacity_change"] == change


def test_parked_time_weighs_mvs_busy(read):
    cpus = (
        Processor(dispatched=1440, mvs_busy=1440),
        Processor(parked=1800, dispatched=0, mvs_busy=0),
        Processor(parked=900, dispatched=90, mvs_busy=90),
    )
    reading = read(document(Interval(cpus).xml()))
    (row,) = rows_of(reading)
    assert row["busy_pct"] == pytest.approx((80 + 0 + 5) / 3)
    assert row["mvs_busy_pct"] == pytest.approx((80 * 100 + 10 * 50) / 150)
    assert row["parked_pct"] == pytest.approx(50)
    assert reading.problems == []


def test_a_cpu_that_was_online_for_a_part_counts_for_that_part(read):
    cpus = (
        Processor(dispatched=900, mvs_busy=900),
        Processor(online=450, dispatched=450, mvs_busy=450),
        Processor(online=0),
    )
    (row,) = rows_of(read(document(Interval(cpus, wait_completion="YES").xml())))
    assert row["online_cpus"] == 1.25
    assert row["busy_pct"] == pytest.approx((50 + 100 * 0.25) / 1.25)
    assert row["busy_seconds"] == pytest.approx(1350)


def test_types_stay_apart_and_totals_are_no_cpus(read):
    cpus = (
        Processor(dispatched=180, mvs_busy=180),
        Processor("IIP", dispatched=360, mvs_busy=360),
        Processor("IIP", dispatched=0, mvs_busy=0),
    )
    rows = rows_of(read(document(Interval(cpus).xml())))
    found = {row["cpu_type"]: (row["online_cpus"], row["busy_seconds"]) for row in rows}
    assert found == {"CP": (1.0, 180.0), "zIIP": (2.0, 360.0)}


@pytest.mark.parametrize(
    "change",
    [{"wait_completion": "YES"}, {"weight": "DED"}, {"partition": "LPAR&amp;"}],
)
def test_dispatch_time_that_holds_waits_is_not_used(read, change):
    """With wait completion and on dedicated CPs a waiting CP stays dispatched."""
    text = document(Interval(TWO, **change).xml())
    if "partition" in change:
        text = text.replace("<value>LPAR&amp;</value>", "<value>LPARX</value>")
    (row,) = rows_of(read(text))
    assert row["basis"] == "lpar_busy"
    assert row["busy_seconds"] == pytest.approx(0.0089 * 2 * 1800, rel=1e-9)


def test_dispatch_time_that_contradicts_lpar_busy_is_said(read):
    text = document(Interval(TWO).xml()).replace("00.00.32.060", "00.10.00.000")
    reading = read(text)
    (row,) = rows_of(reading)
    assert row["basis"] == "lpar_busy"
    assert "dispatch time is 600.000 s" in reading.problems[0].message


@pytest.mark.parametrize(
    ("reported", "what"),
    [(("0.91", "0.88"), "LPAR busy of CP"), (("0.89", "0.90"), "MVS busy of CP")],
)
def test_printed_averages_are_checked(read, reported, what):
    text = document(Interval(TWO, reported={"CP": reported}).xml())
    reading = read(text)
    (problem,) = reading.problems
    assert problem.message.startswith(what)
    assert problem.offset == text.index("<postprocessor>")
    assert rows_of(reading)[0]["busy_pct"] == pytest.approx(0.89)


def test_without_zone_rows_have_no_time(read):
    reading = read(document(Interval(TWO).xml()), zone=None)
    (row,) = rows_of(reading)
    assert row["start_utc"] is None
    assert reading.status == "degraded"
    assert "--zone" in reading.reason
    assert reading.circumstances.local_start == "2022-04-12T00:00:00"


def test_unknown_zone_is_a_user_error(read):
    with pytest.raises(UserError, match="not a time zone"):
        read(document(Interval(TWO).xml()), zone="Mars/Base")


def test_hour_that_the_clock_shows_twice(read):
    starts = ["00.30", "01.00", "01.30", "01.00", "01.30", "02.00"]
    cpus = [(Processor(dispatched=n + 1.0, mvs_busy=n + 1.0),) for n in range(6)]
    reports = [
        Interval(cpu, start=f"11/06/2022-{at}.00", end="").xml()
        for at, cpu in zip(starts, cpus, strict=True)
    ]
    reading = read(document(*reports))
    utc = [row["start_utc"][11:16] for row in rows_of(reading)]
    assert utc == ["04:30", "05:00", "05:30", "06:00", "06:30", "07:00"]
    assert sum("twice" in p.message for p in reading.problems) == 4


def test_interval_across_the_change_of_the_clock(read):
    report = Interval(TWO, start="03/13/2022-01.30.00", end="03/13/2022-03.00.00")
    reading = read(document(report.xml()))
    assert rows_of(reading)[0]["start_utc"] == "2022-03-13T06:30:00.000000Z"
    assert not any("apart" in p.message for p in reading.problems)


def test_length_that_does_not_fit_start_and_end(read):
    reading = read(document(Interval(TWO, seconds=900).xml()))
    assert "it is 900 s long" in reading.problems[0].message


def test_day_before_month_outside_america(read):
    report = Interval(TWO, start="04/12/2022-00.00.00", locale="de-de", end="")
    assert rows_of(read(document(report.xml()), "UTC"))[0]["start_utc"].startswith(
        "2022-12-04"
    )


@pytest.mark.parametrize("date", ["99/99/2022", "01/01/0001", "12/31/9999"])
def test_start_that_is_no_time(read, date):
    reading = read(document(Interval(TWO, start=f"{date}-00.00.00").xml()))
    assert (reading.status, rows_of(reading)) == ("failed", [])
    assert "not understood" in reading.problems[0].message


def test_interval_that_is_there_twice_counts_once(read):
    one = Interval(TWO).xml()
    reading = read(document(one, one))
    assert len(rows_of(reading)) == 1
    assert "second time" in reading.problems[0].message


def test_intervals_that_overlap_are_said(read):
    """As of a duration report beside the interval reports, or of two dumps."""
    longer = Interval(TWO, start="04/11/2022-23.45.00", end="04/12/2022-00.15.00")
    text = document(Interval(TWO).xml(), longer.xml())
    reading = read_safely("rmf_xml", lambda: read(text))
    assert reading.status == "degraded"
    assert reading.problems[-1].offset == text.index("<postprocessor>")


def test_reports_of_two_systems_at_one_time(read):
    text = document(Interval(TWO).xml(), Interval(TWO, system="SYSB").xml())
    reading = read(text)
    assert reading.systems == ["SYSA", "SYSB"]
    assert [row["system"] for row in rows_of(reading)] == ["SYSA", "SYSB"]
    assert [row["position"] for row in rows_of(reading)] == [
        text.index("<postprocessor>"),
        text.rindex("<postprocessor>"),
    ]


def test_several_documents_in_one_file(read):
    later = Interval(TWO, start="04/12/2022-00.30.00", end="04/12/2022-01.00.00")
    reading = read(document(Interval(TWO).xml()) + document(later.xml()))
    assert reading.status == "ok"
    assert len(rows_of(reading)) == 2


def test_text_with_white_space_from_an_editor(read):
    text = document(Interval(TWO).xml())
    plain, spaced = read(text), read(indented(text))
    without = [{k: v for k, v in r.items() if k != "position"} for r in rows_of(plain)]
    spaced_rows = rows_of(spaced)
    assert without == [
        {k: v for k, v in r.items() if k != "position"} for r in spaced_rows
    ]


@pytest.mark.parametrize("nothing", ["", "N/A", "-----", "****", "103.20", "x"])
def test_busy_that_is_no_number_is_null(read, nothing):
    text = document(Interval((TWO[0],)).xml())
    assert "<col>1.35</col>" in text
    reading = read(text.replace("<col>1.35</col>", f"<col>{nothing}</col>", 1))
    assert rows_of(reading) == []
    assert reading.status == "degraded"
    assert "LPAR busy" in reading.reason


def test_report_without_hiperdispatch_columns(read):
    text = document(Interval(TWO, columns=("Time% Parked", "Time% Online")).xml())
    (row,) = rows_of(read(text))
    assert (row["online_cpus"], row["parked_pct"]) == (2.0, 0.0)


def test_partition_without_dispatch_time(read):
    text = document(Interval(TWO).xml())
    reading = read(text.replace("<col>00.00.01.100</col>", "<col/>"))
    found = reading.tables["partition_interval"].to_dicts()
    other = next(row for row in found if row["partition"] == "OTHER")
    assert other["dispatch_seconds"] is None
    assert other["effective_seconds"] == 1.0


def test_boost_is_said(read):
    reading = read(document(Interval(TWO, boost="SPEED").xml()))
    assert reading.details["boost"] == ["Boost Type SPEED"]
    assert "not comparable" in reading.problems[0].message


def test_other_reports_are_counted(read):
    reading = read(document(other_report("CRYPTO"), Interval(TWO).xml()))
    assert reading.status == "ok"
    assert reading.records == {"CPU": 1, "CRYPTO": 1}
    assert reading.details["present, not decoded"] == ["CRYPTO"]


def test_only_other_reports(read):
    reading = read(document(other_report("ENQ"), other_report("CRYPTO")))
    assert reading.status == "failed"
    assert reading.reason == "only reports in it that are not decoded: CRYPTO, ENQ"


def test_an_error_reply_fails_with_its_message(read):
    reading = read(document(message("GPM0739E", "Invalid parameter 'DATE'")))
    assert (reading.status, reading.reason) == (
        "failed",
        "GPM0739E Invalid parameter 'DATE'",
    )


def test_reply_without_data_tells_why(read):
    why = (
        '<rmf-mfpmsg><mfpmsg id="ERB103I"> PPS: NOEXITS -- DEFAULT</mfpmsg>'
        '<mfpmsg id="ERB106I"> PPS: NO SMF RECORDS</mfpmsg></rmf-mfpmsg>'
    )
    reading = read(document(message("GPM0745E", "No reportable data"), why))
    assert reading.status == "empty"
    assert reading.reason == "GPM0745E No reportable data"
    assert [p.message for p in reading.problems] == [
        "GPM0745E No reportable data",
        "ERB106I NO SMF RECORDS",
    ]


def test_reply_without_any_report(read):
    assert read(document()).status == "empty"


def test_entities_are_refused(read):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    text = document(Interval(TWO).xml()).replace("<ddsml", f"{bomb}<ddsml", 1)
    reading = read(text)
    assert rows_of(reading) == []
    assert "entity" in reading.reason


@given(st.data())
def test_cut_anywhere_keeps_the_whole_reports(read, data):
    second = Interval(TWO, start="04/12/2022-00.30.00", end="04/12/2022-01.00.00")
    text = document(Interval(TWO).xml(), second.xml())
    at = data.draw(st.integers(1, len(text.rstrip()) - 1))
    reading = read(text[:at])
    whole = text[:at].count("</postprocessor>")
    assert len(rows_of(reading)) == whole
    assert reading.status == "truncated"
    assert reading.problems[-1].offset is not None


@given(st.integers(0, 4000), st.integers(0, 255))
def test_a_flipped_byte_never_crashes(tmp_path, at, byte):
    data = bytearray(document(Interval(TWO).xml()).encode())
    data[at % len(data)] = byte
    path = tmp_path / "flipped.xml"
    write_fresh(path, bytes(data))
    reading = xml_report.read(path, ZONE)
    for row in rows_of(reading):
        assert 0 <= row["busy_pct"] <= 100.5


seconds = st.floats(0, 1800)


@st.composite
def processors(draw) -> Processor:
    parked = draw(st.one_of(st.just(0.0), seconds))
    busy = draw(st.floats(0, 1)) * (1800 - parked)
    return Processor(parked=parked, dispatched=busy, mvs_busy=busy)


@given(st.lists(processors(), min_size=1, max_size=20))
def test_rounding_alone_is_never_a_problem(read, cpus):
    reading = read(document(Interval(tuple(cpus)).xml()))
    (row,) = rows_of(reading)
    used = sum(cpu.dispatched for cpu in cpus)
    assert reading.problems == []
    assert row["busy_seconds"] == pytest.approx(used, abs=0.00051)
    assert row["busy_pct"] == pytest.approx(used / len(cpus) / 18, abs=0.0051)


@needs_samples
def test_genuine_report_to_the_digit():
    """z/OS V2R5, one interval: prints 0.89, 0.88 and 00.00.32.055."""
    reading = xml_report.read(SAMPLES / "postprocessor-cpu.xml", ZONE)
    (row,) = rows_of(reading)
    assert (reading.status, reading.problems) == ("ok", [])
    assert row["busy_pct"] == pytest.approx(0.89, abs=1e-9)
    assert row["mvs_busy_pct"] == pytest.approx(0.88, abs=0.005 + 1e-9)
    assert row["busy_seconds"] == pytest.approx(32.055)
    assert row["busy_seconds"] / (1799.997 * 2) == pytest.approx(0.0089, abs=5e-5)
    assert row["start_utc"] == "2022-04-12T04:00:00.000000Z"


@needs_samples
@pytest.mark.parametrize(
    ("file", "status", "reason"),
    [
        ("dds-error.xml", "failed", "GPM0739E"),
        ("dds-mfpmsg-error.xml", "empty", "GPM0745E"),
        ("ddsml-empty.xml", "empty", "holds no report"),
    ],
)
def test_errors_and_empty_replies_of_real_servers_are_told(file, status, reason):
    reading = xml_report.read(SAMPLES / file, ZONE)
    assert reading.status == status
    assert reason in reading.reason


def test_an_impossible_percentage_is_told(read):
    text = document(Interval(TWO).xml())
    assert text.count("<col>1.35</col>") == 1
    reading = read(text.replace("<col>1.35</col>", "<col>135</col>"))
    assert reading.status == "degraded"
    told = [problem.message for problem in reading.problems]
    assert "LPAR busy of a CP is 135%, which cannot be: it was not used" in told


def test_an_average_that_is_far_from_its_cpus_is_no_sound_report(read):
    reading = read(document(Interval(TWO, reported={"CP": ("0.89", "43.90")}).xml()))
    assert reading.status == "degraded"
    assert reading.reason.endswith("TOTAL/AVERAGE is printed as 43.90")


def test_a_cpu_that_is_there_twice_is_told(read):
    text = document(Interval(TWO).xml())
    assert text.count("<col>1</col><col>CP</col>") == 1
    reading = read(
        text.replace("<col>1</col><col>CP</col>", "<col>0</col><col>CP</col>")
    )
    told = ("degraded", "CPU 0 of type CP is there twice")
    assert (reading.status, reading.reason) == told


@pytest.mark.parametrize(
    ("end", "status"),
    [("00.30.02", "ok"), ("00.31.00", "ok"), ("00.32.00", "failed")],
)
def test_a_length_that_start_and_end_contradict_is_refused(read, end, status):
    report = Interval(TWO, end=f"04/12/2022-{end}")
    reading = read(document(report.xml()))
    assert reading.status == status
    if status == "failed":
        told = "it is 1800 s long, but start and end are 1920 s apart"
        assert reading.reason == told


def test_a_short_interval_may_be_off_by_less(read):
    report = Interval(
        (Processor(dispatched=6, mvs_busy=6, online=60),),
        seconds=60,
        end="04/12/2022-00.01.50",
    )
    assert "60 s long" in read(document(report.xml())).reason


def test_a_partition_that_ran_longer_than_its_cpus_is_told(read):
    text = document(Interval(TWO).xml())
    text = text.replace("Total Dispatch Time</col>", "Total Dispatch Time</col>"
        "<col>PROC Num</col>")  # fmt: skip
    cell = "<col>00.00.32.060</col>"
    assert text.count(cell) == text.count("PROC Num") == 1
    text = text.replace(cell, f"{cell}<col>2.0</col>")
    reading = read(text)
    names = reading.tables["partition_interval"]["partition"].to_list()
    assert (reading.status, "LPARA" in names) == ("ok", True)
    reading = read(text.replace("00.00.32.060", "01.10.00.000"))
    assert reading.status == "degraded"
    assert "LPARA was dispatched for 4200.000 s, more than the 3600 s" in reading.reason
    assert "LPARA" not in reading.tables["partition_interval"]["partition"].to_list()
