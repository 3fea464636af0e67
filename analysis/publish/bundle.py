"""What a release consists of: the build, its origin notes and, if wanted, raw files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis.declared.campaign import campaign_folder
from analysis.errors import Issue, Place, raise_if
from analysis.facts.sentences import listed
from analysis.files.hashes import hash_file
from analysis.publish.build import (
    MANIFEST,
    NOTES,
    SUMS,
    Build,
    inside,
    safe_name,
)
from analysis.publish.release import PAGE
from analysis.report.output import known_files

_TOLD = (
    "edition", "build", "title", "subtitle", "headline", "date", "number", "status",
    "origins", "formats",
)  # fmt: skip


@dataclass(frozen=True)
class Bundle:
    """The files of a release by name, with their sha256, and what is said of it."""

    edition: str
    id: str
    files: Mapping[str, Path]
    hashes: Mapping[str, str]
    about: Mapping[str, Any]

    def described(self, sequence: int) -> dict[str, Any]:
        """What ``release.json`` says of the edition's ``sequence``-th release."""
        return {**self.about, "sequence": sequence, "files": dict(self.hashes)}

    def with_news(self, news: str) -> Bundle:
        """The bundle with what is new against the release before."""
        return replace(self, about={**self.about, "news": news})

    @property
    def main(self) -> str:
        """The file that a reader opens first."""
        found = known_files(self.about, self.files.__contains__)
        return next(iter(found.values()), PAGE)

    @property
    def size(self) -> int:
        """All bytes."""
        return sum(path.stat().st_size for path in self.files.values())


def make_bundle(
    build: Build, published: str, scratch: Path, raw: Path | None = None
) -> Bundle:
    """The release of a build; ``raw`` is the folder of campaigns to add, if any.

    ``scratch`` receives the two files that are written for the release.
    """
    files = {name: build.folder / name for name in (*build.files, MANIFEST)}
    hashes = {**build.files, MANIFEST: hash_file(build.folder / MANIFEST)}
    if raw:
        added = _raw_files(build, raw)
        files |= {name: path for name, (path, _) in added.items()}
        hashes |= {name: digest for name, (_, digest) in added.items()}
    notes = _notes(build, raw is not None)
    hashes[NOTES] = hashlib.sha256(notes).hexdigest()
    sums = "".join(f"{digest}  {name}\n" for name, digest in sorted(hashes.items()))
    hashes[SUMS] = hashlib.sha256(sums.encode()).hexdigest()
    for name, content in ((NOTES, notes), (SUMS, sums.encode())):
        scratch.mkdir(parents=True, exist_ok=True)
        (scratch / name).write_bytes(content)
        files[name] = scratch / name
    about = {name: build.manifest.get(name) for name in _TOLD}
    about |= {"schema": 1, "published": published, "draft": build.draft, "news": None}
    order = sorted(hashes)
    return Bundle(
        build.edition,
        build.id,
        {name: files[name] for name in order},
        {name: hashes[name] for name in order},
        about,
    )


def _raw_files(build: Build, raw: Path) -> dict[str, tuple[Path, str]]:
    """The raw files that the build was made from, checked by their hashes."""
    found: dict[str, tuple[Path, str]] = {}
    issues = []
    for campaign, about in build.provenance.get("campaigns", {}).items():
        folder = campaign_folder(raw, campaign)
        for name, digest in about["files"].items():
            path = folder / name
            if not (safe_name(f"{campaign}/{name}") and inside(path, folder)):
                what, mend = "not a safe name to publish", "give the file another name"
                issues.append(Issue(what, Place(str(path)), mend))
            elif not path.is_file() or hash_file(path) != digest:
                mend = "put the file back, or run 'make report' first"
                issues.append(
                    Issue("not the file of this build", Place(str(path)), mend)
                )
            found[f"raw/{campaign}/{name}"] = path, digest
    raise_if(issues)
    return found


def _report(build: Build) -> str:
    files = list(build.formats.values())
    return f"{listed(files)} {'is' if len(files) == 1 else 'are'}"


def _notes(build: Build, with_raw: bool) -> bytes:
    lines = [
        f"{build.manifest.get('title', build.edition)}",
        f"Edition {build.edition}, build {build.id}",
        "",
        f"{_report(build)} the report. What follows lets you check it:",
        "  facts.html       each value with its runs and files; as JSON: facts.json",
        "  explorer.html    all changes in one table",
        "  data/            the numbers of each figure, CSV",
        "  tables/          the tables that were read from the raw files, Parquet",
        "  provenance.json  raw files by sha256, review, claims, texts, versions",
        "  manifest.json    the sha256 of each file of the build",
        "  third-party.html third-party parts with their licences",
        f"  {SUMS}       of each file here: sha256sum --check {SUMS}",
        *(["  raw/             the raw files"] if with_raw else []),
        "",
        "Where the data are from:",
    ]
    for id, about in build.provenance.get("campaigns", {}).items():
        measured = about["measured"]
        lines += [
            f"  {id}: {about['title']}",
            f"    origin: {about['origin']}",
            f"    by {measured['by']}, {measured['from']} to {measured['to']}",
            f"    licence: {about['licence'] or 'not declared; ask before passing on'}",
        ]
    return ("\n".join(lines) + "\n").encode()
