"""Back-test the models on published numbers.

Writes one JSON object: ``{"schema": 1, "backtests": [...]}``. Errors are shares of 1.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.declared.metrics import METRICS_FILE
from analysis.declared.published import PUBLISHED_FILE, read_published
from analysis.files.atomic import write_text
from models.backtest import BackTest, backtests

SCHEMA = 1
BACKTEST_FILE = Path("data/build/backtest.json")
# The solvers of two processors differ by some 1e-9; five digits are far from that and
# finer than any page prints. An error is a difference: it has decimals, not digits.
_DIGITS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis backtest``."""
    parser.add_argument("--published", type=Path, default=PUBLISHED_FILE)
    parser.add_argument("--metrics", type=Path, default=METRICS_FILE)
    parser.add_argument("--out", type=Path, default=BACKTEST_FILE)
    parser.add_argument("--list", action="store_true", help="a line for each test")


def run(args: argparse.Namespace) -> int:
    """Run all back-tests, write them and say how far models were from what was
    published; with ``--list`` a line for each."""
    tests = backtests(read_published(args.published, args.metrics))
    write_backtests(tests, args.out)
    errors = [test.mean_error for test in tests]
    print(
        f"{len(tests)} tests of the models behind predictions on published numbers: "
        f"mean errors {min(errors):.1%} to {max(errors):.1%}: {args.out}"
    )
    for test in tests if args.list else ():
        print(
            f"{test.id:22} n={len(test.points):<3} mean error {test.mean_error:6.2%}  "
            f"worst {test.worst_error:+7.2%}  bias {test.bias:+7.2%}"
        )
    return 0


def write_backtests(tests: tuple[BackTest, ...], path: Path) -> None:
    """Write the back-tests in their order; nothing half-written under the name."""
    text = json.dumps(
        {"schema": SCHEMA, "backtests": [_record(test) for test in tests]},
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )
    write_text(path, text + "\n")


def _record(test: BackTest) -> dict[str, Any]:
    points = [asdict(point) | {"error": point.error} for point in test.points]
    record: dict[str, Any] = {
        "id": test.id,
        "model": test.model,
        "question": test.question,
        "n": len(test.points),
        "mean_error": test.mean_error,
        "worst_error": test.worst_error,
        "bias": test.bias,
        "coverage": test.coverage,
        "points": points,
    }
    return _rounded(record)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(float(f"{value:.{_DIGITS}g}"), _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
