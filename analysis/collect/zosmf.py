"""Data sets, UNIX files and job output through the REST interfaces of z/OSMF.

``GET /zosmf/restfiles/ds/NAME`` with ``X-IBM-Data-Type: record`` puts before each
record its length; ``/zosmf/restjobs/jobs/NAME/ID/files`` lists the output of a job.
Source: z/OSMF Programming Guide, "z/OS data set and file REST interface" and "z/OS jobs
REST interface".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from analysis.collect.records import RecordSink
from analysis.collect.request import Request
from analysis.collect.web import Web
from analysis.declared.collect import WantedFile
from analysis.errors import user_error

_OURS = {"X-CSRF-ZOSMF-HEADER": "netperf-report"}  # any value: a web page cannot set it
_TYPE = "X-IBM-Data-Type"


def requests(web: Web, wanted: WantedFile) -> Iterator[Request]:
    """One request of a data set or file; of a job one each file of its output, or one
    of all of them where ``to`` has no place for their names."""
    if wanted.data_set:
        path = f"/zosmf/restfiles/ds/{quote(wanted.data_set, safe='().-')}"
        save = _text if wanted.text else _records
        yield Request(wanted.to, path, partial(save, web, path))
    elif wanted.path:
        path = f"/zosmf/restfiles/fs/{quote(wanted.path.lstrip('/'))}"
        headers = _OURS | {_TYPE: "text" if wanted.text else "binary"}
        yield Request(wanted.to, path, partial(_save, web, path, headers))
    else:
        yield from _of_job(web, wanted)


def _of_job(web: Web, wanted: WantedFile) -> Iterator[Request]:
    path = f"/zosmf/restjobs/jobs/{quote(wanted.job, safe='/')}/files"
    found = [(f"{path}/{id}/records", dd) for id, dd in _spool_files(web, path)]
    if "{dd}" not in wanted.to:
        parts = [part for part, _ in found]
        yield Request(wanted.to, path, partial(_joined, web, parts))
        return
    for part, dd in found:
        to = wanted.to.replace("{dd}", dd)
        yield Request(to, part, partial(_save, web, part, _OURS))


def _spool_files(web: Web, path: str) -> list[tuple[int, str]]:
    """Id and name of each file of a job's output, with the id where two have one."""
    try:
        told: Any = json.loads(web.text(path, _OURS))
        files = [(int(file["id"]), str(file["ddname"])) for file in told]
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


def _text(web: Web, path: str, draft: Path) -> None:
    web.save(path, draft, _OURS | {_TYPE: "text"})


def _records(web: Web, path: str, draft: Path) -> None:
    with draft.open("wb") as file:
        sink = RecordSink(file, f"{web.server.address}{path}")
        web.pass_on(path, sink, _OURS | {_TYPE: "record"})
        sink.finish()
