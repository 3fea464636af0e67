"""What an author declares of an edition, and the studies that it has or borrows.

``report/<edition>/edition.yaml``. A borrowed study stays where it is: the edition that
has it derives its facts and draws its figures, and whoever borrows it shows the same.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from analysis.declared.base import (
    Declared,
    check_declared,
    line_of,
    load_yaml,
    read_declared,
)
from analysis.declared.mistakes import form, nearest
from analysis.declared.names import NAME, Id, Name, Title, find_named
from analysis.declared.study import Study, part_id, wrong_title
from analysis.declared.vocabulary import Part
from analysis.declared.workload import parse_workload
from analysis.errors import Issue, Place, raise_if, user_error

_TEXT_FILE = form(
    r"^(\w[\w.-]*/)*\w[\w.-]*\.q?md$",
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
TextPart = Literal[
    "answer", "observations", "results", "background", "environment", "configuration"
]
Order = Literal["answer", "classical"]
# The parts of a study in the orders that an edition may choose from.
ORDERS: dict[Order, tuple[TextPart, ...]] = {
    "answer": (
        "answer", "observations", "results", "background", "environment",
        "configuration",
    ),
    "classical": (
        "answer", "background", "environment", "configuration", "results",
        "observations",
    ),
}  # fmt: skip
TextFile = Annotated[str, Field(pattern=_TEXT_FILE)]
_EMAIL = form(r"^[^\s@<>]+@[^\s@<>]+$", "an address such as ann@example.org")
_SSH = "SHA256:"
_KEY = form(
    rf"^({_SSH}[A-Za-z0-9+/]{{43}}|([0-9A-Fa-f]{{4}} *){{10}}|[0-9A-Fa-f]{{64}})$",
    "the whole fingerprint of a key: ssh-keygen -lf KEY.pub, or gpg --fingerprint",
)
_LINE = form(r"^\S(.{0,198}\S)?$", "a name on one line")
Line = Annotated[str, Field(pattern=_LINE)]
Email = Annotated[str, Field(pattern=_EMAIL)]
_Some = Field(min_length=1)
SLIDES = "slides"
_QUOTED = r"""["']([\w.-]+)["']"""
_FIGURE = re.compile(
    rf"\{{\{{\s*figure\(\s*{_QUOTED}(?:\s*,\s*(?:metric\s*=\s*)?{_QUOTED})?"
)


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
    authors: bool = True
    """Whether who wrote words of a part may approve it."""


class Reviewer(Declared):
    """Somebody who may approve: by an address, or by the key that signs the commits.

    ``key`` is the fingerprint of a key of SSH (``SHA256:…``) or of OpenPGP.
    """

    name: Line
    """Name, on one line."""
    email: Email = ""
    """Address, as Git has it."""
    key: Annotated[str, Field(pattern=_KEY)] = ""
    """Fingerprint of the key that signs, of SSH (SHA256:…) or OpenPGP."""

    @model_validator(mode="after")
    def _is_known(self) -> Reviewer:
        if not (self.email or self.key):
            raise ValueError("a reviewer has an email, a key, or both")
        return self

    def is_called(self, by: str) -> bool:
        """Whether an approval by ``by`` says that it is this one's."""
        names = (self.name, self.email, f"{self.name} <{self.email}>")
        return by.casefold() in {name.casefold() for name in names if name}

    def has_key(self, *fingerprints: str) -> bool:
        """Whether one of the fingerprints, as Git tells them, is that of the key."""
        key = self.key.replace(" ", "")
        if key.startswith(_SSH):
            return key in fingerprints
        return key.upper() in map(str.upper, fingerprints)


class SummaryColumn(Declared):
    """A column: its head, and the metrics of which a row shows, of each workload, the
    first that it has."""

    head: Title
    """Head of the column."""
    metrics: Annotated[tuple[Id, ...], _Some]
    """The first of these that a workload of the row has is shown."""
    role: Part | None = None
    """Of which role, where a metric has some."""


class SummaryRow(Declared):
    """A row: what it is called, and the results of which studies and workloads it
    sums."""

    words: Title
    """What the row is called."""
    studies: Annotated[tuple[Name, ...], _Some]
    """Studies that it sums up."""
    workloads: str = "*"
    """Name or pattern of their workloads, or several between commas; in an average each
    pattern counts alike, however many workloads it has."""
    test: Id | None = None
    """One of their tests; left out, all."""

    @property
    def patterns(self) -> list[str]:
        """Its patterns of workloads."""
        return [pattern.strip() for pattern in self.workloads.split(",")]


class SummaryTable(Declared):
    """A table that a text places: lowest, highest and average of each row."""

    id: Name
    """Its name, by which a text places it."""
    caption: Title
    """Its caption."""
    names: Title = "Work"
    """Head of the column of the rows' words."""
    columns: Annotated[tuple[SummaryColumn, ...], _Some]
    """Its columns."""
    rows: Annotated[tuple[SummaryRow, ...], _Some]
    """Its rows."""


class StudyClaim(Declared):
    """A claim about the facts of a study."""

    study: Name
    """Of which study."""
    claim: Title
    """What must hold of its facts, as at a sentence."""


class OverviewTitle(Declared):
    """What the figure of all studies finds, in its author's words."""

    title: Title
    """Its finding, in place of the words made from the facts."""
    claims: Annotated[tuple[StudyClaim, ...], _Some]
    """What must hold for its title to be true."""

    @model_validator(mode="after")
    def _check_title(self) -> OverviewTitle:
        wrong = wrong_title(self.title, "; ".join(one.claim for one in self.claims))
        if wrong:
            raise ValueError(f"the figure of all studies {wrong}")
        return self


class Edition(Declared):
    """One report: its studies in order, alone or in groups, and what is around them."""

    title: Title
    """Title of the report."""
    subtitle: str = ""
    """Second line of the title."""
    product: str = ""
    """What it is about, under which the list of all reports has it."""
    authors: tuple[str, ...]
    """Who answers for it."""
    date: dt.date
    """Day of the edition, as 2026-01-31."""
    year: Annotated[int, Field(ge=1950, le=2200)] | None = None
    """Year in which its results were first published, where that is not the one of its
    date. Lists have the newest first by it."""
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
    desk: Annotated[str, Field(pattern=_WEB)] | None = None
    """Address of the desk at which it is reviewed, to which its drafts lead."""
    summary: TextFile | None = None
    """Text of its findings."""
    slides: TextFile | None = None
    """Text of its slides."""
    order: Order = "answer"
    """Whether a study begins with its answer, or with its set-up as printed reports
    do."""
    units: dict[Id, str] = Field(default_factory=dict)
    """Units of metrics that have several, such as {throughput: Gbit/s}."""
    raw_files: bool | Literal["excerpts"] = Field(default=False, alias="raw-files")
    """Whether releases carry the raw files. By ``excerpts`` the report shows the lines
    and records that its numbers were read from, and a release has no more of them."""
    python_figures: bool = Field(default=False, alias="python-figures")
    """Whether figures of kind python may run the Python files in its studies."""
    numbered_overview: bool = Field(default=True, alias="numbered-overview")
    """Whether the figure of all studies has a number."""
    overview: OverviewTitle | None = None
    """What the figure of all studies finds."""
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
        return {e.study: e.lender for e in self._entries if isinstance(e, Borrowed)}

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
        return next((g for g in groups if study in map(study_id, g.studies)), None)


def study_id(entry: str | Borrowed) -> str:
    """The id of a study as an edition names it."""
    return entry.study if isinstance(entry, Borrowed) else entry


def read_edition(folder: Path) -> Edition:
    """The declaration of the edition in ``folder``, checked."""
    path = folder / "edition.yaml"
    data, node = load_yaml(path, f"python -m analysis edition new {folder.name}")
    edition = check_declared(data, node, Edition, path)
    ids = edition.study_ids
    if twice := [id for id in ids if ids.count(id) > 1]:
        what = f"the study {twice[0]!r} is named {ids.count(twice[0])} times"
        line = line_of(node, ("studies",))
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


def read_studies(folder: Path, edition: Edition) -> dict[str, Study]:
    """The studies of an edition, by id, in the edition's order.

    A :class:`analysis.errors.UserError` where one is not to be had.
    """
    there = sorted(path.parent.name for path in folder.glob("studies/*/study.yaml"))
    start = "start it: python -m analysis study new {} --edition {}"
    absent = {
        id: (
            f"there is no study {id!r}",
            "".join(f"did you mean {near!r}? or " for near in nearest(id, there))
            + start.format(id, folder.name),
        )
        for id in edition.own_studies
        if id not in there
    }
    refused = {
        study: why
        for study, lender in edition.borrowed.items()
        if (why := _refused(folder, study, lender))
    }
    raise_if(_issues(folder, refused | absent))
    return {
        id: read_declared(study_folder(folder, edition, id) / "study.yaml", Study)
        for id in edition.study_ids
    }


def study_folder(folder: Path, edition: Edition, id: str) -> Path:
    """Where a study of the edition in ``folder`` lies; a borrowed one with its own."""
    lender = edition.borrowed.get(id)
    return (folder.parent / lender if lender else folder) / "studies" / id


def check_lent(folder: Path, edition: Edition, derived: Container[str]) -> list[Issue]:
    """Borrowed studies that are not among those of which there are facts, or whose
    facts have other units."""
    mend = "run 'make report'; it derives the facts of all editions"
    units = {one: read_edition(folder.parent / one).units
             for one in {*edition.borrowed.values()}}  # fmt: skip
    absent = {
        id: (f"{lender} has no facts of {id!r} yet", mend)
        for id, lender in edition.borrowed.items()
        if id not in derived
    }
    same = "write the same units in both editions"
    absent |= {
        id: (f"{lender} has other units", same)
        for id, lender in edition.borrowed.items()
        if units[lender] != edition.units
    }
    return _issues(folder, absent)


def _issues(folder: Path, mistakes: dict[str, tuple[str, str]]) -> list[Issue]:
    """Mistakes, each with its mend, where an edition names the study that has it."""
    if not mistakes:
        return []
    path, lines = folder / "edition.yaml", dict[str, int]()
    data, node = load_yaml(path)
    for number, entry in enumerate(data["studies"]):
        grouped = isinstance(entry, dict) and "studies" in entry
        for n, one in enumerate(entry["studies"] if grouped else [entry]):
            id = one["study"] if isinstance(one, dict) else one
            keys = ("studies", number, *(("studies", n) if grouped else ()))
            lines[id] = line_of(node, keys)
    return [
        Issue(what, Place(str(path), lines[study]), mend)
        for study, (what, mend) in mistakes.items()
    ]


def _refused(folder: Path, study: str, lender: str) -> tuple[str, str] | None:
    """Why a study cannot be borrowed, and what to do; None where it can."""
    editions = find_editions(folder.parent)
    if lender not in editions:
        known = ", ".join(id for id in editions if id != folder.name)
        mend = f"name one of: {known}" if known else "there is no other edition yet"
        return f"there is no edition {lender!r} to borrow from", mend
    there, way = read_edition(folder.parent / lender), [folder.name, lender]
    while (further := there.borrowed.get(study)) and further not in way:
        way.append(further)
        if further not in editions:
            break
        there = read_edition(folder.parent / further)
    if further in way[:-1]:
        circle = " → ".join([*way, further])
        return f"{study!r} is borrowed in a circle: {circle}", "let one of them have it"
    if len(way) > 2:
        return f"{lender} borrows {study!r} itself", f"write from: {way[-1]}"
    if study in there.own_studies:
        return None
    names = ", ".join(there.own_studies)
    return f"{lender} has no study {study!r}", f"name one of: {names}"


def text_path(path: Path) -> Path:
    """The file of a text: Quarto's authors may call it ``.qmd`` instead of ``.md``."""
    other = path.with_suffix(".qmd")
    return other if other.is_file() and not path.is_file() else path


def placed_figures(folder: Path, edition: Edition) -> set[str]:
    """The ids of the figures, and parts of figures, that slides of an edition place.

    These and no others are drawn for slides. One stands there by
    ``{{ figure("osh-osd-stream") }}``, or a part of it that draws one metric by
    ``{{ figure("osh-osd-stream", metric="throughput") }}``.
    """
    if not edition.slides:
        return set()
    studies = (study_folder(folder, edition, id) for id in edition.study_ids)
    slides = [folder / edition.slides, *(one / f"{SLIDES}.md" for one in studies)]
    paths = map(text_path, slides)
    texts = (path.read_text(encoding="utf-8") for path in paths if path.is_file())
    placed = (match for text in texts for match in _FIGURE.findall(text))
    return {part_id(id, metric) if metric else id for id, metric in placed}
