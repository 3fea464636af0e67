"""A target: whole inputs of one sort, and what reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from hypothesis import strategies as st

from tests.fuzz.edits import Edit, damaged, edits


@dataclass(frozen=True)
class Seed:
    """A whole input: its name, its bytes, the file it becomes and what lies beside."""

    name: str
    data: bytes
    file: str
    beside: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def write(self, folder: Path, data: bytes) -> None:
        """The input, damaged or not, with its neighbours."""
        for name, text in self.beside.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / self.file).write_bytes(data)


@dataclass(frozen=True)
class Target:
    """Inputs of one sort, and a function that reads one and raises what is wrong."""

    name: str
    seeds: Sequence[Seed]
    look: Callable[[Path, Seed], None]
    prepare: Callable[[Path], None] = lambda folder: None

    def seed(self, name: str) -> Seed:
        """The whole input of a name."""
        return next(seed for seed in self.seeds if seed.name == name)

    def inputs(self) -> st.SearchStrategy[tuple[Seed, bytes]]:
        """Damaged inputs, each with the whole one that it comes from."""
        choice = st.sampled_from(range(len(self.seeds)))
        return st.builds(self._input, choice, choice, edits)

    def _input(self, one: int, two: int, made: Sequence[Edit]) -> tuple[Seed, bytes]:
        seed = self.seeds[one]
        return seed, damaged(seed.data, made, self.seeds[two].data)

    def try_input(self, folder: Path, seed: Seed, data: bytes) -> None:
        """Read one input; any exception is a finding. The folder is prepared."""
        seed.write(folder, data)
        try:
            self.look(folder, seed)
        finally:
            seed.write(folder, seed.data)
