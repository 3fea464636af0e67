"""Facts of single studies, kept between builds: one study's change costs that study.

A study's facts are known by all that they are derived from: its declaration, its runs
with their values and findings, the metrics, the published rows and the code.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl

from analysis.derive.fallback.sources import PredictionSources
from analysis.derive.scope import StudyScope
from analysis.derive.study import derive_study
from analysis.errors import UserError
from analysis.facts.fact import FACTS_FILE, Facts, read_facts, write_facts
from analysis.files.atomic import remove_folder
from analysis.files.cache import Cache
from analysis.files.digests import digest_of


class KeptStudies:
    """Facts of studies in a cache; ``read_by`` is a hash of the code and its data."""

    def __init__(self, cache: Path, read_by: str) -> None:
        self.cache = Cache("studies", cache)
        self.read_by = read_by

    def derive(self, scope: StudyScope, sources: PredictionSources) -> Facts:
        """What :func:`derive_study` gives, from a file where it is known."""
        key = self._key(scope, sources)
        if entry := self.cache.get(key):
            try:
                return read_facts(entry / FACTS_FILE)
            except (UserError, AttributeError, LookupError, TypeError, ValueError):
                remove_folder(entry)  # damaged
        facts = derive_study(scope, sources)
        entry = self.cache.put(key, lambda at: write_facts(facts, at / FACTS_FILE))
        # Read, so that order and forms are the same either way.
        return read_facts(entry / FACTS_FILE) if entry else facts

    def _key(self, scope: StudyScope, sources: PredictionSources) -> str:
        evidence, study = scope.evidence, scope.study
        own = pl.col("campaign").is_in(study.campaigns)
        runs, values = evidence.runs.filter(own), evidence.values.filter(own)
        flags = [
            (flag.id, flag.kind, dict(flag.values), flag.value, flag.role)
            for id in runs["id"].sort()
            for flag in evidence.flags.get(id, ())
        ]
        told = {
            "code": self.read_by,
            "study": f"{scope.edition} {scope.id} {study.model_dump_json()}",
            "metrics": repr(sorted(scope.metrics.items())),
            "sources": _text(sources),
            "runs": _hash(runs),
            "values": _hash(values),
            "flags": repr(flags),
        }
        return digest_of(told)


def _text(sources: PredictionSources) -> str:
    controls = sorted(sources.controls)
    return repr((sources.setups, controls, sources.published, sources.think))


def _hash(rows: pl.DataFrame) -> str:
    """Of all rows, in whatever order they came: of two hashes of each."""
    told = pl.DataFrame({str(seed): rows.hash_rows(seed) for seed in (1, 2)})
    hashes = told.sort(told.columns).to_numpy()
    schema = repr(rows.schema).encode()
    return hashlib.sha256(schema + hashes.tobytes()).hexdigest()
