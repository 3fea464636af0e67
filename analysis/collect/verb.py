"""Fetch files from the servers that have them into a campaign's folder.

What to fetch stands in the folder's collect.yaml: reports of the RMF Postprocessor and
Monitor III of the times of the runs, SMF dumps with their record lengths, job output,
displays of the console, logs of hosts. Passwords come from the environment
(COLLECT_<SERVER>_PASSWORD), a keyring or a prompt, and are kept nowhere. A file that is
there is not fetched again; half a file is never kept.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

from analysis.collect import dds, ftp, shell, zosmf
from analysis.collect.request import (
    Login,
    Request,
    UnreachableError,
    login_of,
    note,
)
from analysis.collect.web import Web
from analysis.declared.campaign import CAMPAIGN_FILE, read_campaign
from analysis.declared.collect import (
    COLLECT_FILE,
    Collect,
    Server,
    WantedFile,
    read_collect,
)
from analysis.errors import Issue, UserError, raise_if, user_error
from analysis.files.atomic import whole_file
from analysis.ingest.detect import format_of
from analysis.ingest.files import INSIDE, misplaced

Logins = dict[str, Login | None]  # by the server's name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The campaign's folder."""
    parser.add_argument("folder", type=Path, help="the campaign, raw/<campaign>")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be asked for"
    )


def run(args: argparse.Namespace) -> int:
    """Fetch what is not there yet; a :class:`UserError` tells all that failed."""
    folder: Path = args.folder
    folder.mkdir(parents=True, exist_ok=True)
    collect = read_collect(folder / COLLECT_FILE)
    logins: Logins = {}
    issues: list[Issue] = []
    lost: set[str] = set()
    for wanted in collect.files:
        if wanted.server in lost:
            continue
        try:
            for request in _requests(collect, wanted, folder, logins):
                _fetch(request, collect.servers[wanted.server], args)
        except UserError as error:
            issues += error.issues
            if isinstance(error, UnreachableError):
                lost.add(wanted.server)
    raise_if(issues)
    return 0


def _requests(
    collect: Collect, wanted: WantedFile, folder: Path, logins: Logins
) -> Iterator[Request]:
    """What is to be asked of a server for one entry."""
    name, server = wanted.server, collect.servers[wanted.server]
    if server.kind in ("ssh", "sftp"):
        return shell.requests(server, wanted)
    # before anybody is asked for a password
    times = dds.spans(wanted, folder, _zone(collect, folder)) if wanted.timed else []
    if name not in logins:
        logins[name] = login_of(name, server)
        _warn(server, logins[name])
    if server.kind == "ftp":
        return ftp.requests(ftp.Ftp(name, server, logins[name]), wanted)
    web = Web(name, server, logins[name])
    return dds.requests(web, wanted, times) if times else zosmf.requests(web, wanted)


def _warn(server: Server, login: Login | None) -> None:
    """Say so where a password goes over the network as it is."""
    clear = server.address.startswith("http://")
    if login and (clear or (server.kind == "ftp" and not server.encrypted)):
        text = f"warning: {server.address}: the password is not encrypted on its way"
        print(text, file=sys.stderr)


def _zone(collect: Collect, folder: Path) -> ZoneInfo:
    """The zone of the servers' clocks: as told, else that of the campaign, else UTC."""
    if collect.zone or not (folder / CAMPAIGN_FILE).exists():
        return ZoneInfo(collect.zone or "UTC")
    return ZoneInfo(read_campaign(folder).zone)


def _fetch(request: Request, server: Server, args: argparse.Namespace) -> None:
    folder: Path = args.folder
    if reason := misplaced(folder, request.to):
        what = f"'to' is {request.to!r}, which {reason}"
        raise user_error(what, folder / COLLECT_FILE, mend=INSIDE)
    path = folder / request.to
    if path.exists():
        print(f"{request.to}: is there already")
        return
    if args.dry_run:
        print(f"{request.to}: {server.kind} {server.address} {request.what}")
        return
    if sys.stderr.isatty():
        print(f"{request.to}: asking {server.address} …", file=sys.stderr)
    with whole_file(path) as draft:
        request.fetch(draft)
    note(folder, request, server)
    size = path.stat().st_size
    kind = format_of(path) or ("not recognised" if size else "the file is empty")
    print(f"{request.to}: {size:,} bytes, {kind}")
