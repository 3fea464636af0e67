"""A figure that is a table: numbered, bound, with its unit and its data."""

from __future__ import annotations

import json

import pytest

from analysis.report.material import Sources
from tests.report.document.test_assemble import text_of

TEXTS = ("1,370", "1,371")
KEYS = [f"speed.{slug}.-.latency.new" for slug in ("rr1-1kb", "rr10-4kb")]


@pytest.fixture
def text(project: Sources) -> str:
    """The document, with the first figure of its study as a table."""
    about = project.figures / "speed-rr/figure.json"
    told = json.loads(about.read_text(encoding="utf-8"))
    values = [{"text": text, "key": key} for text, key in zip(TEXTS, KEYS, strict=True)]
    sums = [{"text": "2,741", "key": ""}, {"text": "–", "key": ""}]
    told["table"] = {
        "corner": "Configuration", "heads": ["RR1(1kB)", "RR10(4kB)"], "unit": "µs",
        "rows": [("The new one", values), ("Sum", sums)],
    }  # fmt: skip
    told |= {"title": "It is slow", "subtitle": "In µs."}
    about.write_text(json.dumps(told), encoding="utf-8")
    observations = project.report / "small/studies/speed/observations.md"
    observations.write_text(
        observations.read_text("utf-8").replace("@fig-speed-rr", "@tbl-speed-rr"),
        encoding="utf-8",
    )
    return text_of(project)


def test_it_is_a_numbered_table_with_the_words_of_its_figure(text: str) -> None:
    (caption,) = [line for line in text.splitlines() if "{#tbl-speed-rr}" in line]
    assert caption.startswith(": Latency: change of new")
    assert "In µs." in caption
    assert "(@tbl-speed-rr)." in text
    assert "figures/speed-rr/figure.svg" not in text
    assert "[Data (CSV)](data/speed-rr.csv)" in text


def test_its_numbers_are_bound_and_its_sums_are_bold(text: str) -> None:
    lines = text.splitlines()
    row = next(line for line in lines if line.startswith("| The new one | ["))
    sums = next(line for line in lines if line.startswith("| Sum"))
    assert f'[1,370]{{.value key="{KEYS[0]}"' in row
    assert sums == "| Sum | **2,741** | – |"
