"""Triplets of records and sections: checked, and the sections that they point to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.facts.remark import remark
from analysis.ingest.smf.records import Ints, Records, Sections
from analysis.ingest.smf.trouble import Trouble

_TRIPLET = np.dtype([("o", ">u4"), ("l", ">u2"), ("n", ">u2")])
_WIDE = np.dtype([("o", ">u4"), ("l", ">u4"), ("n", ">u4")])  # of products of others
_MOST = 2**31 - 1  # which no product of two of them exceeds 63 bits by
_HEADER_END = 18  # of the standard header, which has the system last


@dataclass(frozen=True)
class Triplets:
    """One triplet of every section or record that has it: ``row`` names the record,
    ``owner`` the section or record that the triplet lies in (both are indexes)."""

    records: Records
    row: Ints
    owner: Ints
    offset: Ints
    length: Ints
    count: Ints
    trouble: Trouble | None = None


def triplet(
    records: Records,
    at: int,
    name: str,
    trouble: Trouble,
    end: Ints | None = None,
    needed: bool = False,
    wide: bool = False,
) -> Triplets:
    """The triplet at one offset of every record, checked against the record's bounds.

    ``end`` is where each record's triplets end: what lies behind is none. A triplet
    that points out of the sections of its record spoils the record, and so does one
    that is not there though it is ``needed``. A ``wide`` one has three words.
    """
    ends = np.full(len(records), _HEADER_END) if end is None else end
    limit = records.length if end is None else np.minimum(end, records.length)
    has = limit >= at + (_WIDE if wide else _TRIPLET).itemsize
    whole = records.whole()
    owners = whole if has.all() else whole.only(has)
    found = checked(owners, at, name, trouble, ends[has], wide)
    if needed and len(found.row) < len(records):
        lacking = np.ones(len(records), np.bool_)
        lacking[found.row] = False
        where = records.position[lacking].tolist()
        trouble.spoil(
            where,
            lambda nth: remark("section_missing", where=where[nth], name=name),
            f"records without a {name} section",
        )
    return found


def checked(
    owners: Sections,
    at: int,
    name: str,
    trouble: Trouble,
    least: Ints | None = None,
    wide: bool = False,
) -> Triplets:
    """The triplet at one offset of sections that have triplets of their own, none of
    which points to before ``least`` in its record."""
    records, row = owners.records, owners.record
    form = _WIDE if wide else _TRIPLET
    raw = owners.items(form, at)
    offset, length, count = (
        np.minimum(raw[name].astype(np.int64), _MOST) for name in "oln"
    )
    used = (count > 0) & (owners.stride >= at + form.itemsize)
    inside = (offset + length * count <= records.length[row]) & (length > 0)
    bad = used & ~(inside & (offset >= (_HEADER_END if least is None else least)))
    if bad.any():
        index = np.flatnonzero(bad)
        where = records.position[row[index]].tolist()
        trouble.spoil(
            where,
            lambda nth: remark(
                "triplet_too_early" if inside[index[nth]] else "triplet_past_end",
                name=name,
                offset=int(offset[index[nth]]),
                length=int(length[index[nth]]),
                number=int(count[index[nth]]),
                bytes=int(records.length[row[index[nth]]]),
            ),
            f"triplets of {name} sections that point nowhere",
        )
    good = np.flatnonzero(used & ~bad)
    found = Triplets(
        records, row[good], good, offset[good], length[good], count[good], trouble
    )
    trouble.claims[name] = found
    return found


def spread(found: Triplets) -> Sections:
    """All sections that triplets point to, in the order of records."""
    return part(found, np.zeros_like(found.count), found.count)


def part(found: Triplets, skip: Ints, count: Ints) -> Sections:
    """Of each triplet's sections those from ``skip`` on, ``count`` of them."""
    skip = np.minimum(skip, found.count)
    count = np.minimum(count, found.count - skip)
    owner = np.repeat(np.arange(len(count)), count)
    first = np.cumsum(count) - count
    nth = np.arange(len(owner)) - first[owner] + skip[owner]
    record = found.row[owner]
    start = found.records.start[record] + found.offset[owner]
    stride = found.length[owner]
    begin = start + nth * stride
    of = found.owner[owner]
    return Sections(found.records, record, begin, stride, of, found.trouble)
