"""What is asked for is checked, then Snakemake builds it.

It adds to plain ``snakemake``: one build at a time, a killed build resumes, a few
plain lines instead of Snakemake's log.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import pkgutil
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from analysis.declared.edition import find_editions
from analysis.errors import UserError, told
from analysis.files.atomic import write_text
from analysis.files.digests import CACHE, digest_of, file_hashes
from analysis.programs.quarto_program import ENGINES
from analysis.report.builds.built import BUILDS, begin_build, end_build
from workflow import interrupt
from workflow.beside import campaign_page
from workflow.forks import verbs_at_hand
from workflow.made import MARKS, UP_TO_DATE, Step, made_line, void_steps
from workflow.needed import RAW
from workflow.plan import Plan, plan
from workflow.records import without_database
from workflow.single import WAIT, busy, hold
from workflow.writable import check_writable

PATIENCE_SECONDS = 2.0
PROFILES, LOGGER = Path("profiles"), "brief"
_FAILED = "a step of it failed; the reason is above"
LEFT_OUT = "{folder} is left out: it is unfinished, and no study names it"
EXECUTORS = "snakemake_executor_plugin_"
RULES = MARKS / "rules"  # those by which all steps were last found done


def main(argv: list[str] | None = None) -> int:
    """Build one edition or all; 0 when done, 1 when told to end, 2 where something
    cannot be made."""
    args = _parse(argv)
    if args.engine and args.engine not in ENGINES:
        return _refuse(
            f"there is no engine {args.engine!r}",
            f"choose one of: {', '.join(ENGINES)}",
        )
    profiles = sorted(path.parent.name for path in PROFILES.glob("*/config.yaml"))
    if args.profile and args.profile not in profiles:
        return _refuse(
            f"there is no profile {args.profile!r}",
            f"choose one of: {', '.join(profiles)}",
        )
    if {"{", "}"}.intersection(str(Path.cwd())):
        return _refuse(
            f"the path of this folder has braces: {Path.cwd()}",
            "move or rename the folder; all other names will do",
        )
    try:
        editions = find_editions(Path("report"))
        if args.edition and args.edition not in editions:
            return _refuse(
                f"there is no edition {args.edition!r}",
                f"choose one of: {', '.join(editions) or '(none yet)'}",
            )
        return _build(args, [args.edition] if args.edition else editions)
    except (UserError, OSError) as error:
        print(f"error: {told(error)}", file=sys.stderr)
        return 2


def _build(args: argparse.Namespace, editions: list[str]) -> int:
    if not hold(PATIENCE_SECONDS):
        return _refuse(busy(), WAIT)
    gc.set_threshold(100_000)  # of what Snakemake imports and plans, nothing is freed
    # What will not do is told before Snakemake starts.
    MARKS.mkdir(parents=True, exist_ok=True)
    if args.rehash:
        shutil.rmtree(CACHE, ignore_errors=True)
    try:
        planned = plan(args.engine or ENGINES[0], args.edition)
        made = planned.has_some(editions) and _build_planned(args, planned)
        if not (made or interrupt.ended()) and planned.has_some(editions):
            # What does not rest on campaigns that cannot be read is built without them.
            args.without = " ".join(_not_read(planned))
            planned = plan(args.engine or ENGINES[0], args.edition, args.without)
            if args.without and planned.has_some(editions):
                made = _build_planned(args, planned)
    except UserError:
        for edition in editions:
            begin_build(BUILDS, edition)
        raise
    if not _tell(args, planned, editions) and made:
        return 0
    return 1 if interrupt.ended() else 2


def _build_planned(args: argparse.Namespace, planned: Plan) -> bool:
    """Make what is not there yet; whether all is."""
    for name in () if args.edition or args.without else planned.spared:
        print(f"note: {LEFT_OUT.format(folder=RAW / name)}", file=sys.stderr)
    rules = digest_of(file_hashes(filter(Path.is_file, _rule_files()), "rules"))
    new = void_steps(planned.steps.values())
    check_writable(new)
    void = {step.name for step in new}
    if _are_known(rules) and not void:
        print(UP_TO_DATE, file=sys.stderr)
        return True
    if args.profile:
        made = _with_page(args, planned, void)
    else:
        with verbs_at_hand(name for name in planned.steps if name in void):
            made = _with_page(args, planned, void)
    if made and not args.edition:  # of one edition it looks at some of the steps alone
        write_text(RULES, rules)
    return made


def _not_read(planned: Plan) -> list[str]:
    """The campaigns whose steps failed."""
    return [
        name
        for name in planned.campaigns
        if void_steps([planned.steps[f"ingest-{name}"]])
    ]


def _tell(args: argparse.Namespace, planned: Plan, editions: Sequence[str]) -> bool:
    """Say what was built, and what was not and why; whether there is such a thing."""
    lost = [
        id
        for id in editions
        if id in planned.stopped or void_steps([planned.steps[f"report-{id}"]])
    ]
    for edition in editions:
        if edition in lost:
            begin_build(BUILDS, edition)
        else:
            end_build(BUILDS, edition)
            print(_first_file(BUILDS / edition))
    if interrupt.ended():
        return bool(lost)
    unread = [] if args.edition else [*map(str, planned.unread.values())]
    sys.stdout.flush()
    told = {id: planned.stopped.get(id, _FAILED) for id in lost}
    for edition, why in told.items():
        print(f"error: {edition} is not built: {why}", file=sys.stderr)
    for why in unread:
        if not any(why in str(of) for of in told.values()):
            print(f"error: {why}", file=sys.stderr)
    return bool(lost or unread)


def _run(args: argparse.Namespace, planned: Plan) -> bool:
    """Run Snakemake; all may be made also where it was told to end in the last step."""
    if (made := _snakemake(args)) or not interrupt.ended():
        return made
    editions = [args.edition] if args.edition else planned.editions
    reports = (f"report-{edition}" for edition in editions)
    steps = (planned.steps[name] for name in ("derive", "backtest", "index", *reports))
    return not void_steps(steps)


def _with_page(args: argparse.Namespace, planned: Plan, void: set[str]) -> bool:
    """Run the steps, and write the page of all campaigns beside them: what it tells
    changed where facts are derived."""
    if "derive" not in void:
        return _run(args, planned)
    # The page is told of in the list of editions, by which jobs elsewhere plan anew.
    elsewhere = bool(args.profile)
    if elsewhere and not _run(args, planned):
        return False
    with campaign_page(planned.steps["load"]) as page:
        if not elsewhere and not _run(args, planned):
            return False
        if said := page.complaint():
            print(f"note: the page of all campaigns:\n{said}", file=sys.stderr)
    _mark_index(planned.steps["index"])
    return True


def _mark_index(index: Step) -> None:
    """The list of editions leads to the page of all campaigns from the first one on,
    and is still what was made."""
    mark = Path(index.mark)
    if mark.is_file():
        _, _, rest = mark.read_text("utf-8").partition("\n")
        write_text(mark, f"{made_line(index)}\n{rest}")


def _rule_files() -> list[Path]:
    """What says how steps are run; what they are made of is in their keys."""
    return [
        Path("Snakefile"),
        *Path("workflow").glob("*"),
        *Path("profiles").rglob("*"),
    ]


def _are_known(rules: str) -> bool:
    """Whether Snakemake has run all steps with these rules, and need not be asked: it
    takes longer to start than to find that each step has its mark."""
    return RULES.is_file() and RULES.read_text("utf-8") == rules


def _first_file(build: Path) -> Path:
    """What a reader of a finished report opens first, by its manifest."""
    manifest = json.loads((build / "manifest.json").read_bytes())
    formats = manifest.get("formats", {})
    return build / next(iter(formats.values()), "index.html")


def _parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workflow.build")
    parser.add_argument("--edition", default="", help="one edition instead of all")
    parser.add_argument("--engine", default="", help="auto, quarto or pandoc")
    parser.add_argument("--cores", default="all", help="how many cores to use")
    parser.add_argument("--profile", default="", help="where jobs run: slurm, or yours")
    parser.add_argument(
        "--rehash", action="store_true", help="read all inputs, whatever their dates"
    )
    parser.set_defaults(without="")  # campaigns that cannot be read
    return parser.parse_args(argv)


def _refuse(what: str, mend: str) -> int:
    print(f"error: {what}\n  mend: {mend}", file=sys.stderr)
    return 2


def _snakemake(args: argparse.Namespace) -> bool:
    """Run Snakemake in this process, which saves a second start of Python."""
    if not any(of.name.startswith(EXECUTORS) for of in pkgutil.iter_modules()):
        # It would import pandas, which takes longer than all its planning, only to see
        # that no parameter of ours is a table. Executors for clusters do need it.
        sys.modules["pandas"] = None  # type: ignore[assignment]
        without_database()
    sys.path.insert(0, str(Path(__file__).parent))
    from snakemake.cli import args_to_api, parse_args

    command = ["--logger", LOGGER, "--keep-going", "--cores", args.cores]
    if args.profile:
        command[-2:] = ["--workflow-profile", str(PROFILES / args.profile)]
    # As lists: Snakemake takes a word such as 2026 for a number.
    named = {"edition": [args.edition], "without": args.without.split()}
    config = [
        f"{key}=[{','.join(names)}]" for key, names in named.items() if any(names)
    ]
    config += [f"engine={args.engine}"] if args.engine else []
    if config:
        command += ["--config", *config]
    with contextlib.redirect_stderr(io.StringIO()):
        parser, parsed = parse_args(command)
    return bool(args_to_api(parsed, parser))
