"""Which campaigns and editions a build needs, and what it can do without."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from analysis.declared.campaign import RUNS_FILE, read_campaign
from analysis.declared.edition import read_edition
from analysis.declared.studies import read_studies
from analysis.errors import UserError, raise_if, told, user_error
from analysis.files.campaign_state import campaign_state
from analysis.report.output import check_formats
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


def unreadable(measured: Iterable[str]) -> dict[str, UserError]:
    """Campaigns at whose files nobody can look, and why not."""
    found = {}
    for name in measured:
        try:
            looked_at(RAW / name)
        except (UserError, OSError) as error:
            found[name] = told(error)
    return found


def left_out(
    measured: Sequence[str], ingest: Ingest, needed: Collection[str], all_wanted: bool
) -> set[str]:
    """Measured campaigns that are new or changed, and that the build can do without:
    no wanted edition rests on them, or no edition at all and they are unfinished."""
    spare = [n for n in measured if n not in needed and _is_new(n, ingest)]
    return {n for n in spare if not all_wanted or _is_unfinished(RAW / n)}


def _is_new(campaign: str, ingest: Ingest) -> bool:
    return bool(void_steps(with_marks([ingest(campaign)]).values()))


def _is_unfinished(folder: Path) -> bool:
    """Whether a campaign's declaration is not sound, or none of its runs is told."""
    try:
        read_campaign(folder)
    except UserError:
        return True
    return not (folder / RUNS_FILE).is_file()


def read_editions(
    ids: Iterable[str],
) -> tuple[dict[str, set[str]], dict[str, UserError]]:
    """What editions rest on, and what is wrong of those that cannot be read."""
    found, wrong = dict[str, set[str]](), dict[str, UserError]()
    for id in ids:
        try:
            found[id] = rests_on(id)
            path = REPORT / id
            raise_if(check_formats(read_edition(path), path / "edition.yaml"))
        except (UserError, OSError) as error:
            wrong[id] = told(error)
    return {id: of for id, of in found.items() if id not in wrong}, wrong


def without_data(
    editions: Mapping[str, Collection[str]], unread: Mapping[str, UserError]
) -> dict[str, UserError]:
    """The editions that rest on campaigns that cannot be read, and why those cannot."""
    return {
        id: UserError([issue for name in lost for issue in unread[name].issues])
        for id, of in editions.items()
        if (lost := sorted(unread.keys() & of))
    }


def not_read(campaign: str) -> UserError:
    """What is to be said of a campaign whose step failed, and told why."""
    what = f"the campaign {campaign!r} cannot be read; the reason is above"
    return user_error(what, mend="mend what is told there, and run this again")


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
