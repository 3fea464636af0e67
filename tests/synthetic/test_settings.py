"""The settings of the published reports are what the campaigns declare.

``data/published_settings.csv`` has each printed setting with the words of a declaration
that say the same, or with the reason why none does.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from analysis.declared.base import load_yaml
from analysis.declared.campaign import find_campaigns
from synthetic.campaign import DECLARED
from tests.synthetic.conftest import ROOT

LIST = ROOT / "data" / "published_settings.csv"
Row = dict[str, str]
WORDS = {"3": "three"}
EDITIONS = {
    "zos-cs-3.2": 66, "share-2026": 17, "zos-cs-3.1": 54, "zos-cs-v1r2": 51,
    "ctg-ssl": 16,
}  # fmt: skip
OF_ALL = ("dedicated CPs per LPAR", "System SSL version")  # of every configuration
CAMPAIGNS = set(find_campaigns(ROOT / DECLARED))


def read() -> list[Row]:
    with LIST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ROWS = read()


@cache
def declaration(campaign: str) -> tuple[dict[str, Any], tuple[Row, ...]]:
    folder = ROOT / DECLARED / campaign
    targets = ROOT / "data" / "targets" / f"{campaign}.csv"
    with targets.open(encoding="utf-8", newline="") as file:
        return load_yaml(folder / "campaign.yaml")[0], tuple(csv.DictReader(file))


def configurations(campaign: str, study: str) -> list[str]:
    """The details of each configuration of a study, or of all, as text."""
    declared, targets = declaration(campaign)
    own = [row for row in targets if study in ("", row["study"])]
    ids = {id for row in own for id in (row["baseline"], row["test"]) if id}
    details = (declared["configurations"][id]["details"] for id in sorted(ids))
    return ["\n".join(f"{k}: {v}" for k, v in each.items()) for each in details]


def others(campaign: str, study: str) -> Iterator[str]:
    """The workloads of a study, and what is declared of the whole campaign."""
    declared, targets = declaration(campaign)
    yield from (row["workload"] for row in targets if study in ("", row["study"]))
    for part in ("hardware", "software"):
        yield from (f"{k}: {v}" for k, v in (declared.get(part) or {}).items())


def holds(row: Row) -> bool:
    """Whether the words of a row are declared of its study."""
    own = [
        row["declared"] in text
        for text in configurations(row["campaign"], row["study"])
    ]
    if row["setting"] in OF_ALL:
        return bool(own) and all(own)
    return any(own) or any(
        row["declared"] in text for text in others(row["campaign"], row["study"])
    )


def says(row: Row) -> bool:
    """Whether the words of a row have its value, as a number or as a word."""
    value = re.escape(row["value"])
    number = rf"(?<![\d.]){value}(?!\.?\d)"
    word = WORDS.get(row["value"], number)
    return bool(re.search(number, row["declared"]) or word in row["declared"])


def test_every_setting_is_here_once() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS) == 204
    assert Counter(row["edition"] for row in ROWS) == EDITIONS


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_setting_is_declared_or_left_out_with_a_reason(edition: str) -> None:
    own = [row for row in ROWS if row["edition"] == edition]
    assert [r["id"] for r in own if bool(r["declared"]) == bool(r["left_out"])] == []
    waiting = {row["campaign"] for row in own} - CAMPAIGNS
    assert waiting == set(), f"these campaigns are not declared yet: {waiting}"
    declared = [row for row in own if row["declared"]]
    assert [row["id"] for row in declared if not says(row)] == []
    assert [row["id"] for row in declared if not holds(row)] == []


def test_few_settings_are_left_out() -> None:
    left = Counter(row["edition"] for row in ROWS if row["left_out"])
    assert left == {"share-2026": 3, "zos-cs-v1r2": 5, "ctg-ssl": 10}


def test_a_setting_that_is_not_declared_is_found() -> None:
    row = next(row for row in ROWS if row["setting"] == OF_ALL[0])
    assert holds(row) and says(row)
    assert not holds(row | {"declared": "CPs of each LPAR: 6, dedicated"})
    assert not says(row | {"value": "6"})
