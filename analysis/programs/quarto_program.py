"""Quarto as it is installed here, and which engine a build takes."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Literal, NamedTuple

from analysis.errors import user_error
from analysis.programs.child import run_child

OLDEST = (1, 9)
PROGRAM = "QUARTO"  # the environment variable that names it where it is elsewhere
Engine = Literal["auto", "quarto", "pandoc"]
ENGINES: tuple[Engine, ...] = ("auto", "quarto", "pandoc")
_MEND = "install Quarto 1.9 or later (environment.yml has it), or use ENGINE=pandoc"
BROKEN = "install it again, or use ENGINE=pandoc; 'quarto check' tells more"


class Quarto(NamedTuple):
    """A program and its version, such as ``1.10.18``."""

    program: str
    version: str

    @property
    def fits(self) -> bool:
        """Whether it is not too old."""
        numbers = re.findall(r"\d+", self.version)[:2]
        return tuple(map(int, numbers)) >= OLDEST


def wanted_quarto(engine: Engine) -> Quarto | None:
    """The Quarto that renders; None where Pandoc does.

    ``auto`` is Quarto where it is installed and not too old. Quarto asked for by name
    that is absent or too old is a :class:`analysis.errors.UserError`, and so is one
    that the environment names and that does not run.
    """
    quarto = _installed(engine) if engine != "pandoc" else None
    if quarto and quarto.fits:
        return quarto
    if engine == "quarto":
        what = f"Quarto {quarto.version} is too old" if quarto else "Quarto is absent"
        raise user_error(what, quarto.program if quarto else None, mend=_MEND)
    return None


def _installed(engine: Engine) -> Quarto | None:
    """Quarto on the path, or the one that the environment names.

    One on the path that does not run is passed over, unless it is asked for.
    """
    named = os.environ.get(PROGRAM)
    program = shutil.which(named or "quarto")
    if named and not program:
        mend = f"correct the environment variable {PROGRAM}, or unset it"
        raise user_error(f"{PROGRAM} names no program: {named}", mend=mend)
    if not program:
        return None
    done = run_child([program, "--version"], Path.cwd())
    version = done.output.decode("utf-8", "replace").strip()
    if done.code == 0 and re.match(r"\d+\.\d+", version):
        return Quarto(program, version)
    if not named and engine == "auto":
        return None
    said = [*done.errors.decode("utf-8", "replace").splitlines(), f"exit {done.code}"]
    raise user_error(
        f"Quarto does not tell its version: {said[0]}", program, mend=BROKEN
    )
