"""No module imports one that needs it, neither at its head nor late in a function."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from benchmarks.project import ROOT
from tests.meta.test_dependencies import modules

TOPS = ("analysis", "models", "synthetic", "workflow", "benchmarks")


def imported(source: str, package: str, known: Collection[str]) -> set[str]:
    """The known modules that a module asks for, wherever in its text.

    A name out of a package counts as the module of that name if there is one, else as
    the package itself.
    """
    return {
        found
        for name, base in _names(ast.parse(source), package)
        if (found := name if name in known else base) in known
    }


def _names(tree: ast.Module, package: str) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((f"{base}.{alias.name}", base) for alias in node.names)


def circle(graph: Mapping[str, Collection[str]]) -> list[str]:
    """The names on one circle of a graph, none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def graph_of(known: Mapping[str, Path]) -> dict[str, set[str]]:
    """What each module of the project imports of the others."""
    return {
        name: imported(
            path.read_text(encoding="utf-8"),
            name if path.stem == "__init__" else name.rpartition(".")[0],
            known,
        )
        for name, path in known.items()
    }


def test_there_is_no_circle() -> None:
    known = modules(TOPS)
    graph = graph_of(known)
    assert circle(graph) == []
    assert len(graph) > 300
    assert (ROOT / "workflow/plan.py") in known.values()


def test_a_late_import_closes_a_circle() -> None:
    texts = {
        "a.one": "from a.two import name",
        "a.two": "def late():\n    from a import one",
        "a.three": "from .one import name\nimport a.two",
    }
    graph = {name: imported(text, "a", texts) for name, text in texts.items()}
    assert set(circle(graph)) == {"a.one", "a.two"}
    assert graph["a.three"] == {"a.one", "a.two"}
