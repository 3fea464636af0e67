"""Where facts come from, as derive hands it over.

``evidence.json`` lies beside ``facts.json`` of an edition, and what comes after derive
opens neither a raw file nor a table. It holds ``{"schema": 1, "campaigns":
{name: …}}``, sorted, one row a line; of each campaign that a study names

- ``digest`` of all its files, which ``facts.json`` tells as well;
- ``declared``, what campaign.yaml says;
- ``roles``: ``[configuration, workload, role, system]``, as the runs have them;
- ``files``: ``path: [sha256, bytes, format]`` of each raw file, below the campaign's
  folder;
- ``timed``: over which time the rates of a format are, in words, by its name;
- ``tables``: name, hash and bytes of each table that was read from them, a file below
  ``data/build/ingest/<campaign>/``;
- ``passages``: ``[run, path, [position, …]]``, what was read of a file for a run;
  positions are byte offsets of records, or lines;
- ``unnamed``: files with evidence that no run names;
- ``marks``: ``[line, words]`` of what campaign.yaml marks as still to be done.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, Field, ValidationError

from analysis.declared.base import Declared
from analysis.declared.campaign import Campaign
from analysis.declared.vocabulary import Role
from analysis.errors import Issue, NotBuiltError, Place, user_error
from analysis.facts.fact import EVIDENCE_FILE, edition_folders
from analysis.facts.remark import Remark, remark
from analysis.files.atomic import write_text
from analysis.files.text_file import Reminder

SCHEMA = 1
T = TypeVar("T")
_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_text = json.encoder.encode_basestring  # as an encoder writes a text: of many, faster
_MEND = "run 'make report'"


class SystemRole(NamedTuple):
    """The role of a system in the runs of a workload on a configuration."""

    configuration: str
    workload: str
    role: Role
    system: str


class FileState(NamedTuple):
    """What a file was when it was read; of a raw file also its format."""

    sha256: str
    bytes: int
    format: str = ""


class Passage(NamedTuple):
    """What was read of a file for a run: byte offsets of records, or lines."""

    run: str
    file: str
    positions: tuple[int, ...]


class CampaignEvidence(Declared):
    """What facts of one campaign rest on; see the head of this module."""

    digest: str
    declared: Campaign
    roles: tuple[SystemRole, ...] = ()
    files: dict[str, FileState] = Field(default_factory=dict)
    timed: dict[str, str] = Field(default_factory=dict)
    tables: dict[str, FileState] = Field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    unnamed: tuple[str, ...] = ()
    marks: tuple[Reminder, ...] = ()

    @property
    def left_out(self) -> Remark | None:
        """What the runs leave out, by the folders that it lies in."""
        if not self.unnamed:
            return None
        folders = tuple(sorted({file.rpartition("/")[0] for file in self.unnamed}))
        return remark("left_out", files=len(self.unnamed), folders=folders)


class _DeclaredAlone(BaseModel):
    """Of :class:`CampaignEvidence` what is declared; the rest is skipped."""

    declared: Campaign


class _Form(Declared, Generic[T]):
    version: Literal[1] = Field(alias="schema")
    campaigns: dict[str, T]


_File = _Form[CampaignEvidence]
_DeclaredFile = _Form[_DeclaredAlone]


def write_evidence(campaigns: Mapping[str, CampaignEvidence], path: Path) -> None:
    """Write the evidence; equal evidence gives equal bytes."""
    told = ",\n".join(
        f"{_json(name)}: {{\n{_of_campaign(found)}}}"
        for name, found in sorted(campaigns.items())
    )
    write_text(path, f'{{"schema": {SCHEMA}, "campaigns": {{\n{told}\n}}}}\n')


def read_evidence(
    place: Path, campaigns: Iterable[str], editions: Iterable[str] | None = None
) -> dict[str, CampaignEvidence]:
    """The evidence of some campaigns, out of a file or of a folder with a file of each
    edition; a :class:`UserError` where there is none."""
    return _read(place, _File, campaigns, editions)


def _read(
    path: Path,
    form: type[_Form[T]],
    campaigns: Iterable[str],
    editions: Iterable[str] | None,
) -> dict[str, T]:
    files = [path]
    if path.suffix != ".json":
        files = [folder / EVIDENCE_FILE for folder in edition_folders(path, editions)]
    found = {name: of for file in files for name, of in _read_file(file, form).items()}
    wanted = list(dict.fromkeys(campaigns))
    if absent := [name for name in wanted if name not in found]:
        where = Place(str(path))
        what = "tells nothing of the campaign {!r}"
        raise NotBuiltError([Issue(what.format(n), where, _MEND) for n in absent])
    return {name: found[name] for name in wanted}


def _read_file(path: Path, form: type[_Form[T]]) -> dict[str, T]:
    try:
        return form.model_validate_json(path.read_bytes()).campaigns
    except FileNotFoundError:
        unmade = Issue("there is no evidence yet", Place(str(path)), f"{_MEND} first")
        raise NotBuiltError([unmade]) from None
    except ValidationError:
        what = "evidence of another version, or damaged"
        raise user_error(what, path, mend=_MEND) from None


def read_declared(
    path: Path, campaigns: Iterable[str], editions: Iterable[str] | None = None
) -> dict[str, Campaign]:
    """What campaigns declare, without what is told of their files; see
    :func:`read_evidence`."""
    found = _read(path, _DeclaredFile, campaigns, editions)
    return {name: of.declared for name, of in found.items()}


def check_fit(
    told: Mapping[str, str], evidence: Mapping[str, CampaignEvidence], where: Path
) -> list[Issue]:
    """Campaigns whose evidence is of other files than facts that ``told`` digests."""
    return [
        Issue(f"is of other files of {name!r} than the facts", Place(str(where)), _MEND)
        for name, found in evidence.items()
        if told.get(name, found.digest) != found.digest
    ]


def _of_campaign(found: CampaignEvidence) -> str:
    declared = found.declared.model_dump(mode="json", by_alias=True)
    parts = {
        "digest": _json(found.digest),
        "declared": _json(declared),
        "roles": _rows(sorted(found.roles)),
        "files": _entries(found.files),
        "timed": _json(dict(sorted(found.timed.items()))),
        "tables": _entries(found.tables),
        "passages": _passages(found.passages),
        "unnamed": _json(sorted(found.unnamed)),
        "marks": _rows(found.marks),
    }
    return ",\n".join(f'"{name}": {text}' for name, text in parts.items())


def _rows(rows: Iterable[tuple[Any, ...]]) -> str:
    return f"[\n{_lines(map(_json, rows))}]"


def _entries(states: Mapping[str, FileState]) -> str:
    told = (
        f"{_text(name)}: [{_text(sha256)}, {size}, {_text(form)}]"
        for name, (sha256, size, form) in sorted(states.items())
    )
    return f"{{\n{_lines(told)}}}"


def _passages(passages: Iterable[Passage]) -> str:
    told = (
        f"[{_text(run)}, {_text(file)}, [{', '.join(map(str, positions))}]]"
        for run, file, positions in sorted(passages)
    )
    return f"[\n{_lines(told)}]"


def _lines(rows: Iterator[str]) -> str:
    return ",\n".join(rows)
