"""Transfers of one FTP client's log, as rows of ``ftp_transfer`` and ``benchmark``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import Remark, quote, remark, together
from analysis.ingest.logs.benchmark import LogOutcome
from analysis.ingest.reading import Problem

RETRIEVE, STORE, UNKNOWN = "RETR", "STOR", ""


@dataclass(frozen=True)
class Transfer:
    """One file that was moved whole; ``seconds`` null where they are not known."""

    command: str
    bytes: int
    seconds: float | None
    file: str | None
    line: int


@dataclass
class Transfers:
    """What became of the transfers of a log.

    ``failures`` has the direction and the line of each that failed, ``cut`` the
    direction of one that the log ends in. A direction that is not known is empty.
    ``gave_up`` is what the client said when it stopped at a failure.
    """

    transfers: list[Transfer] = field(default_factory=list)
    failures: list[tuple[str, int]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    cut: str | None = None
    gave_up: str = ""

    def fail(self, command: str, what: str, line: int) -> None:
        """Note a transfer that failed, and of which direction it is."""
        way = command or "a transfer of unknown direction"
        self.problems.append(
            Problem(remark("way_failed", f"{way} failed: {what}"), line)
        )
        self.failures.append((command, line))

    def of(self, way: str) -> Transfers:
        """Those of one direction."""
        return Transfers(
            [transfer for transfer in self.transfers if transfer.command == way],
            [failure for failure in self.failures if failure[0] == way],
            cut=way if self.cut == way else None,
            gave_up=self.gave_up,
        )


def add_moves(out: LogOutcome, moves: Transfers, ended: bool) -> None:
    """Rows of all transfers, and one result a direction, each with its own verdict.

    A transfer that failed, or was cut off, concerns its own direction alone. Where
    its direction is not known, neither can be judged apart from the log.
    """
    doubts, out.doubts = out.doubts, []
    _judge(out, moves, doubts, ended)
    out.tables["ftp_transfer"] = [_row(transfer) for transfer in moves.transfers]
    out.records = {"transfer": len(moves.transfers)}
    out.problems += moves.problems
    failed = [way for way, _ in moves.failures]
    ways = sorted({*(transfer.command for transfer in moves.transfers), *failed})
    out.rows = [_result(moves.of(way), way) for way in ways if way]
    if not out.rows:
        out.rows = [{"clients": 1, "errors": len(failed), "position": 1}]
    if UNKNOWN in (*failed, moves.cut):
        return
    for way in sorted({*ways, *([moves.cut] if moves.cut else [])}):
        out.tests[way] = LogOutcome()
        _judge(out.tests[way], moves.of(way), doubts, ended)


def _judge(
    out: LogOutcome, moves: Transfers, doubts: Iterable[Remark], ended: bool
) -> None:
    """What became of some transfers; ``doubts`` are those of the whole log."""
    failed = len(moves.failures)
    total = failed + len(moves.transfers)
    if total:
        out.judge_errors(failed, total, f"transfers failed{_ways(moves)}")
    elif moves.cut is None:
        out.failed = remark("no_file_transferred", "no file was transferred")
        if moves.problems:
            first = moves.problems[0].remark
            out.failed = remark(
                "no_file_transferred_for", f"no file was transferred: {first}"
            )
    if moves.cut is not None:
        out.truncated = remark("ends_within_transfer", "ends within a transfer")
    out.doubts += [*doubts, *_doubts(moves.transfers, ended)]
    if moves.gave_up and out.failed:
        out.failed = together([out.failed, quote(moves.gave_up)])
    elif moves.gave_up:
        out.doubts.append(
            remark("client_gave_up", f"the client gave up: {moves.gave_up}")
        )


def _ways(moves: Transfers) -> str:
    """The directions of the failures, with how many each; empty if there is none."""
    counts = Counter(way or "of unknown direction" for way, _ in moves.failures)
    if len(counts) < 2:
        return "".join(f" ({way})" for way in counts)
    told = ", ".join(f"{count} {way}" for way, count in sorted(counts.items()))
    return f" ({told})"


def _doubts(transfers: list[Transfer], ended: bool) -> Iterator[Remark]:
    if not ended:
        yield remark(
            "ftp_session_without_end",
            "the session has no end (221), so the log may be cut off",
        )
    if any(not transfer.seconds for transfer in transfers):
        yield remark("short_transfers", "some transfers were too short to be timed")


def _row(transfer: Transfer) -> dict[str, Any]:
    return {
        "role": "client",
        "command": transfer.command,
        "seconds": transfer.seconds,
        "bytes": transfer.bytes,
        "file": transfer.file,
        "position": transfer.line,
    }


def _result(moves: Transfers, way: str) -> dict[str, Any]:
    """All transfers one way, which one client makes one after another."""
    some = moves.transfers
    times = [transfer.seconds for transfer in some if transfer.seconds]
    row: dict[str, Any] = {
        "test": way,
        "shape": "STR",
        "clients": 1,
        "transactions": len(some),
        "errors": len(moves.failures),
        "position": some[0].line if some else moves.failures[0][1],
    }
    if len(sizes := {transfer.bytes for transfer in some}) == 1:
        row["response_bytes" if way == RETRIEVE else "request_bytes"] = sizes.pop()
    if not some or len(times) < len(some):
        return row
    seconds = sum(times)
    return row | {
        "seconds": seconds,
        "rate": len(some) / seconds,
        "latency_mean_us": seconds / len(some) * 1e6,
        "bytes_per_second": sum(transfer.bytes for transfer in some) / seconds,
    }
