"""Settings that are printed as they are written, and what programs read of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator


def _no_switch(value: Any) -> Any:
    """YAML reads on, off, yes and no as true or false, which nobody would print."""
    if isinstance(value, bool):
        words = "on or yes" if value else "off or no"
        raise ValueError(
            f"YAML reads {words} as {str(value).lower()}; write it in quotes"
        )
    return value


Details = dict[str, Annotated[str | int | float, BeforeValidator(_no_switch)]]
_MTU = "MTU"  # the name, in any case, of the setting that has the bytes of a packet


def mtus(details: Mapping[str, str | int | float]) -> tuple[int, ...]:
    """The MTUs that settings print, in bytes: several where streams have their own."""
    said = (value for name, value in details.items() if name.upper() == _MTU)
    return tuple(int(size) for value in said for size in _sizes(value))


def _sizes(value: str | int | float) -> list[str]:
    return re.findall(r"\d+", str(value))


def _check_mtu(details: Details) -> Details:
    for name, value in details.items():
        if name.upper() == _MTU and not _sizes(value):
            raise ValueError(f"{name}: {value!r} has no number of bytes, as 9000")
    return details


Setup = Annotated[Details, AfterValidator(_check_mtu)]  # those of a configuration
