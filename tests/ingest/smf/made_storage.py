"""Records 75 and 78-2 made from IBM's pages of RMF, and of usage from their lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from synthetic.smf.bytes_of import hfp, number, text
from synthetic.smf.dump import record, section
from synthetic.smf.rmf import Interval

Usage = tuple[int, int, float]  # least, most and mean, of 900 samples
COMMON_BYTES, PRIVATE_BYTES = 1724, 392
NOTHING: Usage = (0, 0, 0.0)


def page_data_set(
    name: str = "PAGE.SYSA.LOCAL1", kind: int = 0x10, scm: bool = False
) -> bytes:
    """90 of 1,000 pages used in the mean; in use in 225 of 900 samples."""
    return section(
        124,
        (0, text(name, 44) + bytes([kind, 8 if scm else 0])),
        (51, number(0x0A85, 2) + text("PAGE01", 6)),
        (64, b"".join(number(each, 4) for each in (1000, 100, 80, 90, 1))),
        (84, b"".join(number(each, 4) for each in (225, 225, 40, 160))),
        (116, hfp(90.5)),
    )


def paging(interval: Interval, data_set: bytes) -> bytes:
    """A 75 record."""
    sections = {28: [interval.product()], 36: [data_set]}
    return record(75, 1, interval.local(interval.end), sections, interval.sid)


def short(value: float) -> bytes:
    """Short hexadecimal floating point: the first four bytes of a long one."""
    return hfp(value)[:4]


def usage(some: Usage, samples: int = 900, integer: bool = False) -> bytes:
    """Usage of an area in 20 bytes."""
    least, most, mean = some
    whole = number(round(mean * samples), 4) if integer else short(mean * samples)
    return number(least, 4) + bytes(4) + number(most, 4) + bytes(4) + whole


def common(
    areas: Mapping[int, tuple[Usage, Usage]],
    integer: bool = False,
    size: int = COMMON_BYTES,
) -> bytes:
    """Common storage: usage below and above by the offset of the area; CSA of 4 MB and
    300 MB, SQA of 1 MB and 100 MB."""
    sizes = {20: 4 << 20, 28: 300 << 20, 92: 1 << 20, 100: 100 << 20}
    return section(
        size,
        *((at, number(each, 4)) for at, each in sizes.items()),
        *(
            (at + 20 * nth, usage(one, integer=integer))
            for at, both in areas.items()
            for nth, one in enumerate(both)
        ),
    )


def private(
    job: str, areas: Mapping[int, tuple[Usage, Usage]], flags: int = 0x8000
) -> bytes:
    """The private area of a job, of 10 samples."""
    return section(
        PRIVATE_BYTES,
        (0, text(job, 8)),
        (36, number(flags, 2)),
        (40, number(10, 4)),
        *(
            (at + 20 * nth, usage(one, 10))
            for at, both in areas.items()
            for nth, one in enumerate(both)
        ),
    )


def virtual_storage(
    interval: Interval, of_all: bytes, jobs: Sequence[bytes] = ()
) -> bytes:
    """A 78-2 record."""
    sections = {28: [interval.product()], 36: [of_all], 44: jobs}
    return record(78, 2, interval.local(interval.end), sections, interval.sid, end=60)


MOST = (1000, 3000, 2000.0), (10_000_000, 50_000_000, 30_000_000.0)


def each_record(interval: Interval) -> list[bytes]:
    """A record of each type."""
    stored = common({184: MOST}), [private("TCPIP", {152: MOST})]
    return [paging(interval, page_data_set()), virtual_storage(interval, *stored)]
