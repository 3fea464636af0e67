"""Each bit that says what is invalid: what it changes, and that the page has it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

from analysis.ingest.reading import Reading
from analysis.ingest.smf.columns import Flags, Layout
from analysis.ingest.smf.types import (
    FAMILIES,
    READ,
    counters,
    crypto,
    losses,
    rmf,
    storage,
    tcpip,
    type30,
    type70,
    type72,
)
from benchmarks.project import ROOT
from synthetic.smf.counters import counter_record as counted
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
from synthetic.smf.tcpip import statistics
from tests.ingest.smf.made_crypto import coprocessor
from tests.ingest.smf.made_crypto import crypto as cards
from tests.ingest.smf.made_other import data_lost
from tests.ingest.smf.made_rmf import Channel, Function, channels, functions
from tests.ingest.smf.made_shared import control_unit, queuing
from tests.ingest.smf.made_storage import (
    common,
    page_data_set,
    paging,
    private,
    virtual_storage,
)
from tests.ingest.smf.test_smf_damage import read_back

SECOND = 1_000_000
INTERVAL = Interval()
DEDICATED = 65_535
WHERE = tcpip.IDENTIFICATION


class Case(NamedTuple):
    """A record, the section with the field, and what the bit changes: columns of a
    table with their new values, or no row of it."""

    record: bytes
    triplet: int | None
    layout: Layout
    table: str
    changed: dict[str, Any] | None


def space(*changed: str) -> Case:
    made = Space(
        cpt=1000, cps=500, icu=1, isb=2, iip=30, rct=4, hpt=5,
        ziip=70, ziip_on_cp=80, zaap=90, zaap_on_cp=95,
    )  # fmt: skip
    record = address_space(made, more={48: [bytes(8)]})
    nulls = dict.fromkeys(changed)
    return Case(record, 56, type30.CPU_USED, "address_space_interval", nulls)


def activity(triplet: int, layout: Layout, cpu: Cpu, **changed: Any) -> Case:
    record = cpu_activity(INTERVAL, Activity([Lpar("PROD", 3, [cpu])]))
    return Case(record, triplet, layout, "cpu_interval", changed)


BUSY = Cpu(0, dispatch=90 * SECOND, effective=80 * SECOND, wait=675 * SECOND)
GUEST = {"guest": True, "mvs_busy_pct": None}
LPAR = {"busy_pct": None, "busy_seconds": None}
CORE = cpu_activity(
    INTERVAL, Activity([Lpar("PROD", 3, [BUSY])], cores=[Core(0, 0, 1, 450_000)])
)
PATHS = channels(INTERVAL, [Channel(1, 500, 1000)])
DEVICES = devices(INTERVAL, [Device(1, 100, 10, 20, 30)])
TIMES = ("requests", "connect_ms", "pending_ms", "disconnect_ms", "busy_seconds")
CARDS = functions(INTERVAL, [Function(1, 1, (1, 2))])
COUNTED = counted(1, 20, 30, 0, (1, 2, 3, 4), "2964", [5] * 60)
OF_COUNTERS = (
    "cycles", "instructions", "l1_misses", "l1_penalty_cycles", "l1_miss_pct",
    "cycles_per_instruction", "l2_pct", "l3_pct", "l4_local_pct", "l4_remote_pct",
    "memory_pct", "nest_intensity",
)  # fmt: skip
PAGES, PAGED = paging(INTERVAL, page_data_set()), "page_data_set_interval"
JOB = virtual_storage(INTERVAL, common({}), [private("TCPIP", {}, 0)])
UNITS = queuing(INTERVAL, [control_unit(7)])
CLASSES = class_activity(INTERVAL, "STC", [Period(cpu=5.0)])
CRYPTO = cards(INTERVAL, [coprocessor(3, 180, 4_500_000, 12)])
STACK = statistics(local(INTERVAL.end), [1, 2, 3, 4, 5])
LOST = data_lost(INTERVAL.start, INTERVAL.end, 9, flags=0)


def nulls(*columns: str) -> dict[str, None]:
    return dict.fromkeys(columns)


CASES: dict[tuple[str, int], Case] = {
    ("SMF7FL1", 0): Case(
        LOST, None, losses.DATA_LOST, "smf_loss", nulls("records_lost")
    ),
    **{("SMF30TFL", bit): space() for bit in (0, 3, 4, 7, 8, 12, 13, 14, 15)},
    **{("SMF30TFL", bit): space("cp_seconds") for bit in (1, 2, 5, 6, 9, 10, 11)},
    ("SMF30TF2", 0): space("zaap_seconds"),
    ("SMF30TF2", 3): space("zaap_on_cp_seconds"),
    ("SMF30T32", 0): space("ziip_seconds"),
    ("SMF30T32", 3): space("ziip_on_cp_seconds"),
    ("SMF30STI", 9): space()._replace(triplet=48, layout=type30.COMPLETION),
    ("SMF70FLA", 1): activity(28, rmf.PRODUCT, BUSY),
    ("SMF70FLA", 6): activity(28, rmf.PRODUCT, BUSY, **GUEST),
    ("SMF70INB", 5): activity(36, type70.CONTROL, BUSY, **GUEST),
    ("SMF70INB", 0): activity(
        36, type70.CONTROL, BUSY, basis="mvs_busy", busy_pct=25.0,
        busy_seconds=225.0, dispatch_seconds=None, effective_seconds=None,
    ),
    ("SMF70CNF", 6): activity(
        44, type70.CPU, Cpu(0, 9 * SECOND, weight=DEDICATED, wait=SECOND),
        **LPAR, varied=True, mvs_busy_pct=None, parked_pct=None,
    ),
    ("SMF70VPF", 1): activity(68, type70.PROCESSOR, BUSY, **LPAR),
    ("SMF70_Core_Flg", 0): Case(
        CORE, 84, type70.CORE, "cpu_interval",
        {"busy_pct": 10.0, "busy_seconds": 90.0, "smt": False},
    ),
    ("R702xMSK", 0): Case(
        CRYPTO, 36, crypto.CARDS[0].layout, "crypto_interval", None
    ),
    ("R723MSCF", 1): Case(CLASSES, 36, type72.CONTROL, "class_interval", None),
    ("R723MSCF", 2): Case(
        CLASSES, 36, type72.CONTROL, "class_interval", nulls("importance")
    ),
    ("SMF73FG3", 6): Case(PATHS, 44, rmf.PATH, "channel_interval", None),
    **{
        flag: Case(
            PATHS, 44, rmf.PATH, "channel_interval",
            nulls("partition_busy_pct"),
        )
        for flag in (("SMF73FG2", 5), ("SMF73FG2", 6), ("SMF73FG4", 0))
    },
    **{
        ("SMF74CNF", bit): Case(
            DEVICES, 44, rmf.DEVICE_DATA, "device_interval", nulls(*columns)
        )
        for bit, columns in {1: ["lcu"], 2: TIMES, 3: (), 4: TIMES, 6: TIMES}.items()
    },
    ("R749PFFL", 2): Case(
        CARDS, 36, rmf.FUNCTION, "pcie_interval",
        nulls("bytes_in", "bytes_out", "packets_in", "packets_out"),
    ),
    ("R783DST", 0): Case(
        UNITS, 44, rmf.CONTROL_UNIT, "lcu_interval",
        nulls("connect_seconds", "disconnect_seconds", "wait_seconds"),
    ),
    **{
        ("R783DST", bit): Case(UNITS, 44, rmf.CONTROL_UNIT, "lcu_interval", {})
        for bit in (1, 2, 3)
    },
    **{
        ("SMF113_1_Flags", bit): Case(
            COUNTED, 44, counters.COUNTERS, "counter_interval", nulls(*columns)
        )
        for bit, columns in {
            0: OF_COUNTERS, 1: OF_COUNTERS, 2: (),
        }.items()
    },
    **{
        ("SMF75PST", bit): Case(PAGES, 36, storage.PAGE_DATA_SET, PAGED, {})
        for bit in (5, 6, 7)
    },
    ("SMF75FL2", 4): Case(PAGES, 36, storage.PAGE_DATA_SET, PAGED, nulls("data_set")),
    **{
        ("R782FLGS", bit): Case(JOB, 44, storage.PRIVATE, "storage_interval", changed)
        for bit, changed in {0: {}, 1: {}, 2: {}, 3: None}.items()
    },
    ("SMF119TI_Reason", 1): Case(STACK, 28, WHERE, "tcpip_interval", None),
}  # fmt: skip
FLAGS = {
    (field.ibm, bit): field
    for family in FAMILIES.values()
    for field in vars(family).values()
    if isinstance(field, Flags)
    for bit in sorted(field.bits)
}
PROBLEMS = {"degrades": "degrades the file", "told": "told", "quiet": ""}


def flipped(case: Case, field: Flags, bit: int) -> bytes:
    """The record with the bit on, or off if that is what speaks."""
    at = case.triplet
    begin = 0 if at is None else int.from_bytes(case.record[at : at + 4], "big")
    assert field in case.layout.fields
    made = bytearray(case.record)
    where = begin + field.offset + bit // 8
    assert bool(made[where] & 0x80 >> bit % 8) == field.bits[bit].off
    made[where] ^= 0x80 >> bit % 8
    return bytes(made)


def rows(found: Reading, table: str) -> list[dict[str, Any]]:
    return found.tables[table].to_dicts() if table in found.tables else []


@pytest.mark.parametrize("key", FLAGS, ids=lambda key: f"{key[0]} {key[1]}")
def test_a_bit_changes_what_the_page_says(key):
    field, case = FLAGS[key], CASES[key]
    flag = field.bits[key[1]]
    before = rows(read_back(case.record, 1 << 20), case.table)
    found = read_back(flipped(case, field, key[1]), 1 << 20)
    after = rows(found, case.table)
    if case.changed is None:
        assert len(after) < len(before)
    else:
        new = {column: pytest.approx(v) for column, v in case.changed.items()}
        assert after == [before[0] | new, *before[1:]]
        assert after != before or not case.changed
    told = [p for p in found.problems if p.remark.kind == "validity_flag"]
    assert len(told) == (flag.manner != "quiet")
    assert all(field.title(key[1]) in p.message and p.offset == 0 for p in told)
    assert (found.status == "degraded") >= (flag.manner == "degrades")


def test_every_bit_has_its_record():
    assert CASES.keys() == FLAGS.keys()


def test_the_page_has_the_bits_as_they_are_declared():
    page = (ROOT / "docs" / "smf.md").read_text(encoding="utf-8")
    (part,) = re.findall(r"\n## What is invalid\n(.+?)\n## ", page, re.DOTALL)
    told = re.findall(r"^\| .+ \|$", part, re.MULTILINE)[1:]
    assert sorted(told) == sorted(page_rows())


def page_rows() -> list[str]:
    """One row for all bits of a field of which the reader does the same."""
    alike: dict[tuple[str, str, str, str], list[str]] = {}
    for (name, nth), field in FLAGS.items():
        bit = field.bits[nth]
        words = f"{nth}{' off' if bit.off else ''}: {bit.says}"
        records = bit.records or field.records
        kind = (name, records, bit.effect, PROBLEMS[bit.manner])
        alike.setdefault(kind, []).append(words)
    return [
        f"| `{field}` | {records} | {'; '.join(bits)} | {effect} | {problem} |"
        for (field, records, effect, problem), bits in alike.items()
    ]


def test_the_page_names_the_types_without_such_bits():
    page = (ROOT / "docs" / "smf.md").read_text(encoding="utf-8")
    (words,) = re.findall(
        r"What is read of types (.+?) has no such bits", page, re.DOTALL
    )
    named = {field.records.split("-")[0] for field in FLAGS.values()}
    rmf_types = {"70", "72", "73", "74", "78"} if "70 to 78" in named else set()
    without = set(re.findall(r"\d+", words))
    assert {str(kind) for kind, _ in READ} == (
        named - {"70 to 78"}
    ) | rmf_types | without
