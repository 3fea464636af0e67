"""What logs of FTP clients share: transfers, and the result of each direction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.remark import Remark, quote, remark, together
from analysis.ingest.logs.checks import errors_verdict
from analysis.ingest.logs.result import Result
from analysis.ingest.reading import Problem, Verdict
from analysis.ingest.web.load import serial

RETRIEVE, STORE, UNKNOWN = "RETR", "STOR", ""


@dataclass(frozen=True)
class Transfer:
    """One file and its direction, which may be unknown; without bytes where it failed,
    and without seconds where they are not known."""

    way: str
    line: int
    file: str | None = None
    bytes: int | None = None
    seconds: float | None = None

    def row(self, role: str) -> dict[str, Any]:
        """Its row of ``ftp_transfer``."""
        return {
            "role": role,
            "command": self.way,
            "seconds": self.seconds,
            "bytes": self.bytes,
            "file": self.file,
            "position": self.line,
        }


@dataclass
class Session:
    """What was read of a log so far.

    ``way`` and ``file`` are those of the transfer under way, ``cut`` is the direction
    of one that the log ends in. ``gave_up`` is what the client said when it stopped at
    a failure, ``fatal`` why nothing of the log counts; ``doubts`` are of the whole log.
    """

    transfers: list[Transfer] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    doubts: list[Problem] = field(default_factory=list)
    way: str = UNKNOWN
    file: str | None = None
    cut: str | None = None
    gave_up: str = ""
    fatal: Remark | None = None

    def fail(self, way: str, what: str, line: int) -> None:
        """Note a transfer that failed, and of which direction it is."""
        failed = f"{way or 'a transfer of unknown direction'} failed: {what}"
        self.problems.append(Problem(remark("way_failed", failed), line))
        self.transfers.append(Transfer(way, line))

    def end_badly(self, why: str, line: int) -> None:
        """The transfer under way failed."""
        self.fail(self.way, f"{self.file}: {why}" if self.file else why, line)
        self.way, self.file = UNKNOWN, None

    def results(self, ended: bool) -> list[Result]:
        """One result a direction, the first with the rows of all transfers; ``ended``
        says that the session did.

        A transfer that failed, or was cut off, concerns its own direction alone. Where
        its direction is not known, neither can be judged apart from the log.
        """
        ways = {*(transfer.way for transfer in self.transfers), self.cut}
        known = sorted(way for way in ways if way)
        results = []
        for way in known or [UNKNOWN]:
            each = [transfer for transfer in self.transfers if transfer.way == way]
            results.append(Result(_row(each, way)))
            if known and UNKNOWN not in ways:
                self._judge(results[-1], each, self.cut == way, ended)
            else:
                self._judge(results[-1], self.transfers, self.cut is not None, ended)
        results[0].problems = self.problems + results[0].problems
        moved = [each for each in self.transfers if each.bytes is not None]
        results[0].tables["ftp_transfer"] = [each.row("client") for each in moved]
        results[0].records = {"transfer": len(moved)}
        return results

    def _judge(
        self, out: Result, transfers: list[Transfer], cut: bool, ended: bool
    ) -> None:
        """What became of some transfers."""
        failed = Counter(
            each.way or "of unknown direction"
            for each in transfers
            if each.bytes is None
        )
        ways = [f"{count} {way}" for way, count in sorted(failed.items())]
        words = ", ".join(ways if len(ways) > 1 else failed)
        verdict = Verdict("ok")
        if transfers:
            words = f"transfers failed ({words})"
            verdict = errors_verdict(failed.total(), len(transfers), words)
        elif not cut:
            cause = remark("no_file_transferred", "no file was transferred")
            if self.problems:
                words = f"no file was transferred: {self.problems[0].remark}"
                cause = remark("no_file_transferred_for", words)
            verdict = Verdict("failed", cause)
        doubts = list(self.doubts)
        if not ended:
            words = "the session has no end (221), so the log may be cut off"
            doubts.append(Problem(remark("ftp_session_without_end", words)))
        short = [each for each in transfers if each.bytes is not None]
        if short := [each for each in short if not each.seconds]:
            words = "some transfers were too short to be timed"
            doubts.append(Problem(remark("short_transfers", words), short[0].line))
        if self.gave_up and verdict.status == "failed" and verdict.cause:
            why = together([verdict.cause, quote(self.gave_up)])
            verdict = Verdict("failed", why)
        elif self.gave_up:
            words = f"the client gave up: {self.gave_up}"
            doubts.insert(0, Problem(remark("client_gave_up", words)))
        if self.fatal:
            out.judge("failed", self.fatal)
        out.hold(verdict)
        if cut:
            words = "ends within a transfer"
            out.judge("truncated", remark("ends_within_transfer", words))
        for doubt in doubts:
            out.judge("degraded", doubt.remark, doubt.line)


def _row(transfers: list[Transfer], way: str) -> dict[str, Any]:
    """All transfers one way, which one client makes one after another."""
    moved = [each for each in transfers if each.bytes is not None]
    errors = len(transfers) - len(moved)
    if not way:
        return {"clients": 1, "errors": errors, "position": 1}
    lines = [each.line for each in moved or transfers]
    row = {
        "test": way,
        "shape": "STR",
        "clients": 1,
        "transactions": len(moved),
        "errors": errors,
        "position": lines[0] if lines else None,
    }
    if len(sizes := {each.bytes for each in moved}) == 1:
        row["response_bytes" if way == RETRIEVE else "request_bytes"] = sizes.pop()
    times = [each.seconds for each in moved if each.seconds]
    if len(times) < len(moved):
        return row
    return row | serial(len(moved), sum(times), sum(each.bytes or 0 for each in moved))
