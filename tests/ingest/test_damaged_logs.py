"""Logs that were cut, corrupted or written in another locale: never a wrong number."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.ingest.detect import FORMATS
from analysis.ingest.reading import Reading
from tests.fresh import write_fresh

GOLDEN = Path(__file__).parents[1] / "golden"
BENCHMARKS = (
    "wrk", "ab", "hey", "h2load", "httperf", "siege", "curl", "openssl_s_time",
    "openssl_speed", "ftp_zos", "ftp_clients", "tn3270_s3270", "contract",
)  # fmt: skip
EVIDENCE = ("sar_text", "sadf", "vmstat", "pidstat", "cgroup", "perf_stat", "time_v")
OTHERS = ("ctg_statistics", "zos_displays", "netstat_zos")
NAMES = (*BENCHMARKS, *OTHERS, *EVIDENCE)
# Figures that a log tells twice, so that a changed digit shows.
TOLD_TWICE = {
    "wrk": ("rate", "transactions", "seconds"),
    "ab": ("rate", "transactions", "seconds", "bytes_per_second"),
    "hey": ("rate", "transactions", "seconds"),
    "h2load": ("rate", "transactions", "seconds"),
    "siege": ("rate", "transactions"),
}
SHORTER = ("curl", "tn3270_s3270", "openssl_speed")
# They are tried on each of many files.
few = settings(max_examples=settings().max_examples // 3)


def files(names: tuple[str, ...] = NAMES) -> list[Path]:
    found = [path for name in names for path in (GOLDEN / name).glob("*")]
    return sorted(path for path in found if not path.name.endswith(".expected.json"))


def called(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def read(name: str, path: Path) -> Reading:
    return FORMATS[name].read(path, "UTC")


def rows(reading: Reading) -> dict[str, list[dict[str, Any]]]:
    found = {name: table.to_dicts() for name, table in reading.tables.items()}
    return found | ({"benchmark": reading.results} if reading.results else {})


def key_figures(reading: Reading) -> list[tuple]:
    return [
        (row["transactions"], row["rate"], row["bytes_per_second"])
        for row in rows(reading).get("benchmark", [])
    ]


@pytest.fixture
def damaged(tmp_path):
    def write(path: Path, data: bytes) -> Reading:
        target = tmp_path / path.name
        write_fresh(target, data)
        return read(path.parent.name, target)

    return write


@pytest.mark.parametrize("path", files(), ids=called)
@given(share=st.floats(0, 0.999))
@few
def test_a_cut_log_is_not_ok_or_has_the_figures_of_the_whole(damaged, path, share):
    """A cut log is not ok, or has the figures of the whole one. Where each record is
    whole by itself, a log that ends between two of them is a shorter log."""
    data = path.read_bytes()
    whole = read(path.parent.name, path)
    cut = damaged(path, data[: int(len(data) * share)])
    if cut.status != "ok":
        return
    sound = rows(whole)
    for name, found in rows(cut).items():
        if name == "benchmark":
            counts = [row["transactions"] for row in sound[name]]
            shorter = path.parent.name in SHORTER or path.suffix == ".csv"
            assert shorter or set(key_figures(cut)) <= set(key_figures(whole))
            assert max(row["transactions"] for row in found) <= max(counts)
        else:
            assert found == sound.get(name, [])[: len(found)]


@pytest.mark.parametrize("path", files(), ids=called)
@given(at=st.integers(0, 1_000_000), byte=st.integers(0, 255))
@few
def test_a_changed_byte_never_crashes(damaged, path, at, byte):
    data = bytearray(path.read_bytes())
    data[at % len(data)] = byte
    reading = damaged(path, bytes(data))
    assert reading.reason or reading.status == "ok"


@pytest.mark.parametrize("name", TOLD_TWICE)
@given(at=st.integers(0, 1_000_000), digit=st.sampled_from(b"0123456789"))
def test_a_changed_digit_is_noticed_or_harmless(damaged, name, at, digit):
    """Of figures that a log tells twice none is more than 4% wrong and ok."""
    for path in files((name,)):
        whole = read(name, path)
        if whole.status != "ok" or path.suffix == ".csv":
            continue
        data = bytearray(path.read_bytes())
        digits = [i for i, byte in enumerate(data) if byte in b"0123456789"]
        data[digits[at % len(digits)]] = digit
        changed = damaged(path, bytes(data))
        if changed.status != "ok" or rows(whole)["benchmark"][0]["seconds"] < 0.5:
            continue
        (before,), (after,) = rows(whole)["benchmark"], rows(changed)["benchmark"]
        for figure in TOLD_TWICE[name]:
            assert after[figure] == pytest.approx(before[figure], rel=0.04)


def with_commas(text: str) -> str:
    return re.sub(r"(?<=\d)\.(?=\d)", ",", text)


def with_thousands(text: str, mark: str) -> str:
    return re.sub(
        r"(?<![\d.])\d{4,}", lambda m: f"{int(m[0]):,}".replace(",", mark), text
    )


@pytest.mark.parametrize("path", files(BENCHMARKS), ids=called)
@pytest.mark.parametrize(
    "change",
    [
        with_commas,
        lambda text: with_thousands(text, ","),
        lambda text: with_thousands(text, "."),
        lambda text: with_thousands(text, " "),
        lambda text: with_thousands(with_commas(text), "."),
    ],
    ids=["comma", "1,234", "1.234", "1 234", "1.234,5"],
)
def test_other_locales_are_refused_or_right(damaged, path, change):
    whole = read(path.parent.name, path)
    reading = damaged(path, change(path.read_text(encoding="utf-8")).encode())
    if reading.status != "ok":
        return
    for before, after in zip(key_figures(whole), key_figures(reading), strict=True):
        assert after == before


@pytest.mark.parametrize("name", ["wrk", "ab", "hey", "h2load", "httperf", "siege"])
def test_two_logs_in_one_file_are_not_one(damaged, name):
    logs = [p for p in files((name,)) if p.suffix != ".csv"]
    path = next(p for p in logs if read(name, p).status == "ok")
    reading = damaged(path, path.read_bytes() * 2)
    assert reading.status == "failed"
    assert "in one file" in reading.reason
