"""Draw all figures of one edition.

Each figure becomes a folder: figure.svg for paper and wide screens, figure-narrow.svg
for phones, figure.csv with the data drawn, and figure.json with its words and facts.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import polars as pl

from analysis.declared.checks import check_figures
from analysis.declared.edition import placed_figures, read_edition
from analysis.declared.metrics import in_units, read_metrics
from analysis.declared.published import PUBLISHED_FILE, read_published
from analysis.declared.study import part_of
from analysis.errors import Issue, raise_if
from analysis.facts.fact import FACTS, Facts, evidence_of, read_facts
from analysis.facts.units import how_many
from analysis.figures.kind import KINDS, check_metrics
from analysis.figures.output import Drawing, write_figures, write_slides
from analysis.figures.setting import Setting, read_settings
from analysis.figures.words import caption_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis figures``."""
    parser.add_argument("--edition", required=True, help="id of the edition")
    parser.add_argument("--facts", type=Path, default=FACTS)
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--published", type=Path, default=PUBLISHED_FILE)
    parser.add_argument("--out", type=Path, help="data/build/figures/EDITION if absent")
    parser.add_argument(
        "--slides", type=Path, help="draw them for slides, into this folder alone"
    )
    parser.add_argument("--only", metavar="FIGURE", help="draw this one alone")
    parser.add_argument("--cache", type=Path, help="where drawings are kept")
    parser.add_argument("--cores", type=int, help="as many at once; all if absent")


def run(args: argparse.Namespace) -> int:
    """Draw and write the figures; nothing is written if any of them cannot be."""
    out = args.out or Path("data/build/figures") / args.edition
    declared = evidence_of(args.facts)
    edition = read_edition(args.report / args.edition)
    homes = edition.homes(args.edition)
    facts = read_facts(args.facts, homes.values()).of_homes(homes)
    place = args.report / args.edition / "edition.yaml"
    metrics = in_units(read_metrics(), edition.units, place)
    settings = read_settings(args.report, args.edition, declared, metrics)
    if any(setting.study.published for setting in settings):
        published = read_published(args.published)
        settings = [replace(setting, published=published) for setting in settings]
    drawings = prepare(settings, facts)
    placed = placed_figures(args.report / args.edition, edition)
    parts = [part for part in parts_of(settings) if part.id in placed]
    deck = [d for d in drawings if d.setting.id in placed]
    deck += prepare(parts, facts)
    shown = [d for d in drawings if d.setting.study_id not in edition.borrowed]
    if args.only:
        deck, shown = [], [d for d in drawings if d.setting.id == args.only]
    if args.slides:
        out, shown = args.slides, drawings
        write_slides(drawings, out, args.cache, args.cores)
    else:
        write_figures(shown, out, args.cache, deck, args.cores)
    print(f"{args.edition}: {how_many(len(shown), 'figure')} in {out}")
    return 0


def parts_of(settings: list[Setting]) -> list[Setting]:
    """Figures of several metrics as figures of one, for slides with too little room."""
    return [
        replace(setting, figure=part, alt=None)
        for setting in settings
        if len(setting.figure.metrics) > 1
        for metric in setting.figure.metrics
        for part in [part_of(setting.figure, metric)]
    ]


def prepare(settings: list[Setting], facts: Facts) -> list[Drawing]:
    """All figures ready to be drawn; one :class:`UserError` with all that is wrong."""
    raise_if([issue for s in settings for issue in check_declaration(s)])
    issues: list[Issue] = []
    drawings = []
    for setting in settings:
        kind = KINDS[setting.figure.kind]
        studies = setting.studies or (setting.study_id,)
        of_studies = Facts(tuple(f for f in facts.facts if f.study in studies))
        frame = kind.data(of_studies, setting)
        missing = check_selection(setting, frame) or kind.check_data(frame, setting)
        issues += missing
        if not missing:
            words = kind.words(frame, setting)
            alt = (setting.alt or words.alt).strip()
            words = replace(words, title=setting.title or words.title, alt=alt)
            issues += check_alt(setting, words.alt)
            caption = caption_of(kind, setting, of_studies.facts)
            drawings.append(Drawing(setting, frame, words, caption))
    raise_if(issues)
    return drawings


def check_declaration(setting: Setting) -> list[Issue]:
    """Issues of a declaration: unknown names, demands of its kind, blank words."""
    figure = setting.figure
    study = setting.study.model_copy(update={"figures": (figure,)})
    issues = check_figures(study, setting.metrics, lambda _: setting.place)
    kind = KINDS.get(figure.kind)
    issues += (kind.check if kind else check_metrics)(setting)
    if kind and kind.compares and setting.study.of_values and not setting.studies:
        what = f"figure {figure.id}: {figure.kind} draws changes, of which there are "
        mend = "draw values, as scaling, stacked or value do, or name a test in tests"
        issues.append(Issue(f"{what}none without tests", setting.place, mend))
    if setting.alt is not None:
        issues += check_alt(setting, setting.alt)
    return issues


def check_alt(setting: Setting, alt: str) -> list[Issue]:
    """An issue if the figure has no alt text."""
    if alt.strip():
        return []
    what = f"figure {setting.figure.id} has no alt text"
    mend = "write in alt what the figure shows, or leave alt out to have it written"
    return [Issue(what, setting.place, mend)]


def check_selection(setting: Setting, frame: pl.DataFrame) -> list[Issue]:
    """An issue for each metric and role of the figure that selects nothing.

    What draws one metric of a declared figure need not have all roles of that.
    """
    figure = setting.figure
    if not figure.metrics:
        return []
    metrics = [id for id in figure.metrics if id not in set(frame["metric"])]
    asked = figure.roles if figure in setting.study.figures else ()
    roles = [id for id in asked if id not in set(frame["role"])]
    mend = f"take {' and '.join(roles)} out of its roles"
    if metrics:
        mend = "change its metrics or workloads, which are names or patterns as RR*"
    mend += "; why runs failed or lack a value, the steps before warn"
    return [
        Issue(
            f"figure {figure.id}: no facts of {name} for workloads "
            f"{figure.workloads!r} in study {setting.study_id}",
            setting.place,
            mend,
        )
        for name in metrics or roles
    ]
