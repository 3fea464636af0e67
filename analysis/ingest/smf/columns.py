"""How a record type is declared: each column once, with its place in the record.

From that follow how the bytes are read, the columns of the table, their types and their
comments in the database. Bits that say what of a record is lost, invalid, partial or
skipped are declared with the field that they are in, and told of by that alone. All
starts of the program ask for the columns: so neither this module nor those of ``types``
load NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Literal, Self

import polars as pl

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.ingest.smf.trouble import Trouble

Frames = dict[str, pl.DataFrame]  # by table
Kind = Literal[
    "unsigned",  # big-endian integer of 1, 2, 4 or 8 bytes
    "text",  # EBCDIC, any length
    "name",  # the same, with controls where there are some
    "stck",  # clock, microseconds since 1970 UTC
    "tod",  # span in TOD units, in seconds
    "offset",  # signed span in TOD units, in seconds
    "hfp",  # long hexadecimal floating point
    "ieee",  # the same eight bytes read as an IEEE double
    "bits",  # eight bytes as they are, for a later probe
    "date",  # packed 0cYYDDDF, days since 1970
    "clock",  # packed 0HHMMSSF, seconds
    "span",  # packed MMSSTTTF, seconds
    "address",  # 16 bytes of IPv6, IPv4 as ::ffff:a.b.c.d
    "ipv4",  # 4 bytes
    "hex",  # a number as people write it of channels and devices
]
Sure = Literal["V", "D", "C", "S"]
# What becomes of a bit that speaks: a problem that degrades the file, as a measurement
# failed; a problem alone, as the configuration changed; or none, as no value is wrong.
Manner = Literal["degrades", "told", "quiet"]
S, F, I = pl.String(), pl.Float64(), pl.Int64()  # noqa: E741 - column types
B = pl.Boolean()
_FLOATS = ("tod", "offset", "hfp", "ieee", "clock", "span")
_INTEGERS = ("unsigned", "stck", "date")
_NAME = r"^[A-Z0-9@#$_.*?-]*$"
# From the year 1 to 9999, beyond which polars cannot write some times.
_YEARS = (-62_135_596_800_000_000, 253_402_300_799_999_999)
DAY = 86_400  # seconds: no interval is longer
NO_SUBTYPE = -1


@dataclass(frozen=True)
class Field:
    """Bytes of a section; ``offset`` counts from the section's start."""

    name: str
    offset: int
    length: int
    kind: Kind = "unsigned"

    @property
    def end(self) -> int:
        """Where the field ends in its section."""
        return self.offset + self.length

    @property
    def type(self) -> pl.DataType:
        """What its values are."""
        return I if self.kind in _INTEGERS else F if self.kind in _FLOATS else S

    def moved(self, by: int) -> Self:
        """The same field so many bytes further on."""
        return replace(self, offset=self.offset + by)


@dataclass(frozen=True)
class Bit:
    """What a bit says, and what the reader does about it (``effect``). One that says
    what is valid speaks where it is ``off``. ``records`` are those that have it, where
    not all of the field do."""

    says: str
    effect: str
    manner: Manner = "quiet"
    off: bool = False
    records: str = ""


@dataclass(frozen=True)
class Flags(Field):
    """A field of bits that count from 0, the highest, as IBM counts them; ``ibm`` is
    its name in IBM's pages and SMF Explorer (D), ``records`` are those that have it."""

    ibm: str = ""
    records: str = ""
    bits: Mapping[int, Bit] = dataclass_field(default_factory=dict)

    def speaks(self, *bits: int) -> pl.Expr:
        """Whether one of the bits says so; false where the section is too short."""
        return reduce(or_, (self._speaks(bit) for bit in bits or self.bits))

    def _speaks(self, bit: int) -> pl.Expr:
        is_off = (pl.col(self.name) & self.mask(bit)) == 0
        return (is_off == self.bits[bit].off).fill_null(False)

    def mask(self, bit: int) -> int:
        """The number that has this bit alone."""
        return 1 << (8 * self.length - 1 - bit)

    def title(self, bit: int) -> str:
        """``SMF30TFL bit 1``."""
        return f"{self.ibm} bit {bit}{' off' if self.bits[bit].off else ''}"


def flags(
    name: str,
    offset: int,
    length: int,
    ibm: str,
    records: str,
    bits: Mapping[int, tuple[str, str] | tuple[str, str, Manner] | Bit],
) -> Flags:
    """Such a field; of each bit what it says, what is done, and how it is told."""
    made = {n: one if isinstance(one, Bit) else Bit(*one) for n, one in bits.items()}
    return Flags(name, offset, length, "unsigned", ibm, records, made)


@dataclass(frozen=True, eq=False)
class DeclaredColumn:
    """A column of a table: the field that it is, or the ``value`` of others.

    It is null where ``when`` is not true. Without a ``comment``, it means what the
    first column of its name does.
    """

    name: str
    comment: str = ""
    type: pl.DataType = I
    field: Field | None = None
    value: pl.Expr | None = None
    when: pl.Expr | None = None

    def moved(self, by: int) -> Self:
        """The same column, its field so many bytes further on."""
        return replace(self, field=self.field and self.field.moved(by))

    @cached_property
    def expression(self) -> pl.Expr | None:
        """The value from the fields of a row; nothing where a field has it."""
        made = pl.col(self.name) if self.value is None else self.value
        if self.when is not None:
            made = pl.when(self.when).then(made)
        elif self.value is None:
            return None
        return made.alias(self.name)


def col(
    name: str,
    offset: int,
    length: int = 4,
    kind: Kind = "unsigned",
    comment: str = "",
    *,
    words: Mapping[int, str] | None = None,
    times: float | None = None,
    per: float | None = None,
    value: pl.Expr | None = None,
    when: pl.Expr | None = None,
    type: pl.DataType | None = None,
) -> DeclaredColumn:
    """A column that is a field of its record: as it is, as one of ``words``, ``times``
    or ``per`` a number, or a ``value`` made of it and others."""
    field = Field(name, offset, length, kind)
    made = field.type
    if words:
        value, made = word(name, words), S
    elif times:
        value, made = pl.col(name) * times, I if isinstance(times, int) else F
    elif per:
        value, made = pl.col(name) / per, F
    elif value is not None:
        made = F
    return DeclaredColumn(name, comment, type or made, field, value, when)


column = DeclaredColumn  # one that is made of others, or of what no record has


@dataclass(frozen=True, eq=False)
class Layout:
    """Columns and other fields of a section, and how sure their source is: ``V``
    verified against real data, ``D`` from IBM's documentation or a mapping generated
    from it, which another source confirms, ``C`` from code of others alone, ``S`` from
    one named source that nothing else confirms.

    A section of fewer than ``least`` bytes is damaged. Older releases have shorter
    sections, whose missing fields are null; but at least one field is there. Its
    triplet is ``at`` so many bytes of the record.
    """

    name: str
    sure: Sure
    items: tuple[DeclaredColumn | Field, ...]
    shortest: int = 0
    at: int = 0

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """All fields that are read."""
        each = (item if isinstance(item, Field) else item.field for item in self.items)
        return tuple(field for field in each if field)

    @cached_property
    def columns(self) -> tuple[DeclaredColumn, ...]:
        """The columns of a table that it fills."""
        return tuple(item for item in self.items if isinstance(item, DeclaredColumn))

    @cached_property
    def least(self) -> int:
        """Bytes that every section of the kind has: ``shortest``, where declared."""
        return self.shortest or min(field.end for field in self.fields)

    @cached_property
    def size(self) -> int:
        """Bytes up to the end of the last field."""
        return max(field.end for field in self.fields)

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        """A structured type with one big-endian member a field."""
        import numpy as np

        return np.dtype(
            {
                "names": [field.name for field in self.fields],
                "formats": [_format(field) for field in self.fields],
                "offsets": [field.offset for field in self.fields],
                "itemsize": self.size,
            }
        )


def _format(field: Field) -> str:
    as_bytes = field.kind in ("text", "name", "address", "ipv4")
    return f"V{field.length}" if as_bytes else f">u{field.length}"


def fields(
    *each: tuple[str, int, int] | tuple[str, int, int, Kind],
) -> tuple[Field, ...]:
    """Fields from tuples of (name, offset, length[, kind])."""
    return tuple(Field(*one) for one in each)


@dataclass(frozen=True, eq=False)
class DeclaredTable:
    """A table of the database: what a row is, and its columns in their order."""

    name: str
    comment: str
    columns: tuple[DeclaredColumn, ...]

    @cached_property
    def schema(self) -> dict[str, pl.DataType]:
        """Names and types of the columns."""
        return {column.name: column.type for column in self.columns}


def by_name(tables: Iterable[DeclaredTable]) -> dict[str, DeclaredTable]:
    """Tables by their names; a ``ValueError`` where two have the same."""
    named: dict[str, DeclaredTable] = {}
    for one in tables:
        if named.setdefault(one.name, one) is not one:
            raise ValueError(f"the table {one.name} is declared twice")
    return named


def table(
    name: str,
    comment: str,
    *parts: DeclaredColumn | Layout | Iterable[DeclaredColumn],
    behind: Iterable[DeclaredColumn] = (),
) -> DeclaredTable:
    """A table of columns about a system, where each row was read, and what came to
    stand ``behind`` that."""
    body: list[DeclaredColumn] = []
    for part in parts:
        more = part.columns if isinstance(part, Layout) else part
        body += [more] if isinstance(more, DeclaredColumn) else more
    return DeclaredTable(name, comment, (SYSTEM, *body, *ORIGIN, *behind))


@dataclass(frozen=True)
class Family:
    """Records that are laid out alike. Of a ``RecordBatch``, ``head`` makes one row a
    record with ``system``, ``position``, ``written_local`` or the times of its
    interval, of which it is ``timed``; ``ends`` says where the triplets of each end, if
    a record says so. Where the main section is ``needed`` a record without it is
    damaged."""

    head: Callable[[Any], pl.DataFrame]
    ends: Callable[[Any], NDArray[np.int64]] | None = None
    needed: bool = False
    timed: tuple[str, ...] = ()


PLAIN = Family(lambda batch: batch.headers())


def ends_at(offset: int) -> Callable[[Any], NDArray[np.int64]]:
    """That the triplets of all records end at an offset."""
    return lambda batch: batch.every(offset)


@dataclass(frozen=True, eq=False)
class RecordType:
    """Records, as ``30-2, 30-3``, of which one table has a row for each section
    ``main``, or else for each record; sections ``beside`` it are the first of their
    kind in the record.

    ``times`` are ``start``, ``start_local`` and so on, where the head of the records
    does not have them. Rows that are not to ``keep`` are left out. Bits that speak are
    told of, with the column ``named``. Records with a row for which ``odd`` is true
    give none, and those for which ``passed_over`` is true rightly do not; why is told.

    What is more than that is a function ``read`` of a batch of such records. It may
    make the rows of several tables, of which the others have no ``read``. One that
    ``carries`` records over is called once more, with none, when the dump has ended.
    Where intervals by ``keys`` should follow each other without a gap, gaps are told,
    and intervals of which the table ``like`` tells and this one does not. ``whole``
    joins the rows of the whole dump, of which other readers may have told something,
    and ``finished`` tells of them, with their times in UTC.
    """

    records: str
    table: DeclaredTable
    main: Layout | None = None
    beside: tuple[Layout, ...] = ()
    times: Mapping[str, pl.Expr] | None = None
    keep: pl.Expr | None = None
    named: str = ""
    odd: Mapping[str, pl.Expr] = dataclass_field(default_factory=dict)
    passed_over: tuple[pl.Expr, str] | None = None
    family: Family = PLAIN
    read: Callable[[Any], Frames] | None = None
    carries: bool = False
    keys: tuple[str, ...] = ()
    like: str = ""
    whole: Callable[[pl.DataFrame, Trouble, Frames], pl.DataFrame] | None = None
    finished: Callable[[pl.DataFrame, Trouble], None] | None = None

    @property
    def untold(self) -> list[str]:
        """Times of the table that no head of the records, no field and no ``times``
        tells: they would be null in every row."""
        known = {*self.family.timed, *(self.times or ())}
        known.update(field.name for part in self.layouts for field in part.fields)
        return [
            f"{time}_utc"
            for time in ("start", "end")
            if f"{time}_utc" in self.table.schema
            and known.isdisjoint((time, f"{time}_local"))
        ]

    @cached_property
    def kinds(self) -> tuple[tuple[int, int], ...]:
        """Type and subtype of each kind of them."""
        each = (one.partition("-") for one in self.records.split(", "))
        return tuple((int(kind), int(sub or NO_SUBTYPE)) for kind, _, sub in each)

    @property
    def type_name(self) -> str:
        """The type and subtype, as ``78-3``."""
        return kind_name(*self.kinds[0])

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """All its sections."""
        return (*self.beside, *([self.main] if self.main else []))


def kind_name(kind: int, subtype: int) -> str:
    """``70-1``, or ``2`` for a type without subtypes."""
    return f"{kind}" if subtype == NO_SUBTYPE else f"{kind}-{subtype}"


SYSTEM = column(
    "system", "LPAR or host; of machine-wide rows the host that the systems are on", S
)
START = column("start_utc", "start [UTC, ISO 8601]", S)
END = column("end_utc", "end [UTC, ISO 8601]", S)
SECONDS = column("seconds", "length [s]", F)
STACK = column("stack", "job name of the TCP/IP stack", S)
ORIGIN = (
    column("source", "sha256 of the file that the row was read from", S),
    column("position", "where in that file: byte offset of the record, or line"),
)
UNKNOWN = pl.lit(None, pl.Int64)  # a time that only the local one tells


def word(column: str, words: Mapping[int, str]) -> pl.Expr:
    """The word of a number; null of one that is not documented."""
    return pl.col(column).replace_strict(words, default=None, return_dtype=pl.String)


def local_micros(days: str, seconds: pl.Expr) -> pl.Expr:
    """Microseconds since 1970 of a date in days and a time of day in seconds."""
    return pl.col(days) * 86_400_000_000 + (seconds * 1_000_000).round().cast(pl.Int64)


def local(name: str) -> pl.Expr:
    """The local time of a date in days and a time in hundredths of a second, which are
    the fields ``<name>_date`` and ``<name>_time``."""
    return local_micros(f"{name}_date", pl.col(f"{name}_time") / 100)


def moment(name: str, offset: int) -> tuple[Field, Field]:
    """The fields of such a time, one behind the other."""
    return (
        Field(f"{name}_time", offset, 4),
        Field(f"{name}_date", offset + 4, 4, "date"),
    )


def start_before(end: str, seconds: pl.Expr) -> pl.Expr:
    """When an interval of so many seconds began that ended at the time in a column."""
    return pl.col(end) - (seconds * 1_000_000).round().cast(pl.Int64)


def no_name(column: str) -> pl.Expr:
    """Whether a text cannot be the name of a job, a user or a resource."""
    return ~pl.col(column).str.contains(_NAME)


def no_interval(column: str) -> pl.Expr:
    """Whether a number of seconds cannot be the length of an interval."""
    return ~pl.col(column).is_between(0, DAY, closed="right")


def broken_count(*columns: str) -> pl.Expr:
    """Whether one of the floating point counts is no whole number."""
    each = [pl.col(column) for column in columns]
    return pl.any_horizontal((one - one.round()).abs() > 1e-6 for one in each)


def utc_text(micros: pl.Expr) -> pl.Expr:
    """Microseconds since 1970 as all tables hold time; no year beyond 9999."""
    return time_of(micros).dt.strftime("%Y-%m-%dT%H:%M:%S%.6fZ")


def time_of(micros: pl.Expr) -> pl.Expr:
    """The time, or the nearest one that can be written, which no row may have."""
    return pl.from_epoch(micros.clip(*_YEARS), time_unit="us")
