"""Registries: things of which each has a file of its own that nobody lists.

A file belongs to a registry by what it declares: to one named ``KIND`` belong the
modules of its package that have a line which begins with ``KIND =`` or ``KIND:``.
Fingerprints follow a registry to the same modules; for that, its package and its name
are written as texts where it is made.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from analysis.files.inputs import is_draft

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry]):
    """The entries of all modules below ``package`` that declare ``name``, by id.

    Modules are imported when an entry is first asked for. An entry is what the module
    declares, or the module itself, as ``entry`` makes it: the id and the entry.
    """

    def __init__(
        self, package: str, name: str, entry: Callable[[Any], tuple[str, Entry]]
    ) -> None:
        self.package, self.name, self._entry = package, name, entry

    @cached_property
    def modules(self) -> list[str]:
        """The names of the modules, sorted; none of them is imported for it."""
        return sorted(_declaring(self.package, self.name))

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """All entries by their ids, in the order of these."""
        entries: dict[str, Entry] = {}
        for module in map(importlib.import_module, self.modules):
            id, entry = self._entry(module)
            if id in entries:
                raise ValueError(f"{module.__name__}: there is another {id!r}")
            entries[id] = entry
        return dict(sorted(entries.items()))

    def __getitem__(self, id: str) -> Entry:
        return self.entries[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def declared_as(name: str) -> Callable[[ModuleType], tuple[str, Any]]:
    """The entry that a module has under a name, and its ``id``."""

    def entry(module: ModuleType) -> tuple[str, Any]:
        declared = getattr(module, name)
        return declared.id, declared

    return entry


def _declaring(package: str, name: str) -> Iterator[str]:
    declares = re.compile(rf"^{name}\b *[:=]".encode(), re.MULTILINE)
    spec = find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in Path(folder).rglob("*.py"):
            if not is_draft(path.name) and declares.search(path.read_bytes()):
                parts = path.relative_to(folder).with_suffix("").parts
                yield ".".join([package, *parts]).removesuffix(".__init__")
