"""The record types that are declared, and their tables: a file a family of types."""

from __future__ import annotations

from analysis.ingest.smf.types import cpu, mq, rmf, subsystems, tcpip

TABLES = (
    *tcpip.TABLES,
    *rmf.TABLES,
    *cpu.TABLES,
    *mq.TABLES,
    *subsystems.TABLES,
)
