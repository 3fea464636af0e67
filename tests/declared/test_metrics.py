"""The declared metrics."""

import pytest

from analysis.declared.metrics import read_metrics
from analysis.errors import UserError


def test_the_project_s_metrics_are_good(root):
    metrics = read_metrics(root / "data" / "metrics.yaml")
    assert list(metrics)[:2] == ["rate", "latency"]
    assert metrics["cpu_cost"].unit == "µs/tran"
    assert metrics["cpu_cost"].roles
    assert metrics["throughput"].shapes == ("STR", "GET", "PUT")


def test_every_metric_is_explained_in_a_sentence(root):
    metrics = read_metrics(root / "data" / "metrics.yaml")
    assert all(metric.means.endswith(".") for metric in metrics.values())


def test_a_direction_that_does_not_exist_is_named_with_its_line(tmp_path):
    file = tmp_path / "metrics.yaml"
    file.write_text(
        "rate:\n  label: Rate\n  unit: 1/s\n  better: bigger\n"
        "  roles: false\n  shapes: [RR]\n  means: A rate.\n"
    )
    with pytest.raises(UserError, match="rate → better") as caught:
        read_metrics(file)
    assert caught.value.issues[0].where.line == 4
