"""provenance.json: what a build rests on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.report.builds.provenance import MadeBy, provenance_text
from analysis.report.checks.check import findings
from analysis.report.checks.claims import check_texts
from analysis.report.material import read_material
from analysis.report.review.state import reviews

OBSERVATIONS = "---\nclaims: [latency falls for RR*]\n---\nLatency falls.\n"


@pytest.fixture
def content(project: Any, write_text: Callable[[str, str], Path]) -> dict[str, Any]:
    """That of the small edition."""
    write_text("studies/speed/observations.md", OBSERVATIONS)
    checked = check_texts(read_material("small", project))
    about = {"name": "pandoc", "pandoc": "3.9"}
    code = MadeBy({"derive": "ab12", "report": "cd34"}, {"numpy": "2.4.6"})
    text = provenance_text(checked, reviews(checked), findings(checked), about, code)
    return json.loads(text)


def test_it_names_code_engine_and_raw_files(content: dict[str, Any]) -> None:
    assert content["code"] == {"derive": "ab12", "report": "cd34"}
    assert content["libraries"] == {"numpy": "2.4.6"}
    assert content["engine"]["pandoc"] == "3.9"
    for campaign in content["campaigns"].values():
        assert set(campaign) == {
            "title",
            "origin",
            "licence",
            "digest",
            "measured",
            "files",
            "left_out",
        }
    assert content["names"]["metrics"]["latency"]
    assert content["names"]["configurations"]["old"] == "The old one"


def test_it_has_each_claim_with_its_verdict(content: dict[str, Any]) -> None:
    claims = [c for study in content["studies"].values() for c in study["claims"]]
    assert claims
    assert {claim["state"] for claim in claims} <= {"holds", "fragile"}
    assert all(claim["data"] and claim["demand"] for claim in claims)


def test_it_has_the_texts_as_they_read(content: dict[str, Any]) -> None:
    texts = content["texts"]
    assert any(name.endswith("observations.md") for name in texts)
    assert not any("{{" in text or ".value" in text for text in texts.values())


def test_equal_inputs_give_equal_text(project: Any, content: dict[str, Any]) -> None:
    checked = check_texts(read_material("small", project))
    about = {"name": "pandoc", "pandoc": "3.9"}
    code = MadeBy({"derive": "ab12", "report": "cd34"}, {"numpy": "2.4.6"})
    text = provenance_text(checked, reviews(checked), findings(checked), about, code)
    assert json.loads(text) == content
    assert str(Path.cwd()) not in text
