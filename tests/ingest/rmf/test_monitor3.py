"""Monitor III: one report in XML, in JSON and in the dialect of old releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.ingest.detect import read_file
from analysis.ingest.reading import Reading
from analysis.ingest.rmf import dds_json, xml_report
from analysis.ingest.tables.catalog import TABLES
from synthetic.emitters.rmf_xml import document
from tests.fresh import write_fresh

SHARED = Path(__file__).parents[4] / "shared" / "samples"
FRAMES = SHARED / "dds-json" / "frames.json"
COLUMNS = ["CPCPPNAM", "CPCPLPNO", "CPCPLTOU", "CPCPIND"]
ROWS = [
    ["*CP", "6.0", "", "CS"],
    ["LPARA", "4.0", "12.5", "CP"],
    ["OTHER", "2.0", "0.3", "CP"],
    ["PHYSICAL", "", "", "CY"],
    ["*IIP", "2.0", "", "NS"],
    ["LPARA", "2.0", "50.0", "NP"],
]


def as_xml(columns: list[str], rows: list[list[str]], name: str = "CPC") -> str:
    heads = "".join(f'<col type="T">{head}</col>' for head in columns)
    body = "".join(
        f"<row>{''.join(f'<col>{cell}</col>' for cell in row)}</row>" for row in rows
    )
    return document(f"""<report><metric id="{name}"><format>report</format></metric>
<resource><reslabel>,SYSA,MVS_IMAGE</reslabel></resource>
<time-data><local-start>20220412002320</local-start>
<utc-start>20220412042320</utc-start><utc-end>20220412042500</utc-end>
<data-range unit="seconds">100</data-range></time-data>
<caption><var><name>CPCHPNAM</name><value>LPARA</value></var></caption>
{body}<column-headers>{heads}</column-headers></report>""")


def as_json(columns: list[str], rows: list[list[str]], name: str = "CPC") -> str:
    report: dict[str, Any] = {
        "metric": {"id": name, "format": "report"},
        "resource": {"reslabel": ",SYSA,MVS_IMAGE"},
        "timeData": {
            "utcStart": "20220412042320",
            "utcEnd": "20220412042500",
            "dataRange": {"unit": "seconds", "value": "100"},
        },
        "caption": {"var": [{"name": "CPCHPNAM", "value": "LPARA"}]},
        "columnHeaders": {"col": [{"value": head, "type": "T"} for head in columns]},
        "row": [{"refno": str(n), "col": row} for n, row in enumerate(rows)],
    }
    return json.dumps({"report": [report]})


def rows_of(reading: Reading, table: str) -> list[dict]:
    frame = reading.tables.get(table)
    return [] if frame is None else frame.to_dicts()


@pytest.fixture
def read(tmp_path: Path):
    """Read a text as a file, by its content."""

    def read_text(text: str, zone: str | None = None) -> Reading:
        path = tmp_path / "reply"
        write_fresh(path, text)
        return read_file(path, zone)

    return read_text


@pytest.mark.parametrize(("form", "name"), [(as_xml, "rmf_xml"), (as_json, "rmf_json")])
def test_a_cpc_report_has_its_busy_time_by_type_of_processor(read, form, name):
    reading = read(form(COLUMNS, ROWS))
    cp, ziip = rows_of(reading, "cpu_interval")
    assert (reading.format, reading.status) == (name, "ok")
    assert (reading.systems, reading.records) == (["SYSA"], {"CPC": 1})
    assert cp["start_utc"] == "2022-04-12T04:23:20.000000Z"
    assert (cp["cpu_type"], cp["online_cpus"], cp["busy_pct"]) == ("CP", 4.0, 12.5)
    assert (cp["busy_seconds"], cp["basis"]) == (50.0, "monitor3_cpc")
    assert (ziip["cpu_type"], ziip["busy_seconds"]) == ("zIIP", 100.0)
    figures = rows_of(reading, "metric_interval")
    assert {r["metric"] for r in figures} == {"CPCPLPNO", "CPCPLTOU"}
    assert [r["resource"] for r in figures][:2] == ["*CP", "LPARA"]


@pytest.mark.parametrize("form", [as_xml, as_json])
def test_channels_have_their_kind_and_shares(read, form):
    columns = ["CHACPIVC", "CHACPTVC", "CHACPUVC", "CHACTRVC"]
    cells = [["01", "OSD", "1.5", "28000"], ["ED", "IQD", "----", ""]]
    one, two = rows_of(read(form(columns, cells, "CHANNEL")), "channel_interval")
    assert (one["kind"], one["partition_busy_pct"]) == ("OSD", 1.5)
    assert one["total_read_bytes_per_second"] == 28_000
    assert (two["channel"], two["partition_busy_pct"]) == ("ED", None)


OLD = """<perf-config><server name="RMF-DDS-Server" version="ZOSV1R8"/>
<performance-data><metric id="8D0460" description="% total utilization"
 type="single" resource=",SYSA,MVS_IMAGE" restype="MVS_IMAGE">
<timerange localstart="20151128182820" localend="20151128182840"
 utcstart="20151128232820" utcend="20151128232840"/>
<data-range seconds="20"/><row label="" value="32" per="32"/></metric>
</performance-data></perf-config>"""


def test_the_old_dialect_has_value_and_time(read):
    (row,) = rows_of(read(OLD), "metric_interval")
    assert (row["system"], row["metric"]) == ("SYSA", "% total utilization")
    assert (row["value"], row["seconds"]) == (32.0, 20.0)
    assert row["start_utc"] == "2015-11-28T23:28:20.000000Z"


def test_times_that_are_local_only_need_the_zone(read):
    local = OLD.replace('utcstart="20151128232820"', "").replace("utcend", "x")
    assert read(local).status == "degraded"
    (row,) = rows_of(read(local, "America/New_York"), "metric_interval")
    assert row["start_utc"] == "2015-11-28T23:28:20.000000Z"


def test_report_without_times(read):
    text = as_json(COLUMNS, ROWS).replace("utcStart", "x").replace("utcEnd", "y")
    reading = read(text)
    assert reading.status == "degraded"
    assert "when they began" in reading.reason


def test_messages_and_no_data(read):
    reply = {"message": {"id": "GPM0745E", "description": "No data"}, "report": []}
    reading = read(json.dumps({"messages": [reply["message"]]}))
    assert (reading.format, reading.status) == ("rmf_json", "empty")
    assert reading.reason == "GPM0745E No data"
    empty = as_json(["", "V"], [["*NoData*", "NaN"]])
    assert rows_of(read(empty), "metric_interval") == []


def test_several_replies_in_one_file(read):
    one = as_json(COLUMNS, ROWS)
    later = one.replace("20220412042320", "20220412042500").replace(
        '"utcEnd": "20220412042500"', '"utcEnd": "20220412042640"'
    )
    reading = read(f"{one}\n{later}\n")
    assert len(rows_of(reading, "cpu_interval")) == 4
    assert reading.status == "ok"
    cut = read(f"{one}\n{later[:200]}")
    assert (cut.status, len(rows_of(cut, "cpu_interval"))) == ("truncated", 2)
    assert cut.problems[-1].offset > len(one)


@given(st.integers(0, 4000), st.integers(0, 255))
def test_damage_never_crashes(tmp_path, at, byte):
    for form, module in ((as_xml, xml_report), (as_json, dds_json)):
        data = bytearray(form(COLUMNS, ROWS).encode())
        data[at % len(data)] = byte
        path = tmp_path / "damaged"
        write_fresh(path, bytes(data))
        reading = module.read(path, "UTC")
        assert reading.status == "ok" or reading.reason or reading.problems
        for name, table in reading.tables.items():
            assert table.schema == TABLES[name]


SHAPES = [1, "a", None, [], {}, [1], {"col": 1}, {"col": [None, {}]}]


@given(
    st.sampled_from(["row", "metric", "timeData", "columnHeaders", "caption"]),
    st.sampled_from(SHAPES),
)
def test_json_of_other_shapes_never_crashes(tmp_path, key, value):
    reply = json.loads(as_json(COLUMNS, ROWS))
    reply["report"][0][key] = value
    path = tmp_path / "shape.json"
    path.write_text(json.dumps(reply))
    assert dds_json.read(path).status in ("ok", "degraded", "failed", "empty")


@pytest.mark.skipif(not FRAMES.is_file(), reason="needs ../shared/samples")
def test_replies_as_the_client_of_the_server_reads_them(tmp_path):
    """Figures of the list metrics: -0.0 is 0, NaN and text are null."""
    expected = [0.0, 0.0, 0.0, 10.3, -10.0, None, None, None]
    for case in json.loads(FRAMES.read_text()):
        path = tmp_path / "reply.json"
        path.write_text(json.dumps(case["ddsResponse"]))
        reading = dds_json.read(path, "UTC")
        values = [row["value"] for row in rows_of(reading, "metric_interval")]
        if case["name"] in ("PositiveTimeSeriesList", "PositiveList"):
            assert values == expected
        elif case["name"] in ("PositiveTimeSeriesSingle", "PositiveSingle"):
            assert values == [42.0]
        else:
            assert values == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/samples")
def test_genuine_cpc_report():
    reading = xml_report.read(SHARED / "rmf" / "monitor3-cpc.xml")
    (row,) = rows_of(reading, "cpu_interval")
    assert (row["system"], row["online_cpus"], row["busy_pct"]) == ("RPRT", 2.0, 0.8)
    assert row["start_utc"] == "2022-04-12T04:23:20.000000Z"


LENGTH = {as_xml: ('"seconds">100<', '"seconds">1000<'), as_json: ('"100"', '"1000"')}


@pytest.mark.parametrize("form", [as_xml, as_json])
def test_a_length_that_start_and_end_contradict_is_refused(read, form):
    text = form(COLUMNS, ROWS)
    reading = read(text.replace(*LENGTH[form]))
    assert (reading.status, reading.tables) == ("failed", {})
    assert reading.reason == "it is 1000 s long, but start and end are 100 s apart"


def test_a_length_that_local_times_alone_contradict_is_refused(read):
    local = "<local-end>20220412002320</local-end>".replace("2320", "2500")
    text = as_xml(COLUMNS, ROWS).replace("<utc-end>20220412042500</utc-end>", local)
    assert read(text).status == "ok"
    assert "100 s apart" in read(text.replace(*LENGTH[as_xml])).reason


@pytest.mark.parametrize("form", [as_xml, as_json])
@pytest.mark.parametrize("share", ["980.8", "-0.8"])
def test_an_impossible_share_of_a_partition_is_told(read, form, share):
    rows = [[share if cell == "12.5" else cell for cell in row] for row in ROWS]
    reading = read(form(COLUMNS, rows))
    told = f"CPCPLTOU of LPARA is {share}%, which cannot be: it was not used"
    assert (reading.status, reading.reason) == ("degraded", told)
    assert [r["cpu_type"] for r in rows_of(reading, "cpu_interval")] == ["zIIP"]
    values = [r["value"] for r in rows_of(reading, "metric_interval")]
    assert float(share) not in values


@pytest.mark.parametrize(("part", "status"), [("0.8", "ok"), ("9.8", "degraded")])
def test_partitions_add_up_to_the_line_of_their_type(read, part, status):
    columns = [*COLUMNS[:3], "CPCPPTOU"]
    cells = [["*CP", "4.0", "", "1.3"], ["LPARA", "2.0", "0.8", part],
             ["PHYSICAL", "", "", "0.4"]]  # fmt: skip
    reading = read(as_xml(columns, cells))
    assert reading.status == status
    if status == "degraded":
        told = "the partitions of *CP add up to 10.2%, but its line says 1.3%"
        assert reading.reason == told


def test_an_impossible_share_of_a_channel_is_told(read):
    columns = ["CHACPIVC", "CHACPTVC", "CHACPUVC", "CHACTUVC"]
    reading = read(as_xml(columns, [["01", "OSD", "150", "2.0"]], "CHANNEL"))
    assert reading.reason.startswith("partition_busy_pct of 01 is 150%")
    (row,) = rows_of(reading, "channel_interval")
    assert (row["partition_busy_pct"], row["total_busy_pct"]) == (None, 2.0)


def test_a_report_without_its_length_is_as_long_as_its_ends_are_apart(read):
    """It may cover several intervals of the gatherer."""
    length = '<data-range unit="seconds">100</data-range>'
    gathered = "<gatherer-interval>50</gatherer-interval>"
    text = as_xml(COLUMNS, ROWS).replace(length, gathered)
    reading = read(text)
    assert {r["seconds"] for r in rows_of(reading, "cpu_interval")} == {100.0}
    reading = read(text.replace("<utc-end>20220412042500</utc-end>", ""))
    assert {r["seconds"] for r in rows_of(reading, "cpu_interval")} == {50.0}


def test_a_resource_that_is_twice_in_one_interval_is_told(read):
    once = [["SYSA", "10.3"], ["SYSB", "55.5"]]
    assert read(as_json(["", "V"], once, "METRIC")).status == "ok"
    twice = read(as_json(["", "V"], [["SYSA", "10.3"], ["SYSA", "55.5"]], "METRIC"))
    assert (twice.status, "twice" in str(twice.reason)) == ("degraded", True)
    replies = [as_json(["", "V"], [["SYSA", value]], "METRIC") for value in ("1", "2")]
    assert read("\n".join(replies)).status == "degraded"
