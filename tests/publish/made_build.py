"""Finished builds made by hand: small, and like real ones in what publishing reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.facts.fact import Fact, Facts, Lineage, write_facts
from analysis.files.hashes import digest_of
from analysis.report.pages.html_page import page_policy
from analysis.report.review.snapshot import page_look
from tests.conftest import ROOT

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{edition}</title>
<meta http-equiv="Content-Security-Policy" content="{policy}">
<style>body {{ color: #161616 }}</style></head>
<body><h1 id="top">{title}</h1><p class="banner">{banner}</p>
<p><a href="#top">Top</a> <a href="data/speed.csv">CSV</a>
<a href="{edition}.pdf">PDF</a> <a href="https://example.com">a reference</a></p>
<svg role="img" aria-label="Speed"><rect width="1" height="1"/></svg>
<p>{text}</p></body></html>
"""
FACT = Fact(
    key="speed.rr10-100b.-.latency.B",
    edition="small",
    study="speed",
    workload="RR10(100B)",
    role=None,
    metric="latency",
    kind="value",
    configuration="B",
    baseline=None,
    value=50.0,
    unit="µs",
    better="lower",
    n=5,
    low=49.0,
    high=51.0,
    confidence=0.95,
    origin="measured",
    printed="50 µs",
    lineage=Lineage("median", ("B-1",), ()),
)


def fact(value: float, printed: str, **more: Any) -> Fact:
    """The latency, moved; its interval is 2% wide."""
    ends = {"low": value * 0.99, "high": value * 1.01}
    return replace(FACT, value=value, printed=printed, **{**ends, **more})


def make_build(
    folder: Path,
    edition: str = "small",
    text: str = "Latency falls.",
    facts: tuple[Fact, ...] = (FACT,),
    state: str = "approved",
    status: str = "final",
    banner: str = "",
    page: str = PAGE,
    claim: str = "holds",
    files: Mapping[str, bytes] | None = None,
    raw: Mapping[str, str] | None = None,
    **provenance: Any,
) -> Path:
    """A build folder; its id is a hash of what is in it.

    ``raw`` has the sha256 of each raw file of its campaign by name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    about = {"edition": edition, "title": "A small report", "banner": banner}
    policy = page_policy([])
    digests = (("lab", digest_of(raw or {})),)
    write_facts(Facts(facts, digests=digests), folder / "facts.json")
    contents = {
        "index.html": page.format(**about, text=text, policy=policy).encode(),
        f"{edition}.pdf": b"%PDF-1.7 " + text.encode(),
        "data/speed.csv": "".join(f"{f.key},{f.value}\n" for f in facts).encode(),
        "figures/speed.svg": f"<svg><!-- {[f.value for f in facts]} --></svg>".encode(),
        "provenance.json": _provenance(edition, text, state, claim, raw, provenance),
        **(files or {}),
    }
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    _write_manifest(folder, {**about, "status": status})
    return folder


def _write_manifest(folder: Path, about: Mapping[str, str]) -> None:
    hashes = {
        path.relative_to(folder).as_posix(): _sha256(path.read_bytes())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }
    manifest = {
        **about,
        "subtitle": "",
        "date": "2026-11-21",
        "number": "1",
        "origins": ["measured"],
        "build": _sha256(json.dumps(hashes).encode())[:12],
        "versions": {"program": "0.1.0"},
        "files": hashes,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def build_id(folder: Path) -> str:
    """The id in a build's manifest."""
    return str(json.loads((folder / "manifest.json").read_text())["build"])


def _provenance(
    edition: str,
    text: str,
    state: str,
    claim: str,
    raw: Mapping[str, str] | None,
    more: Mapping[str, Any],
) -> bytes:
    content = {
        "schema": 1,
        "edition": edition,
        "code": {"derive": "ab12"},
        "campaigns": {
            "lab": {
                "title": "A lab",
                "origin": "measured",
                "licence": "as the project",
                "digest": digest_of(raw or {}),
                "measured": {"by": "us", "from": "2026-01-01", "to": "2026-01-02"},
                "files": dict(raw or {}),
            }
        },
        "checks": [],
        "looks": page_look(ROOT / "templates"),
        "texts": {"studies/speed/observations.md": text},
        "studies": {
            "speed": {
                "title": "Speed",
                "state": state,
                "moved": ["text: ‘Latency’ was edited"] if state == "stale" else [],
                "claims": [
                    {"claim": "latency falls", "state": claim, "data": "−5%",
                     "demand": "a fall", "margin": 5.0, "unit": "points"}
                ],
                "values": {},
            }
        },
        **more,
    }  # fmt: skip
    return json.dumps(content, ensure_ascii=False).encode()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
