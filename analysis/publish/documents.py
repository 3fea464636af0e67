"""The JSON files of builds and releases, each checked as it is read.

They may come from anybody: from a share, an older version, or a disk that failed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from analysis.files import limits

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
    number: Line | int | None = None
    status: Line | None = None
    origins: list[Line] | None = None
    formats: dict[Line, Line] = {}


class Manifest(Named):
    """``manifest.json``; ``files`` maps each file to its sha256.

    ``raw_files`` is whether its pages lead to raw files, which a release then carries.
    """

    banner: str = ""
    raw_files: bool = False
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
    measured: MeasuredRecord
    files: Hashes


class ClaimRecord(JsonObject):
    """A claim of a study and its verdict."""

    claim: str
    state: Literal["holds", "fragile", "fails"]
    data: str


class ReviewRecord(JsonObject):
    """A review of ``provenance.json``; ``asked`` is whether it should be there."""

    state: Literal["draft", "approved", "stale"]
    moved: list[str]
    asked: bool = True


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
    campaigns: dict[Line, CampaignRecord] = {}
    checks: list[FindingRecord] = []
    texts: dict[Line, str] = {}
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
