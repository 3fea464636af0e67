"""Cells that a spreadsheet would run, and that numbers and readers stay as they are."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.files.csv_text import as_written, csv_text, defused, read_csv, write_frame

SIGNS = "=+-@\t\r＝＋－＠"
FORMULAS = [
    "=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1＋1", "＋1+1",
    "－1+1", "＠SUM(1)", " =1+1", "\u00a0=1", "\ufeff=1", "\u3000＝1",
    "=cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "@SUM(1+1)*cmd|' /C calc'!A0",
    '=HYPERLINK("http://example.org?x="&A1,"y")', "=WEBSERVICE(A1)", "=DDE(1;2;3)",
    "text;=1+1", "text\t=1+1", "a\n=1+1", "a\r\n@x", "'=1", "''=1", "-", "+x", "-1-1",
    "=", "- 5", "-5 %", "--5", "+49 170 1234567",
]  # fmt: skip
PLAIN = [
    "", "text", "RR10(100B)", "a=b", "1-2", "it's", "'quoted'", "a;b", "–", "−5",
    "a-b", "x@example.org", "'", "''",
]  # fmt: skip
NUMBERS = ["-5", "-5.25", "+3", "-1e-05", "-.5", "1.5E+10", "0", "-0.0"]


def opened(text: str) -> list[str]:
    """The cells that a spreadsheet finds, also one that ends cells at semicolons."""
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    return cells + [part for line in text.splitlines() for part in line.split(";")]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_formula_begins_a_cell(text: str) -> None:
    safe = defused(text)
    for cell in (safe, *safe.replace("\r", "\n").split("\n"), *safe.split(";")):
        assert cell.lstrip(" \u00a0\u3000\ufeff")[:1] not in (*SIGNS, "\x00")
    assert as_written(safe) == text


@pytest.mark.parametrize("text", PLAIN + NUMBERS)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert defused(text) == text
    assert as_written(text) == text


@given(st.text(alphabet=SIGNS + "'; \n\u00a0a1.e"))
def test_every_text_is_read_as_it_was_written(text: str) -> None:
    assert as_written(defused(text)) == text


def test_a_table_is_safe_and_read_as_it_was(tmp_path: Path) -> None:
    texts = [*FORMULAS, *PLAIN, None]
    frame = pl.DataFrame(
        {"name": texts, "value": [-1.5 * number for number in range(len(texts))]}
    )
    write_frame(frame, tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_bytes().decode()
    assert not [c for c in opened(text) if c[:1] in "=@＝＠\t" and c]
    assert ",-1.5\n" in text
    rows = list(read_csv(text))
    assert [row["name"] for row in rows] == [t or "" for t in texts]
    assert [float(row["value"]) for row in rows] == frame["value"].to_list()


def test_rows_are_safe_and_read_as_they_were() -> None:
    rows = [{"name": text, "n": -number} for number, text in enumerate(FORMULAS)]
    text = csv_text(["name", "n", "none"], rows)
    assert [row["name"] for row in read_csv(text)] == FORMULAS
    assert [row["n"] for row in read_csv(text)][:2] == ["0", "-1"]
    assert {row["none"] for row in read_csv(text)} == {""}
