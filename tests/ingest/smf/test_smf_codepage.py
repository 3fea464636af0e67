"""Texts in the code page that is given, or that the campaign declares."""

from __future__ import annotations

from typing import get_args

import polars as pl
import pytest

from analysis.cli import main
from analysis.declared.campaign import CodePageName, read_campaign
from analysis.errors import UserError
from analysis.ingest.smf import CODE_PAGES
from synthetic.smf.dump import unblocked
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.smf.conftest import rows


def test_a_campaign_may_declare_every_code_page_that_is_read():
    assert get_args(CodePageName) == CODE_PAGES


@pytest.mark.parametrize(
    ("page", "job"), [("273", "GRÖSSE"), ("500", "A[1]"), ("037", "A[1]")]
)
def test_a_national_letter_needs_its_code_page(read_records, page, job):
    made = connection(Connection(job=job, codec=f"cp{page}"))
    (row,) = rows(read_records(made, codepage=page), "tcp_connection")
    assert row["job"] == job
    (row,) = rows(read_records(made), "tcp_connection")
    assert row["job"] != job


@pytest.mark.parametrize("declared", ["", "codepage: 273\n", 'codepage: "273"\n'])
def test_the_code_page_of_the_campaign_is_used(folder, declared):
    made = connection(Connection(job="GRÖSSE", codec="cp273"))
    (folder.path / "dump.smf").write_bytes(unblocked([made]))
    folder.edit("campaign.yaml", "origin: measured\n", f"origin: measured\n{declared}")
    header, *lines = (folder.path / "runs.csv").read_text().splitlines()
    lines = [f"{line.rsplit(',', 1)[0]},dump.smf" for line in lines]
    (folder.path / "runs.csv").write_text("\n".join([header, *lines]) + "\n")
    folder.sign()
    out = folder.path.parent / "out"
    assert main(["ingest", "--campaign", str(folder.path), "--out", str(out)]) == 0
    found = pl.read_parquet(out / "tcp_connection.parquet")
    assert found["job"].to_list() == (["GRÖSSE"] if declared else ["GR\\SSE"])


@pytest.mark.parametrize(
    ("page", "what"),
    [
        ("1252", "codepage: (.|\\n)*'037', '273'"),
        ("037", "037 is read as another number"),
    ],
)
def test_a_code_page_that_is_none_names_its_line(folder, page, what):
    new = f"origin: measured\ncodepage: {page}\n"
    folder.edit("campaign.yaml", "origin: measured\n", new)
    with pytest.raises(UserError, match=what) as caught:
        read_campaign(folder.path)
    lines = (folder.path / "campaign.yaml").read_text().splitlines()
    line = lines.index(f"codepage: {page}") + 1
    assert caught.value.issues[0].where.line == line
