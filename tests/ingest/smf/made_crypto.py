"""Records 70-2 made from the documented layouts."""

from __future__ import annotations

from collections.abc import Sequence

from synthetic.smf.bytes_of import hfp, number
from synthetic.smf.dump import record, section
from synthetic.smf.rmf import Interval


def coprocessor(
    index: int,
    ticks: float,
    count: float,
    keys: float = 0,
    mask: int = 0xC0,
    kind: int = 12,
    scope: tuple[int, int] | None = (1, 7),
) -> bytes:
    """A section of a CCA coprocessor, whose timers count in 0.5 s; ``scope`` is scope
    and domain, None a section of an older release, which has neither."""
    head = (number(index, 1) + number(kind, 1) + number(mask, 1)).ljust(8, b"\0")
    body = head + hfp(0.5) + hfp(ticks) + hfp(count) + bytes(8) + hfp(keys)
    return body if scope is None else body + bytes(scope) + bytes(2)


def accelerator(
    index: int, engines: Sequence[tuple[float, float]], mask: int = 0xFC
) -> bytes:
    """A section of an accelerator: of each engine timer and counter of RSA 2048 ME,
    in 0.25 s; of RSA 4096 CRT it counts 8 ticks and 3 operations."""
    parts = [(0, number(index, 1) + number(13, 1) + number(mask, 1))]
    parts += [(4, number(len(engines), 4)), (8, hfp(0.25))]
    for nth, (ticks, count) in enumerate(engines):
        parts.append((16 + 64 * nth + 16, hfp(ticks) + hfp(count)))
    return section(372, *parts, (352, hfp(8) + hfp(3)), (368, bytes([1, 9])))


def pkcs11(index: int, pairs: Sequence[tuple[float, float]], mask: int = 0xF8) -> bytes:
    """A section of a PKCS #11 coprocessor: its five timers and counters, in 1 s."""
    values = b"".join(hfp(ticks) + hfp(count) for ticks, count in pairs)
    head = (number(index, 1) + number(14, 1) + number(mask, 1)).ljust(8, b"\0")
    return head + hfp(1) + values + bytes([0, 0, 0, 0])


def crypto(
    interval: Interval,
    coprocessors: Sequence[bytes] = (),
    accelerators: Sequence[bytes] = (),
    others: Sequence[bytes] = (),
) -> bytes:
    """A 70-2 record."""
    sections = {28: [interval.product()]}
    for at, parts in ((36, coprocessors), (44, accelerators), (60, others)):
        sections[at] = list(parts)
    return record(70, 2, interval.local(interval.end), sections, interval.sid, end=68)
