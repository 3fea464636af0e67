"""A comparison as data."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from analysis.publish.diff.comparison import Comparison
from analysis.publish.diff.fact_changes import FactChange

SCHEMA = 1


def as_json(found: Comparison) -> str:
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
