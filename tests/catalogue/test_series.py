"""Values over campaigns as change-point tools and OpenMetrics have them."""

from __future__ import annotations

import csv
import re

import yaml

from tests.catalogue.test_catalogue import MONTHS, catalogue, months

__all__ = ["months"]
SAMPLE = re.compile(r'netperf_(\w+)\{((?:\w+="[^"]*",?)+)\} (-?[\d.e+-]+) (\d+)')


def test_a_folder_for_change_points_has_a_series_in_order_of_time(months, tmp_path):
    folder = tmp_path / "series"
    assert catalogue(months, "--format", "otava", "--out", str(folder)) == 0
    tests = yaml.safe_load((folder / "otava.yaml").read_text())["tests"]
    assert {path.stem for path in folder.glob("*.csv")} == set(tests)
    for name, test in tests.items():
        rows = list(csv.DictReader((folder / test["file"]).read_text().splitlines()))
        assert [row["campaign"] for row in rows] == list(MONTHS), name
        assert [row["time"] for row in rows] == sorted(row["time"] for row in rows)
        assert list(rows[0]) == ["time", "campaign", *test["metrics"]]
        columns = [one["column"] for one in test["metrics"].values()]
        assert all(float(row[column]) > 0 for row in rows for column in columns)
    [rates] = [t for n, t in tests.items() if "rate" in t["metrics"] and "-b-" not in n]
    assert rates["metrics"]["rate"]["direction"] == 1
    assert rates["metrics"]["latency"]["direction"] == -1


def test_a_folder_is_asked_for(months, capsys):
    assert catalogue(months, "--format", "otava") == 2
    assert "name a folder: --out FOLDER" in capsys.readouterr().err


def test_openmetrics_has_a_family_a_metric_and_its_samples_in_order(months, capsys):
    assert catalogue(months, "--format", "openmetrics") == 0
    *lines, end = capsys.readouterr().out.splitlines()
    assert end == "# EOF"
    families = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(families) == len(set(families)) and "netperf_rate" in families
    last: dict[tuple[str, str], int] = {}
    for line in lines:
        if line.startswith("#"):
            family = line.split()[2]
            continue
        match = SAMPLE.fullmatch(line)
        assert match, line
        assert f"netperf_{match[1]}" == family
        series = match[1], match[2]
        assert last.get(series, 0) < int(match[4])
        last[series] = int(match[4])
    assert len(last) > 2
