"""What is packed by the readers' declarations has the bytes that the pages give.

The digests are of records whose bytes were laid out by hand, offset by offset, from the
documented layouts: a field that is declared in another place changes one of them, and
no reader can tell, as it looks in the same wrong place.
"""

from __future__ import annotations

import hashlib

import pytest

from synthetic.smf.dump import local
from synthetic.smf.rmf import (
    Activity,
    Core,
    Cpu,
    Device,
    Interval,
    Lpar,
    Period,
    class_activity,
    cpu_activity,
    devices,
)
from synthetic.smf.spaces import Space, address_space
from synthetic.smf.tcpip import (
    Connection,
    Port,
    Transfer,
    connection,
    interfaces,
    server_transfer,
    statistics,
)

INTERVAL = Interval(flags=0x2062, partition=7)
END = local(INTERVAL.end)
CPUS = [Cpu(5, 1_111, 2_222, 3_333, 4_444, 5_555, 2, 66, True, True)]
RECORDS = {
    "30-2": address_space(
        Space("JOB", 2, cpt=1, cps=2, icu=3, isb=4, iip=5, rct=6, hpt=7, ziip=8,
              ziip_on_cp=9, zaap=10, zaap_on_cp=11, flags=0x1234)
    ),
    "70-1": cpu_activity(
        INTERVAL,
        Activity([Lpar("OTHER", 9, CPUS), Lpar("PROD", 7, CPUS)],
                 cores=[Core(3, 1, 2, 7_777)], hiperdispatch=True, capacity=55),
    ),
    "72-3": class_activity(
        INTERVAL, "STC",
        [Period(3, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12, 4)],
        True, 201, 9_999, 8_888, 333, zaap=444, workload="LOAD",
    ),
    "74-1": devices(INTERVAL, [Device(0x1234, 11, 22, 33, 44, "VOL777", 0x55, 6)]),
    "119-2": connection(Connection(active=True), 4_242),
    "119-5": statistics(END, [1, 2, 3, 4, 5], (6, 7)),
    "119-6": interfaces(
        END, [Port("OSD1", 1, 2, 3, 4, 100_000, 5, "IPAQIDIO", (6, 7), (8, 9),
                   (10, 11), (12, 13))]
    ),
    "119-70": server_transfer(
        Transfer(END, 1, 2, "STOR", "2001:db8::7", "P", "MEMBER"), ("H", "A.B", "")
    ),
}  # fmt: skip
DIGESTS = {
    "30-2": "e2605a1cced3623c",
    "70-1": "c9d404de285bde3b",
    "72-3": "8145ca7a7334bde2",
    "74-1": "33e218cd74d86404",
    "119-2": "f0fbcf9c6ccecc4f",
    "119-5": "d19c79bbb02abeb1",
    "119-6": "9725bd9fee855232",
    "119-70": "e034ebd178b2f282",
}


@pytest.mark.parametrize("kind", RECORDS)
def test_records_have_the_bytes_of_the_documented_layouts(kind):
    assert hashlib.sha256(RECORDS[kind]).hexdigest()[:16] == DIGESTS[kind]
