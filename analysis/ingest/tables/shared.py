"""Tables of what systems share: coupling facilities and control units; their words."""

from __future__ import annotations

from analysis.ingest.tables.zos import ORIGIN, TIMED, F, I, S, Schema

SHARED_TABLES: dict[str, Schema] = {
    "cf_interval": {
        "system": S,
        "facility": S,
        **TIMED,
        "requests": F,
        "failed_requests": F,
        "path_busy": F,
        "subchannels": I,
        "subchannels_in_use": I,
        "subchannel_busy": F,
        "contention_seconds": F,
        "storage_bytes": I,
        "free_bytes": I,
        **ORIGIN,
    },
    "cf_structure_interval": {
        "system": S,
        "facility": S,
        "structure": S,
        "kind": S,
        **TIMED,
        "requests": F,
        "changed_requests": F,
        "entries": I,
        "entries_limit": I,
        "lock_entries": I,
        "lock_entries_limit": I,
        "structure_bytes": I,
        **ORIGIN,
    },
    "cf_processor_interval": {
        "system": S,
        "facility": S,
        "cpu": I,
        **TIMED,
        "busy_seconds": F,
        "wait_seconds": F,
        "busy_pct": F,
        **ORIGIN,
    },
    "lcu_interval": {
        "system": S,
        "lcu": S,
        **TIMED,
        "queued": I,
        "queue_lengths": I,
        "connect_seconds": F,
        "disconnect_seconds": F,
        "wait_seconds": F,
        **ORIGIN,
    },
}

SHARED_TABLE_COMMENTS = {
    "cf_interval": "Requests of a system to a coupling facility (74-4; one source)",
    "cf_structure_interval": "Requests of a system to a structure of a coupling "
    "facility (74-4; one source)",
    "cf_processor_interval": "Processors of a coupling facility, as a system saw them "
    "(74-4; one source)",
    "lcu_interval": "Logical control units with I/O activity (78-3; one source)",
}

SHARED_COLUMNS = {
    "facility": "coupling facility",
    "cf_interval.requests": "requests of the system to the coupling facility",
    "failed_requests": "of them those that were not successful",
    "path_busy": "requests that failed because a path was busy",
    "subchannels": "subchannels defined",
    "subchannels_in_use": "subchannels in use",
    "subchannel_busy": "times that all subchannels were busy",
    "contention_seconds": "time that requests waited for a subchannel [s]",
    "storage_bytes": "storage of the coupling facility; null where another system "
    "tells it [byte]",
    "free_bytes": "of it that is free [byte]",
    "structure": "structure of the coupling facility",
    "cf_structure_interval.kind": "list, serialized list, lock or cache",
    "cf_structure_interval.requests": "requests for lists, locks or cache entries",
    "changed_requests": "requests that became asynchronous for lack of resources",
    "entries": "list entries in use; of a lock structure data elements",
    "entries_limit": "list entries there may be; of a lock structure data elements",
    "lock_entries": "entries of the lock table in use",
    "lock_entries_limit": "entries of the lock table",
    "structure_bytes": "size that was asked for; null where another system tells it "
    "[byte]",
    "cf_processor_interval.cpu": "the processor's number",
    "cf_processor_interval.busy_seconds": "time that the processor was busy [s]",
    "cf_processor_interval.busy_pct": "busy share of busy and wait time [%]",
    "cf_processor_interval.wait_seconds": "time that the processor waited [s]",
    "lcu_interval.lcu": "logical control unit",
    "queued": "entries on the queue of the control unit",
    "queue_lengths": "sum of the lengths of that queue",
    "connect_seconds": "time that its devices were connected [s]",
    "disconnect_seconds": "time that its devices were disconnected [s]",
    "lcu_interval.wait_seconds": "time that requests waited in the channel subsystem "
    "[s]",
}
