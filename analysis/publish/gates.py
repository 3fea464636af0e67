"""Reasons not to publish a build."""

from __future__ import annotations

import datetime as dt
import re
import socket
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.errors import Issue, Place
from analysis.facts.evidence import check_build
from analysis.facts.units import duration_text
from analysis.publish.build import MANIFEST, PROVENANCE, Build, check_files
from analysis.report.builds.built import begun_since
from analysis.report.output import OUTPUTS
from analysis.report.pages.safe_page import check_page, check_svg

_PAGES = (".html", ".htm", ".xhtml")  # that a browser opens as pages
_TEXT = {".html", ".json", ".csv", ".svg", ".txt", ".md", ".xml"}
_SHORT = 4  # characters; a shorter name of a host or folder occurs in any text
_PLAIN_WORD = re.compile(r"[a-z]+")  # a host of that name is any word


def reasons(
    build: Build,
    draft: bool,
    raw: Path | None = None,
    templates: Path | None = None,
) -> list[Issue]:
    """Why the build must not be published, empty where it may.

    With ``draft`` the state of review and checks is no reason, as long as the pages
    say on each that they are a draft. With ``raw``, the folder of the campaigns, it
    must rest on their files as they are, and a final one with ``templates`` be made
    with these.
    """
    issues = check_files(build.folder, build.files)
    if not issues:
        issues += _unsafe(build)
        if raw is not None:
            issues += check_build(build.folder, build.provenance, raw)
    if draft:
        return [*issues, *_unmarked(build)]
    issues += _unfinished(build)
    return [*issues, *(_other_look(build, templates) if templates else ())]


def superseded(build: Build, now: dt.datetime) -> list[Issue]:
    """A later build of the edition that began and gave nothing."""
    began = begun_since(build.folder)
    if began is None:
        return []
    made = (build.folder / MANIFEST).stat().st_mtime
    age = duration_text(now.timestamp() - made)
    what = (
        f"a later build of {build.edition} began at {began:%Y-%m-%d %H:%M} UTC, "
        f"{duration_text((now - began).total_seconds())} ago, and did not finish; "
        f"this one, {build.id}, was made {age} ago"
    )
    mend = "run 'make report' and mend what it tells, or publish this one with --old"
    return [Issue(what, Place(str(build.folder)), mend)]


def _unsafe(build: Build) -> Iterator[Issue]:
    formats = {name: id for id, name in build.formats.items()}
    for name in sorted(build.files):
        if name in formats:
            yield from _format(build, formats[name], name)
        elif name.lower().endswith(_PAGES):
            yield from check_page(build.folder / name, build.files)
        elif name.lower().endswith(".svg"):
            yield from check_svg(build.folder / name)
    yield from machine_traces(build.folder, build.files)


def _format(build: Build, id: str, name: str) -> list[Issue]:
    """What the format of a file finds in it."""
    path = build.folder / name
    if id in OUTPUTS:
        return OUTPUTS[id].gate(path, build.files)
    what, mend = f"there is no output format {id!r} any more", "build it again"
    return [Issue(what, Place(str(path)), mend)]


def machine_traces(folder: Path, names: Iterable[str]) -> Iterator[Issue]:
    """Texts that tell of the machine on which they were made."""
    traces = {
        "the path of the project": str(Path.cwd()),
        "the home folder": str(Path.home()),
        "the name of this host": socket.gethostname(),
    }
    traces = {
        what: text
        for what, text in traces.items()
        if len(text) > _SHORT and not _PLAIN_WORD.fullmatch(text)
    }
    for name in sorted(names):
        path = folder / name
        if path.suffix not in _TEXT:
            continue
        content = path.read_bytes()
        for what, text in traces.items():
            if text.encode() in content:
                mend = "take it out of the text or of the raw data's declaration"
                yield Issue(f"contains {what}: {text}", Place(str(path)), mend)


def _unfinished(build: Build) -> Iterator[Issue]:
    where = Place(str(build.folder / MANIFEST))
    if build.draft:
        mend = "set 'status: final' in edition.yaml and build again, or use --draft"
        yield Issue("the edition is a draft", where, mend)
    for id, study in build.provenance.get("studies", {}).items():
        yield from _study(id, study, Place(str(build.folder / PROVENANCE)))
    if (matter := build.provenance.get("matter")) and matter["asked"]:
        place = Place(str(build.folder / PROVENANCE))
        yield from _review("front and back matter", build.edition, matter, place)
    if look := build.provenance.get("look"):
        place = Place(str(build.folder / PROVENANCE))
        id = f"{build.edition} --look"
        yield from _review("the look of the pages", id, look, place)
    if not build.provenance:
        mend = "build the edition again: make report"
        yield Issue("the build does not say what it rests on", where, mend)
    for finding in build.provenance.get("checks", ()):
        if finding["severity"] in ("error", "held"):
            place = Place(finding["where"]) if finding["where"] else where
            yield Issue(finding["what"], place, finding["mend"])


def _other_look(build: Build, templates: Path) -> Iterator[Issue]:
    """Templates that are not those of the build: the site is made with them, too."""
    # With it comes half of the report, for which --list and drafts need not wait.
    from analysis.report.review.snapshot import page_look

    then, now = build.provenance.get("looks", {}), page_look(templates)
    changed = sorted(n for n in {*then, *now} if then.get(n) != now.get(n))
    if changed:
        more = f" and {len(changed) - 1} more" if changed[1:] else ""
        what = f"the templates changed since this build: {changed[0]}{more}"
        mend = "build the edition again: make report"
        yield Issue(what, Place(str(build.folder / PROVENANCE)), mend)


def _study(id: str, study: Mapping[str, Any], where: Place) -> Iterator[Issue]:
    yield from _review(f"study {id}", id, study, where)
    for claim in study["claims"]:
        if claim["state"] == "fails":
            what = f"study {id}: a claim fails: {claim['claim']} ({claim['data']})"
            yield Issue(what, where, "correct the claim or the text")


def _review(
    what: str, id: str, review: Mapping[str, Any], where: Place
) -> Iterator[Issue]:
    """Why a review is none to publish by; ``id`` is what one approves."""
    approve = f"read it, then: python -m analysis review approve {id}"
    if review["state"] == "draft":
        lacks = "; ".join(review["moved"]) or "nobody has approved it"
        yield Issue(f"{what}: {lacks}", where, approve)
    if review["state"] == "stale":
        moved = "; ".join(review["moved"] or ["something moved"])
        yield Issue(f"{what}: its approval is void: {moved}", where, approve)


def _unmarked(build: Build) -> Iterator[Issue]:
    if not str(build.manifest.get("banner", "")).startswith("Draft"):
        yield Issue(
            "the pages do not say that they are a draft",
            Place(str(build.folder / MANIFEST)),
            "set 'status: draft' in edition.yaml and build again, or leave --draft out",
        )
