"""Which campaigns and editions a build needs, and what it can do without."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from analysis.declared.campaign import GENERATED, RUNS_FILE, read_campaign
from analysis.declared.edition import find_editions, read_edition
from analysis.declared.studies import read_studies
from analysis.errors import UserError
from analysis.files.campaign_state import campaign_state
from workflow.made import Step, void_steps, with_marks

REPORT, RAW = Path("report"), Path("raw")
Ingest = Callable[[str], Step]  # of a campaign, the step that reads it


@functools.cache
def looked_at(campaign: Path) -> tuple[str, int]:
    """The digest and the bytes of a campaign's files, at which a build looks once."""
    state = campaign_state(campaign)
    return state.content_digest(), state.bytes


def measured_bytes(campaign: Path) -> int:
    """The bytes of a campaign's files when the build looked at them."""
    return looked_at(campaign)[1]


def unused_of(generated: Iterable[str], wanted: Sequence[str]) -> set[str]:
    """Generated campaigns that are not there, and no wanted edition rests on."""
    absent = {name for name in generated if not (GENERATED / name).is_dir()}
    if not (absent and wanted):
        return set()
    return absent.difference(*map(rests_on, wanted))


def left_out(
    measured: Sequence[str], ingest: Ingest, wanted: Sequence[str]
) -> set[str]:
    """Measured campaigns that are new or changed, and that the build can do without:
    no wanted edition rests on them, or no edition at all and they are unfinished."""
    new = [name for name in measured if _is_new(name, ingest)]
    if not new:
        return set()
    needed = set[str]().union(*map(rests_on, wanted or find_editions(REPORT)))
    return {n for n in new if n not in needed and (wanted or _is_unfinished(RAW / n))}


def _is_new(campaign: str, ingest: Ingest) -> bool:
    try:
        return bool(void_steps(with_marks([ingest(campaign)]).values()))
    except UserError:  # of its files: who needs it is told so by its step
        return True


def _is_unfinished(folder: Path) -> bool:
    """Whether a campaign's declaration is not sound, or none of its runs is told."""
    try:
        read_campaign(folder)
    except UserError:
        return True
    return not (folder / RUNS_FILE).is_file()


def is_usable(edition: str, unused: set[str], wanted: str) -> bool:
    """Whether all campaigns of an edition are read; one that is wanted must be."""
    try:
        return unused.isdisjoint(rests_on(edition))
    except UserError:
        if not wanted or edition in wanted.split():
            raise
        return False


def rests_on(edition: str) -> set[str]:
    """The campaigns of an edition's studies, and of the editions that lend it some."""
    editions = [edition]
    for one in editions:
        editions += [id for id in lenders(one) if id not in editions]
    folders = [REPORT / id for id in editions]
    studies = [read_studies(folder, read_edition(folder)) for folder in folders]
    return {n for own in studies for study in own.values() for n in study.campaigns}


def lenders(edition: str) -> tuple[str, ...]:
    """The editions from which an edition borrows studies."""
    return tuple(sorted({*read_edition(REPORT / edition).borrowed.values()}))
