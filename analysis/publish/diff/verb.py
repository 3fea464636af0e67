"""Compare two builds or releases of an edition: facts, claims, reviews, figures, texts,
raw files and code. Both are folders with manifest.json.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.files.atomic import write_text
from analysis.publish.build import read_build
from analysis.publish.diff.comparison import BuildComparison, compare
from analysis.publish.diff.fact_changes import FactChange
from analysis.publish.diff.page import as_page
from analysis.publish.diff.words import markdown, plain_text
from analysis.report.pages.fonts import font_css


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis diff``."""
    parser.add_argument("before", type=Path, help="folder of a build or release")
    parser.add_argument("after", type=Path, help="folder of a build or release")
    parser.add_argument(
        "--format", choices=("text", "json", "markdown", "html"), default="text"
    )
    parser.add_argument("--out", type=Path, help="write to this file, not the terminal")
    parser.add_argument("--templates", type=Path, default=Path("templates"))
    parser.add_argument(
        "--exit-code", action="store_true", help="end with 1 where anything changed"
    )


def run(args: argparse.Namespace) -> int:
    """Print or write the comparison; 0, or 1 with --exit-code where builds differ."""
    found = compare(read_build(args.before), read_build(args.after))
    text = _text(found, args)
    if args.out:
        write_text(args.out, text + "\n")
        print(args.out)
    else:
        print(text)
    return int(args.exit_code and not found.empty)


def _text(found: BuildComparison, args: argparse.Namespace) -> str:
    if args.format == "html":
        return as_page(found, args.templates, font_css())
    write = {"text": plain_text, "json": as_json, "markdown": markdown}
    return write[args.format](found)


SCHEMA = 1


def as_json(found: BuildComparison) -> str:
    """The comparison as one JSON object; ``changed`` says whether anything did."""
    content = {
        "schema": SCHEMA,
        "changed": not found.empty,
        "before": {"edition": found.before.edition, "build": found.before.id},
        "after": {"edition": found.after.edition, "build": found.after.id},
        "facts": [_fact(change) for change in found.facts],
        "claims": [asdict(claim) for claim in found.claims],
        "reviews": [asdict(move) for move in found.reviews],
        "figures": [{"id": f.id, "rows": f.rows} for f in found.figures],
        "texts": [asdict(text) for text in found.texts],
        "raw": [asdict(move) for move in found.raw],
        "formats": [asdict(move) for move in found.formats],
        "code": [asdict(move) for move in found.code],
        "runs": [asdict(move) for move in found.runs],
        "origins": [asdict(move) for move in found.origins],
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def _fact(change: FactChange) -> dict[str, Any]:
    return {
        "key": change.key,
        "kind": change.kind,
        "direction": change.direction,
        "beyond_noise": change.beyond_noise,
        "visible": change.visible,
        "evidence": {n: [old, new] for n, old, new in change.evidence_moves},
        "before": asdict(change.before) if change.before else None,
        "after": asdict(change.after) if change.after else None,
    }
