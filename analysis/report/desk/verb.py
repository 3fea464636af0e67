"""Serve all drafts to this machine's browser: read, correct and approve them there.

It listens on loopback alone, and the name that edits and approvals carry is that of
Git's configuration. What was built is shown; 'make report' builds it.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from analysis.arguments import whole
from analysis.errors import user_error
from analysis.report.desk.app import desk_routes
from analysis.report.desk.desk import make_desk, sources_of_all
from analysis.report.desk.people import git_person
from analysis.report.desk.repository import BRANCH
from analysis.report.desk.serving import Served, application
from analysis.report.source_options import add_sources

PORT = 8765


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis desk``."""
    port = whole("PORT", 0, 65535)
    parser.add_argument("--port", type=port, default=PORT, help="0: any that is free")
    help = "where commits go; {edition} stands for the edition's name"
    parser.add_argument("--branch", default=BRANCH, help=help)
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    sources = sources_of_all(args.report, args.facts, args.figures)
    if not sources:
        mend = "start one: python -m analysis edition new"
        raise user_error("there is no edition yet", args.report, mend=mend)
    with tempfile.TemporaryDirectory(prefix="desk-") as folder:
        person = git_person(args.report)
        desk = make_desk(sources, person, Path(folder), branch=args.branch)
        desk.recover()
        server = Served(application(desk_routes(desk)), args.port)
        print(f"{server.address} for {desk.person.name or 'readers'}", flush=True)
        threading.Thread(target=desk.warm, daemon=True).start()
        with suppress(KeyboardInterrupt):
            desk.follow()
    return 0
