"""How long a cold set of figures takes, in both widths, and on how many cores.

The goal is one of wall time on two cores that do nothing else. CPU seconds by the
number of cores are the least that the wall time can be.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from benchmarks.cost import timed
from benchmarks.project import ROOT

EDITIONS = {"zos-cs-3.2": 12.0, "linux-veth": 6.0}  # seconds promised
FACTS = ROOT / "data/build/facts.json"


def measure(edition: str, goal: float) -> str:
    """One line: the figures of an edition drawn anew, from the facts as they are."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        # what was drawn is known by its folder, and this one is new
        out = Path(folder, edition)
        asked = ("figures", "--edition", edition, "--out", str(out))
        cost = timed([sys.executable, "-m", "analysis", *asked], ROOT)
        count = sum(1 for _ in out.glob("*/figure*.svg"))
    return (
        f"{edition}: {count} drawings in {cost.wall:.1f} s (goal {goal:.0f} s), "
        f"{cost.cpu:.1f} s of CPU time on {cost.cpu / cost.wall:.1f} cores"
    )


def main() -> None:
    """Print a line for each edition."""
    if not FACTS.is_file():
        sys.exit("there are no facts yet: run 'make report'")
    print(f"load before the start: {os.getloadavg()[0]:.1f}")
    for edition, goal in EDITIONS.items():
        print(measure(edition, goal))


if __name__ == "__main__":
    main()
