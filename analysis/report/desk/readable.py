"""What is kept of what people say has to be read again, each time a page is shown."""

from __future__ import annotations

from pathlib import Path

from analysis.declared.base import Declared, check_declared, parse_yaml
from analysis.errors import user_error
from analysis.files.limits import KIB, REMARKS_BYTES


def readable(text: str, path: Path, model: type[Declared]) -> str:
    """The text of a file that is to be written, if it is short and says what it should.

    A :class:`analysis.errors.UserError` otherwise: characters that no YAML can hold
    would leave an edition that nobody can open.
    """
    if len(text.encode()) > REMARKS_BYTES:
        what = f"it would be longer than {REMARKS_BYTES // KIB} KiB (REMARKS_BYTES)"
        raise user_error(what, path, mend="take out of the file what is settled")
    check_declared(*parse_yaml(text, path), model, path)
    return text
