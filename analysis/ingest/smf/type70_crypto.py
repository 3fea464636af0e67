"""Type 70 subtype 2 of RMF, cryptographic hardware activity: work of each card.

Layouts: C mapping generated from IBM's ERBSMF70 and, of the accelerator, IBM's page
"Cryptographic Accelerator Data Section"; names, order and formats are those of IBM's
SMF Explorer as well (D). Seconds and utilisation are as IBM's conditions CRYCTU and
CRYAM1U of RMF's overview have them. The section of ICSF services is not read: only
one of these sources has its offsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import Field, Layout, fields, word
from analysis.ingest.smf.decode import (
    Frames,
    Parts,
    interval_times,
    sections,
    selected,
)
from analysis.ingest.smf.records import Records
from analysis.ingest.smf.types.cpu import CRYPTO_TABLE

_ENGINES = 5  # blocks of timers and counters in an accelerator's section
# By crypto processor type: the generation of the card, as in CEX6C.
_GENERATIONS = {6: "2", 7: "2", 8: "3", 9: "3", 10: "4", 11: "5", 12: "6", 13: "7",
                14: "8"}  # fmt: skip
_SCOPES = {0: "CPC", 1: "system"}


@dataclass(frozen=True)
class Operation:
    """A timer and counter pair: its bit in the mask of valid pairs, and where its
    timers and counters are, one for each engine. Without timers only the number of
    operations is kept."""

    bit: int
    timers: Iterable[int]
    counters: Iterable[int]


def _pair(bit: int, timer: int) -> Operation:
    """A timer, and the counter behind it."""
    return Operation(bit, (timer,), (timer + 8,))


def _engines(bit: int, timer: int) -> Operation:
    """Such a pair in the block of each engine."""
    end = timer + 64 * _ENGINES
    return Operation(bit, range(timer, end, 64), range(timer + 8, end + 8, 64))


@dataclass(frozen=True, eq=False)
class CryptoCard:
    """One kind of card: where its triplet is, its letter in CEX6C, where its scope is,
    behind which the domain is, and what it counts."""

    kind: str
    at: int
    letter: str
    scope: int
    operations: Mapping[str, Operation]

    @cached_property
    def layout(self) -> Layout:
        """The fields of its section; those of operations are named by their place."""
        head = fields(("AX", 0, 1), ("CT", 1, 1), ("MSK", 2, 1), ("SF", 8, 8, "hfp"))
        engines = fields(("EN", 4, 4)) if self.letter == "A" else ()
        places = (
            place
            for one in self.operations.values()
            for place in (*one.timers, *one.counters)
        )
        counts = (Field(str(place), place, 8, "hfp") for place in places)
        ends = fields(("SCOPE", self.scope, 1), ("DID", self.scope + 1, 1))
        items = (*head, *engines, *counts, *ends)
        return Layout(self.kind, "D", items, at=self.at)


CARDS = (
    CryptoCard("CCA coprocessor", 36, "C", 48, {
        "all": _pair(0x80, 16),
        "RSA key generation": Operation(0x40, (), (40,)),
    }),
    CryptoCard("accelerator", 44, "A", 368, {
        "RSA 1024 ME": _engines(0x80, 16),
        "RSA 2048 ME": _engines(0x40, 32),
        "RSA 1024 CRT": _engines(0x20, 48),
        "RSA 2048 CRT": _engines(0x10, 64),
        "RSA 4096 ME": _pair(0x08, 336),
        "RSA 4096 CRT": _pair(0x04, 352),
    }),
    CryptoCard("PKCS #11 coprocessor", 60, "P", 96, {
        "asymmetric, slow": _pair(0x80, 16),
        "asymmetric, fast": _pair(0x40, 32),
        "symmetric, partial": _pair(0x20, 48),
        "symmetric, complete": _pair(0x10, 64),
        "asymmetric key generation": _pair(0x08, 80),
    }),
)  # fmt: skip


def read(records: Records, parts: Parts) -> Frames:
    """``crypto_interval`` rows: one a card, scope and operation that is measured."""
    times = interval_times(records, parts)
    made = []
    for card in CARDS:
        found = sections(records, card.layout, parts)
        if len(found):
            table = found.table(card.layout, parts.page)
            made.append(_rows(table.hstack(times[table["record"]]), card))
    _tell_without(records, parts)
    return {CRYPTO_TABLE.name: pl.concat(made, how="diagonal")} if made else {}


def _tell_without(records: Records, parts: Parts) -> None:
    """Say of records that have no section of a card why they give no row."""
    cards = sum(records.number(card.at + 6, 2) for card in CARDS)
    where = records.position[cards == 0].tolist()
    what = "has no section of a crypto card, and so gives no row"
    parts.trouble.tell_each(
        where,
        lambda nth: remark(
            "odd_70_2", f"the 70-2 record at byte offset {where[nth]} {what}"
        ),
        "70-2 records without a crypto card",
    )


def _rows(table: pl.DataFrame, card: CryptoCard) -> pl.DataFrame:
    engines = pl.col("EN").clip(1, _ENGINES) if card.letter == "A" else pl.lit(1)
    table = table.with_columns(
        card="AX",
        card_kind=pl.lit(card.kind),
        model=pl.lit("CEX") + word("CT", _GENERATIONS) + pl.lit(card.letter),
        scope=word("SCOPE", _SCOPES),
        domain=pl.when(pl.col("SCOPE") == 1).then("DID"),
        engines=engines,
    )
    measured = [_measured(table, name, of) for name, of in card.operations.items()]
    rows = pl.concat(measured, how="diagonal").sort(
        "record", "card", "scope", maintain_order=True
    )
    return selected(CRYPTO_TABLE, rows)


def _measured(table: pl.DataFrame, name: str, of: Operation) -> pl.DataFrame:
    """The rows of one operation, of the cards that count it."""
    valid = table.filter((pl.col("MSK") & of.bit) != 0)
    busy = _sum(of.timers) * pl.col("SF") if of.timers else pl.lit(None)
    share = pl.when(pl.col("seconds") > 0).then(
        100 * busy / (pl.col("seconds") * pl.col("engines"))
    )
    return valid.with_columns(
        operation=pl.lit(name),
        operations=_sum(of.counters),
        busy_seconds=busy,
        utilisation_pct=share,
    )


def _sum(places: Iterable[int]) -> pl.Expr:
    return reduce(add, (pl.col(str(place)) for place in places))
