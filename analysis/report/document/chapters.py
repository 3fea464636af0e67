"""The chapters of an edition: its studies, alone or in groups, as templates want them.

A study alone is a section of the first level. A group is one, and its studies are of
the second; whatever stands below a study is one level deeper there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.declared.edition import Edition, Group, study_id
from analysis.report.checks.check import tells_results
from analysis.report.checks.claims import Checked
from analysis.report.document.findings import key_values
from analysis.report.document.generated import Generated
from analysis.report.git_host import edit_link
from analysis.report.review.page import review_line, review_section
from analysis.report.review.sentences import own_marks, own_words
from analysis.report.review.state import Review, Reviews
from analysis.report.text.texts import ANSWER, texts_of

Notes = Mapping[str, Sequence[str]]  # by study; those of no study by an empty name


def chapters(
    checked: Checked, states: Reviews, notes: Notes, generated: Generated
) -> list[dict[str, Any]]:
    """The chapters in order; that of a study alone has no id, title or text."""
    found = []
    for entry in checked.material.edition.studies:
        group = entry if isinstance(entry, Group) else None
        level = 2 if group else 1
        ids = [study_id(entry)] if not isinstance(entry, Group) else []
        ids += map(study_id, group.studies if group else ())
        found.append(
            {
                "id": group.id if group else "",
                "title": group.title if group else "",
                "text": placed(checked, group.file) if group and group.file else "",
                "studies": [
                    _study(checked, id, states, notes, level, generated) for id in ids
                ],
            }
        )
    return found


def placed(
    checked: Checked, name: str, level: int = 1, review: Review | None = None
) -> str:
    """A text as it reads in a section of a level, in a draft with its edit link.

    Until its ``review`` is an approval, its author's own words are marked.
    """
    edition, text = checked.material.edition, checked.texts[name]
    waits = review and review.state != "approved"
    marks = own_marks(text) if waits and tells_results(text, checked.material) else ()
    markdown = text.markdown(deeper=level - 1, marks=marks)
    link = edit_link(edition, text.path.as_posix())
    if not link or edition.status != "draft":
        return markdown
    return f"{markdown}\n\n::: {{.edit-link}}\n[Edit this text]({link})\n:::"


def listed(notes: Iterable[str]) -> str:
    """What was found that stands in no paragraph, as a list."""
    return "\n".join(f"- {note}" for note in dict.fromkeys(notes))


def group_ids(edition: Edition) -> list[str]:
    """The ids of all groups."""
    return [entry.id for entry in edition.studies if isinstance(entry, Group)]


def _study(
    checked: Checked,
    id: str,
    states: Reviews,
    notes: Notes,
    level: int,
    generated: Generated,
) -> dict[str, Any]:
    material, review = checked.material, states.of(id)
    results, own = material.of_study(id), texts_of(checked.texts, id)
    draft = material.edition.status == "draft"
    return {
        "id": id,
        "head": "#" * level,
        "part": "#" * (level + 1),
        "texts": {ANSWER: ""}
        | {p: placed(checked, text.name, level, review) for p, text in own.items()},
        "key_values": key_values(own[ANSWER], results) if ANSWER in own else [],
        **generated.studies[id],
        "review_line": review_line(review, draft, own_words(checked, own.values())),
        "review": review_section(review, checked),
        "notes": listed(notes.get(id, ())),
    }
