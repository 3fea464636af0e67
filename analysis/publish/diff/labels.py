"""What people call facts, configurations and studies, as two builds tell it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.facts.fact import Fact


@dataclass(frozen=True)
class Labels:
    """Names by id; what an older build does not tell goes by its id."""

    metrics: Mapping[str, str] = field(default_factory=dict)
    configurations: Mapping[str, str] = field(default_factory=dict)
    studies: Mapping[str, str] = field(default_factory=dict)

    def study(self, id: str) -> str:
        """The title of a study."""
        return self.studies.get(id) or id

    def configuration(self, id: str) -> str:
        """``Offload off``."""
        return self.configurations.get(id) or id

    def fact(self, fact: Fact) -> str:
        """``Latency, client, RR10(100B): Offload off relative to Offload on``."""
        metric = self.metrics.get(fact.metric) or fact.metric
        what = ", ".join(filter(None, (metric, fact.role, fact.workload)))
        named = f"{what}: {self.configuration(fact.configuration)}"
        if fact.baseline is None:
            return named
        return f"{named} relative to {self.configuration(fact.baseline)}"


def labels_of(*provenances: Mapping[str, Any]) -> Labels:
    """The names that builds tell; those of the last one count."""
    metrics = dict[str, str]()
    configurations, studies = dict[str, str](), dict[str, str]()
    for told in provenances:
        names = told.get("names", {})
        metrics |= _texts(names.get("metrics"))
        configurations |= _texts(names.get("configurations"))
        titles = {id: study.get("title") for id, study in _entries(told.get("studies"))}
        studies |= _texts(titles)
    return Labels(metrics, configurations, studies)


def _texts(names: Any) -> dict[str, str]:
    return {id: text for id, text in _entries(names) if isinstance(text, str)}


def _entries(found: Any) -> list[tuple[str, Any]]:
    return list(found.items()) if isinstance(found, dict) else []
