"""Tables of the sockets and the profile of a TCP/IP stack of z/OS, and their words."""

from __future__ import annotations

import polars as pl

Schema = dict[str, pl.DataType]
S, I = pl.String(), pl.Int64()  # noqa: E741 - column types

TCPIP_TABLES: dict[str, Schema] = {
    "udp_socket": {
        "system": S,
        "job": S,
        "start_utc": S,
        "end_utc": S,
        "local_ip": S,
        "local_port": I,
        "remote_ip": S,
        "remote_port": I,
        "bytes_in": I,
        "bytes_out": I,
        "datagrams_in": I,
        "datagrams_out": I,
        "kind": S,
        "closed": S,
        "stack": S,
        "connection": I,
        "source": S,
        "position": I,
    },
    "tcpip_profile": {
        "system": S,
        "stack": S,
        "start_utc": S,
        "statement": S,
        "parameter": S,
        "value": I,
        "unit": S,
        "source": S,
        "position": I,
    },
}

TCPIP_TABLE_COMMENTS = {
    "udp_socket": "UDP sockets that were closed (119-10)",
    "tcpip_profile": "Settings of a TCP/IP stack when it started or its profile was "
    "changed (119-4); those of IPCONFIG, UDPCONFIG and GLOBALCONFIG that are read",
}

TCPIP_COLUMNS = {
    "udp_socket.remote_ip": "IP address that the last datagram came from",
    "udp_socket.remote_port": "port that the last datagram came from",
    "udp_socket.datagrams_in": "UDP datagrams received",
    "udp_socket.datagrams_out": "UDP datagrams sent",
    "udp_socket.kind": "standard, or enterprise extender",
    "udp_socket.connection": "number of the socket",
    "closed": "how it was closed: normal or abnormal",
    "tcpip_profile.start_utc": "when the record was written [UTC, ISO 8601]",
    "statement": "statement of the profile, such as GLOBALCONFIG",
    "parameter": "parameter of the statement, such as SMCR",
    "tcpip_profile.value": "its value in its unit; 1 and 0 say that it is on or off",
    "unit": "unit of the value: s or byte; null of switches",
}
