"""The declared metrics."""

from pathlib import Path

import pytest

from analysis.declared.metrics import in_units, read_metrics
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


def test_a_file_that_changed_is_read_again_and_what_is_done_with_it_is_not_kept(
    root, tmp_path
):
    file = tmp_path / "metrics.yaml"
    text = (root / "data" / "metrics.yaml").read_text(encoding="utf-8")
    file.write_text(text, encoding="utf-8")
    read_metrics(file).clear()
    before = read_metrics(file)
    file.write_text(text.replace("label: Latency", "label: Waiting"), encoding="utf-8")
    assert before["latency"].label == "Latency"
    assert read_metrics(file)["latency"].label == "Waiting"


def test_an_edition_may_want_another_unit_and_no_unknown_one(root):
    metrics = read_metrics(root / "data" / "metrics.yaml")
    where = Path("report/lab/edition.yaml")
    chosen = in_units(metrics, {"throughput": "Gbit/s"}, where)
    assert [*chosen] == [*metrics]
    assert chosen["throughput"].unit == "Gbit/s"
    assert chosen["throughput"].expression == "bytes_per_second * 8 / 1e9"
    assert "bits" in chosen["throughput"].means
    assert metrics["throughput"].unit == "MB/s"
    assert in_units(metrics, {"throughput": "MB/s"}, where) == metrics
    for wrong in ({"throughput": "KiB/h"}, {"latency": "s"}, {"speed": "MB/s"}):
        with pytest.raises(
            UserError, match=r"report/lab/edition\.yaml.*declared"
        ) as no:
            in_units(metrics, wrong, where)
        assert "throughput: MB/s or Gbit/s" in str(no.value)
