"""What is declared of a campaign that can be generated, whatever generates it.

``synthetic/campaigns/<campaign>.yaml`` says how its runs are made, and by which
generator. Beside it lies the folder with what is handed on as it stands, campaign.yaml
and README.md; the targets are in ``data/targets``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from analysis.declared.base import Declared, line_of
from analysis.declared.campaign import Campaign
from analysis.declared.names import Id
from analysis.declared.targets import Target
from analysis.errors import Issue, Place


class Making(Declared):
    """How runs are made; each generator adds what it needs to know."""

    generator: Id


Made = TypeVar("Made", bound=Making)


@dataclass(frozen=True)
class Declaration(Generic[Made]):
    """A campaign that can be generated: what is declared of it, wherever it stands."""

    id: str
    folder: Path
    campaign: Campaign
    making: Made
    targets: tuple[Target, ...]
    file: Path
    targets_file: Path
    node: Any

    @cached_property
    def cps(self) -> dict[str, int]:
        """How many CPs each system has."""
        return {id: system.cps for id, system in self.campaign.systems.items()}

    def place(self, *keys: str) -> Place:
        """Where an entry stands."""
        return Place(str(self.file), line_of(self.node, keys))

    def place_of(self, target: Target) -> Place:
        """Where a target stands."""
        return Place(str(self.targets_file), target.line)

    def mistakes(self) -> Iterator[Issue]:
        """What does not fit together; of targets, what campaign.yaml does not know."""
        declared = self.campaign.configurations
        for target in self.targets:
            for id in filter(None, (target.baseline, target.test)):
                if id not in declared:
                    what = f"campaign.yaml declares no configuration {id!r}"
                    mend = "declare it, or mend the name"
                    yield Issue(what, self.place_of(target), mend)
