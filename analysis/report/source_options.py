"""Options of the verbs that read an edition without rendering it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from analysis.declared.edition import find_editions, read_edition
from analysis.declared.mistakes import did_you_mean
from analysis.errors import NotBuiltError, user_error
from analysis.facts.fact import FACTS
from analysis.report.material import Sources
from analysis.usage import build_command

Found = TypeVar("Found")
_BUILD = Path("data/build")


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Where facts, figures and texts lie."""
    parser.add_argument(
        "--facts",
        type=Path,
        default=FACTS,
        help="a file of facts, or the folder that has one of each edition",
    )
    parser.add_argument(
        "--figures", type=Path, default=_BUILD / "figures", help="of all editions"
    )
    parser.add_argument("--report", type=Path, default=Path("report"))


def sources_of(args: argparse.Namespace, edition: str) -> Sources:
    """The sources of one edition."""
    return Sources(args.facts, args.figures / edition, args.report)


def each_edition(
    args: argparse.Namespace,
    read: Callable[[str, Sources], Found],
    study: str | None = None,
) -> list[Found]:
    """What ``read`` tells of the edition asked for, or of all that are built.

    Of all editions those that are not built yet are named and left out; where none is
    left, the first says what it lacks.
    """
    found, absent = [], dict[str, NotBuiltError]()
    for edition in editions_of(args, study):
        try:
            found.append(read(edition, sources_of(args, edition)))
        except NotBuiltError as error:
            absent[edition] = error
    if not found and absent:
        raise next(iter(absent.values()))
    for edition in absent:
        mend = build_command(edition)
        print(f"note: {edition} is left out: it is not built yet; run '{mend}'",
              file=sys.stderr)  # fmt: skip
    return found


def editions_of(args: argparse.Namespace, study: str | None = None) -> list[str]:
    """The edition asked for, or all; those alone that have the study, if one is named.

    A :class:`UserError` where none is left.
    """
    known = find_editions(args.report)
    if args.edition and args.edition not in known:
        mend = did_you_mean(args.edition, known)
        raise user_error(f"there is no edition {args.edition!r}", mend=mend)
    studies = {
        id: read_edition(args.report / id).own_studies
        for id in ([args.edition] if args.edition else known)
    }
    found = [id for id, names in studies.items() if study is None or study in names]
    if not found:
        names = sorted({name for own in studies.values() for name in own})
        raise user_error(
            f"there is no study {study!r}", mend=did_you_mean(study or "", names)
        )
    return found
