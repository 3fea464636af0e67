"""On a cluster, the jobs that read parts of a campaign before one puts it together.

Their marks say only that a part was read: what is read is kept by its content, so no
step rests on them, and a build on one machine does without.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from analysis.errors import user_error
from workflow.needed import RAW
from workflow.plan import BUILD, Plan

PARTS = BUILD / "parts"
_FIRST = 1000  # MB of memory that a job needs, whatever it reads
MOST = {"job_files": 20_000, "job_megabytes": 2_000}


class PartJobs:
    """The jobs of the campaigns of a plan; none where steps are made on one machine.

    ``config`` declares ``job_files`` and ``job_megabytes``, what a job reads at most;
    ``elsewhere`` tells whether jobs run on other machines.
    """

    def __init__(
        self, plan: Plan, config: Mapping[str, Any], elsewhere: Callable[[], bool]
    ) -> None:
        self._plan, self._elsewhere = plan, elsewhere
        asked = {name: config.get(name, of) for name, of in MOST.items()}
        self._most = [str(_whole(name, told)) for name, told in asked.items()]
        self.marks = functools.cache(self._marks)

    def of(self, wildcards: Any) -> list[str]:
        """The marks of the jobs before a campaign is put together."""
        return self.marks(wildcards.campaign) if self._elsewhere() else []

    def _marks(self, campaign: str) -> list[str]:
        step = self._plan.steps[f"ingest-{campaign}"]
        if step.before or Path(step.mark).exists():  # generated, or done
            return []
        command = [
            *("-m", "analysis", "ingest", "--campaign", str(RAW / campaign)),
            *("--parts", str(PARTS / campaign), "--deal", *self._most),
            *("--read-by", self._plan.code["ingest"]),
        ]
        # Where that fails, the step that reads the campaign tells why.
        told = subprocess.run(
            [sys.executable, *command], capture_output=True, text=True, check=False
        )
        return [f"{path}.read" for path in told.stdout.splitlines() if path]

    def needs(self) -> dict[str, Callable[[Any], int]]:
        """What a cluster gives such a job: MB of memory, and minutes."""
        return {
            "mem_mb": lambda of: min(_FIRST + self._read(of), 4 * _FIRST),
            "runtime": lambda of: 10 + self._read(of) // 100,
        }

    def _read(self, wildcards: Any) -> int:
        """The MB that a job reads."""
        told = PARTS / wildcards.campaign / "jobs" / wildcards.job
        bytes: int = json.loads(told.read_bytes())["bytes"]
        return bytes // 10**6


def _whole(name: str, told: object) -> int:
    try:
        number = int(str(told))
    except ValueError:
        number = 0
    if number < 1:
        what = f"{name} is {told!r}, and not a whole number of 1 or more"
        raise user_error(what, mend="mend jobs.yaml beside the profile's config.yaml")
    return number
