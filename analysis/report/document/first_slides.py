"""Where a talk first shows a study, for pages that lead to it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from analysis.report.document.content import content
from analysis.report.document.parts import DocumentPart

_SAID = ":::: {.notes}"


def first_slides(
    parts: Iterable[DocumentPart], studies: Iterable[str]
) -> dict[str, str]:
    """The anchor of the first slide that shows a figure or a value of each study."""
    found: dict[str, str] = {}
    known = sorted(studies, key=len, reverse=True)  # one may begin as another does
    for part in parts:
        shown = content(part.text.partition(_SAID)[0])
        figures = (f"{Path(image.path).stem}-" for image in shown.images)
        facts = (fact.name.partition(".")[0] + "-" for fact in shown.facts)
        for name in (*figures, *facts):
            study = next((id for id in known if name.startswith(f"{id}-")), "")
            found.setdefault(study, part.id)
    return {study: slide for study, slide in found.items() if study and slide}
