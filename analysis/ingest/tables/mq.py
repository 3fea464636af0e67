"""The tables that records of MQ for z/OS fill; ``zos_comments`` says what they hold."""

from __future__ import annotations

from analysis.ingest.tables.zos import BYTES, ORIGIN, TIMED, F, I, S, Schema

_MQ_CALLS: Schema = dict.fromkeys(
    ("opens", "closes", "gets", "puts", "put1s", "inquiries", "sets"), I
)
_MQ_TASK: Schema = {"job": S, "user": S, "kind": S}

MQ_TABLES: dict[str, Schema] = {
    "mq_interval": {
        "system": S,
        "queue_manager": S,
        **TIMED,
        **_MQ_CALLS,
        "subscriptions": I,
        "callbacks": I,
        "controls": I,
        **ORIGIN,
    },
    "mq_pool_interval": {
        "system": S,
        "queue_manager": S,
        "pool": I,
        **TIMED,
        "buffers": I,
        "least_free": I,
        "pages_got": I,
        "pages_read": I,
        "pages_written": I,
        "writes": I,
        "synchronous_writes": I,
        "no_buffer": I,
        **ORIGIN,
    },
    "mq_task_interval": {
        "system": S,
        "queue_manager": S,
        **_MQ_TASK,
        **TIMED,
        "commits": I,
        "backouts": I,
        "others": I,
        "cpu_seconds": F,
        "log_writes": I,
        "log_bytes": I,
        **ORIGIN,
    },
    "mq_queue_interval": {
        "system": S,
        "queue_manager": S,
        **_MQ_TASK,
        "queue": S,
        **TIMED,
        **_MQ_CALLS,
        "bytes_put": I,
        "bytes_got": I,
        "call_seconds": F,
        "cpu_seconds": F,
        **ORIGIN,
    },
    "mq_channel_interval": {
        "system": S,
        "queue_manager": S,
        "channel": S,
        "kind": S,
        "partner": S,
        **TIMED,
        "messages": I,
        "buffers_in": I,
        "buffers_out": I,
        **BYTES,
        **ORIGIN,
    },
}
