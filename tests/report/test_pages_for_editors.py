"""What the pages for editors promise must work as they say."""

from __future__ import annotations

import re

import pytest

from analysis.report.language.claims import parse_claim
from analysis.report.language.functions import FILTERS, fact_functions
from analysis.report.language.scope import UnknownError
from analysis.report.tables.blocks import blocks
from tests.report.conftest import ROOT
from tests.report.language.small import METRICS

CLAIMS = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
EXPRESSIONS = (ROOT / "docs/expressions.md").read_text(encoding="utf-8")
METRIC = re.compile(rf"`((?:{'|'.join(METRICS)}|no comparison) [^`…{{]+)`")
CHOICE = re.compile(r"^\| `(for [^`]+)`", re.MULTILINE)


def documented_claims() -> list[str]:
    claims = [text for text in METRIC.findall(CLAIMS) if text != "cpu_cost of sender"]
    return [*claims, *(f"latency falls {words}" for words in CHOICE.findall(CLAIMS))]


@pytest.mark.parametrize("text", documented_claims())
def test_every_claim_of_the_page_is_understood(text: str) -> None:
    than = " than for RR10(100B)" if text.endswith("scatters more") else ""
    assert parse_claim(text + than, METRICS) is not None


def test_the_page_shows_many_claims() -> None:
    assert len(documented_claims()) > 20


def test_every_expression_and_filter_is_on_its_page() -> None:
    names = fact_functions(None)  # type: ignore[arg-type]
    missing = [name for name in names if f"{name}(" not in EXPRESSIONS]
    missing += [name for name in FILTERS if f"| {name}" not in EXPRESSIONS]
    tables = blocks(None)  # type: ignore[arg-type]
    missing += [name for name in tables if name not in EXPRESSIONS]
    assert missing == []


def test_an_undocumented_verb_is_not_understood() -> None:
    with pytest.raises(UnknownError):
        parse_claim("latency plummets for RR*", METRICS)
