"""The text of a report: reviewed prose and generated parts, as plain Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.campaign import Campaign
from analysis.errors import Issue, Place, raise_if
from analysis.report.campaign_tables import (
    configuration_table,
    date_text,
    environment_list,
)
from analysis.report.checked import Checked
from analysis.report.edit_links import edit_link
from analysis.report.environment import COMMENT_END, COMMENT_START
from analysis.report.expression import expressions_table
from analysis.report.material import Material
from analysis.report.pictures import tally
from analysis.report.prose import check_references, read_prose
from analysis.report.review.block import review_line, review_section
from analysis.report.review.state import Review
from analysis.report.tables import escape
from analysis.report.texts import STUDY_TEXTS, study_text

Reviews = Mapping[str, Review]
_ID = re.compile(r"\{[^{}\n]*#([a-z]+-[\w.-]+)")
_ENTRY = re.compile(r"^\s*@\w+\s*\{\s*([^,\s]+)", re.MULTILINE)
_SYNTHETIC = "Contains synthetic data."


def compose(checked: Checked, states: Reviews, templates: Path) -> str:
    """The whole ``index.qmd``, but for its build id, which hashes this text."""
    material, edition = checked.material, checked.material.edition
    text = (
        _environment(templates)
        .get_template("index.qmd.j2")
        .render(
            metadata=_yaml(metadata(material, states)),
            front=[_section(checked, s.id, s.title, s.file) for s in edition.front],
            studies=[_study(checked, states[id]) for id in material.studies],
            draft=edition.status == "draft",
            back=[_section(checked, s.id, s.title, s.file) for s in edition.back],
            sections={section.id for section in (*edition.front, *edition.back)},
        )
    )
    raise_if(_check(checked, text))
    return text


def metadata(material: Material, states: Reviews) -> dict[str, Any]:
    """The document's metadata; nothing in it depends on the time of the build."""
    edition = material.edition
    found: dict[str, Any] = {
        "title": edition.title,
        "subtitle": edition.subtitle,
        "author": list(edition.authors),
        "date": edition.date.isoformat(),
        "date-text": date_text(edition.date),
        "edition": material.id,
        "number": edition.number,
        "status": edition.status,
        "origins": material.origins(),
        "lang": edition.language,
        "description": edition.description or edition.subtitle,
        "keywords": list(edition.keywords),
    }
    return found | ({"banner": text} if (text := _banner(material, states)) else {})


def bibliography_keys(path: Path) -> list[str]:
    """The keys of a BibTeX file."""
    return _ENTRY.findall(read_prose(path))


def _study(checked: Checked, review: Review) -> dict[str, Any]:
    material, id = checked.material, review.study
    study, draft = material.studies[id], material.edition.status == "draft"
    campaigns, tables = material.campaigns, material.tables(id)
    verdicts = [fact.verdict for fact in tables.deltas()]
    return {
        "id": id,
        "title": study.title,
        "question": study.question,
        "chips": [
            (name, _label(campaigns, study.campaigns, name))
            for name in (study.baseline, *study.tests)
        ],
        "texts": {part: _text(checked, study_text(id, part)) for part in STUDY_TEXTS},
        "comparisons": len(verdicts),
        "tally": tally(verdicts),
        "workloads": tables.workloads(),
        "runs": material.scope(id).runs(id, None, "*"),
        "environment": environment_list(study, campaigns),
        "configuration": configuration_table(id, study, campaigns),
        "pictures": material.pictures[id],
        "glance": tables.glance(),
        "appendix": [tables.changes(), tables.values()],
        "review_line": review_line(review, draft),
        "review": review_section(review, checked),
        "expressions": expressions_table(material, id),
    }


def _section(checked: Checked, id: str, title: str, file: str) -> dict[str, str]:
    return {"id": id, "title": title, "text": _text(checked, file)}


def _text(checked: Checked, name: str) -> str:
    """A text as it reads, in a draft with the link to where it is edited."""
    material = checked.material
    link = edit_link(material.edition, f"{material.folder.as_posix()}/{name}")
    markdown = checked.texts[name].markdown
    if not link or material.edition.status != "draft":
        return markdown
    return f"{markdown}\n\n::: {{.edit-link}}\n[Edit this text]({link})\n:::"


def _label(
    campaigns: Mapping[str, Campaign], names: tuple[str, ...], configuration: str
) -> str:
    found = (campaigns[name].configurations.get(configuration) for name in names)
    return next((c.label for c in found if c), configuration)


def _banner(material: Material, states: Reviews) -> str:
    draft = material.edition.status == "draft"
    synthetic = _SYNTHETIC if "synthetic" in material.origins() else ""
    return " ".join(filter(None, [_progress(states) if draft else "", synthetic]))


def _progress(states: Reviews) -> str:
    approved = sum(review.state == "approved" for review in states.values())
    if not approved:
        return "Draft: not reviewed yet."
    if approved == len(states):
        return "Draft: all studies are reviewed."
    return f"Draft: {approved} of {len(states)} studies are reviewed."


def _check(checked: Checked, text: str) -> list[Issue]:
    """Issues of the whole text: references to nothing, anchors that occur twice."""
    folder, edition = checked.material.folder, checked.material.edition
    ids = _ID.findall(text)
    known = {*ids, *bibliography_keys(folder / edition.references)}
    twice = [id for id, count in Counter(ids).items() if count > 1]
    where = Place(str(folder / "edition.yaml"))
    return [
        issue
        for source in checked.texts.values()
        for issue in check_references(source.source.body, source.path, known)
    ] + [Issue(f"the anchor #{id} occurs twice", where, "rename one") for id in twice]


@cache
def _environment(templates: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - it makes Markdown
        comment_start_string=COMMENT_START,
        comment_end_string=COMMENT_END,
    )
    environment.filters |= {"attribute": attribute, "escape": escape}
    return environment


def attribute(text: str) -> str:
    """Text as a quoted attribute's content in Pandoc Markdown."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _yaml(data: Mapping[str, Any]) -> str:
    return yaml.safe_dump(
        dict(data), sort_keys=False, allow_unicode=True, width=10_000
    ).strip()
