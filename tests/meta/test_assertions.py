"""Every test can fail: it asserts, or calls what asserts for several tests."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cache
from pathlib import Path

from benchmarks.project import ROOT

_FAILS = ("raises", "warns", "fail")
_HELPERS = ("assert_", "check_")


@cache
def functions(source: str) -> list[ast.FunctionDef]:
    """All functions of a module, those within others too."""
    return [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]


def asserts(function: ast.FunctionDef, helpers: Collection[str] = ()) -> bool:
    """Whether something in a function, or a helper that it calls, can fail."""
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and _name(node) in {*_FAILS, *helpers})
        for node in ast.walk(function)
    )


def idle_tests(source: str, helpers: Collection[str]) -> list[str]:
    """The tests of a module that cannot fail."""
    return [
        function.name
        for function in functions(source)
        if function.name.startswith("test") and not asserts(function, helpers)
    ]


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _sources() -> dict[Path, str]:
    return {p: p.read_text("utf-8") for p in sorted((ROOT / "tests").rglob("*.py"))}


def test_every_test_asserts() -> None:
    sources = _sources()
    helpers = {
        function.name
        for source in sources.values()
        for function in functions(source)
        if function.name.startswith(_HELPERS) and asserts(function)
    }
    modules = {p: s for p, s in sources.items() if p.name.startswith("test_")}
    idle = {p.name: idle_tests(source, helpers) for p, source in modules.items()}
    assert {name: found for name, found in idle.items() if found} == {}
    assert len(helpers) > 5


def test_a_test_that_cannot_fail_is_found() -> None:
    source = "def test_a():\n    run()\ndef test_b():\n    check_it()\n"
    assert idle_tests(source, ["check_it"]) == ["test_a"]
    assert idle_tests("def test_a():\n    with pytest.raises(E): run()", []) == []
