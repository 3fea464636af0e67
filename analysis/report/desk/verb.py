"""Serve all drafts to browsers: read, correct and approve them there.

Alone, it listens on loopback, and edits and approvals carry the name of Git's
configuration. With --team it serves the people of a file, behind a reverse proxy that
says who asks. What was built is shown; 'make report' builds it, as --build does while
readers have what is there.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from analysis.build import start
from analysis.errors import user_error
from analysis.report.builds.built import BUILDS, begun_since
from analysis.report.desk.actions import desk_routes
from analysis.report.desk.desk import Desk, make_desk, sources_of_all
from analysis.report.desk.exchange import Exchange
from analysis.report.desk.mail import send_daily
from analysis.report.desk.people import LOG, ActionLog, TeamFile, git_person, team_file
from analysis.report.desk.server import Served, application
from analysis.report.desk.store import JOURNAL
from analysis.report.review.authors import BRANCH
from analysis.report.source_options import add_sources
from analysis.usage import whole

PORT = 8765
_TURN = 0.0005  # s of a thread at a time, a tenth of Python's: no page waits for checks
_FAILED = "The build failed, and the terminal of the desk has the reason; not built"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis desk``."""
    port = whole("PORT", 0, 65535)
    parser.add_argument("--port", type=port, default=PORT, help="0: any that is free")
    help = "where commits go; {edition} stands for the edition's name"
    parser.add_argument("--branch", default=BRANCH, help=help)
    help = "pull and push these branches from and to a remote of Git's"
    parser.add_argument("--remote", metavar="NAME", help=help)
    help = "who may what, behind a reverse proxy: docs/how-to/desk-team.md"
    parser.add_argument("--team", type=Path, metavar="FILE", help=help)
    help = "add who did what to this file (default: %(default)s)"
    parser.add_argument("--log", type=Path, default=JOURNAL / LOG, help=help)
    help = "build all editions, or those named, while they are served"
    parser.add_argument("--build", metavar="EDITION", nargs="*", help=help)
    parser.add_argument("--engine", default="", help="of --build: quarto or pandoc")
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    sources = sources_of_all(args.report, args.facts, args.figures)
    if not sources:
        mend = "start one: python -m analysis edition new"
        raise user_error("there is no edition yet", args.report, mend=mend)
    team = team_file(args.team) if args.team else None
    sys.setswitchinterval(_TURN)
    with tempfile.TemporaryDirectory(prefix="desk-") as folder:
        desk = make_desk(sources, Path(folder), branch=args.branch)
        desk.recover()
        _serve(desk, team, args)
        threading.Thread(target=_prepare, args=(desk,), daemon=True).start()
        if args.remote:
            _exchange(desk, args.remote)
        with suppress(KeyboardInterrupt), _build(desk, args):
            desk.follow()
    return 0


@contextmanager
def _build(desk: Desk, args: argparse.Namespace) -> Iterator[None]:
    """Build what was asked for meanwhile, and let the desk say what is not built yet;
    the build ends with the desk."""
    if args.build is None:
        yield
        return
    build = start(" ".join(args.build), args.engine, apart=True)

    def state() -> str:
        waiting = [id for id in desk.lives if begun_since(BUILDS / id)]
        if build.poll() is None:
            what = ", ".join(waiting) or "looking what changed"
            return f"Being built: {what}. Until then pages show what was built before."
        return f"{_FAILED}: {', '.join(waiting) or 'see there'}" * bool(build.poll())

    desk.building = state
    try:
        yield
    finally:
        if build.poll() is None:
            build.send_signal(signal.SIGINT)
            build.wait()


def _prepare(desk: Desk) -> None:
    """Read what everybody asks for; then put in order what former days left."""
    desk.warm()
    if desk.journal.repository:
        desk.journal.repository.pack()


def _exchange(desk: Desk, remote: str) -> None:
    git = desk.journal.repository
    if git is None or remote not in git.ask("remote").split():
        mend = "git remote -v lists what there is"
        raise user_error(f"Git knows no remote {remote!r} here", desk.report, mend=mend)
    desk.exchange = Exchange(
        remote, git, {id: live.lock for id, live in desk.lives.items()}
    )
    run = desk.exchange.run
    threading.Thread(target=run, args=(desk.journal,), daemon=True).start()


def _serve(desk: Desk, team: TeamFile | None, args: argparse.Namespace) -> None:
    desk.log = ActionLog(args.log)
    if team is None:
        person = git_person(args.report)
        app = application(desk_routes(desk), who=lambda _: person)
        server, readers = Served(app, args.port), person.name or "readers"
    else:
        desk.team, scheme = team, team.team.scheme
        threading.Thread(target=send_daily, args=(desk,), daemon=True).start()
        sent = {"who": team.who, "knows": team.knows, "scheme": scheme}
        app = application(desk_routes(desk), **sent)
        server = Served(app, args.port, team.team.listen)
        readers = f"{scheme}://{team.team.host}/"
    print(f"{server.address} for {readers}", flush=True)
