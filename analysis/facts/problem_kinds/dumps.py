"""Words for what is wrong in dumps of SMF."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.kind import Kind, Values


def _lost(values: Values) -> str:
    count = values["records"]
    many = "more than 65,535" if count is None else f"{count:,}"
    since, until = values["since"], values["until"]
    when = f"at {until}" if since == until else f"between {since} and {until}"
    return (
        f"SMF of {values['system']} lost {many} records {when}: what they would have "
        "told is missing"
    )


DUMPS: Mapping[str, Kind] = {
    "ambiguous_times": Kind(
        "{times} local times lie in the hour that is repeated when daylight "
        "saving ends; the first of the two was taken"
    ),
    "bad_length": Kind("{here} has the length {length}"),
    "bare_records": Kind(
        "SMF records without their descriptor words (byte offset 0): their "
        "lengths are lost; {mend}"
    ),
    "bytes_skipped": Kind(
        "{bytes} bytes from byte offset {first} on were skipped: no record "
        "could be told in them"
    ),
    "capture_in_dump": Kind(
        "the capture ratio (72-3 against 70-1) lies outside {least:.0f} to "
        "{most:.0f}% in {odd} of {intervals} intervals, first {ratio:.1f}% of "
        "{system}: 72-3 records may be missing or counted twice"
    ),
    "duplicates": Kind(
        "{count} duplicate records were dropped, the first at byte offset "
        "{first}: part of the dump is in the file twice"
    ),
    "empty_dump": Kind("the file is empty: it ends at byte offset 0"),
    "ends_inside_spanned": Kind(
        "the file ends inside the spanned record at byte offset {where}"
    ),
    "eyecatcher": Kind(
        "the {name} section of the record at byte offset {where} begins with "
        "{eye!r}, not with {wanted!r}; it was not read"
    ),
    "file_ends_after": Kind("the file ends after {what} at byte offset {where}"),
    "function_without_data": Kind(
        "the 74-9 record at byte offset {where} has no valid data of function "
        "{function} for {seconds:g} s of its interval: bytes and packets null"
    ),
    "gap": Kind(
        "gap in {what} of {of}: none from {since} to {until} UTC ({seconds:.0f} s)"
    ),
    "interval_missing": Kind(
        "{what} of {of} have none from {since} UTC, of which other records tell"
    ),
    "length_past_end": Kind(
        "{here} has the length {length}, which runs past the end of its {end}"
    ),
    "lonely_piece": Kind(
        "a broken 70-1 record: piece {piece} of {pieces} is here, others are "
        "missing (byte offset {where})"
    ),
    "lonely_statistics": Kind(
        "the 119-5 record at byte offset {where} says that more of its interval "
        "follow, and none does: the interval was not used"
    ),
    "more_alike": Kind("{more} more: {alike}"),
    "more_gaps": Kind("{more} more gaps in {what}"),
    "no_block": Kind(
        "X'{word:08X}' at byte offset {where} is no block descriptor word; "
        "nothing behind it was read"
    ),
    "no_first_segment": Kind(
        "a record's later segment at byte offset {where} has no first one"
    ),
    "no_known_record": Kind("no record of a kind that is read: {records}"),
    "no_record_at_start": Kind(
        "no SMF record stands at byte offset 0, neither with nor without a "
        "block descriptor word"
    ),
    "no_record_header": Kind("no SMF record header stands at byte offset {where}"),
    "no_row_made": Kind(
        "the {of} record at byte offset {where} is counted, but no row could "
        "be made of it"
    ),
    "not_decoded": Kind("{count} records {names} are counted, not decoded: {reason}"),
    "nothing_used": Kind("{what}; nothing of this record was used"),
    "odd_70_1": Kind("the 70-1 record at byte offset {where} {what}"),
    "odd_70_2": Kind("the 70-2 record at byte offset {position} {what}"),
    "odd_mq_record": Kind("the {type} record at byte offset {position} {what}"),
    "odd_record": Kind("the {of} record at byte offset {where} {what}"),
    "odd_section": Kind(
        "the {name} section of the record at byte offset {where} {what}"
    ),
    "only_header": Kind("no record but the header and trailer of the dump program"),
    "other_piece": Kind(
        "the piece of a broken 70-1 record at byte offset {where} is of a "
        "system, interval and number of which another one was read before"
    ),
    "other_profile_parts": Kind(
        "{records} records 119-4 are of other parts of the profile than "
        "{sections}: no rows"
    ),
    "records_lost": Kind(_lost),
    "record_not_used": Kind("{what}; it was not used"),
    "rows_without_start": Kind("{rows} rows have no start in UTC: {why}"),
    "section_missing": Kind("the record at byte offset {where} has no {name} section"),
    "sections_overlap": Kind("sections of the record at byte offset {where} overlap"),
    "sent_as_text": Kind(
        "SMF records that were sent as text (byte offset 0): {what}; {mend}"
    ),
    "spanned_without_end": Kind(
        "the spanned record at byte offset {where} lacks its end"
    ),
    "stray_byte": Kind("a stray byte stands at byte offset {where}"),
    "tersed_dump": Kind("a tersed file (byte offset 0): {mend}"),
    "text_of_dump": Kind("text, not a binary SMF dump (byte offset 0): {mend}"),
    "timeless_record": Kind(
        "the RMF record at byte offset {where} tells no start and length of "
        "its interval"
    ),
    "too_much_damage": Kind("too much damage: nothing behind {where} was read"),
    "triplet_past_end": Kind(
        "the triplet of the {name} section points past its record (offset "
        "{offset}, length {length}, number {number}, record of {bytes} bytes)"
    ),
    "triplet_too_early": Kind(
        "the triplet of the {name} section points in front of the sections of "
        "its record (offset {offset}, length {length}, number {number}, record "
        "of {bytes} bytes)"
    ),
    "validity_flag": Kind(
        "the record at byte offset {where} says{of} that {says} ({name}): {effect}"
    ),
    "zero_coefficient": Kind(
        "the 72-3 record at byte offset {position} has a service coefficient "
        "of zero: CPU seconds cannot be told from its service units"
    ),
    "zeros_at_end": Kind("the file ends with {zeros} zeros"),
}
