"""Try mutants and say how many the tests noticed: ``make mutants``.

The exit code is 1 where fewer than nine of ten are killed or listed, or the list of
survivors is not true any more, and 2 where tests fail without a mutant.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import yaml
from scipy.stats import binomtest

from tests.children import Ended, side_by_side
from tests.mutants.population import ROOMS, ROOT, Mutant, sample
from tests.mutants.trial import preload, tests_of, try_mutant, without_mutant

GOAL = 0.9
JOURNAL = ROOT / ".mutants/verdicts.jsonl"
SURVIVORS = Path(__file__).with_name("survivors.yaml")
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"


@dataclass(frozen=True)
class Verdict:
    """One mutant's end: by which test, of which files, and a digest of those."""

    mutant: str
    outcome: str
    by: str
    files: list[str]
    digest: str

    def stands(self) -> bool:
        """Whether a new trial could not end otherwise."""
        return self.digest == digest(self.files)


def digest(files: Sequence[str]) -> str:
    """Changes with what some files hold."""
    paths = [ROOT / name for name in files]
    content = b"".join(path.read_bytes() for path in paths if path.exists())
    return hashlib.sha256(content).hexdigest()[:16]


def verdict_of(mutant: Mutant, ended: Ended) -> Verdict:
    """What the end of a trial says: only tests that all pass let a mutant live.

    Raises:
        ChildProcessError: The trial itself broke, as where a package is missing.
    """
    if ended.code > 0 and not ended.said and not ended.timeout:
        raise ChildProcessError(f"the trial of a mutant broke: {mutant.id}")
    outcome = TIMEOUT if ended.timeout else SURVIVED if ended.code == 0 else KILLED
    by = ended.said.get("failed", "")
    tests = [by.partition("::")[0]] if by else ended.said.get("begun", [])
    files = [mutant.module, *tests]
    return Verdict(mutant.id, outcome, by, files, digest(files))


def try_all(
    mutants: Sequence[Mutant], journal: Path, jobs: int
) -> dict[Mutant, Verdict]:
    """The verdict on each mutant: from the journal where it stands, else by a trial."""
    journal.parent.mkdir(parents=True, exist_ok=True)
    lines = journal.read_text().splitlines() if journal.exists() else []
    known = {v.mutant: v for v in (Verdict(**json.loads(line)) for line in lines)}
    verdicts = {
        m: known[m.id] for m in mutants if m.id in known and known[m.id].stands()
    }
    begin = {
        m: lambda m=m: try_mutant(m, tests_of(m)) for m in mutants if m not in verdicts
    }
    for mutant, ended in side_by_side(begin.items(), jobs):
        verdicts[mutant] = verdict_of(mutant, ended)
        with journal.open("a") as file:
            file.write(json.dumps(asdict(verdicts[mutant])) + "\n")
        alive = verdicts[mutant].outcome == SURVIVED
        print("!" if alive else ".", end="", flush=True)
    return verdicts


def failing(tests: Sequence[str]) -> list[str]:
    """Those of some tests that fail without a mutant, too."""
    begin = {"all": lambda: without_mutant(tests, 60 + 10 * len(tests))}
    ((_, ended),) = side_by_side(begin.items(), 1)
    return ended.said.get("failed", tests)


def read_survivors(path: Path = SURVIVORS) -> list[tuple[str, str, str]]:
    """The changes that may live: module, line before, line after.

    Raises:
        ValueError: An entry has no reason.
    """
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    if bare := [entry for entry in entries if not entry["reason"].strip()]:
        raise ValueError(f"no reason is given: {bare}")
    return [(entry["module"], entry["was"], entry["becomes"]) for entry in entries]


def check_survivors(
    survivors: Collection[tuple[str, str, str]], dead: Collection[Mutant]
) -> list[str]:
    """What is no longer true of the list, as mutants that were killed show."""
    killed, issues = {mutant.change for mutant in dead}, []
    for module, was, becomes in survivors:
        text = (ROOT / module).read_text("utf-8") if (ROOT / module).exists() else ""
        gone = was not in {" ".join(line.split()) for line in text.splitlines()}
        if gone or (module, was, becomes) in killed:
            why = "gone" if gone else "now killed"
            issues.append(f"{why}, take it off: {module}: {was}  ->  {becomes}")
    return issues


def table(verdicts: Mapping[Mutant, Verdict], justified: set[Mutant]) -> list[str]:
    """A line for each room and one for all: tried, killed, justified, survivors."""
    rows = [f"{'room':12}{'sampled':>8}{'killed':>8}{'listed':>8}{'survivors':>11}"]
    tried = Counter(m.room for m in verdicts)
    dead = Counter(m.room for m, v in verdicts.items() if v.outcome != SURVIVED)
    reason = Counter(m.room for m in justified)
    for counts in (tried, dead, reason):
        counts["all"] = sum(counts.values())
    for room in [*(room for room in ROOMS if room in tried), "all"]:
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
    preload()
    try:
        verdicts = try_all(chosen, JOURNAL, asked.jobs)
    except ChildProcessError as error:
        print(f"\nerror: {error}", file=sys.stderr)
        return 2
    print()
    if broken := failing(sorted({v.by for v in verdicts.values() if v.by})):
        print("error: tests fail without a mutant:", *broken, sep="\n", file=sys.stderr)
        return 2
    survivors = read_survivors()
    alive = {mutant for mutant in chosen if verdicts[mutant].outcome == SURVIVED}
    justified = {mutant for mutant in alive if mutant.change in survivors}
    for mutant in sorted(alive - justified, key=lambda m: (m.module, m.line)):
        print(f"{mutant.module}:{mutant.line}\n    {mutant.was}\n    {mutant.becomes}")
    issues = check_survivors(survivors, [m for m in chosen if m not in alive])
    print("\n".join(f"survivors.yaml: {issue}" for issue in issues))
    print("\n".join(table(verdicts, justified)))
    print(share(len(chosen) - len(alive), len(chosen)))
    well = len(chosen) - len(alive - justified) >= GOAL * len(chosen)
    return 0 if well and not issues else 1


if __name__ == "__main__":
    sys.exit(main())
