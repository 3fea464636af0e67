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

import polars as pl

from analysis.ingest.smf.columns import (
    SECONDS,
    START,
    DeclaredColumn,
    F,
    Field,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    table,
)

_EYE = Field("eye", 4, 4, "text")
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


MANAGER = Layout("message manager", "V", (
    START,
    SECONDS,
    *_calls(
        opens=8, closes=12, gets=16, puts=20, put1s=24, inquiries=28, sets=36,
        subscriptions=48, callbacks=56, controls=60,
    ),
    _EYE,
), at=36)  # fmt: skip
INTERVAL = RecordType(
    ((115, 2),),
    table(
        "mq_interval",
        "Calls to a queue manager of IBM MQ (115-2)",
        QUEUE_MANAGER,
        MANAGER.columns,
    ),
    MANAGER,
)
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
POOL_INTERVAL = RecordType(
    ((115, 215),),
    table(
        "mq_pool_interval",
        "Buffer pools of a queue manager of IBM MQ (115-215)",
        QUEUE_MANAGER,
        POOL.columns,
    ),
    POOL,
)

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
TASK_INTERVAL = RecordType(
    ((116, 1),),
    table(
        "mq_task_interval",
        "Tasks that used IBM MQ (116-1); what they did with queues is in "
        "mq_queue_interval",
        QUEUE_MANAGER,
        WHO.columns,
        TASK.columns,
    ),
    TASK,
    (WHO,),
)
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
QUEUE_INTERVAL = RecordType(
    ((116, 1),),
    table(
        "mq_queue_interval",
        "What a task did with a queue of IBM MQ (116-1)",
        QUEUE_MANAGER,
        WHO.columns,
        QUEUE.columns,
    ),
    QUEUE,
    (WHO,),
)
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
CHANNEL_INTERVAL = RecordType(
    ((116, 10),),
    table(
        "mq_channel_interval",
        "Channels of IBM MQ (116-10)",
        QUEUE_MANAGER,
        CHANNEL.columns,
    ),
    CHANNEL,
)
TABLES = tuple(
    one.table
    for one in (
        INTERVAL, POOL_INTERVAL, TASK_INTERVAL, QUEUE_INTERVAL, CHANNEL_INTERVAL
    )
)  # fmt: skip
