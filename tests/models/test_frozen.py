"""What is passed on cannot be changed later, by nobody's mistake."""

from __future__ import annotations

from tests.values import changeable


def test_dataclasses_are_frozen():
    assert changeable("models") == []
