"""The page of the documentation that lists what is read, made from the readers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from analysis.ingest.detect import FORMATS, kind_of, timed
from analysis.ingest.smf.columns import NO_SUBTYPE
from analysis.ingest.smf.types import READ, REAL

_KINDS = {
    "bench": "Benchmarks of networks",
    "web": "Benchmarks of web servers and TLS",
    "services": "Services: FTP, TN3270, CICS TG, storage",
    "linux": "CPU time of Linux",
    "rmf": "RMF",
    "smf": "SMF",
    "campaign": "Drivers of benchmarks",
}
_TIMED = ("bench", "web", "services")
_SMF_HEAD = "| SMF type | subtypes | tested with |\n|---|---|---|"
_HEAD = "| format | what | tested with |\n|---|---|---|"
_TIMED_HEAD = "| format | what | tested with | rates are over |\n|---|---|---|---|"


def formats_page() -> str:
    """All formats by kind, and the types of SMF records."""
    kinds: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for id, module in sorted(FORMATS.items()):
        tested = getattr(module, "TESTED", "not told")
        cells = [f"`{id}`", module.TITLE, tested]
        if (kind := kind_of(id)) in _TIMED:
            cells.append(timed(id) or "no rates")
        kinds[kind].append(f"| {' | '.join(cells)} |")
    parts = [
        "# What is read",
        "<!-- Made by `python -m analysis schema`; the readers have the words. -->",
        "A file is known by its content, whatever it is called; `python -m analysis "
        "inspect FILE` says what it is. Packed files (`.gz`, `.bz2`, `.xz`, `.zst`, a "
        "ZIP or tar of one file, AMATERSE) are read as what is in them; of an archive "
        "of several, `inspect` says what each is and how to unpack it. What another "
        "tool says can be [written as the benchmark contract]"
        "(../how-to/benchmark-contract.md), or [a reader be added]"
        "(../how-to/format.md).",
        "What a file tells twice is held against itself: totals against intervals, "
        "parts and counts, lengths against start and end, percentages against what "
        "can be. A file whose figures deny each other fails or is degraded, and says "
        "which. Not all can be seen: a netperf log proves its rate by the service "
        "demand up to a whole number of CPUs, which `inspect` shows as *role cpus* and "
        "`ingest` holds against `cps`. What one place alone tells cannot be held "
        "against anything: an interval taken out of mpstat's JSON, percentages that "
        "were changed and still make 100, a rate with its latency and its time, a "
        "clock of uperf that steps.",
    ]
    for kind, rows in kinds.items():
        head = _TIMED_HEAD if kind in _TIMED else _HEAD
        parts += [f"## {_KINDS[kind]}", "\n".join([head, *rows])]
        if kind == "smf":
            parts += [
                "Of a dump, these types are read; all others are counted. "
                "[SMF records](../smf.md) says into which tables, and by whose layout.",
                "\n".join([_SMF_HEAD, *_types()]),
            ]
    return "\n\n".join(parts) + "\n"


def _types() -> Iterator[str]:
    for kind, types in groupby(sorted(READ), key=lambda one: one[0]):
        subtypes = ", ".join(str(one) for _, one in types if one != NO_SUBTYPE) or "–"
        tested = "real dumps" if kind in REAL else "records made after their layout"
        yield f"| {kind} | {subtypes} | {tested} |"
