"""SMF dumps: binary records of z/OS, as ``IFASMFDP`` and ``IFASMFDL`` write them.

Read are RMF 70-1 (CPU), 72-3 (service and report classes), 73 (channel paths), 74-1
(devices) and 74-9 (PCIe functions), 30-2 to 30-6 (address spaces), 113-1 (hardware
counters) and of TCP/IP 119-2 to 6, 10, 20, 21 and 70. All other records are counted;
of those of TCP/IP it is said why.
"""

from __future__ import annotations

from typing import Any

from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.smf.codepage import NAMES as CODE_PAGES
from analysis.ingest.smf.sniff import NAME, record_kind

FORMAT = NAME
TITLE = "SMF dump of z/OS"
TESTED = (
    "real dumps of types 115 and 116; the others after the layouts named in docs/smf.md"
)

__all__ = ["CODE_PAGES", "FORMAT", "TITLE", "read", "recognise"]


def recognise(head: bytes) -> bool:
    """Whether a file that begins so holds SMF records, with descriptor words or not."""
    return record_kind(head) is not None


def read(raw: Raw, zone: str | None = None, **options: Any) -> Reading:
    """The tables of a dump, as ``dump.read_dump`` makes them, with its options."""
    # The decoders take long to load, and every start asks what a file is.
    from analysis.ingest.smf.dump import read_dump

    return read_dump(raw, zone, **options)
