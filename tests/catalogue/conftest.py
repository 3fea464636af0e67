"""Months of one laboratory, as small databases have them."""

from tests.derive.conftest import new_world, world

__all__ = ["new_world", "world"]
