"""Read an SMF dump: container, records, sections, checks, tables."""

from __future__ import annotations

from analysis.facts.remark import Remark, remark
from analysis.ingest.clock import NO_ZONE, zone_info
from analysis.ingest.compressed.terse import CURE
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Circumstances, Reading
from analysis.ingest.smf.checks import tell_duplicates
from analysis.ingest.smf.codepage import DEFAULT
from analysis.ingest.smf.columns import kind_name
from analysis.ingest.smf.container import batches
from analysis.ingest.smf.decode import DUMP
from analysis.ingest.smf.decoders import described, why_not
from analysis.ingest.smf.gathered import Dump, begin_dump
from analysis.ingest.smf.records import Ints
from analysis.ingest.smf.segments import CHUNK
from analysis.ingest.smf.sniff import NAME, TRANSFER, Kind, sniff
from analysis.ingest.smf.trouble import Trouble

_HEAD = 65536
_HOUR = 3.6e9  # microseconds
REFUSED: dict[Kind, Remark] = {
    "bare": remark(
        "bare_records",
        "SMF records without their descriptor words (byte offset 0): their "
        f"lengths are lost; {TRANSFER}",
    ),
    "tersed": remark("tersed_dump", f"a tersed file (byte offset 0): {CURE}"),
    "text": remark(
        "text_of_dump", f"text, not a binary SMF dump (byte offset 0): {TRANSFER}"
    ),
    "lines": remark(
        "sent_as_text",
        what="each record is followed by a line end (CR LF or LF)",
        mend=TRANSFER,
    ),
    "newlines": remark("sent_as_text", what="each LF has become CR LF", mend=TRANSFER),
    "translated": remark(
        "sent_as_text", what="EBCDIC was translated to ASCII", mend=TRANSFER
    ),
    "empty": remark("empty_dump", "the file is empty: it ends at byte offset 0"),
    "unknown": remark(
        "no_record_at_start",
        "no SMF record stands at byte offset 0, neither with nor without a "
        "block descriptor word",
    ),
}


def read_dump(
    raw: Raw,
    zone: str | None = None,
    codepage: str = DEFAULT,
    chunk: int = CHUNK,
) -> Reading:
    """The tables of a dump, whatever its size, in bounded memory.

    ``position`` is the byte offset of the record in the file. ``zone`` serves records
    with local times only, where no other record of their system tells the offset.
    ``chunk`` is how many bytes are read at once.
    """
    if zone is not None:
        zone_info(zone)
    reading = Reading(NAME, tool="IFASMFDP or IFASMFDL")
    with raw.open("rb") as file:
        container = sniff(file.read(_HEAD))
        if container not in ("unblocked", "blocked"):
            return _refused(reading, container)
        blocked = container == "blocked"
        file.seek(0)
        dump = begin_dump(zone, codepage, chunk)
        for records, joiner in batches(file, blocked, dump.parts.trouble, chunk):
            dump.take(records)
            dump.spanned = joiner.spanned
    return _finished(reading, dump, dump.end(), container)


def _refused(reading: Reading, container: Kind) -> Reading:
    reading.status = "empty" if container == "empty" else "failed"
    reading.cause = REFUSED[container]
    trouble = Trouble()
    trouble.tell(REFUSED[container], 0)
    reading.problems = trouble.all()
    return reading


def _finished(reading: Reading, dump: Dump, again: Ints, container: str) -> Reading:
    trouble = dump.parts.trouble
    tell_duplicates(again, trouble)
    reading.tables = dump.tables.finished(again)
    names = (dump.parts.page.decode(s.to_bytes(4, "big")) for s in dump.systems)
    reading.systems = sorted(name for name in names if name)
    reading.records = {kind_name(*key): dump.counts[key] for key in sorted(dump.counts)}
    what = {kind_name(*key): described(*key) for key in sorted(dump.counts)}
    reading.kinds = {kind: words for kind, words in what.items() if words}
    _tell_kinds(dump)
    _tell_times(dump)
    reading.details = {
        "container": container,
        "spanned_records": dump.spanned,
        "duplicates": len(again),
        "codepage": dump.parts.page.name,
    }
    offsets = dump.clocks.offsets()["offset"]
    if len(offsets):
        reading.circumstances = Circumstances(utc_offset=offsets[0] / _HOUR)
    _judge(reading, dump)
    reading.problems = trouble.all()
    return reading


def _tell_kinds(dump: Dump) -> None:
    alike: dict[str, list[tuple[int, int]]] = {}
    for key in sorted(dump.counts):
        if reason := why_not(*key):
            alike.setdefault(reason, []).append(key)
    for reason, keys in alike.items():
        names = ", ".join(kind_name(*key) for key in keys)
        count = sum(dump.counts[key] for key in keys)
        dump.parts.trouble.tell(
            remark(
                "not_decoded",
                f"{count} records {names} are counted, not decoded: {reason}",
            ),
            min(dump.first[key] for key in keys),
        )


def _tell_times(dump: Dump) -> None:
    if dump.clocks.unknown:
        dump.parts.trouble.tell(
            remark(
                "rows_without_start",
                f"{dump.clocks.unknown} rows have no start in UTC: {NO_ZONE}",
            )
        )
    if dump.clocks.ambiguous:
        dump.parts.trouble.tell(
            remark(
                "ambiguous_times",
                f"{dump.clocks.ambiguous} local times lie in the hour that is "
                "repeated when daylight saving ends; the first of the two was taken",
            )
        )


def _judge(reading: Reading, dump: Dump) -> None:
    trouble = dump.parts.trouble
    data = [key for key in dump.counts if key[0] not in DUMP]
    rows = any(table.height for table in reading.tables.values())
    if trouble.cut:
        reading.status, reading.cause = "truncated", trouble.cut
    elif not data:
        reading.status = "empty"
        reading.cause = remark(
            "only_header", "no record but the header and trailer of the dump program"
        )
    elif trouble.damaged:
        reading.status, reading.cause = "degraded", trouble.first
    elif not rows:
        reading.status = "degraded"
        reading.cause = remark(
            "no_known_record",
            f"no record of a kind that is read: {_list(reading.records)}",
        )
    elif dump.clocks.unknown:
        reading.status, reading.cause = "degraded", NO_ZONE


def _list(records: dict[str, int]) -> str:
    return ", ".join(f"{kind} ({count})" for kind, count in records.items())
