"""Transfers of one FTP client's log, as rows of ``ftp_transfer`` and ``benchmark``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.ingest.benchmark_log import Outcome

RETRIEVE, STORE = "RETR", "STOR"


@dataclass(frozen=True)
class Transfer:
    """One file that was moved whole; ``seconds`` null where they are not known."""

    command: str
    bytes: int
    seconds: float | None
    file: str | None
    line: int


def add_transfers(
    out: Outcome, transfers: list[Transfer], failed: int, ended: bool
) -> None:
    """Rows of all transfers, one result a direction, and the judgement of failures."""
    out.tables["ftp_transfer"] = [
        {
            "role": "client",
            "command": transfer.command,
            "seconds": transfer.seconds,
            "bytes": transfer.bytes,
            "file": transfer.file,
            "position": transfer.line,
        }
        for transfer in transfers
    ]
    out.judge_errors(failed, len(transfers) + failed, "transfers failed")
    out.records = {"transfer": len(transfers)}
    commands = sorted({transfer.command for transfer in transfers})
    out.rows = [_result(transfers, command, failed) for command in commands]
    if not commands:
        out.rows = [{"clients": 1, "errors": failed, "position": 1}]
    if not ended:
        out.doubts.append("the session has no end (221), so the log may be cut off")
    if any(not transfer.seconds for transfer in transfers):
        out.doubts.append("some transfers were too short to be timed")


def _result(transfers: list[Transfer], command: str, failed: int) -> dict[str, Any]:
    """All transfers one way, which one client makes one after another."""
    some = [t for t in transfers if t.command == command]
    times = [t.seconds for t in some if t.seconds]
    row: dict[str, Any] = {
        "test": command,
        "shape": "STR",
        "clients": 1,
        "transactions": len(some),
        "errors": failed,
        "position": some[0].line,
    }
    if len(times) < len(some):
        return row
    seconds = sum(times)
    return row | {
        "seconds": seconds,
        "rate": len(some) / seconds,
        "latency_mean_us": seconds / len(some) * 1e6,
        "bytes_per_second": sum(t.bytes for t in some) / seconds,
    }
