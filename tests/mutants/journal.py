"""What became of each mutant, kept in a file: a run that is stopped goes on later."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

KILLED, SURVIVED, TIMEOUT, UNREACHED = "killed", "survived", "timeout", "unreached"


@dataclass(frozen=True)
class Verdict:
    """One mutant's end: by which test, and the files of tests that were asked."""

    mutant: str
    outcome: str
    by: str
    asked: dict[str, str]  # digest by file

    @property
    def alive(self) -> bool:
        """Whether no test noticed."""
        return self.outcome in (SURVIVED, UNREACHED)

    def stands(self, digests: Mapping[str, str]) -> bool:
        """Whether a new trial could end otherwise: nothing that matters has changed."""
        killer = self.by.partition("::")[0]
        if not self.alive and killer in self.asked:
            return digests.get(killer) == self.asked[killer]
        return dict(digests) == self.asked


class Journal:
    """The verdicts of one part, a line each; the last one of a mutant counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._verdicts: dict[str, Verdict] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                verdict = Verdict(**json.loads(line))
                self._verdicts[verdict.mutant] = verdict

    def find(self, mutant: str, digests: Mapping[str, str]) -> Verdict | None:
        """A verdict that still stands."""
        found = self._verdicts.get(mutant)
        return found if found and found.stands(digests) else None

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict, at once."""
        self._verdicts[verdict.mutant] = verdict
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(verdict)) + "\n")
