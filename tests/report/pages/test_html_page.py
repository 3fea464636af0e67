"""Pages beside the report: strict about what they are given, and escaped."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, UndefinedError

from analysis.report.pages.html_page import (
    STYLE,
    directives,
    html_page,
    page_policy,
    script_hash,
    with_script,
)


def test_what_a_page_is_given_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "a.html.j2").write_text("<p>{{ text }} {{ 2 | double }}</p>")
    filters = {"double": lambda number: 2 * number}
    page = html_page(tmp_path, "a.html.j2", {"text": "<b> & co"}, filters)
    assert page == "<p>&lt;b&gt; &amp; co 4</p>"


def test_what_a_page_is_not_given_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.html.j2").write_text("{{ text }}")
    with pytest.raises(UndefinedError):
        html_page(tmp_path, "a.html.j2", {})


def test_a_template_is_compiled_once_and_what_its_pages_tell_of_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.html.j2").write_text("{{ 'a' | of }}")
    compiled = []
    original = Environment.compile

    def compile_counted(*given: Any, **more: Any) -> Any:
        compiled.append(given[2])
        return original(*given, **more)

    monkeypatch.setattr(Environment, "compile", compile_counted)

    def page(value: str) -> tuple[str, weakref.ref[Any]]:
        material = type("Material", (), {"value": value})()
        filters = {"of": lambda name: f"{name}{material.value}"}
        return html_page(tmp_path, "a.html.j2", {}, filters), weakref.ref(material)

    pages = [page("1"), page("2")]
    gc.collect()
    assert [(text, kept()) for text, kept in pages] == [("a1", None), ("a2", None)]
    (tmp_path / "a.html.j2").write_text("edited")
    assert page("3")[0] == "edited"
    assert compiled == ["a.html.j2"] * 2


def test_fonts_come_before_the_style_that_names_them(
    tmp_path: Path, fonts: Path
) -> None:
    (tmp_path / STYLE).write_text("body {}")
    (tmp_path / "a.html.j2").write_text("{{ house_styles() | safe }}")
    page = html_page(tmp_path, "a.html.j2", {}, fonts=fonts)
    assert page.startswith("@font-face {")
    assert page.endswith("}\nbody {}")


def test_the_hash_is_that_of_the_standard() -> None:
    # the example of Content Security Policy Level 3, 8.3
    expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert script_hash("alert('Hello, world.');") == expected


@pytest.mark.parametrize(
    "name", ["default-src", "object-src", "base-uri", "form-action"]
)
def test_nothing_else_is_allowed(name: str) -> None:
    assert directives(page_policy(["x"]))[name] == {"'none'"}


def test_scripts_are_allowed_by_hash_alone() -> None:
    allowed = directives(page_policy(["a", "b"]))["script-src"]
    assert allowed == {script_hash("a"), script_hash("b")}
    assert directives(page_policy([]))["script-src"] == {"'none'"}


@pytest.mark.parametrize("scripts", [[], ["a"]])
def test_one_more_script_can_be_allowed(scripts: list[str]) -> None:
    more = with_script(page_policy(scripts), "b")
    assert directives(more)["script-src"] == {script_hash(s) for s in [*scripts, "b"]}
    assert directives(more)["default-src"] == {"'none'"}


def test_of_a_directive_that_is_there_twice_the_first_counts() -> None:
    found = directives("script-src 'none'; SCRIPT-SRC *;; default-src 'self'")
    assert found["script-src"] == {"'none'"}
    assert found["default-src"] == {"'self'"}
