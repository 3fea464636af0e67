"""The release that a build becomes: it, its origin notes and, if wanted, raw files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.campaign import CAMPAIGN_FILE, RUNS_FILE, campaign_folder
from analysis.declared.edition import read_edition, read_studies
from analysis.errors import Issue, Place, UserError, raise_if
from analysis.facts.sentences import listed
from analysis.files.atomic import files_below
from analysis.files.checksums import SUMS_FILE
from analysis.files.hashes import hash_file
from analysis.program import LOCKS, PROGRAM
from analysis.programs.child import run_child
from analysis.publish.build import (
    CRATE,
    MANIFEST,
    NOTES,
    SIGNATURE,
    SOURCE,
    SUMS,
    WORKFLOW,
    Build,
    Named,
    inside,
    safe_name,
)
from analysis.publish.crate import crate_text
from analysis.publish.release import Release
from analysis.publish.signing import sign, verifying_files

DECLARED = (CAMPAIGN_FILE, RUNS_FILE, SUMS_FILE)  # of a campaign, beside its raw files


@dataclass(frozen=True)
class Bundle:
    """A release that is to be published, and its files by their names there.

    Its description has their sha256, and has no number and no news yet.
    """

    release: Release
    files: Mapping[str, Path]

    @property
    def size(self) -> int:
        """All bytes."""
        return sum(path.stat().st_size for path in self.files.values())


def make_bundle(
    build: Build,
    published: str,
    scratch: Path,
    raw: Path | None = None,
    key: Path | None = None,
    report: Path = Path("report"),
) -> Bundle:
    """The release of a build; ``raw`` is the folder of campaigns to add, if any.

    ``report`` is the folder of the editions, whose declarations come with raw files.
    ``key`` signs it. ``scratch`` receives the files that are written for the release.
    """
    files = {name: build.folder / name for name in (*build.files, MANIFEST)}
    hashes = {**build.files, MANIFEST: hash_file(build.folder / MANIFEST)}
    if raw:
        for name, path, digest in _raw_files(build, raw):
            files[name], hashes[name] = path, digest
        for name, path in _declarations(build, raw, report):
            files[name], hashes[name] = path, hash_file(path)

    def add(name: str, text: str) -> None:
        files[name] = scratch / name
        files[name].parent.mkdir(parents=True, exist_ok=True)
        files[name].write_bytes(text.encode())
        hashes[name] = hashlib.sha256(text.encode()).hexdigest()

    commit = _commit(report)
    add(NOTES, _notes(build, raw is not None, commit))
    files[WORKFLOW] = PROGRAM / WORKFLOW
    hashes[WORKFLOW] = hash_file(files[WORKFLOW])
    for name, text in verifying_files(build).items():
        add(name, text)
    add(CRATE, crate_text(build, hashes, commit))
    sums = "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    add(SUMS, sums)
    if key:
        add(SIGNATURE, sign(sums, key, build))
    about = {n: build.manifest[n] for n in Named.model_fields if n in build.manifest}
    about |= {"schema": 1, "published": published, "draft": build.draft}
    release = Release.model_validate({**about, "files": dict(sorted(hashes.items()))})
    return Bundle(release, dict(sorted(files.items())))


def _raw_files(build: Build, raw: Path) -> list[tuple[str, Path, str]]:
    """The raw files that the build was made from, checked by their hashes."""
    raw_files, issues = [], []
    for campaign, about in build.provenance.get("campaigns", {}).items():
        folder = campaign_folder(raw, campaign)
        for name, digest in about["files"].items():
            path = folder / name
            if not (safe_name(f"{campaign}/{name}") and inside(path, folder)):
                what, mend = "not a safe name to publish", "give the file another name"
                issues.append(Issue(what, Place(str(path)), mend))
            elif not path.is_file() or hash_file(path) != digest:
                what = "not the file of this build"
                mend = "put the file back, or run 'make report' first"
                issues.append(Issue(what, Place(str(path)), mend))
            raw_files.append((f"raw/{campaign}/{name}", path, digest))
    raise_if(issues)
    return raw_files


def homes_of(edition: str, report: Path) -> list[str]:
    """The editions that derive the facts of one: itself, and those it borrows from."""
    return sorted(set(read_edition(report / edition).homes(edition).values()))


def campaigns_of(editions: Iterable[str], report: Path) -> set[str]:
    """The campaigns that the facts of editions come from."""
    folders = [report / edition for edition in editions]
    studies = [read_studies(folder, read_edition(folder)) for folder in folders]
    return {name for of in studies for one in of.values() for name in one.campaigns}


def _declarations(build: Build, raw: Path, report: Path) -> Iterator[tuple[str, Path]]:
    """What is declared of raw files, and of the editions that make the facts of them.

    Of no edition where one that lends a study needs more campaigns than the build has,
    or where what declares them cannot be read any more.
    """
    campaigns = build.provenance.get("campaigns", {})
    for campaign in campaigns:
        for name in DECLARED:
            if (path := campaign_folder(raw, campaign) / name).is_file():
                yield f"raw/{campaign}/{name}", path
    try:
        homes = homes_of(build.edition, report)
        complete = campaigns_of(homes, report) <= campaigns.keys()
    except UserError:
        return
    if not complete:
        return
    reviewed, data = {"review.yaml", "looks.yaml"}, raw.parent / "data"
    editions = {build.edition, *homes}
    texts = [path for one in editions for path in files_below(report / one)]
    texts = [path for path in texts if path.name not in reviewed]
    texts += [*data.glob("*.csv"), *data.glob("*.yaml"), *data.glob("targets/*.csv")]
    for path in sorted(texts):
        folder = report.parent if path.is_relative_to(report) else raw.parent
        name = path.relative_to(folder).as_posix()
        if safe_name(name) and path.suffix in (".yaml", ".md", ".bib", ".csv"):
            yield f"{SOURCE}/{name}", path


def _commit(report: Path) -> str:
    """The commit of the project, and whether it is all of it; empty without Git."""
    folders = [report.resolve(), *report.resolve().parents]
    if not any((folder / ".git").exists() for folder in folders):
        return ""
    asked = ["status", "--porcelain=v2", "--branch", "--untracked-files=no"]
    state = run_child(["git", *asked], report).output.decode("utf-8", "replace")
    head = re.match(r"# branch.oid ([0-9a-f]+)\n", state)
    if head is None:
        return ""
    changed = re.search("^[^#]", state, re.MULTILINE)
    return head[1] + (" with changes that are in no commit" if changed else "")


def _notes(build: Build, with_raw: bool, commit: str) -> str:
    formats = list(build.formats.values())
    lines = [
        f"{build.manifest.get('title', build.edition)}",
        f"Edition {build.edition}, build {build.id}",
        "",
        f"{listed(formats)} {'is' if len(formats) == 1 else 'are'} the report. "
        "What follows lets you check it:",
        "  facts.html       each value with its runs and files; as JSON: facts.json",
        "  facts.xlsx       the same as a workbook",
        "  explorer.html    all changes in one table",
        "  data/            the numbers of each figure, CSV",
        "  tables/          the tables that were read from the raw files, Parquet",
        "  provenance.json  raw files by sha256, review, claims, texts, versions",
        "  manifest.json    the sha256 of each file of the build",
        f"  {CRATE}  the same for archives, as an RO-Crate",
        "  third-party.html third-party parts with their licences",
        f"  {SUMS}       of each file here: sha256sum --check {SUMS}",
        f"  {SIGNATURE}   who published this; without it nobody signed",
        "  verify.sh        checks all of that, and approvals: sh verify.sh SHA256:KEY",
        "  signers.txt      the keys of the reviewers, who alone may sign; if it is",
        "                   empty, ask who published this for theirs",
        *(["  raw/             the raw files"] if with_raw else []),
        *(
            ["  source/          what is declared: edition, studies"]
            if with_raw
            else []
        ),
        "",
        "Make it again, or one fact or figure of it: netperf-report reproduce . NAME",
        f"  commit           {commit or 'not known'}",
        *(f"  {name:<16} {code}" for name, code in _made_by(build)),
        "",
        "Where the data are from:",
    ]
    for id, about in build.provenance.get("campaigns", {}).items():
        measured = about["measured"]
        lines += [
            f"  {id}: {about['title']}",
            f"    origin: {about['origin']}",
            f"    digest: {about.get('digest', 'not known')}",
            f"    by {measured['by']}, {measured['from']} to {measured['to']}",
            f"    licence: {about['licence'] or 'not declared; ask before passing on'}",
        ]
    return "\n".join(lines) + "\n"


def _made_by(build: Build) -> Iterator[tuple[str, str]]:
    """The code and the lock that made a build, by their digests."""
    about = build.provenance
    yield from (about.get("code") or {}).items()
    locks = (path.name for path in LOCKS)
    libraries = about.get("libraries") or {}
    yield from ((name, libraries[name]) for name in locks if name in libraries)
