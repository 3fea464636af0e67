"""What of types 115 and 116 of IBM MQ is more than their declaration."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import Layout, RecordType
from analysis.ingest.smf.decode import Frames, Parts, finish, headers, one_each
from analysis.ingest.smf.records import Ints, Records, Sections, spread, triplet
from analysis.ingest.smf.types.mq import (
    CHANNEL,
    CHANNEL_INTERVAL,
    COMMON,
    INTERVAL,
    MANAGER,
    OWNER,
    PERIOD,
    POOL,
    POOL_INTERVAL,
    QUEUE,
    QUEUE_INTERVAL,
    TASK,
    TASK_INTERVAL,
    WHO,
)

_IMPOSSIBLE = {
    POOL_INTERVAL.table.name: (
        pl.col("least_free") > pl.col("buffers"),
        "has a pool with more free buffers than buffers",
    ),
    QUEUE_INTERVAL.table.name: (
        pl.col("cpu_seconds") > 1.02 * pl.col("call_seconds") + 0.001,
        "has calls that used more CPU time than they lasted",
    ),
}
"""What no record can say, by table: its rows are kept and told of."""
_DAY = 86_400_000_000  # microseconds: no zone is that far from UTC


def read_calls(records: Records, parts: Parts) -> Frames:
    """``mq_interval`` rows: one a queue manager and interval."""
    return _statistics(INTERVAL, MANAGER, "QMST", records, parts)


def read_pools(records: Records, parts: Parts) -> Frames:
    """``mq_pool_interval`` rows: one a buffer pool, queue manager and interval."""
    return _statistics(POOL_INTERVAL, POOL, "QPST", records, parts)


def _statistics(
    declared: RecordType, section: Layout, eye: str, records: Records, parts: Parts
) -> Frames:
    data = spread(triplet(records, section.at, section.name, parts.trouble))
    common = spread(triplet(records, 28, COMMON.name, parts.trouble))
    owner = one_each(common, COMMON, parts, len(records)).with_columns(
        start=pl.col("ended") - pl.col("micros"), seconds=pl.col("micros") / 1_000_000
    )
    return _timed(declared, section, data, eye, owner, parts)


def read_channels(records: Records, parts: Parts) -> Frames:
    """``mq_channel_interval`` rows: one a channel instance and interval."""
    one = partial(_sections, records, parts, (28, 36))
    length = (pl.col("seconds") * 1_000_000).round().cast(pl.Int64)
    owner = one_each(one(PERIOD), PERIOD, parts, len(records)).with_columns(
        start=pl.col("ended") - length
    )
    return _timed(CHANNEL_INTERVAL, CHANNEL, one(CHANNEL), "QCST", owner, parts)


def read_tasks(records: Records, parts: Parts) -> Frames:
    """``mq_task_interval`` rows, one a task, and ``mq_queue_interval`` rows, one a
    queue that it used; both of an interval of the task."""
    one = partial(_sections, records, parts, (28, 36, 44))
    data = one(TASK)
    task = one_each(data, TASK, parts, len(records))
    owner, who = (
        one_each(one(section), section, parts, len(records)) for section in (OWNER, WHO)
    )
    owner = (
        owner.select("queue_manager")
        .hstack(who)
        .with_columns(
            start=task["began"], seconds=(task["ended"] - task["began"]) / 1_000_000
        )
    )
    used = one(QUEUE, needed=False)
    _tell_lacking(records, task["queues"], used, parts)
    tasks = _timed(TASK_INTERVAL, TASK, data, "WTAS", owner, parts)
    return tasks | _timed(QUEUE_INTERVAL, QUEUE, used, "WQST", owner, parts)


def _sections(
    records: Records,
    parts: Parts,
    places: tuple[int, ...],
    section: Layout,
    needed: bool = True,
) -> Sections:
    """The triplets of each record end where its first section begins. A task that used
    no queue has no triplet of queues, but its sections there."""
    end: Ints = np.minimum.reduce([records.number(at, 4) for at in places])
    return spread(
        triplet(records, section.at, section.name, parts.trouble, end, needed)
    )


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


def _timed(
    declared: RecordType,
    section: Layout,
    data: Sections,
    eye: str,
    owner: pl.DataFrame,
    parts: Parts,
) -> Frames:
    """The sections with what their records tell of system, queue manager and time.

    One without its eyecatcher is none, and one of an interval that is not known tells
    nothing: both are left out and told of.
    """
    table = data.table(section, parts.page)
    heads = headers(data.records, parts.page).hstack(owner)
    rows = table.hstack(heads[table["record"]])
    kind = declared.kinds[0][0]
    wrong = rows["eye"].ne_missing(eye)
    what = f"has no {eye} where its {section.name} data are"
    _tell_each(rows.filter(wrong), kind, what, parts)
    if kind == 115:
        moved = (rows["written_local"] - rows["ended"]).abs() > _DAY
        what = "was written more than a day before or after its interval ended"
        _tell_each(rows.filter(moved), kind, what, parts)
    timed = (rows["start"].is_not_null() & (rows["seconds"] > 0)).fill_null(False)
    what = "does not say when its interval began"
    _tell_each(rows.filter(~wrong & ~timed), kind, what, parts)
    frames = finish(declared, rows.filter(~wrong & timed), parts)
    for name, (impossible, what) in _IMPOSSIBLE.items():
        if name in frames:
            _tell_each(frames[name].filter(impossible), kind, what, parts)
    return frames


def _tell_each(rows: pl.DataFrame, kind: int, what: str, parts: Parts) -> None:
    """Tell what is wrong with each record of which there are rows."""
    for position in rows["position"].unique(maintain_order=True).to_list():
        told = remark(
            "odd_mq_record", f"the {kind} record at byte offset {position} {what}"
        )
        parts.trouble.damage(told, position, f"{kind} records, each of which {what}")
