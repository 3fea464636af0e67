"""Transfers of one FTP client's log, as rows of ``ftp_transfer`` and ``benchmark``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import Remark, quote, remark, together
from analysis.ingest.logs.checks import errors_verdict
from analysis.ingest.logs.result import Result
from analysis.ingest.reading import Problem, Verdict

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
    ``gave_up`` is what the client said when it stopped at a failure, ``fatal`` why
    nothing of the log counts.
    """

    transfers: list[Transfer] = field(default_factory=list)
    failures: list[tuple[str, int]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    cut: str | None = None
    gave_up: str = ""
    fatal: Remark | None = None

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
            fatal=self.fatal,
        )


def results_of(
    moves: Transfers, ended: bool, doubts: Sequence[Problem] = ()
) -> list[Result]:
    """One result a direction, the first with the rows of all transfers; ``doubts`` are
    those of the whole log, ``ended`` says that its session did.

    A transfer that failed, or was cut off, concerns its own direction alone. Where
    its direction is not known, neither can be judged apart from the log.
    """
    failed = [way for way, _ in moves.failures]
    ways = {*(transfer.command for transfer in moves.transfers), *failed, moves.cut}
    known = sorted(way for way in ways if way)
    results = [Result(_result(moves.of(way), way)) for way in known]
    results = results or [Result({"clients": 1, "errors": len(failed), "position": 1})]
    results[0].problems += moves.problems
    results[0].tables["ftp_transfer"] = [_row(each) for each in moves.transfers]
    results[0].records = {"transfer": len(moves.transfers)}
    apart = known and UNKNOWN not in ways
    for result in results:
        own = moves.of(result.row["test"]) if apart else moves
        _judge(result, own, [*doubts, *_doubts(own.transfers, ended)])
    return results


def _judge(out: Result, moves: Transfers, doubts: Iterable[Problem]) -> None:
    """What became of some transfers."""
    failed = len(moves.failures)
    total = failed + len(moves.transfers)
    verdict = Verdict("ok")
    if total:
        verdict = errors_verdict(failed, total, f"transfers failed{_ways(moves)}")
    elif moves.cut is None:
        cause = remark("no_file_transferred", "no file was transferred")
        if moves.problems:
            first = moves.problems[0].remark
            cause = remark(
                "no_file_transferred_for", f"no file was transferred: {first}"
            )
        verdict = Verdict("failed", cause)
    if moves.gave_up and verdict.status == "failed" and verdict.cause:
        why = [verdict.cause, quote(moves.gave_up)]
        verdict = Verdict("failed", together(why))
    elif moves.gave_up:
        told = f"the client gave up: {moves.gave_up}"
        doubts = [*doubts, Problem(remark("client_gave_up", told))]
    if moves.fatal:
        out.judge("failed", moves.fatal)
    out.hold(verdict)
    if moves.cut is not None:
        out.judge("truncated", remark("ends_within_transfer", "ends within a transfer"))
    for doubt in doubts:
        out.judge("degraded", doubt.remark, doubt.line)


def _ways(moves: Transfers) -> str:
    """The directions of the failures, with how many each; empty if there is none."""
    counts = Counter(way or "of unknown direction" for way, _ in moves.failures)
    if len(counts) < 2:
        return "".join(f" ({way})" for way in counts)
    told = ", ".join(f"{count} {way}" for way, count in sorted(counts.items()))
    return f" ({told})"


def _doubts(transfers: list[Transfer], ended: bool) -> Iterator[Problem]:
    if not ended:
        without = "the session has no end (221), so the log may be cut off"
        yield Problem(remark("ftp_session_without_end", without))
    if short := [each for each in transfers if not each.seconds]:
        untimed = "some transfers were too short to be timed"
        yield Problem(remark("short_transfers", untimed), short[0].line)


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
    lines = [transfer.line for transfer in some] + [line for _, line in moves.failures]
    row: dict[str, Any] = {
        "test": way,
        "shape": "STR",
        "clients": 1,
        "transactions": len(some),
        "errors": len(moves.failures),
        "position": lines[0] if lines else None,
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
