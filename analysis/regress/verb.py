"""Test a release: do the verdicts of an edition fail it?

Ends with 0 where no comparison regressed, with 1 where one did, and with 2 where
nothing was compared or the facts are not of the files that are there. It reads the
facts of the last build and renders nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.declared.edition import find_editions, read_edition, read_studies
from analysis.declared.metrics import METRICS_FILE, read_metrics
from analysis.declared.mistakes import nearest_of
from analysis.errors import raise_if, user_error
from analysis.facts.evidence import check_digests
from analysis.facts.fact import FACTS, read_facts
from analysis.files.atomic import write_text
from analysis.regress.outcome import (
    ReleaseCase,
    cases_of,
    junit,
    markdown,
    plain_text,
)

FAILING = ("regressed", "inconclusive", "improved")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("--edition", required=True, help="folder name below report/")
    parser.add_argument("--study", help="one study instead of all")
    parser.add_argument(
        "--fail-on", nargs="+", choices=FAILING, default=["regressed"],
        help="verdicts that fail the release (default: regressed)",
    )  # fmt: skip
    parser.add_argument("--junit", type=Path, help="write JUnit XML to this file")
    parser.add_argument("--markdown", type=Path, help="write Markdown to this file")
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--raw", type=Path, default=Path("raw"))


def run(args: argparse.Namespace) -> int:
    """Print and write the cases; 1 where one failed."""
    cases = _cases(args)
    for path, write in ((args.junit, junit), (args.markdown, markdown)):
        if path:
            write_text(path, write(args.edition, cases) + "\n")
    print(plain_text(args.edition, cases))
    return int(any(case.result == "failed" for case in cases))


def _cases(args: argparse.Namespace) -> list[ReleaseCase]:
    known = find_editions(args.report)
    if args.edition not in known:
        mend = nearest_of(args.edition, known)
        raise user_error(f"there is no edition {args.edition!r}", mend=mend)
    folder = args.report / args.edition
    edition = read_edition(folder)
    studies = read_studies(folder, edition)
    if args.study and args.study not in studies:
        mend = f"name one of: {', '.join(studies)}"
        raise user_error(f"there is no study {args.study!r}", folder, mend=mend)
    wanted = [args.study] if args.study else list(studies)
    names = {name for id in wanted for name in studies[id].campaigns}
    homes = edition.homes(args.edition)
    facts = read_facts(args.facts, homes.values()).of_homes(homes)
    chosen = facts.of_studies(wanted).of_campaigns(names)
    raise_if(check_digests(dict(chosen.digests), args.raw, args.facts))
    cases = cases_of(chosen.facts, read_metrics(METRICS_FILE), args.fail_on)
    if not cases:
        raise user_error(
            f"nothing of {args.edition} was compared and tested",
            args.facts,
            mend=f"make report EDITION={args.edition}, with four or more runs a side",
        )
    return cases
