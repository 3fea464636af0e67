"""Try mutants and say how many the tests noticed: ``make mutants``.

The exit code is 1 where fewer than nine of ten are killed or listed, or the list of
survivors is not true any more, and 2 where the tests cannot be run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path

from scipy.stats import binomtest

from tests.children import Ended, side_by_side
from tests.mutants.population import ROOMS, ROOT, Mutant, sample
from tests.mutants.reach import (
    FOLDER,
    Reach,
    SetupError,
    digest,
    mirror,
    named_after,
    preload,
    reaches,
)
from tests.mutants.survivors import check_survivors, listed, read_survivors
from tests.mutants.trial import try_mutant

GOAL = 0.9
JOURNAL = FOLDER.with_name("verdicts.jsonl")
BUDGET = 10.0  # seconds of tests for one mutant
KILLED, SURVIVED, TIMEOUT, UNREACHED = "killed", "survived", "timeout", "unreached"


@dataclass(frozen=True)
class Verdict:
    """One mutant's end: by which test, and a digest of what it rests on."""

    mutant: str
    outcome: str
    by: str
    rests_on: str

    @property
    def alive(self) -> bool:
        """Whether no test noticed."""
        return self.outcome in (SURVIVED, UNREACHED)


def tests_of(mutant: Mutant, reached: Sequence[Reach]) -> dict[str, float]:
    """The tests that try a mutant, with their seconds, as many as ``BUDGET`` allows.

    Those that run its statement come first, then those of its module's name, then the
    quick ones.
    """
    seconds = {test: s for reach in reached for test, s in reach.seconds.items()}
    near = {t: n for reach in reached for t, n in reach.nearness(mutant).items()}
    if not near:  # a constant, or a function that declares something at import
        near = {t: 1 for t in seconds if t.startswith(mirror(mutant.module))}
    order = sorted(
        near, key=lambda t: (near[t], not named_after(t, mutant.module), seconds[t])
    )
    spent = accumulate(seconds[test] for test in order)
    most = max(1, sum(total <= BUDGET for total in spent))
    return {test: seconds[test] for test in order[:most]}


def rests_on(mutant: Mutant, tests: Sequence[str]) -> str:
    """Changes with a mutant's module and the files of some tests."""
    files = {ROOT / mutant.module, *(ROOT / test.partition("::")[0] for test in tests)}
    return digest(*sorted(path for path in files if path.exists()))


def stands(verdict: Verdict, mutant: Mutant, tests: Sequence[str]) -> bool:
    """Whether a new trial could not end otherwise."""
    asked = [verdict.by] if verdict.by else tests
    return verdict.rests_on == rests_on(mutant, asked)


def verdict_of(mutant: Mutant, ended: Ended, tests: Sequence[str]) -> Verdict:
    """What the end of a trial says: only tests that all pass let a mutant live."""
    outcome = TIMEOUT if ended.timeout else SURVIVED if ended.code == 0 else KILLED
    by = ended.said.get("failed", "")
    return Verdict(mutant.id, outcome, by, rests_on(mutant, [by] if by else tests))


def edits() -> int:
    """Changes when the program or the tests are edited."""
    folders = (ROOT / "analysis", ROOT / "models", ROOT / "tests")
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    return hash(tuple((path, path.stat().st_mtime_ns) for path in files))


def try_all(
    mutants: Sequence[Mutant], reached: Sequence[Reach], journal: Path, jobs: int
) -> dict[Mutant, Verdict]:
    """The verdict on each mutant: from the journal where it stands, else by a trial.

    Raises:
        SetupError: Files were edited meanwhile.
    """
    lines = journal.read_text().splitlines() if journal.exists() else []
    known = {v.mutant: v for v in (Verdict(**json.loads(line)) for line in lines)}
    tests = {mutant: tests_of(mutant, reached) for mutant in mutants}
    verdicts = {
        m: known[m.id]
        for m in mutants
        if m.id in known and stands(known[m.id], m, list(tests[m]))
    }
    begin = {
        m: lambda m=m: try_mutant(m, list(tests[m]), sum(tests[m].values()))
        for m in mutants
        if m not in verdicts and tests[m]
    }
    before = edits()
    for mutant, ended in side_by_side(begin.items(), jobs):
        if edits() != before:
            raise SetupError("files were edited while mutants were tried; start again")
        verdicts[mutant] = verdict_of(mutant, ended, list(tests[mutant]))
        with journal.open("a") as file:
            file.write(json.dumps(asdict(verdicts[mutant])) + "\n")
        print("!" if verdicts[mutant].alive else ".", end="", flush=True)
    unreached = {m: Verdict(m.id, UNREACHED, "", "") for m in mutants if not tests[m]}
    return verdicts | unreached


def table(verdicts: Mapping[Mutant, Verdict], justified: set[Mutant]) -> list[str]:
    """A line for each room and one for all: tried, killed, justified, survivors."""
    rows = [f"{'room':12}{'sampled':>8}{'killed':>8}{'listed':>8}{'survivors':>11}"]
    tried = Counter(m.room for m in verdicts)
    dead = Counter(m.room for m, verdict in verdicts.items() if not verdict.alive)
    reason = Counter(m.room for m in justified)
    for counts in (tried, dead, reason):
        counts["all"] = sum(counts.values())
    for room in tried:
        n, killed, known = tried[room], dead[room], reason[room]
        rows.append(f"{room:12}{n:8}{killed:8}{known:8}{n - killed - known:11}")
    return rows


def share(killed: int, tried: int) -> str:
    """The share that was killed, and what that says of all mutants."""
    test = binomtest(killed, tried).proportion_ci(method="wilson")
    return (
        f"{killed / tried:.1%} killed ({test.low:.0%} to {test.high:.0%} of all, 95%)"
    )


def main() -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="room", help=" ".join(ROOMS))
    parser.add_argument("--sample", type=int, default=0, help="0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    rooms = asked.rooms or [*ROOMS]
    if unknown := [room for room in rooms if room not in ROOMS]:
        parser.error(f"no room is called {unknown[0]}: {' '.join(ROOMS)}")
    chosen = sample(rooms, asked.sample, asked.seed)
    try:
        reached = reaches(rooms, asked.jobs)
        preload()
        verdicts = try_all(chosen, reached, JOURNAL, asked.jobs)
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    survivors = read_survivors()
    alive = {mutant for mutant in chosen if verdicts[mutant].alive}
    justified = {mutant for mutant in alive if listed(mutant, survivors)}
    print()
    for mutant in sorted(alive - justified, key=lambda m: (m.module, m.line)):
        unseen = "  (no test runs it)" if verdicts[mutant].outcome == UNREACHED else ""
        print(f"{mutant.module}:{mutant.line}{unseen}")
        print(f"    {mutant.was}\n    {mutant.becomes}")
    issues = check_survivors(survivors, [m for m in chosen if m not in alive])
    print("\n".join(f"survivors.yaml: {issue}" for issue in issues))
    print("\n".join(table(verdicts, justified)))
    print(share(len(chosen) - len(alive), len(chosen)))
    well = len(chosen) - len(alive - justified) >= GOAL * len(chosen)
    return 0 if well and not issues else 1


if __name__ == "__main__":
    sys.exit(main())
