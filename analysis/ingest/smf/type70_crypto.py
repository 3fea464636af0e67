"""Type 70 subtype 2 of RMF, cryptographic hardware activity: work of each card.

Layouts: C mapping generated from IBM's ERBSMF70 and, of the accelerator, IBM's page
"Cryptographic Accelerator Data Section"; names, order and formats are those of IBM's
SMF Explorer as well (D). Seconds and utilisation are as IBM's conditions CRYCTU and
CRYAM1U of RMF's overview have them. The section of ICSF services is not read: only
one of these sources has its offsets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.smf.columns import Field, Layout, fields
from analysis.ingest.smf.decode import Frames, Parts, intervals, triplets_end
from analysis.ingest.smf.records import Records, spread, triplet

_ENGINES = 5  # blocks of timers and counters in an accelerator's section
_BLOCK, _BLOCK_BYTES = 16, 64  # where the first begins, and the length of each
_HEAD = fields(("AX", 0, 1), ("CT", 1, 1), ("MSK", 2, 1), ("SF", 8, 8, "hfp"))
# By crypto processor type: the generation of the card, as in CEX6C.
_GENERATIONS = {6: 2, 7: 2, 8: 3, 9: 3, 10: 4, 11: 5, 12: 6, 13: 7, 14: 8}
_SCOPES = {0: "CPC", 1: "system"}


@dataclass(frozen=True)
class Operation:
    """A timer and counter pair: its bit in the mask of valid pairs, and its fields.

    ``timers`` is empty where only the number of operations is kept.
    """

    name: str
    bit: int
    timers: tuple[str, ...]
    counters: tuple[str, ...]


@dataclass(frozen=True)
class CryptoCard:
    """One kind of card: where its triplet is, its letter in CEX6C, what it tells."""

    kind: str
    triplet: int
    letter: str
    layout: Layout
    operations: tuple[Operation, ...]


def _pairs(*told: tuple[str, int, str, str]) -> tuple[Operation, ...]:
    return tuple(
        Operation(name, bit, (timer,) if timer else (), (counter,))
        for name, bit, timer, counter in told
    )


def _blocks() -> tuple[Field, ...]:
    """The timers and counters of each engine of an accelerator."""
    names = ("1MET", "1MEC", "2MET", "2MEC", "1CRT", "1CRC", "2CRT", "2CRC")
    return tuple(
        Field(f"{name}{engine}", _BLOCK + _BLOCK_BYTES * engine + 8 * nth, 8, "hfp")
        for engine in range(_ENGINES)
        for nth, name in enumerate(names)
    )


def _engines(name: str, bit: int, field: str) -> Operation:
    timers, counters = (
        tuple(f"{field}{end}{engine}" for engine in range(_ENGINES)) for end in "TC"
    )
    return Operation(name, bit, timers, counters)


COPROCESSOR = Layout(
    "CCA coprocessor",
    "D",
    (
        *_HEAD,
        *fields(
            ("T0", 16, 8, "hfp"),
            ("C0", 24, 8, "hfp"),
            ("C1", 40, 8, "hfp"),
            ("SCOPE", 48, 1),
            ("DID", 49, 1),
        ),
    ),
)
ACCELERATOR = Layout(
    "accelerator",
    "D",
    (
        *_HEAD,
        *fields(("EN", 4, 4)),
        *_blocks(),
        *fields(
            ("3MET", 336, 8, "hfp"),
            ("3MEC", 344, 8, "hfp"),
            ("3CRT", 352, 8, "hfp"),
            ("3CRC", 360, 8, "hfp"),
            ("SCOPE", 368, 1),
            ("DID", 369, 1),
        ),
    ),
)
PKCS11 = Layout(
    "PKCS #11 coprocessor",
    "D",
    (
        *_HEAD,
        *fields(
            ("SAT", 16, 8, "hfp"),
            ("SAC", 24, 8, "hfp"),
            ("FAT", 32, 8, "hfp"),
            ("FAC", 40, 8, "hfp"),
            ("SPT", 48, 8, "hfp"),
            ("SPC", 56, 8, "hfp"),
            ("SCT", 64, 8, "hfp"),
            ("SCC", 72, 8, "hfp"),
            ("AGT", 80, 8, "hfp"),
            ("AGC", 88, 8, "hfp"),
            ("SCOPE", 96, 1),
            ("DID", 97, 1),
        ),
    ),
)
CARDS = (
    CryptoCard(
        "CCA coprocessor",
        36,
        "C",
        COPROCESSOR,
        _pairs(("all", 0x80, "T0", "C0"), ("RSA key generation", 0x40, "", "C1")),
    ),
    CryptoCard(
        "accelerator",
        44,
        "A",
        ACCELERATOR,
        (
            _engines("RSA 1024 ME", 0x80, "1ME"),
            _engines("RSA 2048 ME", 0x40, "2ME"),
            _engines("RSA 1024 CRT", 0x20, "1CR"),
            _engines("RSA 2048 CRT", 0x10, "2CR"),
            *_pairs(
                ("RSA 4096 ME", 0x08, "3MET", "3MEC"),
                ("RSA 4096 CRT", 0x04, "3CRT", "3CRC"),
            ),
        ),
    ),
    CryptoCard(
        "PKCS #11 coprocessor",
        60,
        "P",
        PKCS11,
        _pairs(
            ("asymmetric, slow", 0x80, "SAT", "SAC"),
            ("asymmetric, fast", 0x40, "FAT", "FAC"),
            ("symmetric, partial", 0x20, "SPT", "SPC"),
            ("symmetric, complete", 0x10, "SCT", "SCC"),
            ("asymmetric key generation", 0x08, "AGT", "AGC"),
        ),
    ),
)


def read(records: Records, parts: Parts) -> Frames:
    """``crypto_interval`` rows: one a card, scope and operation that is measured."""
    times = intervals(records, parts).select(
        "system", "position", "start", "start_local", "seconds", "token"
    )
    end = triplets_end(records)
    made = []
    for card in CARDS:
        found = spread(triplet(records, card.triplet, card.kind, parts.trouble, end))
        if len(found):
            table = found.table(card.layout, parts.page)
            made.append(_rows(table.hstack(times[table["record"]]), card))
    _tell_without(records, parts)
    return {"crypto_interval": pl.concat(made, how="diagonal")} if made else {}


def _tell_without(records: Records, parts: Parts) -> None:
    """Say of records that have no section of a card why they give no row."""
    cards = sum(records.number(card.triplet + 6, 2) for card in CARDS)
    where = records.position[cards == 0].tolist()
    what = "has no section of a crypto card, and so gives no row"
    parts.trouble.tell_each(
        where,
        lambda nth: remark("odd_70_2", position=where[nth], what=what),
        "70-2 records without a crypto card",
    )


def _rows(table: pl.DataFrame, card: CryptoCard) -> pl.DataFrame:
    generation = pl.col("CT").replace_strict(
        _GENERATIONS, default=None, return_dtype=pl.String
    )
    engines = pl.col("EN").clip(1, _ENGINES) if "EN" in table.columns else pl.lit(1)
    table = table.with_columns(
        card="AX",
        card_kind=pl.lit(card.kind),
        model=pl.lit("CEX") + generation + pl.lit(card.letter),
        scope=pl.col("SCOPE").replace_strict(
            _SCOPES, default=None, return_dtype=pl.String
        ),
        domain=pl.when(pl.col("SCOPE") == 1).then("DID"),
        engines=engines,
    )
    told = [_measured(table, operation) for operation in card.operations]
    return pl.concat(told, how="diagonal").sort(
        "record", "card", "scope", maintain_order=True
    )


def _measured(table: pl.DataFrame, operation: Operation) -> pl.DataFrame:
    """The rows of one operation, of the cards that count it."""
    valid = table.filter((pl.col("MSK") & operation.bit) != 0)
    busy = _sum(operation.timers) * pl.col("SF") if operation.timers else pl.lit(None)
    share = pl.when(pl.col("seconds") > 0).then(
        100 * busy / (pl.col("seconds") * pl.col("engines"))
    )
    return valid.with_columns(
        operation=pl.lit(operation.name),
        operations=_sum(operation.counters),
        busy_seconds=busy,
        utilisation_pct=share,
    ).select(
        "record", "system", "position", "start", "start_local", "seconds", "token",
        "card", "card_kind", "model", "scope", "domain", "engines", "operation",
        "operations", "busy_seconds", "utilisation_pct",
    )  # fmt: skip


def _sum(names: tuple[str, ...]) -> pl.Expr:
    return reduce(add, map(pl.col, names))
