"""Pages beside the report: strict about what they are given, and escaped."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from analysis.report.pages.html_page import STYLE, html_page, page_styles


def test_what_a_page_is_given_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "a.html.j2").write_text("<p>{{ text }} {{ 2 | double }}</p>")
    filters = {"double": lambda number: 2 * number}
    page = html_page(tmp_path, "a.html.j2", {"text": "<b> & co"}, filters)
    assert page == "<p>&lt;b&gt; &amp; co 4</p>"


def test_what_a_page_is_not_given_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.html.j2").write_text("{{ text }}")
    with pytest.raises(UndefinedError):
        html_page(tmp_path, "a.html.j2", {})


def test_fonts_come_before_the_style_that_names_them(tmp_path: Path) -> None:
    (tmp_path / STYLE).write_text("body {}")
    assert page_styles(tmp_path, "@font-face {}") == "@font-face {}\nbody {}"
