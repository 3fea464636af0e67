"""Measure what users wait for: ``python -m benchmarks [CASE ...]``.

All is done in copies below a temporary folder. CPU seconds are of all processes and
hardly depend on what else the machine does; seconds on the clock do. With --beside each
round of a case runs in both checkouts by turns, so a machine that slows down slows
both, and the last column is new / old.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from analysis.errors import UserError, as_user_error
from analysis.usage import whole
from benchmarks.cases import ALL, CASES, EDITION, Side
from benchmarks.cost import Numbers, machine
from benchmarks.project import ROOT

PYTHON = ".venv/bin/python"


def main(argv: list[str] | None = None) -> int:
    """Measure the chosen cases and print a table."""
    try:
        options = _parse(argv)
    except UserError as error:
        print(f"error: {as_user_error(error)}", file=sys.stderr)
        return 2
    print(machine())
    columns = (
        ("old", "new", "new / old") if options.beside else ("median", "min", "max")
    )
    _row("case", "medians" if options.beside else "", *columns)
    checkouts = {"new": (ROOT, sys.executable)}
    if options.beside:
        old = options.beside.resolve()
        checkouts = {"old": (old, str(old / PYTHON)), **checkouts}
    with tempfile.TemporaryDirectory(prefix="bench-", dir=options.folder) as name:
        folder = Path(name)
        sides = []
        for side, (checkout, python) in checkouts.items():
            (folder / side).mkdir()
            sides.append(Side(checkout, python, folder / side, folder, options))
        for case in options.cases:
            _show(case, _measure(case, sides, options.rounds))
    return 0


def _measure(case: str, sides: Sequence[Side], rounds: int) -> list[list[Numbers]]:
    """The numbers of each side's rounds, measured by turns."""
    started = [CASES[case](side) for side in sides]
    measured: list[list[Numbers]] = [[] for _ in sides]
    for _ in range(rounds):
        for numbers, side in zip(measured, started, strict=True):
            numbers.append(next(side))
    return measured


def _show(case: str, sides: list[list[Numbers]]) -> None:
    """A line for each name that all rounds have: medians of two sides and their ratio,
    or median, least and most of one."""
    for name in sides[0][0]:
        if not all(name in numbers for side in sides for numbers in side):
            continue
        values = [[numbers[name] for numbers in side] for side in sides]
        middle = [statistics.median(side) for side in values]
        if len(middle) == 1:
            cells = [*middle, min(values[0]), max(values[0])]
        else:
            cells = [*middle, *([middle[1] / middle[0]] if middle[0] else [])]
        _row(case, name, *(_text(cell) for cell in cells))


def _text(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def _row(case: str, name: str, *cells: str) -> None:
    print(f"{case:9} {name:42}", *(f"{cell:>10}" for cell in cells), flush=True)


def _parse(argv: list[str] | None) -> argparse.Namespace:
    listed = "\n".join(f"  {name:9} {case.__doc__}" for name, case in CASES.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=str(__doc__).partition("\n\n")[2],
        epilog=f"cases, all of them unless some are named:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help="see below")
    help = "another checkout, with its environment in .venv"
    parser.add_argument("--beside", type=Path, metavar="OLD", help=help)
    help = f"what is built, read and edited; {ALL} builds all (default: %(default)s)"
    parser.add_argument("--edition", default=EDITION, help=help)
    parser.add_argument("--folder", type=Path, help="where copies are made")
    for name, default, help in (
        ("rounds", 3, "of each case"),
        ("runs", 10_000, "of the made campaign of file and runs"),
        ("logs", 10_000, "to read"),
        ("megabytes", 200, "of SMF or XML to read"),
    ):
        some = whole(f"--{name}", 1)
        help += " (default: %(default)s)"
        parser.add_argument(
            f"--{name}", type=some, metavar="N", default=default, help=help
        )
    options = parser.parse_args(argv)
    for name in options.cases:
        if name not in CASES:
            parser.error(f"there is no case {name!r}: choose of {', '.join(CASES)}")
    options.cases = [name for name in CASES if name in (options.cases or CASES)]
    for checkout in filter(None, (ROOT, options.beside)):
        edition = checkout / "report" / options.edition / "edition.yaml"
        if options.edition != ALL and not edition.exists():
            parser.error(f"there is no {edition}: choose another --edition")
    if options.beside and not (options.beside / PYTHON).exists():
        parser.error(f"{options.beside} has no {PYTHON}: run 'make report' there first")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
