"""Back-test the models on measured loads and on published numbers.

Writes one JSON object: ``{"schema": 2, "backtests": [...]}``. Errors are shares of 1. A
measured load is hidden, and the models are asked for it as if of all numbers of clients
but two, three or four, some fewer and some more than its own, nothing had been run.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from analysis.declared.metrics import METRICS_FILE, read_metrics
from analysis.declared.published import PUBLISHED_FILE, read_published
from analysis.declared.study import Study
from analysis.declared.workload import Workload, parse_workload
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.point import Point, predict_point
from analysis.derive.fallback.question import Answer
from analysis.derive.runs import open_database, read_campaigns
from analysis.derive.samples import Cell, Sample, gather_samples
from analysis.derive.verb import load_evidence
from analysis.files.atomic import write_text
from analysis.ingest.tables.load import load
from models.backtest import BackTest, BacktestPoint, backtests, made_of
from models.loads import BetweenLoads, References, read_references, reference_of

SCHEMA = 2
BACKTEST_FILE = Path("data/build/backtest.json")
# The solvers of two processors differ by some 1e-9; five digits are far from that and
# finer than any page prints. An error is a difference: it has decimals, not digits.
_DIGITS = 5
_CHOSEN = (2, 3, 4)  # loads that a hidden one is predicted from
_ASKED = {
    "rate": "rate or throughput",
    "throughput": "rate or throughput",
    "cpu_cost": "CPU cost",
    "utilisation": "utilisation",
}
_REFERRED = {"rate": "time", "cpu_cost": "cpu_cost", "utilisation": "utilisation"}
Samples = Mapping[Cell, Sample]
Points = list[BacktestPoint | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``python -m analysis backtest``."""
    help = "tables of measured campaigns, as in data/build/ingest/linux-loads"
    parser.add_argument("--tables", type=Path, nargs="*", default=[], help=help)
    parser.add_argument("--raw", type=Path, default=Path("raw"))
    parser.add_argument("--published", type=Path, default=PUBLISHED_FILE)
    parser.add_argument("--metrics", type=Path, default=METRICS_FILE)
    parser.add_argument("--out", type=Path, default=BACKTEST_FILE)
    parser.add_argument("--list", action="store_true", help="a line for each test")


def run(args: argparse.Namespace) -> int:
    """Run all back-tests, write them and say how often the 90% ranges held; with
    ``--list`` a line for each."""
    measured = measured_tests(args.tables, args.raw, args.metrics)
    published = backtests(read_published(args.published, args.metrics))
    tests = (*measured, *published)
    write_backtests(tests, args.out)
    parts = [
        f"{held} of {len(points)} on {data} numbers"
        for data in ("measured", "published")
        if (points := [p for t in tests if t.data == data for p in t.points])
        for held in [sum(point.held for point in points)]
    ]
    said = f"90% ranges of predictions held: {', '.join(parts)}"
    print(f"{said if parts else 'no data to test predictions on'}: {args.out}")
    for test in tests if args.list else ():
        print(_line(test))
    return 0


def measured_tests(
    tables: Sequence[Path], raw: Path, declared: Path = METRICS_FILE
) -> tuple[BackTest, ...]:
    """The back-tests of measured campaigns whose tables are in some folders."""
    if not tables:
        return ()
    metrics = read_metrics(declared)
    campaigns = read_campaigns({folder.name for folder in tables}, raw)
    with TemporaryDirectory(prefix="backtest-") as room:
        database = Path(room) / "perf.duckdb"
        load(tables, database)
        with open_database(database) as con:
            evidence = load_evidence(con, database, campaigns, metrics)
    return tuple(
        test
        for name in sorted(campaigns)
        for test in left_out_tests(name, gather_samples(evidence, [name]))
    )


def left_out_tests(campaign: str, samples: Samples) -> Iterator[BackTest]:
    """What the ladder says of each measured load of a campaign without its runs: a test
    for rates, for CPU costs and for utilisations."""
    groups = dict[str, Points]()
    for arm in sorted({cell.configuration for cell in samples}):
        own = {c: s for c, s in samples.items() if c.configuration == arm}
        study = Study(
            title=campaign, question=campaign, campaigns=(campaign,), baseline=arm,
            tests=(), workloads=("*",), figures=(),
        )  # fmt: skip
        for cell, point in _hidden(study, own):
            groups.setdefault(_ASKED[cell.metric], []).append(point)
    for what, points in groups.items():
        model = BetweenLoads("rate", {}).name
        task = f"{campaign}: {what} of each load, from two to four others around it"
        yield made_of(f"{campaign}, {what}", "measured", (model, task), points)


def references_of(samples: Samples, but: Workload | None = None) -> References:
    """The errors of the loads of a configuration, each left out of all others of its
    payload, without those of one payload; where there is none, the declared ones."""
    series = dict[tuple[str, str | None, Workload], dict[int, float]]()
    for cell, sample in samples.items():
        work = parse_workload(cell.workload)
        payload = replace(work, clients=0)
        if cell.metric in _REFERRED and payload != but:
            key = (_REFERRED[cell.metric], cell.role, payload)
            series.setdefault(key, {})[work.clients] = Knowledge.median(sample)
    errors = dict[str, list[float]]()
    for (kind, _, _), values in series.items():
        metric = "rate" if kind == "time" else kind
        errors.setdefault(kind, []).extend(BetweenLoads(metric, values).errors)
    told = {kind: reference_of(each) for kind, each in errors.items() if each}
    return read_references().model_copy(update=told)


def _hidden(
    study: Study, samples: Samples
) -> Iterator[tuple[Cell, BacktestPoint | None]]:
    """Each measured quantity of each load of a configuration, and what is predicted."""
    arm = study.baseline
    works = {cell.workload: parse_workload(cell.workload) for cell in samples}
    for name, work in works.items():
        payload = replace(work, clients=0)
        refer = references_of(samples, but=payload)
        flow = "throughput" if work.shape == "STR" else "rate"
        wanted = [
            cell
            for cell in samples
            if cell.workload == name
            and cell.metric in {flow, "cpu_cost", "utilisation"}
        ]
        like = [w.clients for w in works.values() if replace(w, clients=0) == payload]
        for chosen in _around(work.clients, like):
            kept = {
                cell: sample
                for cell, sample in samples.items()
                if works[cell.workload].clients in chosen
                and works[cell.workload].shape == work.shape
            }
            known = Knowledge(study, kept, references=refer)
            quantities = [(cell.metric, cell.role) for cell in wanted]
            answers = predict_point(Point(arm, work, None), quantities, known)
            for cell in wanted:
                answer = answers[cell.metric, cell.role]
                point = None
                if isinstance(answer, Answer):
                    p, actual = answer.prediction, Knowledge.median(samples[cell])
                    about = f"{arm}, {name} from {', '.join(map(str, chosen))} clients"
                    label = f"{about}, {cell.metric} {cell.role or ''}".rstrip()
                    point = BacktestPoint(label, actual, p.value, p.low, p.high)
                yield cell, point


def _around(clients: int, measured: Sequence[int]) -> list[tuple[int, ...]]:
    """Choices of numbers of clients with fewer and more among them; all others where
    there is no such choice."""
    others = sorted(n for n in measured if n != clients)
    choices = [
        chosen
        for size in _CHOSEN
        for chosen in combinations(others, size)
        if chosen[0] < clients < chosen[-1]
    ]
    return choices or [tuple(others)]


def write_backtests(tests: tuple[BackTest, ...], path: Path) -> None:
    """Write the back-tests in their order; nothing half-written under the name."""
    text = json.dumps(
        {"schema": SCHEMA, "backtests": [_record(test) for test in tests]},
        indent=1,
        ensure_ascii=False,
        allow_nan=False,
    )
    write_text(path, text + "\n")


def _line(test: BackTest) -> str:
    counts = f"{test.id:32} n={len(test.points):<4} refused={test.refused:<4}"
    if test.coverage is None or test.mean_error is None or test.bias is None:
        return counts
    return (
        f"{counts} mean error {test.mean_error:6.2%}  worst {test.worst_error:+7.2%}  "
        f"bias {test.bias:+7.2%}  in range {test.coverage:4.0%}"
    )


def _record(test: BackTest) -> dict[str, Any]:
    points = [asdict(point) | {"error": point.error} for point in test.points]
    record: dict[str, Any] = {
        "id": test.id,
        "data": test.data,
        "model": test.model,
        "question": test.question,
        "n": len(test.points),
        "refused": test.refused,
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
