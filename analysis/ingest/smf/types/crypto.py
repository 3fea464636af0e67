"""Crypto cards: what each did (70-2), and requests to them that ICSF timed (82-20).

Layouts. 70-2: C mapping generated from IBM's ERBSMF70 and, of the accelerator, IBM's
page "Cryptographic Accelerator Data Section"; names, order and formats are those of
IBM's SMF Explorer as well (D). Seconds and utilisation are as IBM's conditions CRYCTU
and CRYAM1U of RMF's overview have them. The section of ICSF services is not read: only
one of these sources has its offsets. 82-20: the page of this section in z/OS
Cryptographic Services ICSF System Programmer's Guide (S).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from typing import TYPE_CHECKING

import polars as pl

from analysis.ingest.smf.columns import (
    DAY,
    SECONDS,
    START,
    Bit,
    F,
    Field,
    Frames,
    I,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    flags,
    table,
    word,
)
from analysis.ingest.smf.types.rmf import RMF, interval_times

if TYPE_CHECKING:
    from analysis.ingest.smf.batch import RecordBatch

_ENGINES = 5  # blocks of timers and counters in an accelerator's section
# By crypto processor type: the generation of the card, as in CEX6C.
_GENERATIONS = {6: "2", 7: "2", 8: "3", 9: "3", 10: "4", 11: "5", 12: "6", 13: "7",
                14: "8"}  # fmt: skip
MSK = flags("MSK", 2, 1, "R702xMSK", "70-2", {
    0: Bit("the pair of timer and counter is not valid (further bits: other pairs)",
           "no row of the operation", off=True),
})  # fmt: skip


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
        places = (
            place
            for one in self.operations.values()
            for place in (*one.timers, *one.counters)
        )
        return Layout(self.kind, "D", (
            col("card", 0, 1, comment="index of the crypto card"),
            column("card_kind",
                   "CCA coprocessor, accelerator or PKCS #11 coprocessor", S,
                   value=pl.lit(self.kind)),
            column("model", "model of the card, as CEX6C", S,
                   value=pl.lit("CEX") + word("CT", _GENERATIONS)
                   + pl.lit(self.letter)),
            col("scope", self.scope, 1, words={0: "CPC", 1: "system"},
                comment="whose operations: those of the system, or those of its CPC"),
            col("domain", self.scope + 1, 1, when=pl.col("scope") == 1,
                comment="domain of the card, where the scope is the system"),
            column("engines", "engines of the card; 1 where it does not tell"),
            column("operation", "kind of operation; all of a CCA coprocessor has its "
                   "key generations in it", S),
            START,
            SECONDS,
            column("operations", "operations in the interval", F),
            column("busy_seconds",
                   "time that operations took, of all engines [s]", F),
            column("utilisation_pct", "busy_seconds / (seconds × engines) [%]", F,
                   value=100 * pl.col("busy_seconds")
                   / (pl.col("seconds") * pl.col("engines")),
                   when=pl.col("seconds") > 0),
            MSK,
            *fields(("CT", 1, 1), ("SF", 8, 8, "hfp")),
            *(fields(("EN", 4, 4)) if self.letter == "A" else ()),
            *(Field(str(place), place, 8, "hfp") for place in places),
        ), at=self.at)  # fmt: skip


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


def _read(batch: RecordBatch) -> Frames:
    """A row a card, scope and operation that is measured."""
    times = interval_times(batch)
    made: list[pl.DataFrame] = []
    for card in CARDS:
        table_rows = batch.table(card.layout)
        engines = pl.col("EN").clip(1, _ENGINES) if card.letter == "A" else pl.lit(1, I)
        table_rows = table_rows.hstack(times[table_rows["record"]]).with_columns(
            engines=engines
        )
        rows = [_measured(table_rows, *each) for each in card.operations.items()]
        every = pl.concat(rows, how="diagonal")
        every = every.sort("record", "card", "scope", maintain_order=True)
        made += batch.finish(every, replace(CARD_WORK, main=card.layout)).values()
    cards = reduce(add, (batch.number(card.at + 6, 2) for card in CARDS))
    what = "has no section of a crypto card, and so gives no row"
    batch.tell(batch.positions(cards == 0), what)
    return {CARD_WORK.table.name: pl.concat(made)}


def _measured(rows: pl.DataFrame, name: str, of: Operation) -> pl.DataFrame:
    """The rows of one operation, of the cards that count it."""
    busy = _sum(of.timers) * pl.col("SF") if of.timers else pl.lit(None, pl.Float64)
    return rows.filter((pl.col("MSK") & of.bit) != 0).with_columns(
        operation=pl.lit(name), operations=_sum(of.counters), busy_seconds=busy
    )


def _sum(places: Iterable[int]) -> pl.Expr:
    return reduce(add, (pl.col(str(place)) for place in places))


CARD_WORK = RecordType("70-2", table(
    "crypto_interval",
    "Operations of crypto cards (70-2), of the system and, apart, of its whole CPC: "
        "never add the two scopes",
    CARDS[0].layout.columns,
), CARDS[0].layout, family=RMF, read=_read)  # fmt: skip

_HEADER_END = 24
_WORD = r"^[A-Z0-9]+$"
# ICSF writes one now and then for each card. The page calls its times EBCDIC, but eight
# bytes of a time are a clock value (UTC): where they are none of the day of the record,
# whose header's time is local, the record gives no row.
REQUEST = Layout("crypto processing times", "S", (
    col("card", 34, 1, comment="index of the crypto card"),
    col("serial", 35, 8, "name", "serial number of the card"),
    col("domain", 43, 1, comment="domain of the card"),
    col("function", 32, 2, "name", "function code of the request"),
    column("start_utc", "when the request was queued for the card [UTC, ISO 8601]", S),
    column("end_utc", "when its answer was taken [UTC, ISO 8601]", S),
    col("queue_length", 28, comment="requests in the queue of the card"),
    *fields(("start", 4, 8, "stck"), ("end", 12, 8, "stck")),
), shortest=44)  # fmt: skip


def _read_requests(batch: RecordBatch) -> Frames:
    """A row a request that was timed: its section is all that follows the header."""
    rows = batch.rows(batch.records.whole().moved(_HEADER_END), REQUEST)
    return batch.finish(batch.headers().hstack(rows))


CRYPTO_REQUEST = RecordType("82-20", table(
    "crypto_request",
    "Requests to crypto cards that ICSF timed, one now and then (82-20; one "
        "source)",
    REQUEST,
),
    REQUEST,
    odd={"has a name or a time that is none":
        pl.col("start").is_null()
        | pl.col("end").is_null()
        | (pl.col("end") < pl.col("start"))
        | ((pl.col("written_local") - pl.col("end")).abs() > 2 * DAY * 1_000_000)
        | ~pl.col("serial").str.contains(_WORD)
        | ~pl.col("function").str.contains(_WORD)},
    read=_read_requests,
)  # fmt: skip
RECORDS = (CARD_WORK, CRYPTO_REQUEST)
COUNTED = {
    (82, None): "ICSF: events of keys and cards; the time of requests to crypto cards "
    "is in 82-20, their operations are in 70-2",
}
