"""Every record that is counted gives rows, or a reason with its byte offset.

Decoders need not see to it: what they read of a record is checked here for the record
as a whole. Nothing of a record is used whose sections lie on each other, are not where
their triplets say, or are too short, as no part of it can be believed then.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import kind_name
from analysis.ingest.smf.decode import Decoder, Frames, Parts, kinds
from analysis.ingest.smf.records import Ints, Records
from analysis.ingest.smf.trouble import ByteClaim, Trouble


def account(decoder: Decoder, records: Records, parts: Parts) -> Frames:
    """The rows that a decoder makes of records of its types, but for those of records
    that are damaged; what gives no row is told of, and degrades the file."""
    parts.trouble.claims.clear()
    frames = decoder(records, parts)
    spoil_overlapping(records, parts.trouble)
    kept = _sound(records, frames, parts.trouble)
    _tell_rowless(records, kept, parts.trouble)
    return kept


def spoilt_of(records: Records, trouble: Trouble) -> list[int]:
    """The byte offsets of those of the records of which nothing may be used."""
    if not trouble.spoilt:
        return []
    return [at for at in records.position.tolist() if at in trouble.spoilt]


def spoil_overlapping(records: Records, trouble: Trouble) -> None:
    """Spoil the records in which sections of two kinds share bytes.

    Kinds of which a record may have several stretches are left out.
    """
    claims = [
        claim
        for claim in trouble.claims.values()
        if claim.records is records and (np.diff(claim.row) > 0).all()
    ]
    bad = np.zeros(len(records), np.bool_)
    for one, other in combinations([_bounds(claim) for claim in claims], 2):
        bad |= (one[0] < other[1]) & (other[0] < one[1])
    where = records.position[bad].tolist()
    trouble.spoil(
        where,
        lambda nth: remark(
            "sections_overlap",
            f"sections of the record at byte offset {where[nth]} overlap",
        ),
        "records with sections that overlap",
    )


def _bounds(found: ByteClaim) -> tuple[Ints, Ints]:
    """Where the sections of a triplet begin and end in each record; -1 where none."""
    begin, end = (np.full(len(found.records), -1, np.int64) for _ in range(2))
    begin[found.row] = found.offset
    end[found.row] = found.offset + found.length * found.count
    return begin, end


def _sound(records: Records, frames: Frames, trouble: Trouble) -> Frames:
    spoilt = spoilt_of(records, trouble)
    if not spoilt:
        return frames
    bad = pl.Series(spoilt).implode()
    return {
        name: rows.filter(~pl.col("position").is_in(bad))
        for name, rows in frames.items()
    }


def _tell_rowless(records: Records, frames: Frames, trouble: Trouble) -> None:
    lost = np.ones(len(records), np.bool_)
    for rows in frames.values():
        lost &= ~_among(records.position, rows["position"].to_numpy())
    known = trouble.spoilt | trouble.excused if lost.any() else set()
    index = [
        at for at in np.flatnonzero(lost) if int(records.position[at]) not in known
    ]
    if not index:
        return
    some = records.only(np.array(index))
    names = [kind_name(*map(int, of)) for of in zip(*kinds(some), strict=True)]
    where = some.position.tolist()
    trouble.spoil(
        where,
        lambda nth: remark(
            "no_row_made",
            f"the {names[nth]} record at byte offset {where[nth]} is counted, "
            "but no row could be made of it",
        ),
        "records of which no row could be made",
    )


def _among(positions: Ints, of_rows: Ints) -> NDArray[np.bool_]:
    """Which positions have rows; both are mostly in the order of the file."""
    changes = np.ones(len(of_rows), np.bool_)
    changes[1:] = of_rows[1:] != of_rows[:-1]
    distinct = of_rows[changes]
    if np.array_equal(distinct, positions):
        return np.ones(len(positions), np.bool_)
    return np.isin(positions, distinct)
