"""First drafts of an edition and of a study, which build as they are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from analysis.declared.edition import read_edition
from analysis.declared.names import NAME, WORDS, fits_folder
from analysis.declared.schema import schema_line
from analysis.declared.workload import SHAPES, parse_workload
from analysis.errors import user_error
from analysis.files.atomic import write_text
from analysis.files.templates import template_folders
from analysis.start.outline import Outline

EDITION, STUDY = "edition.yaml", "study.yaml"
_EDITION_TEXTS = {
    EDITION: "edition.yaml",
    "front/notices.md": "notices.md",
    "front/preface.md": "preface.md",
    "front/workloads.md": "workloads.md",
    "back/runs.md": "runs.md",
}
_STUDY_TEXTS = (STUDY, "background.md", "environment.md", "observations.md")
_VALUES = ("value", "What is {}?")  # of a study that compares nothing
_WHAT = {
    "cpu_cost": "the CPU cost of a transaction",
    "cpu_cost_per_mb": "the CPU cost of each MB",
}
_REFERENCES = "% What the text cites with [@key].\n"


def new_edition(
    report: Path,
    name: str,
    templates: Path,
    read_outline: Callable[[], Outline],
    date: dt.date,
) -> list[Path]:
    """Write the files of an edition with one study; returns them.

    A :class:`UserError` where the folder exists or the name does not suit, before the
    outline is read from the runs.
    """
    folder = report / name
    _check_name("edition", name, folder)
    outline = read_outline()
    study = (*outline.tests, outline.baseline)[0].lower().replace("_", "-")
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
    report: Path,
    edition: str,
    id: str,
    templates: Path,
    read_outline: Callable[[], Outline],
) -> list[Path]:
    """Write the files of a study and name it last in its edition; returns them."""
    folder = report / edition
    if id in read_edition(folder).study_ids:
        what = f"the edition has a study {id!r} already"
        mend = f"edit {folder / 'studies' / id / STUDY}, or choose another id"
        raise user_error(what, folder / EDITION, mend=mend)
    _check_name("study", id, folder / "studies" / id)
    written = _write_study(folder, id, templates, read_outline())
    path = folder / EDITION
    write_text(path, add_study(path.read_text(encoding="utf-8"), id))
    return [*written, path]


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


def _write_study(
    folder: Path, id: str, templates: Path, outline: Outline
) -> list[Path]:
    known = {
        "study": id,
        "title": outline.title,
        "question": _question(outline),
        "campaign": outline.campaign,
        "baseline": outline.baseline,
        "tests": outline.tests,
        "workloads": outline.workloads,
        "control": outline.control,
        "figures": list(_figures(outline)),
    }
    place = folder / "studies" / id
    return [_write(place / name, templates, name, known) for name in _STUDY_TEXTS]


def _question(outline: Outline) -> str:
    if not outline.tests:
        return f"How fast is {outline.baseline}, and at what cost?"
    return f"What does {outline.tests[0]} change against {outline.baseline}?"


def _figures(outline: Outline) -> Iterator[dict[str, str]]:
    """A figure of what each shape is told by, as far as the runs have it, and one of
    CPU cost; if they have none of these, the first thing that they have."""
    names = outline.workloads
    known = {name: parse_workload(name).shape for name in names}
    answered = [name for name in names if known[name] in ("RR", "CRR")]
    groups: dict[str, tuple[Sequence[str], list[str]]]
    groups = {"*RR*": (("latency", "rate"), answered)}
    for shape in sorted({*known.values()} - {"RR", "CRR"}):
        told_by = ("throughput", "rate") if SHAPES[shape].bulk else ("rate",)
        groups[f"{shape}*"] = told_by, [n for n in names if known[n] == shape]
    drawn = list[tuple[str, str, str]]()
    for pattern, (metrics, of) in groups.items():
        there = {metric for name in of for metric in outline.metrics[name]}
        for metric in [metric for metric in metrics if metric in there][:1]:
            usual = pattern in ("*RR*", "STR*")
            id = metric if usual else f"{metric}-{pattern[:-1].lower()}"
            drawn.append((id, metric, pattern))
    bulk = all(SHAPES[shape].bulk for shape in known.values())
    # logs of bulk loads may count bytes alone
    costs = ("cpu_cost_per_mb", "cpu_cost") if bulk else ("cpu_cost", "cpu_cost_per_mb")
    every = [metric for metrics in outline.metrics.values() for metric in metrics]
    drawn += [("cpu", metric, "*") for metric in costs if metric in every][:1]
    drawn = drawn or [(every[0].replace("_", "-"), every[0], "*")]
    kind, asks = ("delta", "How does {} change?") if outline.tests else _VALUES
    for id, metric, pattern in drawn:
        what = _WHAT.get(metric, f"the {metric.replace('_', ' ')}")
        yield {"id": id, "kind": kind, "metric": metric, "workloads": pattern,
               "question": asks.format(what)}  # fmt: skip


def _as_text(id: str) -> str:
    """An id as YAML reads it back; ``off`` and ``2027`` are no text without quotes."""
    return id if yaml.safe_load(id) == id else f'"{id}"'


def new_files(*folders: Path) -> Environment:
    """Templates of files that a person goes on with; their marks are ``<<`` and
    ``<%``, which leave the expressions of reports as they are."""
    return Environment(
        loader=FileSystemLoader(folders),
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


def _write(
    path: Path, templates: Path, template: str, known: Mapping[str, Any]
) -> Path:
    """One file from its template, whose marks leave the report's own expressions."""
    environment = new_files(*template_folders(templates, "new"))
    environment.filters["id"] = _as_text
    text = environment.get_template(f"{template}.j2").render(known)
    kind = template.removesuffix(".yaml")
    write_text(path, schema_line(kind, path) + text if kind != template else text)
    return path
