"""Transfers of one FTP client's log, as rows of ``ftp_transfer`` and ``benchmark``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
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
    out: Outcome, transfers: list[Transfer], failures: Counter[str], ended: bool
) -> None:
    """Rows of all transfers, one result a direction, and the judgement of failures.

    ``failures`` counts them by command, those of an unknown one under an empty name:
    where there is any, the directions are not judged apart.
    """
    failed = failures.total()
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
    doubts = list(_doubts(transfers, ended))
    told = [*out.doubts, *doubts]
    out.judge_errors(failed, len(transfers) + failed, "transfers failed")
    out.doubts += doubts
    out.records = {"transfer": len(transfers)}
    commands = sorted({transfer.command for transfer in transfers})
    of_any = failures[""]
    out.rows = [_result(transfers, c, failures[c] + of_any) for c in commands]
    if not commands:
        out.rows = [{"clients": 1, "errors": failed, "position": 1}]
    if not of_any:
        out.tests = {
            command: _of_direction(transfers, command, failures[command], told)
            for command in sorted({*commands, *failures} - {""})
        }


def _doubts(transfers: list[Transfer], ended: bool) -> Iterator[str]:
    if not ended:
        yield "the session has no end (221), so the log may be cut off"
    if any(not transfer.seconds for transfer in transfers):
        yield "some transfers were too short to be timed"


def _of_direction(
    transfers: list[Transfer], command: str, failed: int, doubts: list[str]
) -> Outcome:
    """What became of the transfers one way; doubts are those of the whole log."""
    done = sum(transfer.command == command for transfer in transfers)
    own = Outcome(doubts=[*doubts])
    own.judge_errors(failed, done + failed, "transfers failed")
    return own


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
