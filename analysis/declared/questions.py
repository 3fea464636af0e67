"""Questions that several editions ask: ``report/questions.yaml``.

Each names the studies that answer it, the earliest first, so that readers find side by
side what reports of different years say. ``same`` names configurations of two editions
that are to be one: what an earlier report tested, and what a later one starts from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from analysis.declared.base import Declared, check_declared, line_of, load_yaml
from analysis.declared.names import Id, Name, Title
from analysis.errors import Place

QUESTIONS_FILE = "questions.yaml"


class AskedStudy(Declared):
    """A study that answers, and which of its tests do; none means all."""

    edition: Name
    """Its edition."""
    study: Name
    """Id of the study."""
    tests: tuple[Id, ...] = ()
    """Which of its tests answer; left out, all."""


class NamedArm(Declared):
    """A configuration of a study."""

    edition: Name
    """Its edition."""
    study: Name
    """Id of the study."""
    configuration: Id
    """Id of the configuration."""


class OmittedStudy(Declared):
    """A study of the question that is not shown beside the others."""

    edition: Name
    """Its edition."""
    study: Name
    """Id of the study."""
    why: Title
    """Why it is not shown, as the rest of a sentence."""


class SharedQuestion(Declared):
    """One question, and who answers it; ``text`` says why the answers may differ."""

    id: Name
    """Its name."""
    title: Title
    """The question."""
    text: str = ""
    """Why the answers may differ."""
    metrics: tuple[str, ...]
    """What is shown of each study."""
    of: Annotated[tuple[AskedStudy, ...], Field(min_length=2)]
    """The studies that answer, the earliest first."""
    omitted: tuple[OmittedStudy, ...] = ()
    """Studies of the question that are named below the table, each with its verdicts
    and why it is not in it."""
    same: tuple[tuple[NamedArm, NamedArm], ...] = ()
    """Pairs of configurations that are one: what an earlier report tested, and what a
    later one starts from."""


class SharedQuestions(Declared):
    """All of the file."""

    questions: tuple[SharedQuestion, ...]
    """All of them, in order."""


def read_questions(report: Path) -> tuple[tuple[SharedQuestion, ...], Any]:
    """The questions, none where there is no file; and its node, which tells lines."""
    path = report / QUESTIONS_FILE
    if not path.is_file():
        return (), None
    data, node = load_yaml(path)
    return check_declared(data, node, SharedQuestions, path).questions, node


def place_of(report: Path, node: Any, *keys: str | int) -> Place:
    """Where an entry of the file stands."""
    return Place(str(report / QUESTIONS_FILE), line_of(node, ("questions", *keys)))
