"""The z/OS FTP client: 1000-byte kilobytes, replies, direction, return codes."""

from __future__ import annotations

import pytest

from tests.ingest.logs import golden, reader, row, rows, text_of

DONE = "EZA1617I {} bytes transferred in {} seconds.  Transfer rate {} Kbytes/sec.\n"
LOG = "EZA1701I >>> RETR 'A.B'\n250 Transfer completed successfully.\n{}221 Goodbye.\n"


@pytest.fixture
def read(tmp_path):
    return reader("ftp_zos", tmp_path)


def test_each_direction_has_its_own_rate():
    reading = golden("ftp_zos/get-put.txt")
    assert reading.status == "ok"
    results = {r["test"]: r for r in rows(reading)}
    assert results["RETR"]["bytes_per_second"] == pytest.approx(20971520 / 0.52)
    assert results["STOR"]["transactions"] == 2
    assert results["STOR"]["seconds"] == pytest.approx(0.686)
    transfers = rows(reading, "ftp_transfer")
    assert [t["command"] for t in transfers] == ["RETR", "STOR", "STOR"]
    assert transfers[0]["file"] == "'USER1.TEST.G20M'"


def test_without_message_identifiers():
    assert row(golden("ftp_zos/without-identifiers.txt"))["rate"] == pytest.approx(25)


def test_a_kilobyte_has_1000_bytes(read):
    """24 bytes in 0.076 s are 0.32; with 1024 they would be 0.31."""
    assert read(LOG.format(DONE.format(24, "0.076", "0.32"))).status == "ok"
    wrong = 20971520 / 0.52 / 1024
    reading = read(LOG.format(DONE.format(20971520, "0.520", f"{wrong:.2f}")))
    assert reading.status == "degraded"
    assert "contradicts bytes and seconds" in reading.reason


def test_rate_is_computed_not_read(read):
    reading = read(LOG.format(DONE.format(1_000_000, "0.300", "3333.33")))
    assert row(reading)["bytes_per_second"] == pytest.approx(1_000_000 / 0.3)


def test_a_transfer_too_short_to_be_timed(read):
    reading = read(LOG.format(DONE.format(24, "0.000", "0.00")))
    assert reading.status == "degraded"
    assert row(reading)["rate"] is None


def test_a_failed_command_fails_with_its_code_and_reply():
    reading = golden("ftp_zos/no-such-data-set.txt")
    assert reading.status == "failed"
    assert "Std Return Code = 16550" in reading.reason
    assert "550 Data set USER1.NO.SUCH not found" in reading.problems[0].message


MOVED = DONE.format(1_000_000, "0.300", "3333.33")
SENT = "EZA1701I >>> STOR 'A.C'\n250 Transfer completed successfully.\n" + MOVED
REFUSED = "EZA1701I >>> STOR 'A.C'\n451 No space left.\n"


def test_a_failed_direction_does_not_fail_the_other(read):
    reading = read(LOG.format(MOVED + SENT + REFUSED))
    assert reading.status == "failed"
    assert reading.verdict("RETR").in_words == ("ok", "")
    assert reading.verdict("STOR").in_words == (
        "failed",
        "1 of 2 transfers failed (STOR)",
    )
    found = {r["test"]: (r["rate"], r["errors"]) for r in rows(reading)}
    assert found == {"RETR": (pytest.approx(1 / 0.3), 0), "STOR": (None, 1)}


def test_a_direction_that_failed_whole_has_its_verdict(read):
    reading = read(LOG.format(MOVED + REFUSED))
    assert reading.verdict("STOR").in_words == (
        "failed",
        "all 1 transfers failed (STOR)",
    )
    assert reading.verdict("RETR").in_words == ("ok", "")


def test_a_direction_that_failed_whole_is_a_result_without_figures(read):
    (gone,) = [
        r for r in rows(read(LOG.format(MOVED + REFUSED))) if r["test"] == "STOR"
    ]
    assert (gone["transactions"], gone["errors"], gone["position"]) == (0, 1, 5)
    assert gone["rate"] is gone["seconds"] is None


GAVE_UP = "EZA1735I Std Return Code = {}, Error Code = 00002\n"


def test_a_client_that_gave_up_names_the_direction(read):
    """27 is the subcommand PUT; what was moved before stays, with the doubt."""
    ended = GAVE_UP.format(27451)
    reading = read(LOG.format(MOVED + REFUSED + ended))
    told = ended.strip()
    assert reading.verdict("RETR").in_words == (
        "degraded",
        f"the client gave up: {told}",
    )
    failed = f"all 1 transfers failed (STOR); {told}"
    assert reading.verdict("STOR").in_words == ("failed", failed)
    assert reading.status == "failed"


@pytest.mark.parametrize(("code", "way"), [("16000", "RETR"), ("04000", "STOR")])
def test_a_failure_that_the_return_code_alone_tells(read, code, way):
    reading = read(LOG.format(MOVED + SENT + GAVE_UP.format(code)))
    other = {"RETR": "STOR", "STOR": "RETR"}[way]
    assert (reading.verdict(way)[0], reading.verdict(other)[0]) == (
        "failed",
        "degraded",
    )


def test_a_client_that_gave_up_at_something_else_fails_both_directions(read):
    """10 is OPEN."""
    told = GAVE_UP.format(10421)
    reading = read(LOG.format(MOVED + told))
    assert (
        reading.verdict("RETR").in_words
        == reading.verdict().in_words
        == ("failed", told.strip())
    )


def test_a_cut_transfer_concerns_its_own_direction(read):
    cut = LOG.format(MOVED).replace("221 Goodbye.\n", "EZA1701I >>> STOR 'A.C'\n")
    reading = read(cut)
    assert reading.verdict("STOR").in_words == ("truncated", "ends within a transfer")
    status, why = reading.verdict("RETR").in_words
    assert status == "degraded"
    assert "may be cut off" in why


def test_bytes_without_a_good_reply_are_no_transfer(read):
    reading = read(LOG.replace("250 ", "426 ").format(DONE.format(24, "0.076", "0.32")))
    assert reading.status == "failed"
    assert "ftp_transfer" not in reading.tables


def test_tls_that_failed(read):
    reading = read(
        "EZA1450I IBM FTP CS V3R1\nEZA2897I Authentication negotiation failed\n"
    )
    assert reading.status == "failed"
    assert "EZA2897I" in reading.reason


def test_cut_within_a_transfer(read):
    text = text_of("ftp_zos/get-put.txt")
    reading = read(text[: text.index("125 Storing data set")])
    assert reading.verdict("STOR").in_words == ("truncated", "ends within a transfer")
    assert reading.status == "truncated"


def test_no_end_of_session_is_a_doubt(read):
    text = text_of("ftp_zos/get-put.txt").replace("221 Quit command received", "")
    assert read(text).status == "degraded"


@pytest.mark.parametrize("bytes_", ["20,971,520", "20.971.520"])
def test_thousands_are_refused(read, bytes_):
    assert read(LOG.format(DONE.format(bytes_, "0.520", "40329.85"))).status == "failed"


def test_decimal_comma_is_refused(read):
    assert read(LOG.format(DONE.format(24, "0,076", "0,32"))).status == "failed"
