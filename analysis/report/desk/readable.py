"""What is kept of what people say has to be read again, each time a page is shown."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.declared.base import Declared
from analysis.errors import user_error
from analysis.files.limits import KIB, REMARKS_BYTES
from analysis.files.text_file import as_text
from analysis.report.review.remarks import remarks_of

# What Word and mail copy beside letters: ends of lines of their own, signs that do not
# show or turn the direction of writing, and halves of letters.
_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNFIT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
    "\ufffe\uffff]"
)


def spoken(words: str) -> str:
    """What somebody says, without the characters that no file of remarks may hold."""
    return _UNFIT.sub("", _ENDS.sub("\n", words))


def readable(text: str, path: Path, model: type[Declared]) -> str:
    """The text of a file that is to be written, if it is short and says what it should.

    A :class:`analysis.errors.UserError` otherwise: characters that no YAML can hold
    would leave an edition that nobody can open.
    """
    if len(text.encode()) > REMARKS_BYTES:
        what = f"it would be longer than {REMARKS_BYTES // KIB} KiB (REMARKS_BYTES)"
        raise user_error(what, path, mend="take out of the file what is settled")
    remarks_of(as_text(text.encode(), path), path, model)
    return text
