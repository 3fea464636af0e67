"""Where facts come from, as derive hands it over, and whether that is as it was.

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
- ``excerpts``: ``[path, position, record, line, [text, …], [[table, words], …]]``,
  what stands at the first positions, where the edition declares ``raw-files``;
- ``unnamed``: files with evidence that no run names;
- ``marks``: ``[line, words]`` of what campaign.yaml marks as still to be done.

Tables, facts and reports each carry the digest of the campaigns that they were made
from. Whatever reads them compares it with that of the files now.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field, ValidationError

from analysis.declared.base import Declared
from analysis.declared.campaign import Campaign, campaign_folder
from analysis.declared.names import FOLDER, fits_folder
from analysis.declared.study import Study
from analysis.declared.vocabulary import ROLES, Role
from analysis.declared.workload import matches
from analysis.errors import Issue, NotBuiltError, Place, not_built, user_error
from analysis.facts.fact import EVIDENCE_FILE, edition_folders, read_facts
from analysis.facts.remark import Remark, remark
from analysis.files.atomic import write_text
from analysis.files.hashes import CACHE, content_digest
from analysis.files.text_file import Reminder

SCHEMA = 1
AROUND = 3  # lines that an excerpt has before and behind the one that was read
_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
MEND = "run 'make report'"


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


class Excerpt(NamedTuple):
    """What stands in a raw file at a position, and what was read of it.

    It is a ``record``, or a ``line`` with up to ``AROUND`` before and behind it in
    ``texts``; 0 where it is neither. ``columns`` are a table's name and its values.
    """

    file: str
    position: int
    record: str
    line: int
    texts: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]

    @property
    def numbered(self) -> list[tuple[int, str]]:
        """The texts with their line numbers."""
        return list(enumerate(self.texts, max(self.line - AROUND, 1)))


class CampaignEvidence(Declared):
    """What facts of one campaign rest on; see the head of this module."""

    digest: str
    declared: Campaign
    roles: tuple[SystemRole, ...] = ()
    files: dict[str, FileState] = Field(default_factory=dict)
    timed: dict[str, str] = Field(default_factory=dict)
    tables: dict[str, FileState] = Field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    unnamed: tuple[str, ...] = ()
    marks: tuple[Reminder, ...] = ()

    @property
    def left_out(self) -> Remark | None:
        """What the runs leave out, by the folders that it lies in."""
        if not self.unnamed:
            return None
        folders = tuple(sorted({file.rpartition("/")[0] for file in self.unnamed}))
        return remark("left_out", files=len(self.unnamed), folders=folders)

    def systems_of(self, study: Study) -> dict[str, list[Role]]:
        """The systems of a study with their roles, in the order of the campaign.

        All systems with the roles that the campaign declares where the study has no
        run.
        """
        ran = [had for had in self.roles if had.configuration in study.configurations]
        asked = {
            workload
            for workload in {had.workload for had in ran}
            if any(matches(workload, pattern) for pattern in study.workloads)
        }
        systems = self.declared.systems
        pairs = {(had.system, had.role) for had in ran if had.workload in asked}
        declared = {(name, s.role) for name, s in systems.items() if s.role}
        used = pairs or declared
        return {
            name: [role for role in ROLES if (name, role) in used]
            for name in systems
            if any(name == system for system, _ in used)
        }


class _File(Declared):
    version: Literal[1] = Field(alias="schema")
    campaigns: dict[str, CampaignEvidence]


def write_evidence(campaigns: Mapping[str, CampaignEvidence], path: Path) -> None:
    """Write the evidence; equal evidence gives equal bytes."""
    parts = ",\n".join(
        f"{_json(name)}: {{\n{_text_of(evidence)}}}"
        for name, evidence in sorted(campaigns.items())
    )
    write_text(path, f'{{"schema": {SCHEMA}, "campaigns": {{\n{parts}\n}}}}\n')


def _text_of(evidence: CampaignEvidence) -> str:
    parts = {
        "digest": _json(evidence.digest),
        "declared": _json(evidence.declared.model_dump(mode="json", by_alias=True)),
        "roles": _rows(sorted(evidence.roles)),
        "files": _entries(evidence.files),
        "timed": _json(dict(sorted(evidence.timed.items()))),
        "tables": _entries(evidence.tables),
        "passages": _rows(sorted(evidence.passages)),
        "excerpts": _rows(evidence.excerpts),
        "unnamed": _json(sorted(evidence.unnamed)),
        "marks": _rows(evidence.marks),
    }
    return ",\n".join(f'"{name}": {text}' for name, text in parts.items())


def _rows(rows: Iterable[tuple[Any, ...]]) -> str:
    lines = ",\n".join(map(_json, rows))
    return f"[\n{lines}]"


def _entries(states: Mapping[str, FileState]) -> str:
    rows = (f"{_json(name)}: {_json(state)}" for name, state in sorted(states.items()))
    lines = ",\n".join(rows)
    return f"{{\n{lines}}}"


def read_evidence(
    place: Path, campaigns: Iterable[str], editions: Iterable[str] | None = None
) -> dict[str, CampaignEvidence]:
    """The evidence of some campaigns, out of a file or of a folder with a file of each
    edition; a :class:`UserError` where there is none."""
    files = [place]
    if place.suffix != ".json":
        files = [folder / EVIDENCE_FILE for folder in edition_folders(place, editions)]
    known = {name: one for file in files for name, one in _read_file(file).items()}
    wanted = list(dict.fromkeys(campaigns))
    if absent := [name for name in wanted if name not in known]:
        where, what = Place(str(place)), "tells nothing of the campaign {!r}"
        raise NotBuiltError([Issue(what.format(n), where, MEND) for n in absent])
    return {name: known[name] for name in wanted}


def _read_file(path: Path) -> dict[str, CampaignEvidence]:
    try:
        return _File.model_validate_json(path.read_bytes()).campaigns
    except FileNotFoundError:
        raise not_built("there is no evidence yet", path) from None
    except ValidationError:
        what = "evidence of another version, or damaged"
        raise user_error(what, path, mend=MEND) from None


def check_fit(
    digests: Mapping[str, str], evidence: Mapping[str, CampaignEvidence], where: Path
) -> list[Issue]:
    """Campaigns whose evidence is of other files than facts with these digests."""
    return [
        Issue(f"is of other files of {name!r} than the facts", Place(str(where)), MEND)
        for name, one in evidence.items()
        if digests.get(name, one.digest) != one.digest
    ]


def check_digests(
    digests: Mapping[str, str], raw: Path, where: Path, cache: Path = CACHE
) -> list[Issue]:
    """Campaigns whose files are not those that ``digests``, in ``where``, are of."""
    return [
        Issue(f"not made from the files of {folder}", Place(str(where)), MEND)
        for name, digest in sorted(digests.items())
        if content_digest(folder := campaign_folder(raw, name), cache) != digest
    ]


def check_digested(
    names: set[str], digests: Mapping[str, str], where: Path
) -> list[Issue]:
    """Campaigns of whose files ``where`` says nothing."""
    return [
        Issue(f"does not say from which files of {name!r}", Place(str(where)), MEND)
        for name in sorted(names - digests.keys())
    ]


def check_build(
    folder: Path, provenance: Mapping[str, Any], raw: Path, cache: Path = CACHE
) -> list[Issue]:
    """Whether facts, provenance and raw files of a finished build are of one kind."""
    campaigns, place = provenance.get("campaigns", {}), folder / "provenance.json"
    if unsafe := [name for name in campaigns if not fits_folder(name, FOLDER)]:
        what = "not a safe name of a campaign: {!r}"
        return [Issue(what.format(name), Place(str(place)), MEND) for name in unsafe]
    digests = {n: str(c["digest"]) for n, c in campaigns.items() if c.get("digest")}
    issues = check_digested(set(campaigns), digests, place)
    place = folder / "facts.json"
    facts = read_facts(place)
    issues += check_digested(set(digests), dict(facts.digests), place)
    if not issues and dict(facts.digests) != digests:
        what = "the facts and provenance.json are of different raw files"
        issues.append(Issue(what, Place(str(place)), MEND))
    known = {sha for about in campaigns.values() for sha in about["files"].values()}
    if any(not known.issuperset(fact.lineage.files) for fact in facts.facts):
        what = "a fact rests on a file that no campaign of the build has"
        issues.append(Issue(what, Place(str(place)), MEND))
    return issues or check_digests(digests, raw, folder, cache)
