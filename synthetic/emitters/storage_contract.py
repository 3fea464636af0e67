"""Storage in use by area, by the contract of docs/how-to/storage-contract.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from analysis.declared.mistakes import form
from synthetic.emitters.emitter import Emitter
from synthetic.emitters.values import Count, Measured, Name4, Token, Utc

Area = Annotated[
    str, Field(pattern=form(r"^[a-z][a-z0-9-]{0,30}$", "small letters and hyphens"))
]


class Held(Measured):
    """Bytes in use of an area."""

    area: Area
    bytes: Count


class StorageReport(Measured):
    """What was in use at one moment, while the sessions of a workload were up; one that
    is ``cut`` has no last line."""

    system: Name4
    workload: Token
    start: Utc
    areas: Annotated[tuple[Held, ...], Field(min_length=1)]
    cut: bool = False


def write(of: StorageReport) -> bytes:
    """The whole file."""
    return ("\n".join(_lines(of)) + "\n").encode()


def _lines(of: StorageReport) -> Iterator[str]:
    yield "storage_contract,system,workload,start,area,bytes"
    about = f"1,{of.system},{of.workload},{of.start:%Y-%m-%dT%H:%M:%SZ}"
    for each in of.areas:
        yield f"{about},{each.area},{each.bytes}"
    if not of.cut:
        yield "end"


EMITTER = Emitter(
    "storage_contract",
    "storage by the contract",
    "storage_contract",
    StorageReport,
    write,
)
