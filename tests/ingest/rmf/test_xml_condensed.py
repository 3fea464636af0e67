"""What is read of tables as texts is what is read of their cells one by one."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree

from analysis.ingest.rmf import xml_parts, xml_report
from analysis.ingest.rmf.xml_condensed import condensed, lines_of
from synthetic.emitters.rmf_xml import Interval, Processor, document
from tests.fresh import write_fresh
from tests.ingest.rmf import ddsml_more as more

HEAD = "<column-headers><col>Device Number</col><col>Volume</col></column-headers>"
ROWS = '<row refno="1"><col>0504A</col><col/></row><row type="SUM"><col>T</col></row>'
CPUS = (Processor(dispatched=24.36, mvs_busy=23.94), Processor("IIP", dispatched=7.7))
REPORTS = (Interval(CPUS).xml(), more.channels(), more.devices(), more.workload())
SHORT = (*REPORTS[:2], more.devices(number=10), more.workload(classes=(more.Class(),)))
CELLS = (
    "<col>0504B</col>", "<col/>", "<col></col>", "<col> V 1 </col>", "<col>1,5</col>",
    "<col>\u00e9\u20ac</col>", "<col>a\tb</col>", "<col>a\nb</col>", "<col>&lt;</col>",
    "<col>&x;</col>", "<col>a]]></col>", "<col><b/>c</col>", "<col>d<b/></col>",
    "<col><!-- e --></col>", "<col><![CDATA[<col>]]></col>", "<col>&#13;</col>",
    "<col a='1'>f</col>", "<cell>g</cell>", "<col>", "</col>", "h", " ",
)  # fmt: skip
BEGIN = (
    "<row>", '<row refno="1">', '<row refno="1" percent="0">', '<row type="SUM">',
    '<row refno="2" type="SUM">', '<row type="SUM" refno="2">', "<row x='1'>",
    '<row refno="1" refno="1">', '<row type="MIN">', "<condensed-rows>", "<row",
)  # fmt: skip
GAPS = ("", "\n", "\n    ", " ", "\r\n", "\t", "<!-- - -->", "<?p i?>", "text")
rows = st.builds(
    lambda begin, gap, cells: gap.join([begin, *cells, "</row>", ""]),
    st.sampled_from(BEGIN),
    st.sampled_from(GAPS),
    st.lists(st.sampled_from(CELLS), max_size=4),
)
slow = settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def table(rows: str) -> str:
    return f"<table>{HEAD}{rows}</table>"


@pytest.fixture
def both_ways(tmp_path, monkeypatch):
    """All that is read of a document, with texts and without."""

    def read(text: str | bytes) -> tuple[str, str]:
        path = tmp_path / "report.xml"
        write_fresh(path, text)
        told = []
        for way in (condensed, lambda content: content):
            monkeypatch.setattr(xml_parts, "condensed", way)
            told.append(repr(xml_report.read(path, "UTC")))
        return told[0], told[1]

    return read


@given(st.lists(rows, max_size=3).map("".join), st.sampled_from(GAPS))
@example(ROWS, "")
@example("<row><col/></row>", "")
@slow
def test_any_rows_are_read_alike(both_ways, rows, gap):
    device = more.devices().replace("</table>", f"{gap}{rows}{gap}</table>")
    texts, cells = both_ways(document(device, Interval(CPUS).xml()))
    assert texts == cells


@pytest.mark.parametrize("gap", ["\n", "\n    "])
def test_reports_of_one_row_a_line_are_read_alike(both_ways, gap):
    text = document(*REPORTS)
    for tags in ("</row><row", "</column-headers><row", "</row></table>"):
        text = text.replace(tags, tags.replace("><", f">{gap}<"))
    texts, cells = both_ways(text)
    assert texts == cells


@given(st.data())
@slow
def test_damaged_reports_are_read_alike(both_ways, data):
    """One report at a time: of all together most would be read in vain."""
    text = document(data.draw(st.sampled_from(SHORT))).encode()
    at = data.draw(st.integers(0, len(text) - 1))
    piece = data.draw(st.sampled_from([b"<", b">", b"&", b"\xc3", b"\t", b"\0", b""]))
    texts, cells = both_ways(text[:at] + piece + text[at + 1 :])
    assert texts == cells


@pytest.mark.parametrize("encoding", ["utf-8", "ISO-8859-1", "US-ASCII", "IBM037"])
def test_reports_in_other_codes_are_read_alike(both_ways, encoding):
    text = document(*REPORTS).replace("UTF-8", encoding).replace("VOL000", "VÖL")
    texts, cells = both_ways(text)
    assert texts == cells


@pytest.mark.parametrize("text", [f"<![CDATA[{table(ROWS)}]]>", f"<!--{ROWS}-->"])
def test_what_only_looks_like_a_table_is_left(text):
    content = f"<postprocessor>{table(ROWS)}{text}</postprocessor>".encode()
    assert condensed(content) == content


def test_rows_become_lines_and_what_stands_for_them_cannot_be_forged():
    content = table(ROWS.replace("><", ">\n  <")).encode()
    element = etree.fromstring(condensed(content))
    assert lines_of(element) == [' refno="1"\t0504A\t', ' type="SUM"\tT']
    assert lines_of(etree.fromstring(content)) == []


@pytest.mark.parametrize("inner", ["", "<col/>", "<col>a\tb\n</col>"])
def test_no_element_of_a_document_stands_for_rows(both_ways, inner):
    forged = f"<condensed-rows>{inner}</condensed-rows></table>"
    content = table(ROWS).replace("</table>", forged).encode()
    for each in (content, condensed(content)):
        assert lines_of(etree.fromstring(each)) == []
    texts, cells = both_ways(document(*REPORTS).replace("</table>", forged))
    assert texts == cells


def test_rows_of_blanks_stay_rows():
    content = f"<x>{table('<row><col/><col> </col></row>')}</x>".encode()
    element = etree.fromstring(condensed(content), xml_parts._part_parser("UTF-8"))
    assert lines_of(element[0]) == ["\t\t "]


@pytest.mark.parametrize("deep", [253, 254, 255, 256])
def test_depth_is_that_of_the_document(deep):
    above = f"{'<part>' * (deep - 3)}{table(ROWS)}{'</part>' * (deep - 3)}".encode()
    told = []
    for content in (above, condensed(above)):
        try:
            etree.fromstring(content)
            told.append("")
        except etree.XMLSyntaxError as error:
            told.append(re.sub(r"\d+", "", error.msg))
    assert told[0] == told[1]
