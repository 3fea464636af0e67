"""Bits that say what of a record is lost, invalid, partial or skipped: the one list.

Readers look at such bits by these declarations alone, but for the masks of 70-2, of
which each bit is of one operation. ``docs/smf.md`` has all of them in its table. Bits
count from 0, the highest of their field, as IBM counts them. Sources: z/OS MVS System
Management Facilities and the flag fields of IBM's SMF Explorer (D).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Literal

import polars as pl

# What becomes of a bit that speaks: a problem that degrades the file, as a measurement
# failed; a problem alone, as the configuration changed; or none, as no value is wrong.
Manner = Literal["degrades", "told", "quiet"]


@dataclass(frozen=True)
class ValidityFlag:
    """A bit, what it says, and what the reader does about it (``effect``).

    The ``field`` has so many ``bytes`` and is a ``column`` of its layout. A bit that
    says what is valid speaks where it is ``off``.
    """

    records: str
    field: str
    column: str
    bytes: int
    bit: int
    says: str
    effect: str
    manner: Manner
    off: bool = False

    def speaks(self) -> pl.Expr:
        """Whether a row's bit says so; false where the section is too short for it."""
        mask = 1 << (8 * self.bytes - 1 - self.bit)
        is_off = (pl.col(self.column) & mask) == 0
        return (is_off == self.off).fill_null(False)

    @property
    def name(self) -> str:
        """``SMF30TFL bit 1``."""
        return f"{self.field} bit {self.bit}{' off' if self.off else ''}"


_NOT_READ, _CP = "nothing: it is not read", "`cp_seconds` null"
_Row = tuple[str, str, str, Manner]
_FIELDS: tuple[tuple[str, str, str, int, tuple[_Row, ...]], ...] = (
    ("7", "SMF7FL1", "FL1", 1, (
        ("0", "more than 65,535 records were lost", "`records_lost` null", "quiet"),
    )),
    ("30", "SMF30TFL", "TFL", 2, (
        ("0", "timer flags are used", "nothing: it names no timer", "quiet"),
        ("1", "SMF30CPT is invalid", _CP, "degrades"),
        ("2", "SMF30CPS is invalid", _CP, "degrades"),
        ("3", "SMF30JVU is invalid", _NOT_READ, "quiet"),
        ("4", "SMF30JVA is invalid", _NOT_READ, "quiet"),
        ("5", "SMF30ISB is invalid", _CP, "degrades"),
        ("6", "SMF30ICU is invalid", _CP, "degrades"),
        ("7", "SMF30IVU is invalid", _NOT_READ, "quiet"),
        ("8", "SMF30IVA is invalid", _NOT_READ, "quiet"),
        ("9", "SMF30IIP is invalid", _CP, "degrades"),
        ("10", "SMF30HPT is invalid", _CP, "degrades"),
        ("11", "SMF30RCT is invalid", _CP, "degrades"),
        ("12", "SMF30ASR is invalid", _NOT_READ, "quiet"),
        ("13", "SMF30ENC is invalid", _NOT_READ, "quiet"),
        ("14", "SMF30DET is invalid", _NOT_READ, "quiet"),
        ("15", "SMF30CEP is invalid", _NOT_READ, "quiet"),
    )),
    ("30", "SMF30TF2", "TF2", 1, (
        ("0", "SMF30_TIME_ON_IFA is invalid", "`zaap_seconds` null", "degrades"),
        ("3", "SMF30_TIME_IFA_ON_CP is invalid", "`zaap_on_cp_seconds` null",
         "degrades"),
    )),
    ("30", "SMF30T32", "T32", 1, (
        ("0", "SMF30_TIME_ON_zIIP is invalid", "`ziip_seconds` null", "degrades"),
        ("3", "SMF30_TIME_zIIP_ON_CP is invalid", "`ziip_on_cp_seconds` null",
         "degrades"),
    )),
    ("30", "SMF30STI", "STI", 2, (
        ("9", "the interval before was skipped", "values stay", "told"),
    )),
    ("70 to 78", "SMF70FLA", "FLA", 2, (
        ("1", "samples were skipped", "values stay: none is of samples", "told"),
    )),
    ("70-1", "SMF70FLA", "FLA", 2, (
        ("6", "z/OS runs in another virtual machine",
         "nothing that rests on wait times is used; `guest`", "told"),
    )),
    ("70-1", "SMF70INB", "INB", 1, (
        ("0", "DIAGNOSE X'204' failed",
         "no partition is used: CPUs were busy while they did not wait", "degrades"),
        ("5", "z/OS is a z/VM guest",
         "nothing that rests on wait times is used; `guest`", "told"),
    )),
    ("70-1", "SMF70CNF", "CNF", 1, (
        ("6", "the CPU was varied, its data are invalid",
         "its wait time is not used; `varied`", "told"),
    )),
    ("70-1", "SMF70VPF", "VPF", 1, (
        ("1", "wait completion was changed", "its busy time is not used", "told"),
    )),
    ("70-1", "SMF70_Core_Flg", "Core_Flg", 1, (
        ("0 off", "LPAR busy time of the core is not valid",
         "dispatch time is used instead", "quiet"),
    )),
    ("70-2", "R702xMSK", "MSK", 1, (
        ("0 off", "the pair of timer and counter is not valid (further bits: other "
         "pairs)", "no row of the operation", "quiet"),
    )),
    ("72-3", "R723MSCF", "MSCF", 1, (
        ("1", "workload activity data are not available",
         "no row of the class", "told"),
        ("2", "policy data are not available", "`importance` null", "told"),
    )),
    ("73-1", "SMF73FG2", "FG2", 1, (
        ("5", "only partial statistics are available", "`partition_busy_pct` null",
         "told"),
        ("6", "the channel path was varied, its data are invalid",
         "`partition_busy_pct` null", "told"),
    )),
    ("73-1", "SMF73FG3", "FG3", 1, (
        ("6 off", "there is no such path", "no row", "quiet"),
    )),
    ("73-1", "SMF73FG4", "FG4", 1, (
        ("0", "the entry of the measurement block is not valid",
         "`partition_busy_pct` null", "degrades"),
    )),
    ("74-1", "SMF74CNF", "CNF", 1, (
        ("1", "there is no data of the logical control unit", "`lcu` null", "told"),
        ("2", "counts and times are incorrect", "counts and times null", "degrades"),
        ("3", "the device was deleted", "values stay", "told"),
        ("4", "only partial statistics are available", "counts and times null", "told"),
        ("6", "the device was varied, its data are invalid", "counts and times null",
         "told"),
    )),
    ("74-9", "R749PFFL", "PFFL", 2, (
        ("2", "the function was in error", "bytes and packets null", "degrades"),
    )),
    ("78-3", "R783DST", "DST", 1, (
        ("0", "there are no hardware measurements", "times null", "told"),
        ("1", "the control unit was changed", "values stay", "told"),
        ("2", "the control unit was added", "values stay", "told"),
        ("3", "a change of the configuration was tried", "values stay", "told"),
    )),
    ("113-1", "SMF113_1_Flags", "Flags", 1, (
        ("0", "counter data were lost", "`cycles` and `instructions` null", "degrades"),
        ("1", "data were lost", "`cycles` and `instructions` null", "degrades"),
        ("2", "MT counter data were lost", _NOT_READ, "quiet"),
    )),
    ("119-5", "SMF119TI_Reason", "reason", 1, (
        ("1", "more records of the interval follow",
         "counts of all are added up; no row where one is missing", "quiet"),
    )),
)  # fmt: skip
FLAGS = {
    (field, int(bit.split()[0])): ValidityFlag(
        records,
        field,
        column,
        size,
        int(bit.split()[0]),
        says,
        effect,
        manner,
        off=bit.endswith("off"),
    )
    for records, field, column, size, rows in _FIELDS
    for bit, says, effect, manner in rows
}
"""By field and bit."""


def any_of(flags: Iterable[ValidityFlag]) -> pl.Expr:
    """Whether one of the bits speaks."""
    return reduce(or_, (flag.speaks() for flag in flags))
