"""RMF reports that would hold up the build, or lose figures without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.ingest.detect import read_file
from analysis.ingest.reading import Reading

REPORT = (
    '<ddsml{root}><report><metric id="8D0D20"><description>{metric}</description>'
    "</metric><resource><reslabel>SYS,A,SYSPLEX</reslabel></resource>"
    '<time-data><utc-start>20260302140000</utc-start><data-range unit="seconds">100'
    "</data-range></time-data>{inside}"
    "<row><col>A</col><col>{figure}</col></row></report></ddsml>"
)
ENTITIES = "".join(
    f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x"}">' for n in range(9)
)


def xml(tmp_path: Path, prolog: str = "", **parts: str) -> Reading:
    path = tmp_path / "report.xml"
    told = {"root": "", "metric": "m", "inside": "", "figure": "1.5"} | parts
    path.write_text(f'<?xml version="1.0"?>{prolog}{REPORT.format(**told)}')
    return read_file(path)


def reply(figure: str) -> bytes:
    """A reply of the server in JSON with one figure."""
    time = {"utcStart": "20260302140000", "dataRange": {"value": "100"}}
    heads = {"col": [{"value": "name"}, {"value": "figure"}]}
    report = {
        "metric": {"id": "CPC"},
        "resource": {"reslabel": "SYSÄ,A,SYSPLEX"},
        "timeData": time,
        "columnHeaders": heads,
        "row": [{"col": ["A", figure]}],
    }
    return json.dumps({"report": [report]}, ensure_ascii=False).encode()


def read_json(tmp_path: Path, data: bytes) -> Reading:
    path = tmp_path / "reply.json"
    path.write_bytes(data)
    return read_file(path)


def test_entities_are_refused_before_they_grow(tmp_path):
    reading = xml(tmp_path, f"<!DOCTYPE ddsml [{ENTITIES}]>", metric="&e8;")
    assert (reading.status, reading.tables) == ("failed", {})
    assert "declares an entity" in reading.reason


@pytest.mark.parametrize(
    "parts",
    [
        {"inside": "<a>" * 100_000 + "</a>" * 100_000},
        {"figure": "9" * 11_000_000},
        {"inside": f'<a b="{"x" * 11_000_000}"/>'},
    ],
    ids=["depth", "text", "attribute"],
)
def test_what_is_too_deep_or_too_long_is_left_out(tmp_path, parts):
    reading = xml(tmp_path, **parts)
    assert (reading.status, reading.tables) == ("failed", {})
    assert "was left out" in reading.reason
    assert reading.problems[0].offset is not None


@pytest.mark.parametrize("figure", ["12,5", "1,234", " -3,0 "])
def test_a_figure_with_a_comma_is_told_of_in_xml(tmp_path, figure):
    reading = xml(tmp_path, figure=figure)
    assert reading.status in ("degraded", "failed")
    assert f"{figure.strip()} has a comma, not a decimal point" in reading.reason
    (problem,) = (p for p in reading.problems if "comma" in p.message)
    data = (tmp_path / "report.xml").read_bytes()
    assert data[problem.offset :].startswith(figure.strip().encode())


def test_a_figure_with_a_comma_is_told_of_in_json(tmp_path):
    data = reply("1.5") + b"\n" + reply("12,5")
    reading = read_json(tmp_path, data)
    assert reading.status == "degraded"
    (problem,) = reading.problems
    assert data[problem.offset :].startswith(b"12,5")
    assert reading.tables["metric_interval"]["value"].to_list() == [1.5]


def test_replies_behind_one_another_have_their_byte_offsets(tmp_path):
    data = b"\n ".join(reply(str(nth)) for nth in range(3))
    places = read_json(tmp_path, data).tables["metric_interval"]["position"]
    assert [data[at : at + 10] for at in places] == [b'{"report":'] * 3


@pytest.mark.parametrize(
    "row", [b"[" * 200_000, b'[{"col": [' + b"9" * 5000 + b"]}]}]}"]
)
def test_json_that_is_too_deep_or_has_endless_numbers_is_damaged(tmp_path, row):
    reading = read_json(tmp_path, b'{"report": [{"metric": {}, "row": ' + row)
    assert (reading.status, reading.tables) == ("truncated", {})
    assert "damaged" in reading.reason
