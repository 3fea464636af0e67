"""Dataclasses that may be changed after they were made."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from types import ModuleType


def modules(package: str) -> list[ModuleType]:
    """A package with all that is in it."""
    root = importlib.import_module(package)
    found = pkgutil.walk_packages(root.__path__, f"{package}.")
    return [root, *(importlib.import_module(each.name) for each in found)]


def changeable(package: str) -> list[str]:
    """The names of a package's dataclasses that are not frozen, sorted."""
    return sorted(
        name
        for module in modules(package)
        for name, each in vars(module).items()
        if inspect.isclass(each) and each.__module__ == module.__name__
        if dataclasses.is_dataclass(each) and not each.__dataclass_params__.frozen
    )
