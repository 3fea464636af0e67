"""What the checks of wording say of texts of the small edition."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analysis.report.claims.checked import Checked, check_texts
from analysis.report.lint.words.edition_wording import EditionWording
from analysis.report.lint.words.findings import remarks
from analysis.report.lint.words.remarks import WordingIssue
from analysis.report.material import Sources, read_material

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"


def checked_of(project: Sources) -> Checked:
    return check_texts(read_material("small", project))


def written(write_text: WriteText, body: str, *claims: str) -> Path:
    """Observations with a body and claims; the body begins on a line that is known."""
    front = "".join(f"  - {claim}\n" for claim in claims)
    head = f"---\nclaims:\n{front}---\n" if claims else ""
    return write_text(OBSERVATIONS, f"{head}{body}\n")


def remarks_of(project: Sources, name: str = OBSERVATIONS) -> list[WordingIssue]:
    checked = checked_of(project)
    return remarks(checked.texts[name], EditionWording(checked))


def told(project: Sources, name: str = OBSERVATIONS) -> list[tuple[bool, str]]:
    """Of each remark whether the data contradict the words, and what it says."""
    return [(r.sure, r.issue.what) for r in remarks_of(project, name)]
