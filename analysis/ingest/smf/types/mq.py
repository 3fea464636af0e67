"""Types 115 and 116 of IBM MQ: calls and buffer pools of a queue manager, accounting
of tasks, their queues and channels.

Layouts: the C structures qwhs, qmst, qpst, qcst, wtid, wtas and wq of IBM's mq-smf-csv;
where they are in the record: "Self-defining sections" and "The SMF header" of IBM MQ's
documentation. Verified with real records (V), of 115 of two systems, tasks and queues
of three, channels of one: all eyecatchers stand where they should, those within the
data of a queue too. Counts are of the interval.

Of 115, an interval that begins at QWHSTIME and lasts QWHSDURN microseconds ends at
QWHSSTCK (UTC) and at SM115TME (local) to the hundredth of a second, and the next one
begins there. A task's interval ends with that, or with the task. The header of channels
tells when an interval ended and, in units of the clock, how long it was; a channel that
goes on says in its next record what came since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from analysis.ingest.smf.columns import (
    PLAIN,
    SECONDS,
    START,
    DeclaredColumn,
    F,
    Family,
    Field,
    Frames,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from analysis.ingest.smf.batch import RecordBatch
    from analysis.ingest.smf.records import Ints, Sections

_EYE = Field("eye", 4, 4, "text")
_DAY = 86_400_000_000  # microseconds: no zone is that far from UTC
_COMMON = fields(("queue_manager", 12, 4, "text"), ("ended", 16, 8, "stck"))
OWNER = Layout("MQ common header", "V", _COMMON, at=28)
COMMON = Layout("MQ common header", "V", (*_COMMON, *fields(("micros", 44, 8))), at=28)
PERIOD = Layout(
    "MQ common header",
    "V",
    (*_COMMON, *fields(("seconds", 44, 8, "tod"))),
    shortest=52,
    at=28,
)
QUEUE_MANAGER = column("queue_manager", "name of the queue manager", S)
_CALLS = {
    "opens": "MQOPEN", "closes": "MQCLOSE", "gets": "MQGET", "puts": "MQPUT",
    "put1s": "MQPUT1", "inquiries": "MQINQ", "sets": "MQSET",
    "subscriptions": "MQSUB", "callbacks": "MQCB", "controls": "MQCTL",
}  # fmt: skip


def _calls(**places: int) -> tuple[DeclaredColumn, ...]:
    """Numbers of calls by where they are."""
    return tuple(
        col(name, at, comment=f"{_CALLS[name]} calls") for name, at in places.items()
    )


def _ends(batch: RecordBatch) -> Ints:
    """The triplets of each record of accounting end where its first section begins. A
    task that used no queue has no triplet of queues, but its sections there."""
    ends, *others = (batch.number(at, 4) for at in _PLACES[batch.declared.kinds[0]])
    for other in others:
        ends = ends.clip(max=other)
    return ends


_PLACES = {(116, 1): (28, 36, 44), (116, 10): (28, 36)}
_ACCOUNTING = Family(PLAIN.head, _ends)


def _timed(
    batch: RecordBatch,
    declared: RecordType,
    eye: str,
    sections: Sections,
    owner: pl.DataFrame,
    impossible: Mapping[str, pl.Expr] | None = None,
) -> Frames:
    """The sections with what their records tell of system, queue manager and time.

    One without its eyecatcher is none, and one of an interval that is not known tells
    nothing: both are left out and told of. Rows that say what is ``impossible`` are
    told of and kept.
    """
    layout = declared.main or COMMON
    table = batch.rows(sections, layout)
    heads = batch.headers().hstack(owner)
    rows = table.hstack(heads[table["record"]])
    wrong = pl.col("eye").ne_missing(eye)
    batch.damage(rows.filter(wrong), f"has no {eye} where its {layout.name} data are")
    if declared.kinds[0][0] == 115:
        apart = (pl.col("written_local") - pl.col("ended")).abs()
        batch.damage(
            rows.filter(apart > _DAY),
            "was written more than a day before or after its interval ended",
        )
    timed = (pl.col("start").is_not_null() & (pl.col("seconds") > 0)).fill_null(False)
    what = "does not say when its interval began"
    batch.damage(rows.filter(~wrong & ~timed), what)
    frames = batch.finish(rows.filter(~wrong & timed), declared)
    for what, which in (impossible or {}).items():
        batch.damage(frames[declared.table.name].filter(which), what)
    return frames


def _common(batch: RecordBatch) -> pl.DataFrame:
    """Queue manager and interval of records 115."""
    return batch.first(COMMON).with_columns(
        start=pl.col("ended") - pl.col("micros"), seconds=pl.col("micros") / 1_000_000
    )


MANAGER = Layout("message manager", "V", (
    START,
    SECONDS,
    *_calls(
        opens=8, closes=12, gets=16, puts=20, put1s=24, inquiries=28, sets=36,
        subscriptions=48, callbacks=56, controls=60,
    ),
    _EYE,
), at=36)  # fmt: skip


def _read_calls(batch: RecordBatch) -> Frames:
    """A row a queue manager and interval."""
    data = batch.sections(MANAGER)
    return _timed(batch, INTERVAL, "QMST", data, _common(batch))


INTERVAL = RecordType("115-2", table(
    "mq_interval", "Calls to a queue manager of IBM MQ (115-2)", QUEUE_MANAGER,
    MANAGER,
),
    MANAGER, read=_read_calls, keys=("system", "queue_manager"),
    like="mq_pool_interval",
)  # fmt: skip
POOL = Layout("buffer manager", "V", (
    col("pool", 8, comment="number of the buffer pool"),
    START,
    SECONDS,
    col("buffers", 12, comment="buffers of the pool"),
    col("least_free", 16, comment="least number of free buffers"),
    column("pages_got", "pages that were asked for, new ones too",
           value=pl.col("known") + pl.col("new")),
    col("pages_read", 32, comment="pages read from page sets"),
    col("pages_written", 40, comment="pages written to page sets"),
    col("writes", 44, comment="write operations to page sets"),
    col("synchronous_writes", 48, comment="pages written while their updater waited"),
    col("no_buffer", 68,
        comment="times that no buffer was free; any is a sign of severe stress"),
    _EYE,
    *fields(("known", 24, 4), ("new", 28, 4)),
), at=36)  # fmt: skip


def _read_pools(batch: RecordBatch) -> Frames:
    """A row a buffer pool, queue manager and interval."""
    data = batch.sections(POOL)
    return _timed(batch, POOL_INTERVAL, "QPST", data, _common(batch), _TOO_FREE)


_TOO_FREE = {
    "has a pool with more free buffers than buffers": pl.col("least_free")
    > pl.col("buffers")
}


POOL_INTERVAL = RecordType("115-215", table(
    "mq_pool_interval", "Buffer pools of a queue manager of IBM MQ (115-215)",
    QUEUE_MANAGER, POOL,
), POOL, read=_read_pools, keys=("system", "queue_manager"))  # fmt: skip

WHO = Layout("task identification", "V", (
    col("job", 12, 8, "text"),
    col("user", 20, 8, "text", "user of the task"),
    col("kind", 8, comment="what the record is of", words={
        1: "CICS", 2: "batch or TSO", 3: "IMS control region", 4: "IMS region",
        5: "command server", 6: "channel initiator", 7: "RRS",
        8: "intra-group queuing",
    }),
), shortest=28, at=36)  # fmt: skip
TASK = Layout("task accounting", "V", (
    START,
    SECONDS,
    col("commits", 488, comment="commits"),
    col("backouts", 508, comment="backouts"),
    col("others", 448, comment="calls that are for no queue"),
    column("cpu_seconds", "CPU time of commits, backouts and calls that are for no "
           "queue [s]", F,
           value=pl.sum_horizontal("commit_cpu", "backout_cpu", "other_cpu")),
    col("log_writes", 524, comment="writes to the log"),
    col("log_bytes", 528, comment="bytes written to the log [byte]"),
    _EYE,
    *fields(
        ("queues", 44, 4), ("other_cpu", 440, 8, "tod"), ("commit_cpu", 480, 8, "tod"),
        ("backout_cpu", 500, 8, "tod"), ("began", 664, 8, "stck"),
        ("ended", 672, 8, "stck"),
    ),
), shortest=680, at=44)  # fmt: skip


def _read_tasks(batch: RecordBatch) -> Frames:
    """A row a task, and a row a queue that it used; both of an interval of the task."""
    data = batch.sections(TASK, needed=True)
    task = batch.first(TASK, among=data)
    owner, who = (batch.first(one, needed=True) for one in (OWNER, WHO))
    owner = owner.select("queue_manager").hstack(who)
    owner = owner.with_columns(
        start=task["began"], seconds=(task["ended"] - task["began"]) / 1_000_000
    )
    used = batch.sections(QUEUE)
    lacking = (task["queues"] > 0).fill_null(False).to_numpy(writable=True)
    lacking[used.record] = False
    batch.spoil(batch.positions(lacking), f"has no {QUEUE.name} section")
    tasks = _timed(batch, TASK_INTERVAL, "WTAS", data, owner)
    return tasks | _timed(batch, QUEUE_INTERVAL, "WQST", used, owner, _TOO_FAST)


_TOO_FAST = {
    "has calls that used more CPU time than they lasted": pl.col("cpu_seconds")
    > 1.02 * pl.col("call_seconds") + 0.001
}


TASK_INTERVAL = RecordType("116-1", table(
    "mq_task_interval",
    "Tasks that used IBM MQ (116-1); what they did with queues is in "
        "mq_queue_interval",
    QUEUE_MANAGER, WHO, TASK,
), TASK, (WHO,), family=_ACCOUNTING, read=_read_tasks)  # fmt: skip
_DATA = {
    "opens": 160, "closes": 184, "gets": 208, "puts": 300, "put1s": 360,
    "inquiries": 420, "sets": 444,
}  # fmt: skip
"""Where the data of each call begin: elapsed time, CPU time, number."""
QUEUE = Layout("queue accounting", "V", (
    col("queue", 80, 48, "text", "name of the queue, that behind an alias"),
    START,
    SECONDS,
    *_calls(**{name: at + 16 for name, at in _DATA.items()}),
    col("bytes_put", 496, 8, comment="bytes of the messages put [byte]"),
    col("bytes_got", 504, 8, comment="bytes of the messages got [byte]"),
    column("call_seconds", "elapsed time of the calls [s]", F,
           value=pl.sum_horizontal(f"{name} elapsed" for name in _DATA)),
    column("cpu_seconds", "CPU time of the calls [s]", F,
           value=pl.sum_horizontal(f"{name} cpu" for name in _DATA)),
    _EYE,
    *fields(*((f"{name} elapsed", at, 8, "tod") for name, at in _DATA.items())),
    *fields(*((f"{name} cpu", at + 8, 8, "tod") for name, at in _DATA.items())),
), shortest=512, at=52)  # fmt: skip
QUEUE_INTERVAL = RecordType("116-1", table(
    "mq_queue_interval", "What a task did with a queue of IBM MQ (116-1)",
    QUEUE_MANAGER, WHO, QUEUE,
), QUEUE, (WHO,))  # fmt: skip
CHANNEL = Layout("channel accounting", "V", (
    col("channel", 16, 20, "text", "name of the channel"),
    col("kind", 37, 1, comment="what the record is of", words={
        1: "sender", 2: "server", 3: "receiver", 4: "requester",
        7: "server connection", 8: "cluster receiver", 9: "cluster sender",
    }),
    col("partner", 40, 48, "text", "address of the partner, as the channel has it"),
    START,
    SECONDS,
    col("messages", 116, comment="messages, or of a server connection calls"),
    col("buffers_in", 136, comment="buffers received"),
    col("buffers_out", 132, comment="buffers sent"),
    col("bytes_in", 168, 8),
    col("bytes_out", 160, 8),
    _EYE,
), shortest=176, at=36)  # fmt: skip


def _read_channels(batch: RecordBatch) -> Frames:
    """A row a channel instance and interval."""
    owner = batch.first(PERIOD, needed=True)
    length = (pl.col("seconds") * 1_000_000).round().cast(pl.Int64)
    owner = owner.with_columns(start=pl.col("ended") - length)
    data = batch.sections(CHANNEL, needed=True)
    return _timed(batch, CHANNEL_INTERVAL, "QCST", data, owner)


CHANNEL_INTERVAL = RecordType("116-10", table(
    "mq_channel_interval", "Channels of IBM MQ (116-10)", QUEUE_MANAGER, CHANNEL,
), CHANNEL, family=_ACCOUNTING, read=_read_channels)  # fmt: skip
RECORDS = (
    INTERVAL, POOL_INTERVAL, TASK_INTERVAL, QUEUE_INTERVAL, CHANNEL_INTERVAL
)  # fmt: skip
COUNTED = {
    (115, None): "IBM MQ: calls are in 115-2 and buffer pools in 115-215",
    (116, None): "IBM MQ accounting: tasks and their queues are in 116-1, channels in "
    "116-10",
}
