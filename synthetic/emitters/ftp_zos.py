"""A log of the z/OS FTP client: transfers one after another over one connection.

Layout: z/OS Communications Server IP User's Guide (SC27-3662), "Interpreting FTP client
output". Seconds have three decimals, and a ``Kbyte`` has 1000 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from synthetic.emitters.emitter import Emitter
from synthetic.emitters.smf_119_ftp import File
from synthetic.emitters.values import LABEL, Count, Line, Measured, Name8, Utc

_SUBCOMMAND = {"RETR": "GET", "STOR": "PUT"}
_BEGUN = {"RETR": "125 Sending data set", "STOR": "125 Storing data set"}
Seconds = Annotated[float, Field(strict=True, ge=0.001, lt=1e6)]


class Move(Measured):
    """A transfer; the server refused one with a ``refusal``, such as 550 and a text."""

    command: Literal["RETR", "STOR"]
    file: File
    bytes: Count = 0
    seconds: Seconds = 0.001
    refusal: Line = ""


class FtpLog(Measured):
    """One connection; ``user`` signs on at ``start``, of which UTC is printed."""

    user: Name8
    start: Utc
    transfers: tuple[Move, ...]
    label: Line = LABEL


def write(of: FtpLog) -> bytes:
    """The whole log."""
    lines = [*_begin(of)]
    for port, move in enumerate(of.transfers, 1027):
        lines += _transfer(move, port)
    lines += ["EZA1460I Command:", "EZA1701I >>> QUIT"]
    lines += ["221 Quit command received. Goodbye.", ""]
    return "\n".join(lines).encode()


def _begin(of: FtpLog) -> Iterator[str]:
    yield from ["EZA1450I IBM FTP CS V3R2", "EZA1466I FTP: using TCPIP"]
    yield "EZA1554I Connecting to: synb.example.com 192.0.2.2 port: 21."
    at = f"{of.start:%H:%M:%S} on {of.start:%Y-%m-%d}"
    yield f"220-FTPSERV1 IBM FTP CS V3R2 at synb.example.com, {at}."
    yield from [f"220-{of.label}", "220 Connection will not timeout."]
    yield f"EZA1459I NAME (synb:{of.user}):"
    yield f"EZA1701I >>> USER {of.user.lower()}"
    yield from ["331 Send password please.", "EZA1701I >>> PASS"]
    yield f'230 {of.user} is logged on.  Working directory is "{of.user}.".'


def _transfer(it: Move, port: int) -> Iterator[str]:
    yield "EZA1460I Command:"
    yield f"EZA1736I {_SUBCOMMAND[it.command]} {it.file} '*DEV.NULL'"
    yield "EZA1701I >>> EPSV"
    yield f"229 Entering Extended Passive Mode (|||{port}|)"
    yield f"EZA1701I >>> {it.command} {it.file}"
    if it.refusal:
        yield it.refusal
        return
    yield f"{_BEGUN[it.command]} {it.file}"
    yield "250 Transfer completed successfully."
    rate = it.bytes / round(it.seconds, 3) / 1000
    yield (
        f"EZA1617I {it.bytes} bytes transferred in {it.seconds:.3f} seconds.  "
        f"Transfer rate {rate:.2f} Kbytes/sec."
    )


EMITTER = Emitter("ftp_zos", "log of the z/OS FTP client", "ftp_zos", FtpLog, write)
