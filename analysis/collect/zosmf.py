"""Data sets, UNIX files, job output and displays through the REST interfaces of z/OSMF.

``GET /zosmf/restfiles/ds/NAME`` with ``X-IBM-Data-Type: record`` puts before each
record its length; ``/zosmf/restjobs/jobs/NAME/ID/files`` lists the output of a job;
``PUT /zosmf/restconsoles/consoles/defcn`` sends a command, by a console that is named
after the user. Source: z/OSMF Programming Guide, "z/OS data set and file REST
interface", "z/OS jobs REST interface" and "z/OS console services".
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from analysis.collect.request import Request
from analysis.collect.web import Web
from analysis.declared.collect import WantedFile
from analysis.errors import user_error

_OURS = {"X-CSRF-ZOSMF-HEADER": "netperf-report"}  # any value: a web page cannot set it
_TYPE = "X-IBM-Data-Type"
_CONSOLE = "/zosmf/restconsoles/consoles/defcn"
_PAUSE, _PARTS = 1.0, 60  # seconds until more of an answer is asked for; how often
_WORD = 4  # bytes before a record
_LONGEST = 0xFFFF - _WORD


def requests(web: Web, wanted: WantedFile) -> Iterator[Request]:
    """One request of a data set or file; of a job one each file of its output, or one
    of all of them where ``to`` has no place for their names."""
    if wanted.data_set:
        path = f"/zosmf/restfiles/ds/{quote(wanted.data_set, safe='().-')}"
        text = partial(_save, web, path, _OURS | {_TYPE: "text"})
        save = text if wanted.text else partial(_records, web, path)
        yield Request(wanted.to, path, save)
    elif wanted.path:
        path = f"/zosmf/restfiles/fs/{quote(wanted.path.lstrip('/'))}"
        headers = _OURS | {_TYPE: "text" if wanted.text else "binary"}
        yield Request(wanted.to, path, partial(_save, web, path, headers))
    elif wanted.commands:
        what = f"{_CONSOLE}: {'; '.join(wanted.commands)}"
        yield Request(wanted.to, what, partial(_displays, web, wanted))
    else:
        yield from _of_job(web, wanted)


def _displays(web: Web, wanted: WantedFile, draft: Path) -> None:
    """The answers to commands, one below the other, whole lines each."""
    with draft.open("w", encoding="utf-8") as file:
        for command in wanted.commands:
            file.write(_answer(web, command, wanted.system))


def _answer(web: Web, command: str, system: str) -> str:
    """The lines that answer a command. They come in parts, of which an empty one is the
    last; the first may be empty where the command takes longer than z/OSMF waits."""
    asked = {"cmd": command} | ({"system": system} if system else {})
    part, key = _part(web, command, _CONSOLE, json.dumps(asked).encode())
    parts = [part]
    for _ in range(_PARTS):
        time.sleep(_PAUSE)
        parts.append(_part(web, command, f"{_CONSOLE}/solmsgs/{quote(key)}")[0])
        if not parts[-1]:
            break
    if text := "\n".join(filter(None, parts)):
        return text + "\n"
    what = f"{command}: the console has no answer"
    mend = "see that the user may use a console (MVS.MCSOPER) and this command"
    raise user_error(what, web.server.address, mend=mend)


def _part(
    web: Web, command: str, path: str, body: bytes | None = None
) -> tuple[str, str]:
    """Lines of an answer, and the key by which more of them are asked for."""
    headers = _OURS | {"Content-Type": "application/json"}
    try:
        answer = json.loads(web.text(path, headers, body))
        lines = str(answer["cmd-response"]).replace("\r\n", "\n").replace("\r", "\n")
        return lines.rstrip("\n"), str(answer["cmd-response-key"] if body else "")
    except (ValueError, LookupError, TypeError):
        what = f"{command}: the answer is none of a console"
        raise user_error(what, web.server.address) from None


def _of_job(web: Web, wanted: WantedFile) -> Iterator[Request]:
    path = f"/zosmf/restjobs/jobs/{quote(wanted.job, safe='/')}/files"
    files = [(f"{path}/{id}/records", dd) for id, dd in _spool_files(web, path)]
    if "{dd}" not in wanted.to:
        parts = [part for part, _ in files]
        yield Request(wanted.to, path, partial(_joined, web, parts))
        return
    for part, dd in files:
        to = wanted.to.replace("{dd}", dd)
        yield Request(to, part, partial(_save, web, part, _OURS))


def _spool_files(web: Web, path: str) -> list[tuple[int, str]]:
    """Id and name of each file of a job's output, with the id where two have one."""
    try:
        answer: Any = json.loads(web.text(path, _OURS))
        files = [(int(file["id"]), str(file["ddname"])) for file in answer]
    except (ValueError, LookupError, TypeError):
        what = f"{path}: the answer is no list of a job's output"
        raise user_error(what, web.server.address) from None
    if not files:
        what = f"{path}: the job has no output"
        mend = "see that it has ended and that its output is still there"
        raise user_error(what, web.server.address, mend=mend)
    names = [name for _, name in files]
    return [(id, n if names.count(n) == 1 else f"{n}-{id}") for id, n in files]


def _joined(web: Web, paths: list[str], draft: Path) -> None:
    with draft.open("wb") as file:
        for path in paths:
            web.pass_on(path, file, _OURS)


def _save(web: Web, path: str, headers: dict[str, str], draft: Path) -> None:
    web.save(path, draft, headers)


def _records(web: Web, path: str, draft: Path) -> None:
    with draft.open("wb") as file:
        sink = RecordSink(file, f"{web.server.address}{path}")
        web.pass_on(path, sink, _OURS | {_TYPE: "record"})
        sink.finish()


class RecordSink:
    """Takes records as z/OSMF sends them, in pieces; writes them as dumps have them.

    z/OSMF puts four bytes before each record, its length without them. A record
    descriptor word (RDW) is two bytes of length, these four included, and two of zeros.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file, self.name = file, name
        self.records = 0
        self._rest = bytearray()

    def write(self, data: bytes) -> None:
        """Take some more bytes."""
        rest = self._rest
        rest += data
        at, out = 0, bytearray()
        while len(rest) - at >= _WORD:
            length = int.from_bytes(rest[at : at + _WORD], "big")
            if length > _LONGEST:
                what = f"record {self.records + 1:,} would have {length:,} bytes"
                mend = "see that the server keeps records: z/OS 2.3 or later"
                raise user_error(what, self.name, mend=mend)
            end = at + _WORD + length
            if end > len(rest):
                break
            out += (length + _WORD).to_bytes(2, "big") + b"\0\0"
            out += rest[at + _WORD : end]
            self.records += 1
            at = end
        del rest[:at]
        self.file.write(out)

    def finish(self) -> None:
        """The end of the answer, which is to be that of a record."""
        if self._rest:
            what = f"ends within record {self.records + 1:,}; nothing was kept"
            raise user_error(what, self.name, mend="run this again")
