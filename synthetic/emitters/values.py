"""Plain values that were measured, and the bounds that each kind of them has."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from analysis.declared.mistakes import form

LABEL = "SYNTHETIC, not a measurement by IBM or anyone"


class Measured(BaseModel):
    """Base of all values that an emitter takes."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def _utc(moment: dt.datetime) -> dt.datetime:
    if moment.tzinfo is None:
        raise ValueError("this time has no zone")
    return moment.astimezone(dt.UTC)


def refuse(wrong: bool, name: str, what: str) -> None:
    """A ``ValueError`` for pydantic, which names the value, where it is wrong."""
    if wrong:
        raise ValueError(f"{name}: {what}")


_NAME = r"^[A-Z@#$*][A-Z0-9@#$*]{{0,{}}}$"
Utc = Annotated[dt.datetime, AfterValidator(_utc)]
Count = Annotated[int, Field(strict=True, ge=0, lt=2**63)]
Some = Annotated[int, Field(strict=True, ge=1, lt=2**63)]
Byte = Annotated[int, Field(strict=True, ge=0, lt=2**8)]
Half = Annotated[int, Field(strict=True, ge=0, lt=2**16)]
Word = Annotated[int, Field(strict=True, ge=0, lt=2**32)]
Real = Annotated[float, Field(strict=True)]
Amount = Annotated[float, Field(strict=True, ge=0, lt=1e15)]
Positive = Annotated[float, Field(strict=True, gt=0, lt=1e15)]
Percent = Annotated[float, Field(strict=True, ge=0, le=100)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Hours = Annotated[float, Field(strict=True, ge=-14, le=14)]
Line = Annotated[
    str, Field(pattern=form(r"^[ -~]*$", "printable ASCII in one line"), max_length=200)
]
Token = Annotated[
    str,
    Field(pattern=form(r"^[!-~]+$", "printable ASCII without blanks"), max_length=200),
]
Name4 = Annotated[
    str, Field(pattern=form(_NAME.format(3), "a name of at most 4 capitals"))
]
Name8 = Annotated[
    str, Field(pattern=form(_NAME.format(7), "a name of at most 8 capitals"))
]
Name16 = Annotated[
    str, Field(pattern=form(_NAME.format(15), "a name of at most 16 capitals"))
]
