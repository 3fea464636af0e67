"""Tables of CICS, z/OS Connect and ICSF, and their words."""

from __future__ import annotations

from analysis.ingest.tables.zos import ORIGIN, F, I, S, Schema

_SPAN: Schema = {"start_utc": S, "end_utc": S}

SUBSYSTEM_TABLES: dict[str, Schema] = {
    "cics_transaction": {
        "system": S,
        "region": S,
        "transaction": S,
        "task": I,
        "user": S,
        "kind": S,
        **_SPAN,
        "response_seconds": F,
        "dispatch_seconds": F,
        "dispatches": I,
        "cpu_seconds": F,
        "suspend_seconds": F,
        **ORIGIN,
    },
    "zosconnect_request": {
        "system": S,
        "job": S,
        "api": S,
        "service": S,
        "method": S,
        "status": I,
        "user": S,
        "backend": S,
        **_SPAN,
        "response_seconds": F,
        "backend_seconds": F,
        "request_bytes": I,
        "response_bytes": I,
        **ORIGIN,
    },
    "crypto_request": {
        "system": S,
        "card": I,
        "serial": S,
        "domain": I,
        "function": S,
        **_SPAN,
        "queue_length": I,
        **ORIGIN,
    },
}

SUBSYSTEM_TABLE_COMMENTS = {
    "cics_transaction": "Transactions of CICS, one row for each performance record "
    "(110-1)",
    "zosconnect_request": "Requests to APIs of z/OS Connect (123-1; one source)",
    "crypto_request": "Requests to crypto cards that ICSF timed, one now and then "
    "(82-20; one source)",
}

SUBSYSTEM_COLUMNS = {
    "region": "CICS region: its specific name (APPLID)",
    "transaction": "transaction identifier",
    "cics_transaction.task": "number of the task",
    "cics_transaction.user": "user of the task when it began",
    "cics_transaction.kind": "why the record was written: end of task, conversation, "
    "user event, long-running task or syncpoint",
    "response_seconds": "from the start to the end [s]",
    "cics_transaction.dispatch_seconds": "time that the task was dispatched on all its "
    "TCBs [s]",
    "dispatches": "times that it was dispatched",
    "cics_transaction.cpu_seconds": "CPU time on all its TCBs; part of it that ran on "
    "zIIPs is normalised [s]",
    "suspend_seconds": "time that it was suspended [s]",
    "zosconnect_request.job": "job of the server",
    "api": "name of the API; null of records of version 1",
    "service": "name of the service",
    "zosconnect_request.method": "HTTP method",
    "zosconnect_request.status": "HTTP status; null of records of version 1",
    "zosconnect_request.user": "user who sent the request",
    "backend": "system of record that did the work",
    "backend_seconds": "from the request's way there to the response [s]",
    "zosconnect_request.request_bytes": "bytes of the request [byte]",
    "zosconnect_request.response_bytes": "bytes of the response [byte]",
    "crypto_request.start_utc": "when the request was queued for the card [UTC, ISO "
    "8601]",
    "crypto_request.end_utc": "when its answer was taken [UTC, ISO 8601]",
    "crypto_request.domain": "domain of the card",
    "serial": "serial number of the card",
    "crypto_request.function": "function code of the request",
    "queue_length": "requests in the queue of the card",
}
