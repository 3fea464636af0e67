"""Generators: what makes the raw files of a kind of campaign.

A generator is one module below this package, found by its line ``GENERATOR = …``. A
campaign names it in its declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from analysis.declared.base import check_declared, line_of, load_yaml
from analysis.declared.campaign import read_campaign
from analysis.declared.targets import read_targets
from analysis.errors import Issue, raise_if, user_error
from analysis.programs.registry import Registry, declared_as
from synthetic.declaration import Declaration, Made


@dataclass(frozen=True)
class Part:
    """Some runs of a campaign, such as those of a study: their files by path below the
    campaign's folder, and their lines of runs.csv by column, without the order."""

    files: Mapping[str, bytes]
    runs: tuple[Mapping[str, str], ...]


@dataclass(frozen=True)
class Generator(Generic[Made]):
    """A kind of campaign: what its declaration holds, and what makes its parts.

    ``metrics`` are those of targets that it can meet. ``make`` raises a
    :class:`UserError` where targets contradict each other or cannot be met. Equal
    declarations give equal bytes.
    """

    id: str
    title: str
    takes: type[Made]
    declaration: type[Declaration[Made]]
    metrics: frozenset[str]
    make: Callable[[Any], Iterator[Part]]


GENERATORS: Registry[Generator[Any]] = Registry(
    "synthetic", "GENERATOR", declared_as("GENERATOR")
)


def read_declaration(campaign: str, folder: Path, targets: Path) -> Declaration[Any]:
    """What is declared of a campaign; a :class:`UserError` lists every mistake."""
    file = folder.with_name(f"{campaign}.yaml")
    data, node = load_yaml(file)
    generator = _chosen(data, node, file)
    found = generator.declaration(
        campaign,
        folder,
        read_campaign(folder),
        check_declared(data, node, generator.takes, file),
        read_targets(targets),
        file,
        targets,
        node,
    )
    raise_if([*_unmade(found, generator), *found.mistakes()])
    return found


def _chosen(data: Any, node: Any, file: Path) -> Generator[Any]:
    id = str(data.get("generator", "")) if isinstance(data, dict) else ""
    if id not in GENERATORS:
        what = f"there is no generator {id!r}" if id else "no generator is named"
        known = ", ".join(f"{one.id} ({one.title})" for one in GENERATORS.values())
        mend = f"write 'generator: …' with one of: {known}"
        raise user_error(what, file, line_of(node, ("generator",)), mend=mend)
    return GENERATORS[id]


def _unmade(of: Declaration[Any], by: Generator[Any]) -> Iterator[Issue]:
    """Targets of metrics that the generator does not make."""
    for target in of.targets:
        if target.metric not in by.metrics:
            what = f"the generator {by.id!r} makes no {target.metric}"
            mend = f"choose one of: {', '.join(sorted(by.metrics))}"
            yield Issue(what, of.place_of(target), mend)
