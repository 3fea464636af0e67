"""List the facts of a study: value, interval, verdict, and the expression for each."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from analysis.facts.fact import Fact
from analysis.files.csv_text import csv_text
from analysis.report.language.listing import Listed, counts, list_facts
from analysis.report.language.printed import known_interval
from analysis.report.material import Material, read_material
from analysis.report.source_options import add_sources, each_edition

_HELP = (
    "Add to any expression: | size (without its sign), | interval. In another study, "
    "or in front and back matter: study=…"
)
_OF_FACT = (
    "key", "edition", "study", "workload", "role", "metric", "kind", "configuration",
    "baseline", "value", "unit", "low", "high", "confidence", "n", "verdict",
    "p_adjusted",
)  # fmt: skip
COLUMNS = (*_OF_FACT, "origin", "printed", "interval", "expression")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis facts``."""
    parser.add_argument("study")
    parser.add_argument("--edition", help="one edition instead of all that have it")
    parser.add_argument("--format", choices=tuple(_FORMATS), default="text")
    add_sources(parser)


def run(args: argparse.Namespace) -> int:
    """Print each fact with its interval, its verdict and its expression; always 0."""
    materials = each_edition(args, read_material, args.study)
    print(_FORMATS[args.format](list(materials), args.study), end="")
    return 0


def _text(materials: list[Material], study: str) -> str:
    return "".join(_table(material, study) for material in materials)


def _table(material: Material, study: str) -> str:
    """Columns in line: value, interval, verdict, expression."""
    rows = [
        (f.printed, known_interval(f.fact), verdict_of(f.fact), f.expression)
        for f in list_facts(material, study)
    ]
    rows += [(printed, "", "", call) for call, printed in counts(material, study)]
    first, second, third = (max(len(row[at]) for row in rows) for at in range(3))
    lines = [
        f"{printed:>{first}}  {ends:<{second}}  {verdict:<{third}}  {{{{ {call} }}}}"
        for printed, ends, verdict, call in rows
    ]
    return "\n".join([f"{material.id}/{study}", *lines, _HELP, ""])


def _json(materials: list[Material], study: str) -> str:
    rows = [row for material in materials for row in _rows(material, study)]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _csv(materials: list[Material], study: str) -> str:
    return csv_text(COLUMNS, (r for m in materials for r in _rows(m, study)))


def _rows(material: Material, study: str) -> list[dict[str, object]]:
    return [_row(listed) for listed in list_facts(material, study)]


def _row(listed: Listed) -> dict[str, object]:
    fact = listed.fact
    told: dict[str, object] = {name: getattr(fact, name) for name in _OF_FACT}
    return told | {
        "verdict": verdict_of(fact),
        "origin": fact.shown_origin,
        "printed": listed.printed,
        "interval": known_interval(fact),
        "expression": listed.expression,
    }


def verdict_of(fact: Fact) -> str:
    """The verdict in a word: ``predicted`` of what was not measured, ``untested`` of a
    change without enough runs or a better direction; empty of a value."""
    if fact.predicted:
        return "predicted"
    if fact.kind == "value":
        return ""
    return fact.verdict or "untested"


_FORMATS: dict[str, Callable[[list[Material], str], str]] = {
    "text": _text,
    "csv": _csv,
    "json": _json,
}
