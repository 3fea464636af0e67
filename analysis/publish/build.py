"""A finished build, or a release of one: a folder with ``manifest.json``.

Its JSON files are checked as they are read: they may come from anybody, from a share,
an older version, or a disk that failed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from analysis.declared.names import NAME, fits_folder
from analysis.errors import Issue, Place, raise_if, user_error
from analysis.files import limits
from analysis.files.hashes import hash_file
from analysis.report.output import known_files

MANIFEST, PROVENANCE, FACTS = "manifest.json", "provenance.json", "facts.json"
RELEASE, SUMS, NOTES = "release.json", "SHA256SUMS", "README.txt"
SOURCE = "source"  # the folder of declarations that a release with raw files has
SIGNATURE, VERIFY, SIGNERS = "SHA256SUMS.sig", "verify.sh", "signers.txt"
CRATE, WORKFLOW = "ro-crate-metadata.json", "workflow/Snakefile"
BUILD_ID = re.compile(r"[0-9a-f]{6,64}")
_HASH = re.compile(r"[0-9a-f]{64}")
_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f-\x9f\\:*?"<>|\u2028-\u202e\u2066-\u2069\ud800-\udfff]'
)
_NAME_BYTES = 255  # of one part of a path, on every file system in use
_RESERVED = {
    MANIFEST, RELEASE, SUMS, NOTES, SIGNATURE, VERIFY, SIGNERS, CRATE, WORKFLOW,
}  # fmt: skip
_REBUILD = "build the edition again: make report"
_MOMENT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
_SUMS_LINE = re.compile(r"([0-9a-f]{64})  ([^\n]+)")


def _day(text: str) -> str:
    dt.date.fromisoformat(text)
    return text


def _moment(text: str) -> str:
    dt.datetime.fromisoformat(text)
    return text


Line = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]*$")]
Day = Annotated[str, AfterValidator(_day)]
Moment = Annotated[str, StringConstraints(pattern=_MOMENT), AfterValidator(_moment)]
Hashes = dict[str, str]
MOST = 2**53 - 1  # the largest whole number that every reader of JSON keeps


class JsonObject(BaseModel):
    """A JSON object that may say more than is known here."""

    model_config = ConfigDict(
        extra="allow", strict=True, allow_inf_nan=False, populate_by_name=True
    )


class Named(JsonObject):
    """What a manifest and a release both say of a build.

    ``formats`` maps the formats of the edition to their files, the main one first.
    """

    edition: str = ""
    build: str = ""
    title: Line
    subtitle: Line | None = None
    headline: Line | None = None
    date: Day
    year: Annotated[int, Field(ge=1950, le=2200)] | None = None
    number: Line | int | None = None
    status: Line | None = None
    origins: list[Line] | None = None
    formats: dict[Line, Line] = {}

    @property
    def of_year(self) -> int:
        """The year in which its results were first published."""
        return self.year or int(self.date[:4])


class Manifest(Named):
    """``manifest.json``; ``files`` maps each file to its sha256.

    ``raw_files`` is whether its pages lead to raw files, which a release then carries.
    """

    banner: str = ""
    raw_files: bool = False
    authors: list[str] = []
    versions: dict[str, Line] = {}
    files: Hashes = {}


class MeasuredRecord(JsonObject):
    """By whom and when a campaign was measured."""

    by: str
    from_: Line = Field(alias="from")
    to: Line


class CampaignRecord(JsonObject):
    """A campaign of ``provenance.json``."""

    title: str
    origin: str
    licence: str | None = None
    digest: str = ""
    measured: MeasuredRecord
    files: Hashes


class ClaimRecord(JsonObject):
    """A claim of a study and its verdict."""

    claim: str
    state: Literal["holds", "fragile", "fails"]
    data: str


class ApprovalRecord(JsonObject):
    """An approval; ``commit`` is what brought it, with its signature, if it has one."""

    commit: str = ""


class ReviewRecord(JsonObject):
    """A review of ``provenance.json``; ``asked`` is whether it should be there."""

    state: Literal["draft", "approved", "stale"]
    moved: list[str]
    approvals: list[ApprovalRecord] = []
    asked: bool = True


class ReviewerRecord(JsonObject):
    """A reviewer who has a key, by its fingerprint."""

    name: Line
    key: Line


class StudyRecord(ReviewRecord):
    """A study of ``provenance.json``."""

    claims: list[ClaimRecord]


class FindingRecord(JsonObject):
    """What a check found."""

    severity: str
    check: str
    where: str
    what: str
    mend: str


class Provenance(JsonObject):
    """``provenance.json``: what a build rests on."""

    code: dict[str, Line] = {}
    libraries: dict[str, Line] = {}
    campaigns: dict[Line, CampaignRecord] = {}
    checks: list[FindingRecord] = []
    texts: dict[Line, str] = {}
    reviewers: list[ReviewerRecord] = []
    studies: dict[Line, StudyRecord] = {}
    matter: ReviewRecord | None = None
    look: ReviewRecord | None = None
    looks: dict[Line, Line] = {}


Kind = TypeVar("Kind", bound=JsonObject)


def parse(content: bytes, kind: type[Kind]) -> Kind:
    """A document; a ValueError that says in one line what is wrong with it."""
    if len(content) > limits.DOCUMENT_BYTES:
        most = limits.DOCUMENT_BYTES
        raise ValueError(f"{len(content)} bytes; at most {most} (DOCUMENT_BYTES)")
    try:
        return kind.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(repr, first["loc"]))
        what = first["msg"][:1].lower() + first["msg"][1:]
        raise ValueError(f"{where}: {what}" if where else what) from None


def parse_sums(content: bytes) -> Hashes:
    """The sha256 of each file in ``SHA256SUMS``; a ValueError where it is none."""
    hashes = {}
    for line in content.decode("utf-8").removesuffix("\n").split("\n"):
        match = _SUMS_LINE.fullmatch(line)
        if not match:
            raise ValueError(f"not a sha256 and a name: {line[:80]!r}")
        hashes[match[2]] = match[1]
    return hashes


def disagreements(manifest: Manifest, files: Mapping[str, str], who: str) -> list[str]:
    """Where a manifest and another list of hashes, ``who``, do not say the same."""
    return [
        f"manifest.json and {who} disagree on {shown(name)}"
        for name, digest in sorted(manifest.files.items())
        if files.get(name) != digest
    ]


def shown(name: str) -> str:
    """A file's name as a terminal can show it, whatever it is."""
    return name if name.isprintable() else repr(name)


@dataclass(frozen=True)
class Build:
    """One build: its folder, and what its manifest and provenance say.

    ``files`` maps each file, the manifest apart, to its sha256. ``manifest`` and
    ``provenance`` have the entries of :class:`Manifest` and :class:`Provenance`.
    """

    folder: Path
    edition: str
    id: str
    files: Mapping[str, str]
    manifest: Mapping[str, Any]
    provenance: Mapping[str, Any]

    @property
    def formats(self) -> Mapping[str, str]:
        """The file of each of its formats, the main one first."""
        return known_files(self.manifest, self.files.__contains__)

    @property
    def draft(self) -> bool:
        """Whether the edition calls itself a draft."""
        return bool(self.manifest.get("status") != "final")

    @property
    def carries_raw(self) -> bool:
        """Whether its pages lead to raw files, which its release then has to have."""
        return self.manifest.get("raw_files") is True


def read_build(folder: Path) -> Build:
    """The build in ``folder``; a :class:`UserError` where it is none, or not safe.

    Names of files must stay below the folder and be fit for every web server. Where
    there is a list of hashes, as in a release, it must agree with the manifest.
    """
    manifest = _read(folder / MANIFEST, Manifest)
    files = manifest.files
    if not files:
        raise user_error(
            "the manifest names no files", folder / MANIFEST, mend=_REBUILD
        )
    where = Place(str(folder / MANIFEST))
    raise_if([Issue(what, where, _REBUILD) for what in _unfit(manifest)])
    raise_if(_check_sums(folder, manifest))
    provenance = (
        _read(folder / PROVENANCE, Provenance).model_dump(by_alias=True)
        if PROVENANCE in files
        else {}
    )
    return Build(
        folder,
        manifest.edition,
        manifest.build,
        files,
        manifest.model_dump(),
        provenance,
    )


def _unfit(manifest: Manifest) -> Iterator[str]:
    for id, name in manifest.formats.items():
        if name not in manifest.files:
            yield f"the format {id} is {name!r}, which is no file of the build"
    for name in manifest.files:
        if not safe_name(name):
            yield f"not a safe name for a file: {name!r}"
        elif name in _RESERVED:
            yield f"a release has a file of its own named {name}"
    if not safe_edition(manifest.edition):
        yield f"not a safe edition: {manifest.edition!r}"
    if not BUILD_ID.fullmatch(manifest.build):
        yield f"not a safe build: {manifest.build!r}"
    for name, digest in manifest.files.items():
        if not _HASH.fullmatch(digest):
            yield f"no sha256 of {name!r}"


def _check_sums(folder: Path, manifest: Manifest) -> list[Issue]:
    """Where the list of hashes of a release and its manifest differ."""
    path = folder / SUMS
    if not path.is_file():
        return []
    mend = "take the release again from where it was published"
    try:
        sums = parse_sums(_content(path))
    except ValueError as error:
        return [Issue(f"cannot be read: {error}", Place(str(path)), mend)]
    wrong = disagreements(manifest, sums, SUMS)
    if sums.get(MANIFEST) != hash_file(folder / MANIFEST):
        wrong.append(f"{MANIFEST} is not the one that {SUMS} names")
    return [Issue(what, Place(str(folder / MANIFEST)), mend) for what in wrong]


def safe_edition(id: str) -> bool:
    """Whether an edition's id is fit for a folder and an address."""
    return fits_folder(id, NAME)


def safe_name(name: str) -> bool:
    """Whether a relative path stays below its folder and suits every web server."""
    return not _UNSAFE.search(name) and all(
        part
        and part == part.strip()
        and not part.startswith(".")
        and len(part.encode()) <= _NAME_BYTES
        for part in name.split("/")
    )


def inside(path: Path, folder: Path) -> bool:
    """Whether links lead from a path to something in the folder, not in a circle."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def check_files(folder: Path, files: Mapping[str, str]) -> list[Issue]:
    """Files that are absent, changed, or links to elsewhere."""
    issues = []
    for name in files:
        path, where = folder / name, Place(str(folder / name))
        if not path.exists():
            issues.append(Issue("this file is missing", where, _REBUILD))
        elif not inside(path, folder):
            issues.append(Issue("a link to outside of the build", where, _REBUILD))
        elif not path.is_file() or hash_file(path) != files[name]:
            issues.append(Issue("not the file that was built", where, _REBUILD))
    return issues


def _read(path: Path, kind: type[Kind]) -> Kind:
    try:
        return parse(_content(path), kind)
    except FileNotFoundError:
        mend = f"run 'make report' first; a finished build has {MANIFEST}"
        raise user_error("there is no finished build here", path, mend=mend) from None
    except (OSError, ValueError) as error:
        raise user_error(f"cannot be read: {error}", path, mend=_REBUILD) from None


def _content(path: Path) -> bytes:
    """A file's bytes, one more than a document may have at most."""
    if path.exists() and not path.is_file():
        raise ValueError("not a file")
    with open(path, "rb") as stream:
        return stream.read(limits.DOCUMENT_BYTES + 1)
