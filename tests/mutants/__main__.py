"""Try mutants and say how many the tests noticed: ``make mutants``.

The exit code is 1 where less than nine of ten are killed or the list of survivors is
not true any more, and 2 where the tests fail without any mutant.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from pathlib import PurePath

from scipy.stats import binomtest

from tests.children import Ended, side_by_side
from tests.mutants.journal import KILLED, SURVIVED, TIMEOUT, UNREACHED, Journal, Verdict
from tests.mutants.population import PARTS, ROOT, Mutant, population
from tests.mutants.reach import Reach, SetupError, preload, reaches, state
from tests.mutants.survivors import change_of, check_survivors, listed, read_survivors
from tests.mutants.trial import try_mutant

GOAL = 0.9
BUDGET = 25.0  # seconds of tests for one mutant, as traced, which is slow
FOLDER = ROOT / ".mutants"


def try_all(
    part: str,
    mutants: Sequence[Mutant],
    found: Sequence[Reach],
    journal: Journal,
    jobs: int,
) -> dict[Mutant, Verdict]:
    """The verdict on each mutant: from the journal where it stands, else by a trial."""
    digests = {reach.file: reach.digest for reach in found}
    verdicts, left, before = {}, {}, state(part)
    for mutant in mutants:
        known = journal.find(mutant.id, digests)
        tests = tests_of(mutant, found)
        if known:
            verdicts[mutant] = known
        elif tests:
            left[mutant] = tests
        else:
            verdicts[mutant] = Verdict(mutant.id, UNREACHED, "", digests)
    begin = {m: lambda m=m, t=t: try_mutant(m, list(t), sum(t.values()))
             for m, t in left.items()}  # fmt: skip
    for mutant, ended in side_by_side(begin.items(), jobs):
        if state(part) != before:
            raise SetupError("files were edited while mutants were tried; start again")
        verdicts[mutant] = verdict_of(mutant, ended, digests)
        journal.add(verdicts[mutant])
        print("!" if verdicts[mutant].alive else ".", end="", flush=True)
    return verdicts


def tests_of(mutant: Mutant, found: Sequence[Reach]) -> dict[str, float]:
    """The tests that may notice a mutant, with their seconds: those of its own module
    first, then the quick ones, as many as ``BUDGET`` allows."""
    own = f"/test_{PurePath(mutant.module).stem}"
    seconds = {t: reach.seconds[t] for reach in found for t in reach.tests(mutant)}
    order = sorted(seconds, key=lambda test: (own not in test, seconds[test]))
    spent = accumulate(seconds[test] for test in order)
    most = max(1, sum(total <= BUDGET for total in spent))
    return {test: seconds[test] for test in order[:most]}


def verdict_of(mutant: Mutant, ended: Ended, digests: dict[str, str]) -> Verdict:
    """What the end of a trial says: only tests that all pass let a mutant live."""
    outcome = TIMEOUT if ended.timeout else SURVIVED if ended.code == 0 else KILLED
    return Verdict(mutant.id, outcome, ended.said.get("failed", ""), digests)


def summary(part: str, verdicts: dict[Mutant, Verdict], whole: int) -> str:
    """One line on a part: counts and the share that was killed."""
    counts = Counter(verdict.outcome for verdict in verdicts.values())
    alive, tried = counts[SURVIVED] + counts[UNREACHED], len(verdicts)
    share = f"{(tried - alive) / tried:.1%}"
    if tried < whole:
        test = binomtest(tried - alive, tried).proportion_ci(method="wilson")
        share += f" ({test.low:.0%} to {test.high:.0%} of all {whole}, 95%)"
    return (
        f"{part}: {tried - alive} of {tried} killed, {share}; "
        f"{counts[TIMEOUT]} by time, {counts[UNREACHED]} that no test reaches"
    )


def run_part(part: str, sample: int, seed: int, jobs: int) -> bool:
    """Try the mutants of a part and tell; whether all is well."""
    whole = population(part)
    size = min(sample or len(whole), len(whole))
    chosen = random.Random(seed).sample(whole, size)  # noqa: S311 - no secret
    found = reaches(part, FOLDER, jobs)
    preload([name for reach in found for name in reach.imported])
    verdicts = try_all(part, chosen, found, Journal(FOLDER / f"{part}.jsonl"), jobs)
    alive = [mutant for mutant in chosen if verdicts[mutant].alive]
    dead = [mutant for mutant in chosen if not verdicts[mutant].alive]
    survivors = [s for s in read_survivors() if s.module.startswith(PARTS[part])]
    unlisted = [mutant for mutant in alive if not listed(mutant, survivors)]
    issues = check_survivors(survivors, alive, dead)
    print()
    for mutant in sorted(unlisted, key=lambda mutant: (mutant.module, mutant.line)):
        _, was, becomes = change_of(mutant)
        print(f"  {mutant.module}:{mutant.line}: {was}  ->  {becomes}")
    print("\n".join(f"  survivors.yaml: {issue}" for issue in issues))
    print(f"{summary(part, verdicts, len(whole))}; {len(alive) - len(unlisted)} listed")
    return not issues and 1 - len(unlisted) / max(size, 1) >= GOAL


def main() -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--sample", type=int, default=0, help="0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    try:
        well = [
            run_part(part, asked.sample, asked.seed, asked.jobs)
            for part in asked.part or PARTS
        ]
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
