"""Logs of a locale with decimal commas: named as that in every format, or read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.ingest.detect import read_file
from tests.ingest.logs import GOLDEN, golden, row, text_of

# A number with decimals: no part of an address, of a version or of a name.
DECIMALS = re.compile(rb"(?<![\d.\w])(\d+)\.(\d+)(?![\d.])")


def with_commas(path: Path) -> bytes:
    return DECIMALS.sub(rb"\1,\2", path.read_bytes())


def usable_logs() -> list[Path]:
    """Texts with decimals that are read, apart from times of a console's log."""
    logs = [p for p in GOLDEN.glob("*/*") if p.is_file() and "__" not in p.parent.name]
    return sorted(
        path
        for path in logs
        if path.suffix not in (".gz", ".bz2")
        and not path.name.endswith(".expected.json")
        and path.parent.name not in ("facts", "predictions", "zos_displays")
        and read_file(path, "UTC").status in ("ok", "degraded")
        and with_commas(path) != path.read_bytes()
    )


@pytest.mark.parametrize(
    "path", usable_logs(), ids=lambda p: f"{p.parent.name}-{p.name}"
)
def test_decimal_commas_are_read_or_named(path, tmp_path):
    log = tmp_path / path.name
    log.write_bytes(with_commas(path))
    before, reading = read_file(path, "UTC"), read_file(log, "UTC")
    if reading.status in ("ok", "degraded"):
        assert reading.results == before.results
        assert all(
            reading.tables[n].equals(table) for n, table in before.tables.items()
        )
    else:
        assert any("comma" in problem.message for problem in reading.problems)


def test_commas_of_perf_csv_need_another_separator():
    reading = golden("perf_stat/decimal-commas.csv")
    assert reading.status == "failed"
    assert (reading.problems[0].line, "-x ';'" in reading.reason) == (3, True)


def test_perf_csv_with_another_separator_is_read(tmp_path):
    path = tmp_path / "log"
    text = text_of("perf_stat/command.csv").replace(",", ";").replace(".", ",")
    path.write_text(text)
    assert row(read_file(path), "run_cpu")["cpu_seconds"] == 0.09314


def test_what_has_no_comma_is_not_blamed_on_the_locale(tmp_path):
    path = tmp_path / "log"
    path.write_text(text_of("nuttcp/fixed.txt").replace("Mbps", "Mbqs"))
    assert "LC_ALL" not in read_file(path).reason
