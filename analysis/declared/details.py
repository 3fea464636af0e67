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
    return tuple(size for value in said for size in byte_sizes(value))


def byte_sizes(value: str | int | float) -> list[int]:
    """The sizes in a setting such as ``8 kB`` or ``1500 and 9000``, in bytes."""
    found = re.findall(r"(\d+)\s*(k)?", str(value), re.IGNORECASE)
    return [int(number) * (1024 if kilo else 1) for number, kilo in found]


def _check_mtu(details: Details) -> Details:
    for name, value in details.items():
        if name.upper() == _MTU and not byte_sizes(value):
            raise ValueError(f"{name}: {value!r} has no number of bytes, as 9000")
    return details


Setup = Annotated[Details, AfterValidator(_check_mtu)]  # those of a configuration
