"""The files that people write by hand, each with its model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from analysis.declared.campaign import Campaign
from analysis.declared.collect import Collect
from analysis.declared.edition import Edition
from analysis.declared.questions import SharedQuestions
from analysis.declared.schema import schema_file
from analysis.declared.study import Study
from analysis.ingest.rmf.csv_mapping import Mapping


@dataclass(frozen=True)
class WrittenFile:
    """A kind of file: its name, where it lies, its model, and what it is for."""

    id: str
    place: str
    model: type[BaseModel]
    about: str

    @property
    def schema_file(self) -> Path:
        """Where its schema lies, below the project's folder."""
        return schema_file(self.id)


FILES = (
    WrittenFile(
        "campaign", "raw/*/campaign.yaml", Campaign,
        "What was measured, by whom, when, and on which systems.",
    ),
    WrittenFile(
        "study", "report/*/studies/*/study.yaml", Study,
        "One question: what is compared, when a change counts, and the figures.",
    ),
    WrittenFile(
        "edition", "report/*/edition.yaml", Edition,
        "One report: its studies in order, and what stands around them.",
    ),
    WrittenFile(
        "collect", "raw/*/collect.yaml", Collect,
        "Which files of a campaign are fetched, and from which servers.",
    ),
    WrittenFile(
        "mapping", "raw/**/*.mapping.yaml", Mapping,
        "What the columns of a CSV file of another product mean.",
    ),
    WrittenFile(
        "questions", "report/questions.yaml", SharedQuestions,
        "Questions that several editions ask.",
    ),
)  # fmt: skip
