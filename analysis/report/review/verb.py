"""Who approved which study, and whether it still shows what was approved.

status lists the studies of an edition with their states. show tells what an approval of
a study would cover, and what moved since the last. approve records that a person has
read the study as it is now, in studies/<study>/review.yaml.
"""

from __future__ import annotations

import argparse
import datetime as dt
import subprocess
from pathlib import Path

from analysis.arguments import day
from analysis.errors import raise_if, user_error
from analysis.files.atomic import alone_in
from analysis.report.claims.checked import Checked, check_texts
from analysis.report.material import Material, read_material
from analysis.report.review.record import RECORD, Approval, read_record, write_record
from analysis.report.review.state import Review, review, reviews
from analysis.report.review.trust import Trust
from analysis.report.source_options import (
    add_sources,
    each_edition,
    editions_of,
    sources_of,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis review``."""
    parser.add_argument("action", choices=("status", "approve", "show"))
    parser.add_argument("study", nargs="?", help="for approve and show")
    parser.add_argument("--edition", help="needed where several have the study")
    parser.add_argument("--by", help="your name; git's user.name where it is left out")
    parser.add_argument("--on", type=day("--on"), help="the day; today")
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print states or record an approval; 1 where a study is not approved."""
    if args.action == "status":
        found = each_edition(args, read_material, args.study)
        approved = [_print_status(material, args.study) for material in found]
        return 0 if all(approved) else 1
    if args.on and args.on > _today():
        mend = "give the day on which the study was read, or leave --on out"
        raise user_error(f"--on: {args.on} is still to come", mend=mend)
    if args.study is None:
        raise user_error(f"{args.action} which study?", mend="name it")
    editions = editions_of(args, args.study)
    if len(editions) > 1:
        raise user_error(
            f"several editions have a study {args.study!r}",
            mend=f"add --edition with one of: {', '.join(editions)}",
        )
    checked = check_texts(read_material(editions[0], sources_of(args, editions[0])))
    if args.action == "show":
        print(*_shown(review(checked, args.study), checked), sep="\n")
        return 0
    path = approve(checked, args.study, args.by or _git_name(), args.on or _today())
    print(f"{path}: approved")
    return 0


def approve(checked: Checked, study: str, by: str, on: dt.date) -> Path:
    """Record the approval of a study as it is now; false claims cannot be approved.

    Who approves the same as another stands beside that one. An approval of something
    else that came while this study was read is not overwritten.
    """
    raise_if(checked.false_claims())
    found, own = review(checked, study), _approval(by, on)
    folder = checked.material.folder / "studies" / study
    with alone_in(folder):
        there = read_record(folder)
        same = there is not None and there.stamp == found.now.stamp
        if there and not same and there != found.record:
            raise user_error(
                f"{there.by} approved this study meanwhile, as it is elsewhere",
                folder / RECORD,
                mend=f"look at it: python -m analysis review show {study}",
            )
        others = there.approvals if there and same else ()
        kept = tuple(one for one in others if one.by != by)
        return write_record(folder, (*kept, own), found.now.stamp, found.now)


def _approval(by: str, on: dt.date) -> Approval:
    try:
        return Approval(by=by, date=on)
    except ValueError:
        mend = "give a name on one line, of at most 200 characters"
        raise user_error(f"--by: {by[:40]!r} is no name", mend=mend) from None


def status_line(found: Review) -> str:
    """``offload: approved by Ann Author on 2026-03-05``."""
    if found.record is None:
        return f"{found.study}: draft, not approved yet"
    who = " and ".join(map(_who, found.trust))
    if found.state == "approved":
        return f"{found.study}: approved by {who}"
    things = (
        f"{len(found.moved)} {'thing' if len(found.moved) == 1 else 'things'} moved"
    )
    return f"{found.study}: stale, approved by {who}; {things}"


def _who(trust: Trust) -> str:
    known = {"signed": ", signed", "listed": ""}
    told = known.get(trust.level, f" (unverified: {trust.why})")
    return f"{trust.approval.by} on {trust.approval.date.isoformat()}{told}"


def _print_status(material: Material, study: str | None) -> bool:
    found = reviews(check_texts(material))
    wanted = [found[study]] if study else list(found.values())
    for one in wanted:
        print(f"{material.id}/{status_line(one)}")
        for words in one.moved:
            print(f"  {words}")
    return all(one.state == "approved" for one in wanted)


def _shown(found: Review, checked: Checked) -> list[str]:
    now = found.now
    parts = {"values": now.values, "claims": now.claims, "declared": now.meaning}
    lines = [status_line(found), *(f"  {words}" for words in found.moved)]
    for title, part in parts.items():
        lines += [
            "",
            f"{title}:",
            *(f"  {name}: {what}" for name, what in part.items()),
        ]
    texts, figures = len(found.now.text), len(checked.material.pictures[found.study])
    lines += ["", f"and {texts} texts and {figures} figures; stamp {found.now.stamp}"]
    return lines


def _git_name() -> str:
    try:
        done = subprocess.run(
            ["git", "config", "user.name"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        done = None
    name = done.stdout.strip() if done else ""
    if not name:
        raise user_error("who approves?", mend="add --by 'Your Name'")
    return name


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).astimezone().date()
