"""siege: text and JSON alike, response times rounded to 10 ms."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, little, reader, row, text_of


def test_a_text_has_its_rate_and_clients():
    reading = golden("siege/text.txt")
    result = row(reading)
    assert (reading.status, result["clients"]) == ("ok", 4)
    assert (result["transactions"], result["rate"]) == (16799, 15999.05)
    assert result["bytes_per_second"] == pytest.approx(1.03 * 2**20 / 1.05)


def test_mean_follows_from_the_concurrency():
    reading = golden("siege/text.txt")
    assert row(reading)["latency_mean_us"] == pytest.approx(3.44 / 15999.05 * 1e6)
    assert little(reading) == pytest.approx(3.44 / 4)


def test_json_has_its_rate_and_no_clients():
    reading = golden("siege/json.txt")
    assert (reading.status, row(reading)["rate"]) == ("ok", 14749.74)
    assert row(reading)["clients"] is None


@pytest.mark.parametrize(
    ("file", "status", "reason"),
    [
        ("half-errors", "failed", "19 of 40 transactions failed"),
        ("refused", "failed", "all 20 transactions failed"),
        ("too-short", "degraded", "it took 0.01 s"),
    ],
)
def test_content_tells_whether_it_ran(file, status, reason):
    reading = golden(f"siege/{file}.txt")
    assert (reading.status, reading.reason[: len(reason)]) == (status, reason)


def test_spaces_between_thousands_are_refused(tmp_path):
    text = text_of("siege/text.txt").replace("16799 hits", "16 799 hits")
    assert reader("siege", tmp_path)(text).status == "failed"


def test_cut_within_the_first_error(tmp_path):
    text = text_of("siege/refused.txt")
    reading = reader("siege", tmp_path)(text[: text.index("socket:")])
    assert (reading.status, "ends before" in reading.reason) == ("truncated", True)


def test_a_low_rate_is_known_to_its_last_digit_only(tmp_path):
    """100 transactions in 281.80 s are 0.3549 a second."""
    text = text_of("siege/text.txt").replace("16799 hits", "100 hits")
    text = text.replace("1.05 secs", "281.80 secs").replace("15999.05", "0.35")
    assert reader("siege", tmp_path)(text).status == "ok"
