"""Emitters: values in, bytes out, as the tool itself would have written them.

An emitter is one module of this package, found by its line ``EMITTER = …``. It knows
nothing of the reader of its format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from analysis.declared.mistakes import mistakes
from analysis.errors import Issue, UserError, user_error
from analysis.programs.registry import Registry, declared_as
from synthetic.emitters.values import Measured

Values = TypeVar("Values", bound=Measured)


@dataclass(frozen=True)
class Emitter(Generic[Values]):
    """A kind of file: the values that it takes, and their bytes.

    ``format`` is the name by which ``inspect`` knows the file. Equal values give equal
    bytes.
    """

    id: str
    title: str
    format: str
    takes: type[Values]
    write: Callable[[Values], bytes]

    def emit(self, **values: Any) -> bytes:
        """The bytes of these values.

        A ``UserError`` names each value that cannot be, or that does not fit its
        field in the file; nothing is written then.
        """
        return self.write(self.checked(values))

    def checked(self, values: Mapping[str, Any]) -> Values:
        """The values, each within its bounds."""
        try:
            return self.takes.model_validate(values)
        except ValidationError as error:
            raise UserError(
                [
                    Issue(f"{self.takes.__name__}: {found.what}", mend=found.mend)
                    for found in mistakes(error, values, self.takes)
                ]
            ) from None


EMITTERS: Registry[Emitter[Any]] = Registry(
    "synthetic.emitters", "EMITTER", declared_as("EMITTER")
)


def emit(id: str, values: Mapping[str, Any]) -> bytes:
    """What the emitter ``id`` writes of some values."""
    if id not in EMITTERS:
        known = ", ".join(EMITTERS)
        raise user_error(f"there is no emitter {id!r}", mend=f"choose one of: {known}")
    return EMITTERS[id].emit(**values)
