"""What an author declares of files to fetch: ``raw/<campaign>/collect.yaml``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from analysis.declared.base import Declared, check_declared, line_of, load_yaml
from analysis.declared.mistakes import form
from analysis.declared.names import Id, known_zone
from analysis.errors import Issue, Place, raise_if

COLLECT_FILE, COLLECTED_FILE = "collect.yaml", "collected.csv"
Kind = Literal["dds", "zosmf", "ftp", "sftp", "ssh"]
Each = Literal["day", "run"]
# What each kind of server has, and the form of its address.
HAS: dict[Kind, tuple[str, ...]] = {
    "dds": ("reports", "report"),
    "zosmf": ("data_set", "job", "path", "commands"),
    "ftp": ("data_set", "job", "path"),
    "sftp": ("path",),
    "ssh": ("path", "environment"),
}
_WANTED = tuple(dict.fromkeys(name for names in HAS.values() for name in names))
_HOST = r"[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?"
_ADDRESS = form(
    rf"^(https?://)?{_HOST}/?$",
    "a host with its port, such as https://rmf.example.com:8803 or lab1:22, "
    "without a user or a password",
)
_USER = form(r"^([A-Za-z0-9_$#@][A-Za-z0-9_.$#@-]*)?$", "the name of a user")
_DATA_SET = form(
    r"^([A-Za-z0-9$#@.-]{1,44}(\([A-Za-z0-9$#@+-]{1,8}\))?)?$",
    "the full name of a data set, such as SMF.DUMP.D260112 or MY.LIB(MEMBER)",
)
_JOB = form(
    r"^(([A-Za-z0-9$#@]{1,8}/)?[A-Za-z][A-Za-z0-9]{2,8})?$",
    "a job's name and id, such as RMFPP/JOB01234",
)
_REPORT = form(
    r"^[A-Za-z0-9_]*(\([A-Za-z0-9_.,()]*\))?$", "a report such as CPU or WLMGL(SCPER)"
)
# Without what an installation may have chosen to part commands (CMDDELIM).
_DISPLAY = form(
    r"^(D|DISPLAY) [A-Za-z0-9 ,.=()*$/'-]{1,120}$",
    "a DISPLAY command in capitals, such as D M=CPU; no other is sent",
)
_LINE = form(r"^[^\x00-\x1f\x7f]*$", "text without control characters")
Line = Annotated[str, Field(pattern=_LINE)]
Report = Annotated[str, Field(pattern=_REPORT)]


class Server(Declared):
    """A server that has files, without any password."""

    kind: Kind
    """What it is: an RMF Distributed Data Server, z/OSMF, FTP, SFTP or a host with
    ssh."""
    address: Annotated[str, Field(pattern=_ADDRESS)]
    """Host, with a port if it is not the usual one."""
    user: Annotated[str, Field(pattern=_USER)] = ""
    """Name of the user; the password is asked for."""
    authority: Line = ""
    """PEM file of who signed the server's certificate."""
    certificate: Line = ""
    """PEM file of the certificate of the client, with its key."""
    encrypted: bool = True
    """Of FTP: whether the connection is encrypted."""
    seconds: float = Field(default=300, gt=0, le=3600)
    """How long to wait for an answer, or for more of a file."""


class WantedTime(Declared):
    """From when to when; times without a zone are in that of the file."""

    start: dt.datetime
    """Its beginning."""
    end: dt.datetime
    """Its end."""


class WantedFile(Declared):
    """What to fetch ``from`` a server, and the file that it becomes.

    It has one of ``reports``, ``report``, ``data_set``, ``job``, ``path``, ``commands``
    and ``environment``.
    """

    server: Id = Field(alias="from")
    """Id of the server that has it."""
    to: Line
    """The file that it becomes, below the campaign's folder; `{day}`, `{run}` and
    `{dd}` stand for what one request is of."""
    reports: tuple[Report, ...] = ()
    """Reports of the RMF Postprocessor."""
    report: Report = ""
    """A report of Monitor III."""
    system: Annotated[str, Field(pattern=_USER)] = ""
    """Name of the system that a report, or the answer to a command, is of."""
    resource: Line = ""
    """Resource of a report of Monitor III."""
    data_set: Annotated[str, Field(pattern=_DATA_SET)] = ""
    """Name of a data set."""
    job: Annotated[str, Field(pattern=_JOB)] = ""
    """Name and id of a job whose output is wanted."""
    path: Line = ""
    """Path of a file."""
    commands: tuple[Annotated[str, Field(pattern=_DISPLAY)], ...] = ()
    """DISPLAY commands whose answers are wanted, one below the other."""
    environment: bool = False
    """Whether the host's own settings are wanted: kernel, CPU, mitigations, sysctl,
    interfaces with drivers and offloads."""
    text: bool = False
    """Whether a data set is text, and no dump."""
    each: Each | None = None
    """Whether reports are asked for by day or by run."""
    around: int = Field(default=15, ge=0, le=720)
    """Minutes before and after the runs."""
    window: WantedTime | None = None
    """From when to when, if runs.csv does not tell."""

    @property
    def what(self) -> tuple[str, ...]:
        """Which of the entries that say what to fetch it has."""
        return tuple(name for name in _WANTED if getattr(self, name))

    @property
    def timed(self) -> bool:
        """Whether it is of times: a report."""
        return bool(self.reports or self.report)


class Collect(Declared):
    """Servers, and what to fetch from them."""

    zone: Annotated[str, AfterValidator(lambda zone: zone and known_zone(zone))] = ""
    """Time zone of the servers' local times; left out, that of the campaign."""
    servers: dict[Id, Server]
    """Servers, by id."""
    files: tuple[WantedFile, ...] = Field(min_length=1)
    """What to fetch from them."""


def read_collect(path: Path) -> Collect:
    """The declaration, checked; a :class:`UserError` carries all mistakes."""
    data, node = load_yaml(path, "create it as docs/how-to/collect.md shows")
    collect = check_declared(data, node, Collect, path)
    issues = [
        Issue(what, Place(str(path), line_of(node, keys)), mend)
        for what, mend, keys in _contradictions(collect)
    ]
    raise_if(issues)
    return collect


def _contradictions(collect: Collect) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """What is wrong between entries, how to mend it, and where."""
    for name, server in collect.servers.items():
        web = server.kind in ("dds", "zosmf")
        if web != server.address.startswith("http"):
            mend = "begin it with https://" if web else "write the host alone"
            what = f"the address of a server of the kind {server.kind}"
            yield what, mend, ("servers", name, "address")
    for at, wanted in enumerate(collect.files):
        if mistake := _mistake(wanted, collect.servers):
            yield *mistake, ("files", at)


def _mistake(wanted: WantedFile, servers: dict[str, Server]) -> tuple[str, str] | None:
    server = servers.get(wanted.server)
    if server is None:
        return f"there is no server {wanted.server!r}", f"name {' or '.join(servers)}"
    has = " or ".join(HAS[server.kind])
    if len(wanted.what) != 1 or wanted.what[0] not in HAS[server.kind]:
        named = " and ".join(wanted.what) or "nothing"
        return f"{named} of a server of the kind {server.kind}", f"write {has}"
    if wanted.report and not (wanted.system or wanted.resource):
        return "of which system the report is, is not told", "write system: SYSA"
    if wanted.job and server.kind == "zosmf" and "/" not in wanted.job:
        return "the job's name is missing", "write job: NAME/JOB01234"
    return None
