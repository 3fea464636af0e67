"""How a record type is declared: each column once, with its place in the record.

From that follow how the bytes are read, the columns of the table, their types and their
comments in the database. All starts of the program ask for the columns: so neither
this module nor those of ``types`` load NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import polars as pl

if TYPE_CHECKING:
    import numpy as np

    from analysis.ingest.smf.validity import ValidityFlag

Kind = Literal[
    "unsigned",  # big-endian integer of 1, 2, 4 or 8 bytes
    "text",  # EBCDIC, any length
    "name",  # the same, with controls where there are some
    "stck",  # clock, microseconds since 1970 UTC
    "tod",  # span in TOD units, in seconds
    "offset",  # signed span in TOD units, in seconds
    "hfp",  # long hexadecimal floating point
    "bits",  # eight bytes as they are, for a later probe
    "date",  # packed 0cYYDDDF, days since 1970
    "clock",  # packed 0HHMMSSF, seconds
    "span",  # packed MMSSTTTF, seconds
    "address",  # 16 bytes of IPv6, IPv4 as ::ffff:a.b.c.d
    "ipv4",  # 4 bytes
    "hex",  # a number as people write it of channels and devices
]
Sure = Literal["V", "D", "C", "S"]
S, F, I = pl.String(), pl.Float64(), pl.Int64()  # noqa: E741 - column types
B = pl.Boolean()
_FLOATS = ("tod", "offset", "hfp", "clock", "span")
_INTEGERS = ("unsigned", "stck", "date")
_NAME = r"^[A-Z0-9@#$_.*?-]*$"
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

    @property
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
) -> DeclaredColumn:
    """A column that is a field of its record: as it is, as one of ``words``, ``times``
    or ``per`` a number, or a ``value`` made of it and others."""
    own = I if kind in _INTEGERS else F if kind in _FLOATS else S
    if words:
        value, own = word(name, words), S
    elif times:
        value, own = pl.col(name) * times, I if isinstance(times, int) else F
    elif per:
        value, own = pl.col(name) / per, F
    elif value is not None:
        own = F
    own_field = Field(name, offset, length, kind)
    return DeclaredColumn(name, comment, own, own_field, value, when)


def column(
    name: str,
    comment: str = "",
    type: pl.DataType = I,
    field: Field | None = None,
    value: pl.Expr | None = None,
    when: pl.Expr | None = None,
) -> DeclaredColumn:
    """A column that is made of others, or of what no record has."""
    return DeclaredColumn(name, comment, type, field, value, when)


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


def table(
    name: str,
    comment: str,
    *parts: DeclaredColumn | Iterable[DeclaredColumn],
    behind: Iterable[DeclaredColumn] = (),
) -> DeclaredTable:
    """A table of columns about a system, where each row was read, and what came to
    stand ``behind`` that."""
    each = [[part] if isinstance(part, DeclaredColumn) else part for part in parts]
    body = (column for part in each for column in part)
    return DeclaredTable(name, comment, (SYSTEM, *body, *ORIGIN, *behind))


@dataclass(frozen=True, eq=False)
class RecordType:
    """Records that one table has a row of for each section ``main``, or else for each
    record; sections ``beside`` it are the first of their kind in the record.

    ``times`` are ``start``, ``start_local`` and so on, where the head of the records
    does not have them. Rows that are not to ``keep`` are left out. ``flags`` are told
    of, with the column ``named``. Records with a row for which ``odd`` is true give
    none, and those for which ``passed_over`` is true rightly do not; why is told.
    """

    kinds: tuple[tuple[int, int], ...]
    table: DeclaredTable
    main: Layout | None
    beside: tuple[Layout, ...] = ()
    times: Mapping[str, pl.Expr] | None = None
    keep: pl.Expr | None = None
    flags: tuple[ValidityFlag, ...] = ()
    named: str = ""
    odd: tuple[tuple[pl.Expr, str], ...] = ()
    passed_over: tuple[pl.Expr, str] | None = None

    @property
    def of(self) -> str:
        """The type and subtype, as ``78-3``."""
        return kind_name(*self.kinds[0])


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
