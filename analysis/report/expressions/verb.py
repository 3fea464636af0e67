"""List the facts of a study, each with the expression that prints it."""

from __future__ import annotations

import argparse
import json

from analysis.report.expressions.expression import counts, list_facts
from analysis.report.material import Material, read_material
from analysis.report.source_options import add_sources, each_edition

_HELP = (
    "Add to any expression: | size (without its sign), | interval. In another study, "
    "or in front and back matter: study=…"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis facts``."""
    parser.add_argument("study")
    parser.add_argument("--edition", help="one edition instead of all that have it")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print what each expression prints; always 0."""
    shown = _json if args.format == "json" else _text
    for material in each_edition(args, read_material, args.study):
        print(shown(material, args.study))
    return 0


def _text(material: Material, study: str) -> str:
    rows = [(f.printed, f.expression) for f in list_facts(material, study)]
    rows += [(printed, call) for call, printed in counts(material, study)]
    width = max(len(printed) for printed, _ in rows)
    lines = [f"{printed:>{width}}  {{{{ {call} }}}}" for printed, call in rows]
    return "\n".join([f"{material.id}/{study}", *lines, _HELP])


def _json(material: Material, study: str) -> str:
    rows = [
        {"printed": f.printed, "expression": f.expression, "key": f.fact.key}
        for f in list_facts(material, study)
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1)
