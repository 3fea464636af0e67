"""Reading with any reader, so that no file can stop the program or pass unchecked."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor

from polars.exceptions import PanicException

from analysis.errors import UserError, is_of_machine
from analysis.facts.remark import remark
from analysis.ingest.physical import keep_possible
from analysis.ingest.reading import Problem, Reading

_MANY_DIGITS = "integer string conversion"  # what Python says of over 4,300 digits


def read_safely(form: str, read: Callable[[], Reading]) -> Reading:
    """What a reader says of a file of its format, within physical limits.

    A file that its reader cannot cope with has the status failed, and says so. A full
    disk, or a process that was ended, is no mistake of the file: who kept that as its
    reading would go on without it.
    """
    try:
        return keep_possible(read())
    except (UserError, BrokenExecutor):
        raise
    except (Exception, PanicException) as error:  # a damaged file is the file's mistake
        if is_of_machine(error):
            raise
        reason = remark("reader_failed", name=type(error).__name__, error=str(error))
        if _MANY_DIGITS in str(error):
            reason = remark("too_many_digits")
        problems = [Problem(reason)]
        return Reading(form, status="failed", cause=reason, problems=problems)
