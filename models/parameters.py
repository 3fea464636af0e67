"""Parameters of the models: ``models/params/*.yaml``, each with unit, source, basis."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, PositiveInt, RootModel

from analysis.declared.base import Declared, read_declared
from analysis.errors import user_error
from models.prediction import Basis, weakest_basis

FOLDER = Path(__file__).resolve().parent / "params"
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Parameter(Declared):
    """One number of a model.

    ``basis``: ``calibrated`` was fitted to published numbers, ``assumed`` was chosen,
    ``published`` was taken from a document. ``sigma`` is its log deviation.
    """

    value: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    unit: str
    basis: Literal["published", "calibrated", "assumed"]
    source: Annotated[str, Field(min_length=1)]
    sigma: Annotated[float, Field(ge=0, le=2)] = 0.0


class Interface(Declared):
    """A network interface of one LPAR; times are those of the reference CPC.

    ``link`` is the line rate in Gbit/s, absent where the data never leaves memory. The
    three ``latency`` parameters hold for payloads of 1, 4 and 32 kB each way.
    """

    mtu: PositiveInt | None = None
    link: Positive | None = None
    memory: bool = False
    parameters: dict[str, Parameter]


class Handshake(Declared):
    """What the set-up of a connection costs: CPU of both sides, and delay."""

    client: Parameter
    server: Parameter
    delay: Parameter


class _Interfaces(RootModel[dict[str, Interface]]):
    pass


class _Handshakes(RootModel[dict[str, Handshake]]):
    pass


class _Generations(RootModel[dict[str, dict[Positive, Parameter]]]):
    pass


class _Numbers(RootModel[dict[str, Parameter]]):
    pass


PER_INTERFACE = (
    "fixed_cpu",
    "packet_cpu",
    "byte_cpu",
    "adapter",
    "latency_1kb",
    "latency_4kb",
    "latency_32kb",
    "send_cpu",
    "receive_cpu",
    "fabric",
    "window",
)


@lru_cache(maxsize=4)
def read_interfaces(path: Path = FOLDER / "interfaces.yaml") -> dict[str, Interface]:
    """All interfaces by id; each has every parameter of ``PER_INTERFACE``."""
    found = read_declared(path, _Interfaces).root
    for name, interface in found.items():
        missing = [p for p in PER_INTERFACE if p not in interface.parameters]
        if missing:
            raise user_error(
                f"{name} lacks {', '.join(missing)}",
                path,
                mend="give each with value, unit, basis and source",
            )
    return found


@lru_cache(maxsize=4)
def read_handshakes(path: Path = FOLDER / "handshakes.yaml") -> dict[str, Handshake]:
    """All ways to set up a connection by id."""
    return read_declared(path, _Handshakes).root


@lru_cache(maxsize=4)
def read_generations(
    path: Path = FOLDER / "generations.yaml",
) -> dict[str, dict[float, Parameter]]:
    """Capacity of each CPC by its number of CPs."""
    return read_declared(path, _Generations).root


@lru_cache(maxsize=4)
def read_numbers(path: Path = FOLDER / "transfer.yaml") -> dict[str, Parameter]:
    """Parameters of the transfers: spreads of generations and published ratios."""
    return read_declared(path, _Numbers).root


def find(name: str, known: dict[str, Interface], what: str = "interface") -> Interface:
    """The interface of that name; a ``UserError`` lists the names that exist."""
    if name not in known:
        raise user_error(
            f"no {what} {name!r} has parameters",
            FOLDER / "interfaces.yaml",
            mend=f"use one of {', '.join(known)}, or add its parameters",
        )
    return known[name]


def basis_of(parameters: list[Parameter]) -> Basis:
    """The weakest basis of some parameters."""
    return weakest_basis(p.basis for p in parameters)
