"""Findings on texts, kept from build to build for texts that stay the same.

Beside a text and the claims behind it, they rest on the facts and figures, on all that
is declared, on the templates and on this program. Where any of that is another than the
last time, or the file is not as it was left, everything is looked at anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

import analysis
from analysis.declared.edition import find_editions
from analysis.errors import UserError
from analysis.facts.fact import evidence_of
from analysis.files.atomic import whole_file
from analysis.files.digests import digest_of, file_hashes
from analysis.files.inputs import text_files
from analysis.report.lint.finding import Finding
from analysis.report.material import Sources

_PROGRAM = Path(analysis.__file__).parent
_FILE = TypeAdapter(dict[str, dict[str, list[Finding]]])  # by what they rest on


@dataclass(frozen=True)
class FindingsFile:
    """The kept findings of one edition; ``rests_on`` is a digest of all they rest on.

    It is empty where an input cannot be read: who reads it is told so.
    """

    sources: Sources
    edition: str
    rests_on: str

    @classmethod
    def of(cls, edition: str, sources: Sources) -> FindingsFile:
        """The file beside the facts; to be asked for before the inputs are read."""
        rests_on = _digest(edition, sources)
        return cls(sources, edition, rests_on)

    @property
    def _path(self) -> Path:
        return self.sources.facts.with_name(".findings") / self.edition

    def read(self) -> Mapping[str, list[Finding]]:
        """Findings by the key of their text; none where they rest on something else."""
        try:
            kept = _FILE.validate_json(self._path.read_bytes())
        except (OSError, ValidationError):
            return {}
        return kept.get(self.rests_on, {})

    def write(self, found: Mapping[str, list[Finding]]) -> None:
        """Keep findings, unless what they rest on changed while they were made."""
        if not self.rests_on or _digest(self.edition, self.sources) != self.rests_on:
            return
        content = _FILE.dump_json({self.rests_on: dict(found)})
        with suppress(OSError), whole_file(self._path, rivals=True) as draft:
            draft.write_bytes(content)


def key_of(*told: object) -> str:
    """What findings are kept under; each part is told by its ``repr``."""
    return hashlib.sha256("\0".join(map(repr, told)).encode()).hexdigest()


def _digest(edition: str, sources: Sources) -> str:
    single = [sources.facts, evidence_of(sources.facts), sources.backtest]
    single += [sources.metrics, sources.published, sources.issues]
    try:
        # of other editions, which lend studies, too
        folders = [sources.report / id for id in find_editions(sources.report)]
        declared = [p for f in folders for p in text_files(f) if not _text(p)]
        looks = text_files(sources.templates)
        drawn = text_files(sources.figures) if sources.figures.is_dir() else []
        program = sorted(_PROGRAM.rglob("*.py"))
        every = [*filter(Path.is_file, single), *declared, *looks, *drawn, *program]
        cache = sources.facts.with_name("digests")
        return digest_of(file_hashes(every, f"findings-{edition}", cache))
    except UserError:
        return ""


def _text(path: Path) -> bool:
    return path.suffix == ".md"
