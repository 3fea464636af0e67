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

from analysis.collect.request import (
    Login,
    Request,
    broken_off,
    no_answer,
    refused,
    unreachable,
)
from analysis.collect.web import tls_context
from analysis.declared.collect import Server, WantedFile
from analysis.errors import user_error

_PORT = 21
_NOT_IN = "530"
_WORD = 4  # bytes of a record descriptor word


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
        answer = " ".join(str(error).split())
        if answer.startswith(_NOT_IN):
            return refused(self.server, self.name, self._who()[0])
        return no_answer(self.server, what, answer)


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


def check_descriptors(path: Path, name: str) -> int:
    """The records of a file that has descriptor words; a :class:`UserError` where they
    do not lead from one to the next up to the end."""
    count = 0
    with path.open("rb") as file:
        while word := file.read(_WORD):
            length = int.from_bytes(word[:2], "big")
            sound = len(word) == _WORD and length >= _WORD and word[2] < 4
            body = file.read(length - _WORD) if sound else b""
            if not sound or len(body) < length - _WORD:
                what = f"no record descriptor word at byte {file.tell():,}"
                mend = "the server did not keep them: see that it knows SITE RDW"
                raise user_error(f"{what}; nothing was kept", name, mend=mend)
            count += 1
    return count
