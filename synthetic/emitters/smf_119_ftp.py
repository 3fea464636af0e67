"""SMF 119-3 and 119-70: a file that FTP moved, as its client or its server tells."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.smf_119 import Address, OfStack, Time, hundredths
from synthetic.emitters.values import Count, Utc
from synthetic.smf.dump import unblocked
from synthetic.smf.sessions import Transfer, client_transfer, server_transfer

_HOST = "SYNTHETIC.EXAMPLE"
File = Annotated[
    str, Field(pattern=form(r"^[!-~]{1,200}$", "a data set or path without blanks"))
]


class FtpTransfer(OfStack):
    """A transfer; times have hundredths of a second."""

    role: Literal["client", "server"]
    command: Literal["RETR", "STOR"]
    file: File
    start: Utc
    seconds: Time
    bytes: Count
    remote_ip: Address


def write(of: FtpTransfer) -> bytes:
    """The record."""
    made = Transfer(
        of.local(of.start),
        of.bytes,
        hundredths(of.seconds),
        of.command,
        of.remote_ip,
        sid=of.system,
        stack=of.stack,
    )
    if of.role == "client":
        return unblocked([client_transfer(made, of.file)])
    return unblocked([server_transfer(made, (_HOST, of.file))])


EMITTER = Emitter("smf_119_ftp", "SMF 119-3 and 119-70, FTP", "smf", FtpTransfer, write)
