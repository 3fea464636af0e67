"""Data sets, UNIX files and job output by FTP, with the site commands of z/OS.

``SITE RDW`` keeps the record descriptor words, without which a dump cannot be read;
``SITE FILETYPE=JES`` makes job output of what is fetched. Source: z/OS Communications
Server: IP User's Guide and Commands, "SITE subcommand".
"""

from __future__ import annotations

import ftplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from analysis.collect.credentials import Login
from analysis.collect.records import check_descriptors
from analysis.collect.request import Request, broken_off, refused, unreachable
from analysis.collect.web import tls_context
from analysis.declared.collect import Server, WantedFile
from analysis.errors import user_error

_PORT = 21
_NOT_IN = "530"


@dataclass(frozen=True)
class Ftp:
    """A server of FTP; ``name`` is what the declaration calls it."""

    name: str
    server: Server
    login: Login | None

    @contextmanager
    def session(self, what: str) -> Iterator[ftplib.FTP]:
        """A connection of the user; what goes wrong with it is a :class:`UserError`."""
        host, _, port = self.server.address.partition(":")
        secure = self.server.encrypted
        kind = partial(ftplib.FTP_TLS, context=tls_context(self.server))
        with kind() if secure else ftplib.FTP() as ftp:  # noqa: S321 - as declared
            try:
                ftp.connect(host, int(port or _PORT), self.server.seconds)
                ftp.login(*self._who())
                if isinstance(ftp, ftplib.FTP_TLS):
                    ftp.prot_p()
            except ftplib.error_perm as error:
                raise self._refusal(error, "login") from None
            except (OSError, EOFError, ftplib.Error) as error:
                raise unreachable(self.server, error) from None
            try:
                yield ftp
            except ftplib.error_perm as error:
                raise self._refusal(error, what) from None
            except (OSError, EOFError, ftplib.Error):
                raise broken_off(self.server, what) from None

    def _who(self) -> tuple[str, str]:
        return (self.login.user, self.login.password) if self.login else ("", "")

    def _refusal(self, error: ftplib.error_perm, what: str) -> Exception:
        told = " ".join(str(error).split())
        if told.startswith(_NOT_IN):
            return refused(self.server, self.name, self._who()[0])
        mend = "see that the name is right and that you may read it"
        said = f"{what}: the server answers {told}"
        return user_error(said, self.server.address, mend=mend)


def requests(ftp: Ftp, wanted: WantedFile) -> Iterator[Request]:
    """One request of one file."""
    if wanted.job:
        job = wanted.job.rpartition("/")[2]
        what, save = f"{job}.x", partial(_job, ftp, job)
    elif wanted.data_set:
        what = f"'{wanted.data_set}'"
        save = partial(_text if wanted.text else _records, ftp, what)
    else:
        what, save = wanted.path, partial(_bytes, ftp, wanted.path)
    yield Request(wanted.to, f"RETR {what}", save)


def _records(ftp: Ftp, what: str, draft: Path) -> None:
    with ftp.session(what) as session, draft.open("wb") as file:
        session.sendcmd("SITE FILETYPE=SEQ RDW")
        session.retrbinary(f"RETR {what}", file.write)
    check_descriptors(draft, f"{ftp.server.address}: {what}")


def _bytes(ftp: Ftp, what: str, draft: Path) -> None:
    with ftp.session(what) as session, draft.open("wb") as file:
        session.retrbinary(f"RETR {what}", file.write)


def _text(ftp: Ftp, what: str, draft: Path) -> None:
    with ftp.session(what) as session:
        session.sendcmd("SITE FILETYPE=SEQ")
        _lines(session, what, draft)


def _job(ftp: Ftp, job: str, draft: Path) -> None:
    with ftp.session(job) as session:
        session.sendcmd("SITE FILETYPE=JES JESJOBNAME=* JESOWNER=*")
        _lines(session, f"{job}.x", draft)


def _lines(session: ftplib.FTP, what: str, draft: Path) -> None:
    with draft.open("w", encoding=session.encoding, newline="\n") as file:
        session.retrlines(f"RETR {what}", lambda line: file.write(f"{line}\n"))
