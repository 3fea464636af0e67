"""``make report``: what is asked for is checked, then Snakemake builds it.

It adds to plain ``snakemake``: a killed build goes on with the same command, an
interrupt is told in one line, and the log is a line a step.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from analysis.declared.edition import find_editions
from analysis.errors import UserError, as_user_error, user_error
from analysis.files.hashes import CACHE as DIGESTS
from analysis.programs.quarto_program import ENGINES
from analysis.report.builds.built import BUILDS, begin_build, end_build
from workflow.jobs import STATE, only_build
from workflow.plan import Plan, plan_of

HERE = Path(__file__).parent
SNAKEFILE, PROFILES = "Snakefile", "profiles"  # of the project, else those beside this
SAID = "interrupted: what was finished stays; run it again to go on"


def main(argv: list[str] | None = None) -> int:
    """Build one edition or all; 0 when all is done, 2 when not."""
    args = _parse(argv)
    try:
        editions = _check(args)
        with only_build():
            if args.rehash:
                shutil.rmtree(DIGESTS, ignore_errors=True)
            if not args.facts:
                for edition in editions:
                    begin_build(BUILDS, edition)
            plan_of(args.edition, args.engine).check()
            made = _snakemake(args, editions)
    except (UserError, OSError) as error:
        print(f"error: {as_user_error(error)}", file=sys.stderr)
        return 2
    if args.facts:
        return 0 if made else 2
    done = editions if made else _placed(args, editions)
    for edition in done:
        end_build(BUILDS, edition)
        print(_first_file(BUILDS / edition))
    for edition in sorted({*editions}.difference(done)):
        what = f"error: {edition} is not built: the reason is above"
        print(what, file=sys.stderr)
    if not made and len(done) == len(editions):
        what = "error: all that was asked for is built, but a step beside it failed"
        print(what, file=sys.stderr)
    return 0 if made else 2


def _check(args: argparse.Namespace) -> list[str]:
    """The editions to build; a :class:`UserError` for what is not there to choose."""
    editions = find_editions(Path("report"))
    profiles = sorted({path.parent.name for path in _profiles()})
    for what, asked, known in (
        ("engine", args.engine, ENGINES),
        ("profile", args.profile, profiles),
        ("edition", args.edition, editions),
    ):
        if asked and asked not in known:
            mend = f"choose one of: {', '.join(known) or '(none yet)'}"
            raise user_error(f"there is no {what} {asked!r}", mend=mend)
    if {"{", "}"}.intersection(str(Path.cwd())):
        what = f"the path of this folder has braces: {Path.cwd()}"
        mend = "move or rename the folder; all other names will do"
        raise user_error(what, mend=mend)
    campaigns = [*Path("raw").glob("*/campaign.yaml"), *Path().glob("synthetic/*/*")]
    if not (editions or campaigns):
        mend = "copy files into raw/CAMPAIGN; README.md goes on"
        raise user_error("there is nothing to build yet", Path.cwd(), mend=mend)
    return [args.edition] if args.edition else editions


def _profiles() -> list[Path]:
    """The settings of each profile; those of the project come last."""
    places = HERE / PROFILES, Path(PROFILES)
    return [path for place in places for path in sorted(place.glob("*/config.yaml"))]


def _snakemake(args: argparse.Namespace, editions: Sequence[str]) -> bool:
    """Run Snakemake in this process; whether all went well."""
    sys.path.insert(0, str(Path(__file__).parent))  # where it finds the plugin
    _keep_caches_where_one_may_write()
    from snakemake.cli import args_to_api, parse_args

    snakefile = Path(SNAKEFILE) if Path(SNAKEFILE).is_file() else HERE / SNAKEFILE
    command = ["--logger", "brief", "--keep-going", "--snakefile", str(snakefile)]
    if args.facts:
        command += [f"data/build/figures/{edition}" for edition in editions]
        command += ["data/build/backtest.json"]  # which pages with predictions have
    profiles = {path.parent.name: path.parent for path in _profiles()}
    command += ["--workflow-profile", str(profiles[args.profile or "default"])]
    if not args.profile:
        command += ["--cores", args.cores]
    settings = {"edition": args.edition, "engine": args.engine}
    if given := [f"{key}={value}" for key, value in settings.items() if value]:
        command += ["--config", *given]
    with contextlib.redirect_stderr(io.StringIO()):  # which profile it takes
        parser, parsed = parse_args(command)
    return args_to_api(parsed, parser)


def _keep_caches_where_one_may_write() -> None:
    """In the project if not at home, where Snakemake ends if it cannot write."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    try:
        (cache / "snakemake").mkdir(parents=True, exist_ok=True)
        writable = os.access(cache / "snakemake", os.W_OK)
    except OSError:
        writable = False
    if not writable:
        os.environ["XDG_CACHE_HOME"] = str((STATE / "cache").absolute())


def _placed(args: argparse.Namespace, editions: Sequence[str]) -> list[str]:
    """The editions whose report is that of their files as they are now."""
    plan = Plan(args.edition, args.engine)
    return [edition for edition in editions if plan.is_placed(edition)]


def _first_file(build: Path) -> Path:
    """What a reader of a finished report opens first, by its manifest."""
    manifest = json.loads((build / "manifest.json").read_bytes())
    return build / next(iter(manifest.get("formats", {}).values()), "index.html")


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workflow.build")
    parser.add_argument("--edition", default="", help="one edition instead of all")
    parser.add_argument("--engine", default="", help="auto, quarto or pandoc")
    parser.add_argument("--cores", default="all", help="how many cores to use")
    parser.add_argument("--profile", default="", help="where jobs run: slurm, or yours")
    parser.add_argument(
        "--facts", action="store_true", help="facts and figures, and no report"
    )
    parser.add_argument(
        "--rehash", action="store_true", help="read all inputs, whatever their dates"
    )
    return parser.parse_args(argv)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Say that Ctrl-C was heard, end all jobs, as a terminal does, and this process."""
    print(SAID, file=sys.stderr, flush=True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    os._exit(130)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, _interrupt)
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # Snakemake's timers would hold the process for another second
