"""The release that a build becomes: it, its origin notes and, if wanted, raw files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.declared.campaign import campaign_folder
from analysis.errors import Issue, Place, raise_if
from analysis.facts.sentences import listed
from analysis.files.hashes import hash_file
from analysis.publish.build import (
    MANIFEST,
    NOTES,
    SIGNATURE,
    SUMS,
    Build,
    Named,
    inside,
    safe_name,
)
from analysis.publish.release import Release
from analysis.publish.signing import sign, verifying_files


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
) -> Bundle:
    """The release of a build; ``raw`` is the folder of campaigns to add, if any.

    ``key`` signs it. ``scratch`` receives the files that are written for the release.
    """
    files = {name: build.folder / name for name in (*build.files, MANIFEST)}
    hashes = {**build.files, MANIFEST: hash_file(build.folder / MANIFEST)}
    if raw:
        for name, path, digest in _raw_files(build, raw):
            files[name], hashes[name] = path, digest

    def add(name: str, text: str) -> None:
        files[name] = scratch / name
        files[name].parent.mkdir(parents=True, exist_ok=True)
        files[name].write_bytes(text.encode())
        hashes[name] = hashlib.sha256(text.encode()).hexdigest()

    add(NOTES, _notes(build, raw is not None))
    for name, text in verifying_files(build).items():
        add(name, text)
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


def _notes(build: Build, with_raw: bool) -> str:
    formats = list(build.formats.values())
    lines = [
        f"{build.manifest.get('title', build.edition)}",
        f"Edition {build.edition}, build {build.id}",
        "",
        f"{listed(formats)} {'is' if len(formats) == 1 else 'are'} the report. "
        "What follows lets you check it:",
        "  facts.html       each value with its runs and files; as JSON: facts.json",
        "  explorer.html    all changes in one table",
        "  data/            the numbers of each figure, CSV",
        "  tables/          the tables that were read from the raw files, Parquet",
        "  provenance.json  raw files by sha256, review, claims, texts, versions",
        "  manifest.json    the sha256 of each file of the build",
        "  third-party.html third-party parts with their licences",
        f"  {SUMS}       of each file here: sha256sum --check {SUMS}",
        f"  {SIGNATURE}   who published this; without it nobody signed",
        "  verify.sh        checks all of that, and approvals: sh verify.sh SHA256:KEY",
        "  signers.txt      the keys of the reviewers, who alone may sign; if it is",
        "                   empty, ask who published this for theirs",
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
    return "\n".join(lines) + "\n"
