"""Logs of all tools that lie beside the project, where they are there.

A folder's name begins with what became of the run and with the tool that made it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.ingest.detect import read_file

SAMPLES = Path(__file__).parents[3] / "shared" / "samples" / "bench"
LOGS = sorted(SAMPLES.glob("*/client.*"))
LOST = {"failed": ("failed",), "truncated": ("truncated", "empty")}
# Rates for each second of CPU time, values without names, and commands that failed.
IN_DOUBT = {
    "netperf_confidence": "failed",
    "netperf_omni_csv": "degraded",
    "openssl_s_time_new_tls12": "degraded",
    "openssl_speed_rsa": "degraded",
    "tn3270_s3270_hercules": "degraded",
    "wrk_404_all_errors": "failed",
}
FATES = (*LOST, "contaminated")


def client_logs() -> list[Path]:
    return [path for path in LOGS if path.suffix != ".stderr"]


@pytest.mark.skipif(not LOGS, reason="needs ../shared/samples")
@pytest.mark.parametrize("path", client_logs(), ids=lambda path: path.parent.name)
def test_what_became_of_each_run(path):
    reading = read_file(path, "UTC")
    fate, *_ = path.parent.name.split("_")
    if fate in LOST:
        assert reading.status in LOST[fate]
    else:
        assert reading.status == IN_DOUBT.get(path.parent.name, "ok")
    if reading.status == "ok":
        assert reading.results
    else:
        assert reading.reason


@pytest.mark.skipif(not LOGS, reason="needs ../shared/samples")
@pytest.mark.parametrize("path", client_logs(), ids=lambda path: path.parent.name)
def test_each_log_is_of_its_tool(path):
    reading = read_file(path, "UTC")
    tool, *_ = (word for word in path.parent.name.split("_") if word not in FATES)
    assert reading.format.startswith(tool) or reading.status == "empty"
