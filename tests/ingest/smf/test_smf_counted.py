"""Records that are counted, and why they are not read."""

from __future__ import annotations

import re

import pytest

from analysis.ingest.smf.types import COUNTED, READ, why_not
from benchmarks.project import ROOT
from synthetic.smf.dump import header, local, sealed
from synthetic.smf.rmf import Interval
from tests.ingest.smf.conftest import messages
from tests.ingest.smf.made_crypto import coprocessor, crypto

INTERVAL = Interval()


@pytest.mark.parametrize(
    ("kind", "subtype", "word"),
    [(42, 6, "data set"), (71, 1, "paging"), (82, 31, "ICSF"), (88, 1, "Logger"),
     (98, 1, "locks"), (99, 6, "WLM"), (100, 0, "Db2"), (101, 1, "Db2"),
     (102, 5, "Db2"), (110, 2, "CICS"), (115, 1, "MQ"), (116, 0, "MQ"),
     (118, 5, "TCP/IP"), (120, 11, "Liberty"), (123, 2, "z/OS Connect")],
)  # fmt: skip
def test_records_that_are_counted_say_why(read_records, kind, subtype, word):
    made = sealed(header(kind, subtype, local(INTERVAL.end)).ljust(200, b"\0"))
    reading = read_records(made, crypto(INTERVAL, [coprocessor(0, 1, 2)]))
    said = messages(reading)
    assert f"{kind}-{subtype}" in said and word in said


def test_the_page_names_the_types_that_are_counted():
    page = (ROOT / "docs" / "smf.md").read_text(encoding="utf-8")
    (part,) = re.findall(r"## Other records (.+?)\n## ", page, re.DOTALL)
    cells = re.findall(r"^\| ([^|]*\d[^|]*) \|", part, re.MULTILINE)
    named = {int(kind) for cell in cells for kind in re.findall(r"\b\d+", cell)}
    elsewhere = {115, 119}  # of IBM MQ all is said where 115 is read, of TCP/IP above
    assert {kind for kind, _ in COUNTED} - elsewhere <= named


def test_no_record_that_is_read_has_a_reason_not_to_be():
    assert not READ & COUNTED.keys()
    assert not [key for key in READ if why_not(*key)]
