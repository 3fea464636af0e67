"""Type 116, accounting of IBM MQ: tasks and their queues (subtype 1), channels (10).

Layouts: the C structures qcst, wtid, wtas and wq of IBM's mq-smf-csv. Verified with
real records (V), tasks and queues of three systems, channels of one: all eyecatchers
stand where they should, those within the data of a queue too. A task's interval ends
with that of the queue manager's records 115, or with the task. The header of channels
tells when an interval ended and, in units of the clock, how long it was: it began where
the one before ended. Counts are of the interval: a channel that goes on says in its
next record what came since.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.header import headers
from analysis.ingest.smf.layout import Layout, fields
from analysis.ingest.smf.parts import Frames, Parts, one_each
from analysis.ingest.smf.records import Ints, Records, Sections
from analysis.ingest.smf.triplets import spread, triplet
from analysis.ingest.smf.type115 import tell_each

_COMMON = fields(("SSID", 12, 4, "text"), ("STCK", 16, 8, "stck"))
OWNER = Layout("MQ common header", "V", _COMMON)
PERIOD = Layout(
    "MQ common header", "V", (*_COMMON, *fields(("DURN", 44, 8, "tod"))), shortest=52
)
CHANNEL = Layout(
    "channel accounting",
    "V",
    fields(
        ("EYEC", 4, 4, "text"),
        ("CHNM", 16, 20, "text"),
        ("CHTY", 37, 1),
        ("CNNM", 40, 48, "text"),
        ("NMSG", 116, 4),
        ("BFST", 132, 4),
        ("BFRC", 136, 4),
        ("BYST", 160, 8),
        ("BYRC", 168, 8),
    ),
    shortest=176,
)
WHO = Layout(
    "task identification",
    "V",
    fields(("ATYP", 8, 4), ("CCN", 12, 8, "text"), ("OPID", 20, 8, "text")),
    shortest=28,
)
TASK = Layout(
    "task accounting",
    "V",
    fields(
        ("EYEC", 4, 4, "text"),
        ("WQCT", 44, 4),
        ("OTCT", 440, 8, "tod"),
        ("OTN", 448, 4),
        ("CMCT", 480, 8, "tod"),
        ("CMN", 488, 4),
        ("BACT", 500, 8, "tod"),
        ("BAN", 508, 4),
        ("JWN", 524, 4),
        ("JWB", 528, 4),
        ("INTS", 664, 8, "stck"),
        ("INTE", 672, 8, "stck"),
    ),
    shortest=680,
)
_CALLS = {
    "opens": 160, "closes": 184, "gets": 208, "puts": 300, "put1s": 360,
    "inquiries": 420, "sets": 444,
}  # fmt: skip
"""Where the data of each call begin: elapsed time, CPU time, number."""
QUEUE = Layout(
    "queue accounting",
    "V",
    fields(
        ("EYEC", 4, 4, "text"),
        ("NAME", 80, 48, "text"),
        *((f"{name} elapsed", at, 8, "tod") for name, at in _CALLS.items()),
        *((f"{name} cpu", at + 8, 8, "tod") for name, at in _CALLS.items()),
        *((name, at + 16, 4) for name, at in _CALLS.items()),
        ("PUTB", 496, 8),
        ("GETB", 504, 8),
    ),
    shortest=512,
)
_TASKS = {
    1: "CICS", 2: "batch or TSO", 3: "IMS control region", 4: "IMS region",
    5: "command server", 6: "channel initiator", 7: "RRS", 8: "intra-group queuing",
}  # fmt: skip
_CHANNELS = {
    1: "sender", 2: "server", 3: "receiver", 4: "requester", 7: "server connection",
    8: "cluster receiver", 9: "cluster sender",
}  # fmt: skip


def read_channels(records: Records, parts: Parts) -> Frames:
    """``mq_channel_interval`` rows: one a channel instance and interval."""
    end = _triplets_end(records, (28, 36))
    common = spread(triplet(records, 28, PERIOD.name, parts.trouble, end, needed=True))
    owner = one_each(common, PERIOD, parts, len(records)).with_columns(
        start=pl.col("STCK") - _micros("DURN"), seconds="DURN"
    )
    found = spread(triplet(records, 36, CHANNEL.name, parts.trouble, end, needed=True))
    rows = _joined(found, CHANNEL, "QCST", owner, records, parts)
    return {
        "mq_channel_interval": rows.with_columns(
            channel="CHNM",
            kind=_word("CHTY", _CHANNELS),
            partner="CNNM",
            messages="NMSG",
            buffers_in="BFRC",
            buffers_out="BFST",
            bytes_in="BYRC",
            bytes_out="BYST",
        )
    }


def read_tasks(records: Records, parts: Parts) -> Frames:
    """``mq_task_interval`` rows, one a task, and ``mq_queue_interval`` rows, one a
    queue that it used; both of an interval of the task."""
    end = _triplets_end(records, (28, 36, 44))
    one = partial(_one, records, parts, end)
    found = spread(triplet(records, 44, TASK.name, parts.trouble, end, needed=True))
    whole = one_each(found, TASK, parts, len(records))
    owner = one(28, OWNER).select("SSID").hstack(one(36, WHO)).with_columns(
        start=whole["INTS"],
        seconds=(whole["INTE"] - whole["INTS"]) / 1_000_000,
        job="CCN",
        user="OPID",
        kind=_word("ATYP", _TASKS),
    )  # fmt: skip
    used = spread(triplet(records, 52, QUEUE.name, parts.trouble, end))
    _tell_lacking(records, whole["WQCT"], used, parts)
    tasks = _joined(found, TASK, "WTAS", owner, records, parts)
    queues = _joined(used, QUEUE, "WQST", owner, records, parts)
    return {"mq_task_interval": _task_rows(tasks), "mq_queue_interval": _queues(queues)}


def _triplets_end(records: Records, places: Sequence[int]) -> Ints:
    """Where the triplets of each record end: where its first section begins. A task
    that used no queue has no triplet of queues, but its sections there."""
    return np.minimum.reduce([records.number(at, 4) for at in places])


def _one(
    records: Records, parts: Parts, end: Ints, at: int, layout: Layout
) -> pl.DataFrame:
    """The section of which every record has one: one row a record."""
    found = triplet(records, at, layout.name, parts.trouble, end, needed=True)
    return one_each(spread(found), layout, parts, len(records))


def _tell_lacking(
    records: Records, expected: pl.Series, used: Sections, parts: Parts
) -> None:
    """Spoil the records of tasks that used queues, but have no data of any."""
    lacking = (expected > 0).fill_null(False).to_numpy(writable=True)
    lacking[used.record] = False
    where = records.position[lacking].tolist()
    parts.trouble.spoil(
        where,
        lambda nth: remark("section_missing", where=where[nth], name=QUEUE.name),
        f"records without a {QUEUE.name} section",
    )


def _task_rows(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(
        commits="CMN",
        backouts="BAN",
        others="OTN",
        cpu_seconds=pl.sum_horizontal("CMCT", "BACT", "OTCT"),
        log_writes="JWN",
        log_bytes="JWB",
    )


def _queues(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(
        queue="NAME",
        bytes_put="PUTB",
        bytes_got="GETB",
        call_seconds=pl.sum_horizontal(f"{name} elapsed" for name in _CALLS),
        cpu_seconds=pl.sum_horizontal(f"{name} cpu" for name in _CALLS),
    )


def _joined(
    sections: Sections,
    layout: Layout,
    eyecatcher: str,
    owner: pl.DataFrame,
    records: Records,
    parts: Parts,
) -> pl.DataFrame:
    """The sections with what their records tell of system, queue manager and time.

    One without its eyecatcher, or of an interval that is not known, is left out and
    told of.
    """
    table = sections.table(layout, parts.page)
    of_record = headers(records, parts.page).hstack(owner)
    rows = table.hstack(of_record[table["record"]]).with_columns(queue_manager="SSID")
    wrong = rows["EYEC"].ne_missing(eyecatcher)
    what = f"has no {eyecatcher} where its {layout.name} data are"
    tell_each(rows.filter(wrong), 116, what, parts)
    untimed = ~wrong & ~(rows["start"].is_not_null() & (rows["seconds"] > 0))
    untimed = untimed.fill_null(True)
    tell_each(rows.filter(untimed), 116, "does not say when its interval began", parts)
    return rows.filter(~wrong & ~untimed)


def _micros(seconds: str) -> pl.Expr:
    return (pl.col(seconds) * 1_000_000).round().cast(pl.Int64)


def _word(column: str, words: dict[int, str]) -> pl.Expr:
    return pl.col(column).replace_strict(words, default=None, return_dtype=pl.String)
