"""What an author declares of an edition and of each of its studies.

``report/<edition>/edition.yaml`` and ``report/<edition>/studies/<id>/study.yaml``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator

from analysis.declared.base import (
    Declared,
    check_declared,
    line_of,
    load_yaml,
)
from analysis.declared.mistakes import form
from analysis.declared.names import NAME, Name, Title, find_named
from analysis.declared.reviewer import Reviewer
from analysis.declared.summary_table import SummaryTable
from analysis.declared.workload import parse_workload
from analysis.errors import user_error

_TEXT_FILE = form(
    r"^(\w[\w.-]*/)*\w[\w.-]*\.md$",
    "the name of a Markdown file of the edition, such as front/preface.md",
)
_LANGUAGE = form(
    r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", "a code of a language such as en-GB"
)
_WEB = form(
    r"^https?://[A-Za-z0-9][A-Za-z0-9.:-]*(/[A-Za-z0-9._~%/+@,=-]*)?$",
    "the address of a web page, such as https://git.example.com/reports",
)
_REFERENCES = form(
    r"^\w[\w.-]*\.bib$",
    "the name of a BibTeX file of the edition, such as references.bib",
)
FORMATS = ("html", "pdf")  # in which an edition comes that names none
Family = Literal["study", "edition"]
Part = Literal[
    "answer", "observations", "results", "background", "environment", "configuration"
]
Order = Literal["answer", "classical"]
# The parts of a study in the orders that an edition may choose from.
ORDERS: dict[Order, tuple[Part, ...]] = {
    "answer": (
        "answer",
        "observations",
        "results",
        "background",
        "environment",
        "configuration",
    ),
    "classical": (
        "answer",
        "background",
        "environment",
        "configuration",
        "results",
        "observations",
    ),
}
TextFile = Annotated[str, Field(pattern=_TEXT_FILE)]


class Section(Declared):
    """A front or back section: its Markdown file (in the edition) and its title."""

    id: Name
    """Its name."""
    title: Title
    """Its heading."""
    file: TextFile
    """Its text, below the folder of the edition."""


class Borrowed(Declared):
    """A study of another edition, whose facts, figures and texts it shows as well."""

    lender: Name = Field(alias="from")
    """The edition that has the study."""
    study: Name
    """Id of the study."""


class Group(Declared):
    """A chapter of several studies; ``file`` is its introduction, if it has one."""

    id: Name
    """Its name."""
    title: Title
    """Its heading."""
    file: TextFile | None = None
    """Its introduction."""
    studies: tuple[Name | Borrowed, ...]
    """Its studies, in order."""


class Reviewing(Declared):
    """How an edition is reviewed: how many people have to approve each of its parts."""

    signatures: Annotated[int, Field(ge=1, le=9)] = 1
    """How many people have to approve each study, and front and back matter."""


class Edition(Declared):
    """One report: its studies in order, alone or in groups, and what is around them.

    ``family`` says over which comparisons p-values are adjusted: those of a study or
    of all studies of the edition. ``formats`` are the ids of output formats in which it
    comes, the main one first. ``reviewers`` may approve; where there are none, nobody
    knows who did. ``review`` says how many have to approve the same.
    ``summary`` is the text of its findings, ``slides`` that of its slides. ``order``
    says in which order the parts of a study stand: the answer and its figure first, or
    the set-up before the results, as in printed reports. With ``raw-files`` releases
    carry the raw files, and cards of numbers lead to them. ``tables`` sum up results of
    studies; texts place them. ``numbered-overview`` says whether the figure of all
    studies has a number; ``sequences`` are workloads that ``workloads`` draws.
    """

    title: Title
    """Title of the report."""
    subtitle: str = ""
    """Second line of the title."""
    authors: tuple[str, ...]
    """Who answers for it."""
    date: dt.date
    """Day of the edition, as 2026-01-31."""
    number: str = ""
    """Number of the document."""
    status: Literal["draft", "final"] = "draft"
    """A final edition needs every approval, and no claim of it may be false."""
    family: Family = "study"
    """Over which comparisons p-values are adjusted: those of a study, or of all."""
    formats: Annotated[tuple[Name, ...], Field(min_length=1)] = FORMATS
    """In which forms it comes, the main one first."""
    language: Annotated[str, Field(pattern=_LANGUAGE)] = "en-US"
    """Of its text, such as en-GB."""
    description: str = ""
    """For search engines and readers of metadata."""
    keywords: tuple[str, ...] = ()
    """For metadata."""
    references: Annotated[str, Field(pattern=_REFERENCES)] = "references.bib"
    """BibTeX file of what its texts cite."""
    repo_url: Annotated[str, Field(pattern=_WEB)] | None = Field(
        default=None, alias="repo-url"
    )
    """Address of its repository, to which pages lead."""
    repo_branch: str = Field(default="main", alias="repo-branch")
    """Branch to which they lead."""
    repo_subdir: str = Field(default="", alias="repo-subdir")
    """Folder of the project in the repository."""
    summary: TextFile | None = None
    """Text of its findings."""
    slides: TextFile | None = None
    """Text of its slides."""
    order: Order = "answer"
    """Whether a study begins with its answer, or with its set-up as printed reports
    do."""
    raw_files: bool = Field(default=False, alias="raw-files")
    """Whether releases carry the raw files."""
    numbered_overview: bool = Field(default=True, alias="numbered-overview")
    """Whether the figure of all studies has a number."""
    sequences: tuple[str, ...] = ()
    """Workloads whose messages the section workloads draws."""
    front: tuple[Section, ...]
    """Sections before the studies."""
    studies: tuple[Name | Borrowed | Group, ...]
    """Ids of its studies, borrowed ones, and chapters, in order."""
    back: tuple[Section, ...] = ()
    """Sections after the studies."""
    reviewers: tuple[Reviewer, ...] = ()
    """Who may approve."""
    review: Reviewing = Reviewing()
    """How many have to."""
    tables: tuple[SummaryTable, ...] = ()
    """Tables that sum up results of studies."""

    @field_validator("sequences")
    @classmethod
    def _each_once(cls, sequences: tuple[str, ...]) -> tuple[str, ...]:
        names = [parse_workload(name).name for name in sequences]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"{twice[0]} is named twice")
        return sequences

    @property
    def study_ids(self) -> tuple[str, ...]:
        """Ids of all studies in the order of the report."""
        return tuple(map(study_id, self._entries))

    @property
    def borrowed(self) -> dict[str, str]:
        """The edition of each study that is borrowed, by the study."""
        found = (entry for entry in self._entries if isinstance(entry, Borrowed))
        return {entry.study: entry.lender for entry in found}

    @property
    def own_studies(self) -> tuple[str, ...]:
        """Ids of the studies that are not borrowed."""
        return tuple(entry for entry in self._entries if isinstance(entry, str))

    @property
    def _entries(self) -> Iterator[str | Borrowed]:
        for entry in self.studies:
            yield from entry.studies if isinstance(entry, Group) else (entry,)

    def homes(self, id: str) -> dict[str, str]:
        """The edition that derives each study, by the study; ``id`` is its own."""
        return {study: self.borrowed.get(study, id) for study in self.study_ids}

    def group_of(self, study: str) -> Group | None:
        """The chapter of a study; None where it stands alone."""
        groups = (entry for entry in self.studies if isinstance(entry, Group))
        ids = ((group, map(study_id, group.studies)) for group in groups)
        return next((group for group, own in ids if study in own), None)


def study_id(entry: str | Borrowed) -> str:
    """The id of a study as an edition names it."""
    return entry.study if isinstance(entry, Borrowed) else entry


def read_edition(folder: Path) -> Edition:
    """The declaration of the edition in ``folder``, checked."""
    path = folder / "edition.yaml"
    data, node = load_yaml(path, f"python -m analysis edition new {folder.name}")
    edition = check_declared(data, node, Edition, path)
    ids = edition.study_ids
    for id in ids:
        if ids.count(id) > 1:
            line = line_of(node, ("studies",))
            what = f"the study {id!r} is named {ids.count(id)} times"
            raise user_error(what, path, line, mend="name each study once")
    for number, table in enumerate(edition.tables):
        for study in (s for row in table.rows for s in row.studies if s not in ids):
            line = line_of(node, ("tables", number))
            what = f"table {table.id}: there is no study {study!r}"
            raise user_error(what, path, line, mend=f"use some of: {', '.join(ids)}")
    return edition


def find_editions(report: Path) -> list[str]:
    """Ids of all editions below ``report/``, sorted; a name must be of the pattern."""
    return find_named(report, "edition.yaml", NAME)
