"""A large dump cut between records, and read by several processes.

Where a dump can be cut is guessed from its bytes: at a place from which on record
follows record. Whoever reads a stretch follows the records up to its end, where the
next one begins; if all arrive, and meet no damage on the way, the records are those
that one pass finds. If not, the dump is read in one pass, and so is one whose records
need what others before them told.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from io import BufferedReader
from itertools import chain, islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from analysis.ingest.raw_file import RawFile
from analysis.ingest.smf.chain import Span, blocks, follow, follow_all, plausible
from analysis.ingest.smf.container import batches
from analysis.ingest.smf.dump import InSpans
from analysis.ingest.smf.gathered import Dump, DumpOptions
from analysis.ingest.smf.sniff import is_record
from analysis.ingest.smf.trouble import Trouble

LEAST = 64 << 20  # bytes of a stretch: of fewer, to put it to others takes too long
MOST = 256 << 20  # and of more, who is done first waits too long for the last
_EACH = 2  # stretches for a process at least, as some begin late
_SHORTER = 1.3  # above one later stretches are shorter, so that all end at about once
_WINDOW = 1 << 21  # bytes in which a record begins: those of zEDC have 1 MiB
_RECORDS, _BLOCKS = 8, 3  # in a row; fewer may be the content of a longer record
_IN_ORDER = {(110, 1)}  # dictionaries tell what is in the records behind them
Asked = tuple[Path, bool, DumpOptions, Span, Path]


def spans(file: BufferedReader, blocked: bool, count: int) -> list[Span]:
    """About ``count`` stretches of a dump, each from a record, or block, to the next
    one's begin; one alone where no place to cut is found. Later ones are shorter."""
    size = os.fstat(file.fileno()).st_size
    left = (1 - nth / count for nth in range(1, count))
    found = (_begin(file, blocked, int(size * (1 - of**_SHORTER))) for of in left)
    ends = sorted({0, size, *(at for at in found if at is not None)})
    return list(pairwise(ends))


def _begin(file: BufferedReader, blocked: bool, at: int) -> int | None:
    """Where, from a byte offset on, a record or block begins which others follow."""
    file.seek(at)
    data = file.read(_WINDOW)
    before = 4 if blocked else 0  # the block's own descriptor word
    for start in range(len(data) - before):
        if not is_record(data, start + before):
            continue
        if _blocks_follow(data, start) if blocked else _records_follow(data, start):
            return at + start
    return None


def _records_follow(data: bytes, at: int) -> bool:
    segments, _ = follow(data, at, len(data))
    return len(segments) >= _RECORDS and bool(plausible(data, segments).all())


def _blocks_follow(data: bytes, at: int) -> bool:
    begins, ends = blocks(data, at, len(data))
    if len(begins) < _BLOCKS:
        return False
    segments = follow_all(data, begins, ends)
    return segments is not None and bool(plausible(data, segments).all())


def read_span(
    path: Path, blocked: bool, options: DumpOptions, span: Span, place: Path
) -> Dump | None:
    """What one stretch of a dump tells, its rows in files below ``place``. None where
    it has to be read together with what is before it."""
    container, dump = Trouble(), options.begin(place)
    with RawFile(path).open() as file:
        for records, joiner in batches(file, blocked, container, options.chunk, span):
            dump.take(records)
            dump.spanned = joiner.spanned
            if (
                container.problems
                or container.damaged
                or _IN_ORDER & dump.counts.keys()
            ):
                return None
    if container.problems or container.damaged:
        return None
    dump.decode_rest()
    dump.parts.trouble.claims.clear()
    dump.settle()
    return dump


def in_spans(path: Path, pool: Executor, workers: int) -> InSpans:
    """What gathers a dump by so many processes, one of which is this one; the others
    are those of the pool."""

    def gather(
        file: BufferedReader, blocked: bool, options: DumpOptions
    ) -> Dump | None:
        size = os.fstat(file.fileno()).st_size
        count = min(max(size // MOST, _EACH * workers), size // LEAST)
        cuts = spans(file, blocked, count) if count > 1 else []
        if len(cuts) < 2:
            return None
        folder = TemporaryDirectory(prefix="smf-", ignore_cleanup_errors=True)
        place = Path(folder.name)
        asked = [
            (path, blocked, options, cut, place / str(n)) for n, cut in enumerate(cuts)
        ]
        return _together(_in_turn(asked, pool, workers - 1), folder)

    return gather


def _in_turn(asked: Sequence[Asked], pool: Executor, others: int) -> list[Dump | None]:
    """What each stretch tells. Who is done takes the next, this process too, which
    has begun while others still start; none is taken after one that is not as hoped."""
    found: list[Dump | None] = [None] * len(asked)
    own, left = 0, iter(range(1, len(asked)))
    # To start processes takes this one, which has no time once it reads.
    begun = {nth: pool.submit(read_span, *asked[nth]) for nth in islice(left, others)}

    def take(read: Callable[[int], Dump | None], *first: int) -> None:
        whole = False
        try:
            for nth in chain(first, left):
                found[nth] = read(nth)
                if found[nth] is None:
                    break
            else:
                whole = True
        finally:
            if not whole:
                deque(left, maxlen=0)  # nobody takes another one

    def elsewhere(nth: int) -> Dump | None:
        one = begun.pop(nth, None) or pool.submit(read_span, *asked[nth])
        return one.result()

    with ThreadPoolExecutor(max(others, 1)) as threads:
        running = [threads.submit(take, elsewhere, nth) for nth in [*begun]]
        take(lambda nth: read_span(*asked[nth]), own)
        for one in running:
            one.result()
    return found


def _together(
    found: Sequence[Dump | None], folder: TemporaryDirectory[str]
) -> Dump | None:
    """The first stretch with all others taken in; its rows lie in the ``folder``."""
    first, *others = found
    if first is None:
        return None
    for behind in others:
        if behind is None:
            return None
        first.take_behind(behind)
    first.tables.done.folder = folder
    return first
