"""The catalogue: all campaigns with what is declared, read and missing of each."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from analysis.catalogue.trends import Trend


@dataclass(frozen=True)
class ConfigurationRuns:
    """A declared configuration, and how many runs the database has of it."""

    id: str
    label: str
    usable: int
    failed: int


@dataclass(frozen=True)
class CampaignEntry:
    """One campaign. Dates are ISO 8601; ``raw_bytes`` are those of its files as they
    are, ``built_bytes`` of the tables read from them. ``state`` is ``read``, ``not read
    yet`` or ``cannot be read``; ``origin`` is empty in the last case."""

    name: str
    state: str
    generated: bool
    raw_bytes: int
    built_bytes: int
    editions: tuple[str, ...]
    gaps: tuple[str, ...]
    title: str = ""
    origin: str = ""
    start: str = ""
    end: str = ""
    systems: tuple[str, ...] = ()
    configurations: tuple[ConfigurationRuns, ...] = ()
    workloads: tuple[str, ...] = ()

    @property
    def usable(self) -> int:
        """Runs that worked and have a result."""
        return sum(one.usable for one in self.configurations)

    @property
    def failed(self) -> int:
        """Runs that did not."""
        return sum(one.failed for one in self.configurations)


@dataclass(frozen=True)
class Catalogue:
    """All campaigns by date and name, and all trends; ``notes`` are about both."""

    campaigns: tuple[CampaignEntry, ...]
    trends: tuple[Trend, ...]
    notes: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """The catalogue as JSON has it."""
        campaigns = [
            asdict(one) | {"usable": one.usable, "failed": one.failed}
            for one in self.campaigns
        ]
        trends = [asdict(trend) for trend in self.trends]
        return {
            "schema": 1,
            "campaigns": campaigns,
            "trends": trends,
            "notes": list(self.notes),
        }
