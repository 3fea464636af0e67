"""What a text gives to the document: its own labels, headings as deep as they stand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.errors import UserError
from analysis.report.text.reviewed import Reviewed
from analysis.report.text.texts import Text, _source
from tests.report.text.read import PATH


def markdown(text: str, deeper: int = 0, name: str = "front.md") -> str:
    return Text(name, None, Reviewed(PATH, text), ()).markdown(deeper)


def test_footnotes_of_different_files_stay_apart() -> None:
    text = "One[^a] `[^a]`\nand *two[^b]* `[^b]`.\n\n[^a]: Note[^b].\n\n[^b]: Note.\n"
    expected = text.replace("e[^a]", "e[^front-x-a]").replace("o[^b]", "o[^front-x-b]")
    expected = expected.replace("\n[^", "\n[^front-x-").replace(
        "e[^b]", "e[^front-x-b]"
    )
    assert markdown(text, name="front/x.md") == expected.strip()


def test_footnotes_in_lists_quotes_and_tables_stay_apart() -> None:
    text = "> - a[^x]\n>   `b` c[^x]\n\n| `a` | b[^x] |\n|---|---|\n| c[^x] | d |\n"
    note = "\n[^x]: e\n"
    assert markdown(text + note) == (text + note).replace("[^x", "[^front-x").strip()


def test_headings_go_deeper_and_code_stays() -> None:
    text = "## A {#sec-a}\n\n#hash\n\n```\n# comment\n```\n\n### B\n"
    expected = text.replace("## A", "### A").replace("\n### B", "\n#### B").strip()
    expected = expected.replace("\n#hash", "\n\\#hash")  # no heading to anybody
    assert markdown(text, 1) == expected
    assert markdown(text) == text.strip().replace("\n#hash", "\n\\#hash")


def test_a_text_is_md_or_qmd_and_not_both(tmp_path: Path) -> None:
    material: Any = SimpleNamespace(folder=tmp_path, study_folder=lambda _: tmp_path)
    (tmp_path / "observations.qmd").write_text("Words.\n")
    read = _source(material, "studies/a/observations.md", "a", None)
    assert read.path == tmp_path / "observations.qmd"
    assert read.marked.text.strip() == "Words."
    (tmp_path / "observations.md").write_text("Others.\n")
    with pytest.raises(UserError, match=r"observations\.qmd stands beside it"):
        _source(material, "studies/a/observations.md", "a", None)
