"""The examples of the how-to pages work: their code is loaded, their tests are run."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest

from analysis.declared.metrics import read_metrics
from analysis.declared.workload import parse_workload
from analysis.derive.fallback.question import Answer, Question
from analysis.derive.samples import sample_warnings
from analysis.derive.values import check_expressions, derive_rates
from analysis.figures.kind import KINDS
from analysis.ingest.detect import FORMATS
from analysis.report.language.claims import parse_claim
from analysis.report.output import OUTPUTS
from analysis.report.tables.blocks import statistic
from analysis.statistics.statistic import STATISTICS
from benchmarks.project import ROOT
from tests.derive.fallback.conftest import interactive, knowledge, study
from tests.ingest import logs

HOW_TO = ROOT / "docs" / "how-to"
Load = Callable[[str, str], ModuleType]


def blocks(page: str, language: str) -> list[str]:
    """The examples of a page in one language."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [textwrap.dedent(block) for block in found]


def block(page: str, start: str, language: str = "python") -> str:
    """The only example that begins so."""
    [found] = [text for text in blocks(page, language) if text.startswith(start)]
    return found


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Load an example as a module of a name, which others can then import."""

    def make(name: str, code: str) -> ModuleType:
        path = tmp_path / f"{name.rpartition('.')[2]}.py"
        path.write_text(code, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return make


def run_tests(module: ModuleType, tmp_path: Path) -> int:
    """Run the tests of a module; returns how many there were."""
    tests = [f for name, f in vars(module).items() if name.startswith("test_")]
    for test in tests:
        wanted = inspect.signature(test).parameters
        test(**({"tmp_path": tmp_path} if "tmp_path" in wanted else {}))
    return len(tests)


def test_the_format_reads_its_log(load, tmp_path, monkeypatch):
    tcpecho = load(
        "analysis.ingest.bench.tcpecho", block("format.md", '"""tcpecho logs')
    )
    monkeypatch.setitem(FORMATS.entries, "tcpecho", tcpecho)
    (tmp_path / "tcpecho").mkdir()
    (tmp_path / "tcpecho" / "rr10.txt").write_text(
        block("format.md", "tcpecho 1.2", "text")
    )
    monkeypatch.setattr(logs, "GOLDEN", tmp_path)
    monkeypatch.setattr(
        "analysis.ingest.detect.recognised", lambda _: [FORMATS["tcpecho"]]
    )
    tests = load("test_tcpecho", block("format.md", '"""tcpecho: a whole'))
    assert run_tests(tests, tmp_path) == 4


def test_the_emitter_writes_that_log(load):
    load("synthetic.emitters.tcpecho", block("emitter.md", '"""A log of'))
    use = load("use_tcpecho", block("emitter.md", "from synthetic.emitters.tcpecho"))
    assert use.data.decode() == block("format.md", "tcpecho 1.2", "text")


def test_the_figure_kind_draws(load, tmp_path, monkeypatch):
    code = block("figure-kind.md", '"""The medians chart: one')
    kind = load("analysis.figures.kinds.medians", code)
    monkeypatch.setitem(KINDS.entries, "medians", kind.KIND)
    example = block("figure-kind.md", '"""The medians chart: marks')
    assert run_tests(load("test_medians", example), tmp_path) == 3


def test_the_statistic_is_computed_and_has_words(load, tmp_path, monkeypatch):
    name = "analysis.statistics.range"
    made = load(name, block("statistic.md", '"""The range of runs, as'))
    monkeypatch.setitem(STATISTICS.entries, "range", made.STATISTIC)
    assert statistic("range", "value") == (
        "the runs reach over more than 50% of their median"
    )
    told = sample_warnings(np.array([90.0, 100, 170, 95, 96, 97]), ("r",) * 6)
    assert str(told[-1]) == "the runs reach over 83%"
    assert told[-1].note == "The runs reach over 83%."
    tests = load("test_range", block("statistic.md", '"""The range of runs: a'))
    assert run_tests(tests, tmp_path) == 2


def test_the_output_format_is_rendered(load, tmp_path, monkeypatch):
    name = "analysis.report.outputs.plain"
    made = load(name, block("output-format.md", '"""Plain text, for'))
    monkeypatch.setitem(OUTPUTS.entries, "plain", made.OUTPUT)
    tests = load("test_plain", block("output-format.md", '"""Plain text: the'))
    assert run_tests(tests, tmp_path) == 2


def test_the_model_answers(load, tmp_path):
    load("models.beyond", block("model.md", '"""Beyond: all'))
    tests = load("test_beyond", block("model.md", '"""Beyond: a range'))
    assert run_tests(tests, tmp_path) == 3
    rung = load("analysis.derive.fallback.beyond", block("model.md", '"""Last rung'))
    known = knowledge(study(), interactive("B", "RR10(1kB)", 100.0, 6.0, 7.0))
    asked = Question("B", parse_workload("RR15(1kB)"), "rate")
    found = rung.go_beyond(asked, known)
    assert isinstance(found, Answer)
    assert found.prediction.value == pytest.approx(125)


def test_the_metric_is_declared_and_derived(tmp_path):
    path = tmp_path / "metrics.yaml"
    path.write_text(block("metric.md", "bit_rate:", "yaml"), encoding="utf-8")
    metrics = read_metrics(path)
    assert metrics["bit_rate"].unit == "Gbit/s"
    assert check_expressions(metrics, path) == []
    run = pl.DataFrame({"id": ["r"], "bytes_per_second": [150 * 20_971_521.0]})
    (row,) = derive_rates(run, metrics).to_dicts()
    assert row["bit_rate"] == pytest.approx(150 * 0.020971521 * 8)


def test_the_claim_of_the_study_is_one():
    text = block("study.md", "---", "markdown")
    claim = re.search(r"^  - (.*)$", text, re.MULTILINE)[1]
    assert parse_claim(claim, read_metrics()).subject.metric == "latency"
