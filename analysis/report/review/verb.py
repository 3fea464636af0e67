"""Who approved which study, and whether it still shows what was approved.

status lists the studies of an edition with their states. show tells what an approval of
a study would cover, and what moved since the last. approve records that a person has
read the study as it is now, in studies/<study>/review.yaml. The name of an edition
stands for its front and back matter, whose approval is its own review.yaml. With --look
it stands for the look of its pages, where that changed after approvals (looks.yaml).
"""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Callable, Iterable
from pathlib import Path

from analysis.declared.edition import find_editions
from analysis.errors import raise_if, user_error
from analysis.files.atomic import alone_in, write_text
from analysis.report.checks.claims import Checked, check_texts
from analysis.report.material import Material, read_material
from analysis.report.review.authors import git_entry, raise_if_author
from analysis.report.review.record import Approval, read_record, record_text
from analysis.report.review.sentences import SentenceRests, margin
from analysis.report.review.state import LOOK, Review, review, reviews
from analysis.report.review.trust import Trust
from analysis.report.source_options import (
    add_sources,
    each_edition,
    editions_of,
    sources_of,
)
from analysis.usage import day


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis review``."""
    parser.add_argument("action", choices=("status", "approve", "show"))
    help = "a study, or an edition for its front and back matter"
    parser.add_argument("study", nargs="?", help=help)
    help = "of an edition: the templates, styles and scripts of its pages"
    parser.add_argument("--look", action="store_true", help=help)
    parser.add_argument("--edition", help="needed where several have the study")
    parser.add_argument("--by", help="your name; git's user.name where it is left out")
    parser.add_argument("--on", type=day("--on"), help="the day; today")
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print states or record an approval; 1 where a study is not approved."""
    if args.action == "status":
        if args.edition is None and args.study in find_editions(args.report):
            args.edition, args.study = args.study, None
        found = each_edition(args, read_material, args.study)
        approved = [_print_status(material, args.study) for material in found]
        return 0 if all(approved) else 1
    if args.on and args.on > _today():
        mend = "give the day on which the study was read, or leave --on out"
        raise user_error(f"--on: {args.on} is still to come", mend=mend)
    if args.study is None:
        raise user_error(f"{args.action} which study?", mend="name it")
    edition, study = _meant(args)
    checked = check_texts(read_material(edition, sources_of(args, edition)))
    if args.action == "show":
        texts = (text for text in checked.texts.values() if text.study == study)
        rests = (one for text in texts for one in margin(checked, text))
        print(*_shown(review(checked, study), rests), sep="\n")
        return 0
    name = git_entry("name")
    if not (by := args.by or name):
        raise user_error("who approves?", mend="add --by 'Your Name'")
    if study != LOOK:
        raise_if_author(checked, study, by, git_entry("email") if by == name else "")
    path = approve(checked, study, by, args.on or _today())
    print(f"{path}: approved")
    return 0


def _meant(args: argparse.Namespace) -> tuple[str, str | None]:
    """The edition, and its study; None where its front and back matter is meant."""
    if args.edition in (None, args.study) and args.study in find_editions(args.report):
        return args.study, LOOK if args.look else None
    if args.look:
        raise user_error(f"--look: {args.study!r} is no edition", mend="name one")
    editions = editions_of(args, args.study)
    if len(editions) > 1:
        raise user_error(
            f"several editions have a study {args.study!r}",
            mend=f"add --edition with one of: {', '.join(editions)}",
        )
    return editions[0], args.study


def approve(
    checked: Checked,
    study: str | None,
    by: str,
    on: dt.date,
    write: Callable[[Path, str], object] = write_text,
) -> Path:
    """Record the approval of a study as it is now; false claims cannot be approved.

    Without a study it is that of front and back matter. Who approves the same as
    another stands beside that one. An approval of something else that came while this
    was read is not overwritten. ``write`` is how its file is written.
    """
    raise_if(checked.false_claims())
    found, approval = review(checked, study), _approval(by, on)
    path = checked.material.folder / found.file
    with alone_in(path.parent):
        there = read_record(path.parent, path.name)
        same = there is not None and found.is_of(there)
        if there and not same and there != found.record:
            raise user_error(
                f"{there.by} approved {found.called} meanwhile, as it is elsewhere",
                path,
                mend=f"look at it: {found.command.replace('approve', 'show')}",
            )
        others = there.approvals if there and same else ()
        kept = tuple(one for one in others if one.by != by)
        stamp, now = found.now.stamp, found.now
        # Who approved it before saw it with the look of then.
        if there and kept and (then := there.details()):
            stamp, now = there.stamp, then
        elif there and stamp != there.stamp:
            kept = ()
        write(path, record_text((*kept, approval), stamp, now))
        return path


def _approval(by: str, on: dt.date) -> Approval:
    try:
        return Approval(by=by, date=on)
    except ValueError:
        mend = "give a name on one line, of at most 200 characters"
        raise user_error(f"--by: {by[:40]!r} is no name", mend=mend) from None


def status_line(found: Review) -> str:
    """``offload: approved by Ann Author on 2026-03-05``."""
    if found.record is None:
        return f"{found.name}: draft, not approved yet"
    who = " and ".join(map(_who, found.trust))
    if found.state == "approved":
        return f"{found.name}: approved by {who}"
    if found.lacking:
        return f"{found.name}: draft, approved by {who}"
    many = len(found.moved)
    things = f"{many} {'thing' if many == 1 else 'things'} moved"
    return f"{found.name}: stale, approved by {who}; {things}"


def _who(trust: Trust) -> str:
    known = {"signed": ", signed", "listed": ""}
    level = known.get(trust.level, f" (unverified: {trust.why})")
    return f"{trust.approval.by} on {trust.approval.date.isoformat()}{level}"


def _print_status(material: Material, study: str | None) -> bool:
    found = reviews(check_texts(material))
    every = [*found.studies.values(), found.matter, *filter(None, [found.look])]
    wanted = [found.studies[study]] if study else every
    for one in wanted:
        print(f"{material.id}/{status_line(one)}")
        for words in one.moved:
            print(f"  {words}")
    return all(one.state == "approved" for one in wanted if one.asked)


def _shown(found: Review, rests: Iterable[SentenceRests]) -> list[str]:
    now = found.now
    lines = [status_line(found), *(f"  {words}" for words in found.moved)]
    if found.look:
        return [*lines, f"stamp {now.stamp}"]
    parts = {"values": now.values, "claims": now.claims, "declared": now.meaning}
    for title, part in parts.items():
        lines += ["", f"{title}:", *(f"  {name}: {it}" for name, it in part.items())]
    lines += ["", "sentences, and what each rests on:"]
    for one in rests:
        lines += [f"  {one.words}", f"    {one.margin_words}"]
    texts, figures = len(now.text), len(now.drawings)
    lines += ["", f"texts: {texts}, figures: {figures}, stamp {now.stamp}"]
    return lines


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).astimezone().date()
