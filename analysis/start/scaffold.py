"""First drafts of an edition and of a study, which build as they are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.declared.campaign import (
    GENERATED,
    GENERATORS,
    RUNS_FILE,
    Campaign,
    campaign_folder,
    find_campaigns,
    read_campaign,
)
from analysis.declared.edition import read_edition
from analysis.declared.names import NAME, WORDS, fits_folder
from analysis.declared.shapes import SHAPES
from analysis.declared.workload import parse_workload
from analysis.errors import raise_if, user_error
from analysis.files.atomic import write_text
from analysis.ingest.campaign.runs import read_rows

EDITION, STUDY = "edition.yaml", "study.yaml"
_EDITION_TEXTS = {
    EDITION: "edition.yaml",
    "front/notices.md": "notices.md",
    "front/preface.md": "preface.md",
    "front/workloads.md": "workloads.md",
    "back/runs.md": "runs.md",
}
_STUDY_TEXTS = (STUDY, "background.md", "environment.md", "observations.md")
_REFERENCES = "% What the text cites with [@key].\n"


@dataclass(frozen=True)
class Outline:
    """What a new study compares: ids of the campaign, and the workloads of both."""

    campaign: str
    baseline: str
    tests: tuple[str, ...]
    workloads: tuple[str, ...]
    title: str


def new_edition(
    report: Path, name: str, templates: Path, outline: Outline, date: dt.date
) -> list[Path]:
    """Write the files of an edition with one study; returns them.

    A :class:`UserError` where the folder exists or the name does not suit.
    """
    folder = report / name
    _check_name("edition", name, folder)
    study = outline.tests[0].lower().replace("_", "-")
    known = {"title": name, "date": date, "study": study, "campaign": outline.campaign}
    written = [
        _write(folder / file, templates, template, known)
        for file, template in _EDITION_TEXTS.items()
    ]
    write_text(folder / "references.bib", _REFERENCES)
    return [
        *written,
        folder / "references.bib",
        *_write_study(folder, study, templates, outline),
    ]


def new_study(
    report: Path, edition: str, id: str, templates: Path, outline: Outline
) -> list[Path]:
    """Write the files of a study and name it last in its edition; returns them."""
    folder = report / edition
    if id in read_edition(folder).study_ids:
        raise user_error(f"the edition has a study {id!r} already", folder / EDITION)
    _check_name("study", id, folder / "studies" / id)
    written = _write_study(folder, id, templates, outline)
    path = folder / EDITION
    write_text(path, add_study(path.read_text(encoding="utf-8"), id))
    return [*written, path]


def outline_of(
    raw: Path, campaign: str | None, baseline: str | None, tests: Sequence[str]
) -> Outline:
    """What to compare: as named, else the first configurations that have runs.

    A :class:`UserError` names what can be chosen.
    """
    name = campaign or _only_campaign(raw)
    folder = campaign_folder(raw, name)
    declared = read_campaign(folder)
    workloads = _workloads(folder)
    with_runs = [id for id in declared.configurations if id in workloads]
    for wanted in filter(None, (baseline, *tests)):
        if wanted not in with_runs:
            raise user_error(
                f"there is no configuration {wanted!r} with runs",
                folder / RUNS_FILE,
                mend=f"choose of {', '.join(with_runs)}",
            )
    first = baseline or (with_runs[0] if with_runs else None)
    others = tuple(tests) or tuple(_tests(declared, with_runs, first))
    if not first or not others:
        raise user_error(
            "a study compares two configurations, and fewer have runs",
            folder / RUNS_FILE,
            mend="add runs, or choose another campaign: --campaign NAME",
        )
    shared = [w for w in workloads[first] if all(w in workloads[t] for t in others)]
    if not shared:
        raise user_error(
            f"{first} and {', '.join(others)} have no workload in common",
            folder / RUNS_FILE,
            mend="choose others: --baseline ID --tests ID …",
        )
    labels = [declared.configurations[id].label for id in (first, *others)]
    title = f"{labels[0]} against {' and '.join(labels[1:])}"
    return Outline(name, first, others, tuple(shared), title)


def add_study(text: str, id: str) -> str:
    """The text of ``edition.yaml`` with a study at the end of its list."""
    id = _as_text(id)
    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    [entries] = [value for key, value in root.value if key.value == "studies"]
    end = entries.end_mark.index
    if entries.flow_style:
        comma = ", " if entries.value else ""
        return f"{text[: end - 1].rstrip()}{comma}{id}{text[end - 1 :]}"
    last = entries.value[-1]
    column = entries.start_mark.column
    stop = last.end_mark.index
    before = text[:stop].rstrip()
    return f"{before}\n{' ' * column}- {id}\n{text[stop:].lstrip(chr(10))}"


def _check_name(kind: str, name: str, folder: Path) -> None:
    if not fits_folder(name, NAME):
        raise user_error(
            f"{name!r} is no name for a folder and an address",
            mend=f"use {WORDS[NAME]} ({NAME})",
        )
    if folder.exists():
        raise user_error(
            f"this {kind} exists already", folder, mend="choose another name"
        )


def _only_campaign(raw: Path) -> str:
    places = (raw, *(raw.parent / place for place in (GENERATED, GENERATORS)))
    names = sorted({name for place in places for name in find_campaigns(place)})
    if len(names) != 1:
        found = ", ".join(names) or "none"
        raise user_error(
            f"which campaign? There are: {found}", raw, mend="name it: --campaign NAME"
        )
    return names[0]


def _workloads(folder: Path) -> dict[str, list[str]]:
    """The workloads of each configuration that has runs, in the order of the runs."""
    rows, issues = read_rows(folder / RUNS_FILE)
    raise_if(issues)
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        found.setdefault(row["configuration"], {})[row["workload"]] = None
    return {id: list(names) for id, names in found.items()}


def _tests(
    declared: Campaign, with_runs: Sequence[str], baseline: str | None
) -> Iterator[str]:
    """The first configuration that is neither the baseline nor its control."""
    for id in with_runs:
        if id != baseline and declared.configurations[id].control_of != baseline:
            yield id
            return


def _write_study(
    folder: Path, id: str, templates: Path, outline: Outline
) -> list[Path]:
    known = {
        "study": id,
        "title": outline.title,
        "question": f"What does {outline.tests[0]} change against {outline.baseline}?",
        "campaign": outline.campaign,
        "baseline": outline.baseline,
        "tests": outline.tests,
        "workloads": outline.workloads,
        "figures": list(_figures(outline.workloads)),
    }
    place = folder / "studies" / id
    return [_write(place / name, templates, name, known) for name in _STUDY_TEXTS]


def _figures(workloads: Sequence[str]) -> Iterator[dict[str, str]]:
    shapes = {parse_workload(name).shape for name in workloads}
    if shapes & {"RR", "CRR"}:
        yield {
            "id": "latency",
            "metric": "latency",
            "workloads": "*RR*",
            "question": "How does the latency change?",
        }
    for shape in sorted(shapes - {"RR", "CRR"}):
        metric = "throughput" if SHAPES[shape].bulk else "rate"
        yield {
            "id": metric if shape == "STR" else f"{metric}-{shape.lower()}",
            "metric": metric,
            "workloads": f"{shape}*",
            "question": f"How does the {metric} change?",
        }


def _as_text(id: str) -> str:
    """An id as YAML reads it back; ``off`` and ``2027`` are no text without quotes."""
    return id if yaml.safe_load(id) == id else f'"{id}"'


def _write(
    path: Path, templates: Path, template: str, known: Mapping[str, Any]
) -> Path:
    """One file from its template, whose marks leave the report's own expressions."""
    environment = Environment(
        loader=FileSystemLoader(templates / "new"),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - YAML and Markdown, not HTML
    )
    environment.filters["id"] = _as_text
    text = environment.get_template(f"{template}.j2").render(known)
    write_text(path, text)
    return path
