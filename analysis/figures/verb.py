"""Draw all figures of one edition, in one process.

Each figure becomes a folder: figure.svg for paper and wide screens, figure-narrow.svg
for phones, figure.csv with the data drawn, and figure.json with its words and facts.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from analysis.declared.metrics import read_metrics
from analysis.declared.published import PUBLISHED_FILE, read_published
from analysis.errors import Issue, raise_if
from analysis.facts.fact import Facts, evidence_of, read_facts
from analysis.figures.captions import words_around
from analysis.figures.check import check_alt, check_declaration, check_selection
from analysis.figures.drawing import Drawing
from analysis.figures.kind import KINDS
from analysis.figures.output import write_figures
from analysis.figures.setting import Setting, read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis figures``."""
    parser.add_argument("--edition", required=True, help="id of the edition")
    parser.add_argument("--facts", type=Path, default=Path("data/build/facts.json"))
    parser.add_argument("--report", type=Path, default=Path("report"))
    parser.add_argument("--published", type=Path, default=PUBLISHED_FILE)
    parser.add_argument("--out", type=Path, help="data/build/figures/EDITION if absent")


def run(args: argparse.Namespace) -> int:
    """Draw and write the figures; nothing is written if any of them cannot be."""
    out = args.out or Path("data/build/figures") / args.edition
    declared = evidence_of(args.facts)
    settings = read_settings(args.report, args.edition, declared, read_metrics())
    if any(setting.study.published for setting in settings):
        published = read_published(args.published)
        settings = [replace(setting, published=published) for setting in settings]
    facts = read_facts(args.facts).of(args.edition)
    write_figures(prepare(settings, facts), out)
    print(f"{args.edition}: {len(settings)} figures in {out}")
    return 0


def prepare(settings: list[Setting], facts: Facts) -> list[Drawing]:
    """All figures ready to be drawn; one :class:`UserError` with all that is wrong."""
    raise_if([issue for s in settings for issue in check_declaration(s)])
    issues: list[Issue] = []
    drawings = []
    for setting in settings:
        kind = KINDS[setting.figure.kind]
        own = Facts(tuple(f for f in facts.facts if f.study == setting.study_id))
        frame = kind.data(own, setting)
        missing = check_selection(setting, frame)
        issues += missing
        if not missing:
            words = kind.words(frame, setting)
            words = replace(words, alt=(setting.alt or words.alt).strip())
            issues += check_alt(setting, words.alt)
            around = words_around(kind, setting, own.facts)
            drawings.append(Drawing(setting, frame, words, around))
    raise_if(issues)
    return drawings
