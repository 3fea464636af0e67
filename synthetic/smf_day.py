"""A dump of SMF of one system over one session.

A user record says that all of it is synthetic; so do the names of sysplex and jobs.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from synthetic.emitters.values import LABEL
from synthetic.smf.bytes_of import text
from synthetic.smf.dump import dump_header, header, local, sealed

RELEASE = "z/OS release"  # the detail of a configuration that names it
OFFSET = -5  # hours: Eastern Standard Time
PLEX = "SYNPLEX"
_DUMPER = "SYND"
_USER_RECORD = 240


def level_of(release: str) -> str:
    """The level that records of a release such as V2R5 or 3.1 tell."""
    version, _, part = release.removeprefix("V").replace("R", ".").partition(".")
    return f"ZV{version:>02}{part:>02}00"


def day_dump(
    system: str, begin: dt.datetime, end: dt.datetime, records: Iterable[bytes]
) -> bytes:
    """The records, in the order of time, between those of the dump program; ``begin``
    and ``end`` of the session are in UTC."""
    first, last = (local(moment, OFFSET) for moment in (begin, end))
    made = [
        dump_header(first, 2, _DUMPER),
        _user_record(first, system),
        *records,
        dump_header(last + dt.timedelta(minutes=5), 3, _DUMPER),
    ]
    return b"".join(made)


def _user_record(when: dt.datetime, system: str) -> bytes:
    """A record of a user type with the words that this is synthetic."""
    return sealed(header(_USER_RECORD, None, when, system) + text(LABEL, len(LABEL)))
