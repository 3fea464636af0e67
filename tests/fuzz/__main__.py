"""Damage inputs for some minutes on all cores, and keep what was found: ``make fuzz``.

Every input that does what none may do is kept in ``tests/fuzz/found``, with a file
beside it that says what it did; ``--replay`` reads them again. The exit code is 1
where something was found.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import shutil
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.children import Ended, Running, side_by_side, start
from tests.fuzz.guard import SECONDS, scratch
from tests.fuzz.target import Seed
from tests.fuzz.targets import NAMES, targets

FOUND = Path(__file__).with_name("found")
ROUND = 250  # inputs of one target before the next has its turn
ROUND_SECONDS = 300  # of computing; an input alone may take some
_OWN = re.compile(
    r'File "[^"]*/((?:analysis|models|synthetic)/[^"]+)", line \d+, in .+'
)
Work = tuple[int, dict]


def run_round(name: str, number: int, folder: Path) -> Work:
    """Some inputs of one target; the simplest one that does wrong is told.

    Returns:
        0, or 1 with ``said``; how many ``inputs`` there were; the ``last`` one stays in
        the folder.
    """
    target, inputs, last = targets()[name], 0, ("", b"")
    target.prepare(folder)

    @seed(number)
    @settings(
        max_examples=ROUND,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs())
    def read(made: tuple[Seed, bytes]) -> None:
        nonlocal inputs, last
        inputs, last = inputs + 1, (made[0].name, made[1])
        (folder / ".last").write_bytes(last[0].encode() + b"\n" + last[1])
        target.try_input(folder, *made)

    try:
        read()
    except BaseException:
        keep(name, *last, traceback.format_exc())
        return 1, {"inputs": inputs}
    return 0, {"inputs": inputs}


def keep(target: str, seed_name: str, data: bytes, said: str) -> None:
    """Keep an input that did wrong; one for each place in the program."""
    places, last = _OWN.findall(said), said.strip().splitlines()[-1]
    place = places[-1] if places else re.sub(r"[\W\d]+", " ", last)
    path = FOUND / f"{target}-{sha256(place.encode()).hexdigest()[:8]}.bin"
    FOUND.mkdir(exist_ok=True)
    path.write_bytes(data)
    about = {"target": target, "seed": seed_name, "said": said.splitlines()}
    path.with_suffix(".json").write_text(json.dumps(about, indent=1), encoding="utf-8")


def replay(path: Path, folder: Path) -> Work:
    """Read again what was kept in a file; 0 where nothing is wrong any more."""
    about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    target = targets()[about["target"]]
    target.prepare(folder)
    target.try_input(folder, target.seed(about["seed"]), path.read_bytes())
    return 0, {}


def rounds(
    names: list[str], until: float, base: int, folder: Path
) -> Iterator[tuple[tuple[str, int], Callable[[], Running]]]:
    """Rounds of all targets in turn, until the time is over."""
    for number, name in enumerate(itertools.cycle(names)):
        if time.monotonic() > until:
            return
        own = folder / str(number)
        own.mkdir()
        play = partial(run_round, name, base + number, own)
        yield (name, number), partial(start, play, ROUND_SECONDS)


def stuck(name: str, folder: Path) -> bool:
    """Whether the last input of a round that did not end is what held it up."""
    if not (folder / ".last").exists():
        return False
    seed_name, _, data = (folder / ".last").read_bytes().partition(b"\n")

    def again() -> Work:
        target = targets()[name]
        target.try_input(folder, target.seed(seed_name.decode()), data)
        return 0, {}

    (_, ended), *_ = side_by_side([(0, partial(start, again, 3 * SECONDS))], 1)
    if ended.code != 0:
        keep(name, seed_name.decode(), data, f"the child ended with {ended.code}")
    return ended.code != 0


def fuzz(names: list[str], minutes: float, base: int, jobs: int) -> int:
    """Damage inputs for some minutes and print what came of it; the exit code."""
    inputs, seconds, found = Counter[str](), Counter[str](), Counter[str]()
    folder = scratch()
    try:
        until = time.monotonic() + 60 * minutes
        for (name, number), ended in side_by_side(
            rounds(names, until, base, folder), jobs
        ):
            inputs[name] += ended.said.get("inputs", 0)
            seconds[name] += ended.seconds
            found[name] += failed(name, folder / str(number), ended)
            shutil.rmtree(folder / str(number), ignore_errors=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for name in names:
        rate = 60 * inputs[name] / (seconds[name] or 1)
        print(f"{name:16} {inputs[name]:>9,} inputs, {rate:>8,.0f} a minute and core; "
              f"{found[name]} rounds with a finding")  # fmt: skip
    print(f"{'together':16} {inputs.total():>9,} inputs; seed {base}")
    if found.total():
        print(f"what was found is in {FOUND}; --replay reads it again")
    return 1 if found.total() else 0


def failed(name: str, folder: Path, ended: Ended) -> bool:
    """Whether a round found something."""
    if ended.timeout or ended.code not in (0, 1):
        return stuck(name, folder)
    return ended.code == 1


def replay_all(paths: list[Path]) -> int:
    """Read kept inputs again; prints which still do wrong and returns the exit code."""
    folder, wrong = scratch(), 0
    work = []
    for number, path in enumerate(paths):
        own = folder / str(number)
        own.mkdir()
        work.append((path, partial(start, partial(replay, path, own), 3 * SECONDS)))
    for path, ended in side_by_side(work, 1):
        wrong += ended.code != 0
        print(f"{path}: {'still wrong' if ended.code else 'mended'}")
    shutil.rmtree(folder)
    return 1 if wrong else 0


def main() -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--target", choices=NAMES, action="append")
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))  # noqa: S311
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--replay", type=Path, nargs="*", help="kept inputs, or all")
    asked = parser.parse_args()
    if asked.replay is not None:
        return replay_all(asked.replay or sorted(FOUND.glob("*.bin")))
    return fuzz(asked.target or list(NAMES), asked.minutes, asked.seed, asked.jobs)


if __name__ == "__main__":
    sys.exit(main())
