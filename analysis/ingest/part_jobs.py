"""Jobs that read the parts of a large campaign before one puts them together.

They are for clusters, where a job runs on a node of its own. What is read of a part is
kept in a folder that all nodes share, so the job that puts the campaign together finds
it there; a part that is not there it reads itself. Nothing else rests on these jobs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from analysis.errors import UserError
from analysis.facts.units import how_many
from analysis.files.atomic import write_text
from analysis.files.campaign_state import CampaignState, campaign_state
from analysis.files.digests import digest_of
from analysis.ingest.campaign.check import CheckedCampaign, read_checked
from analysis.ingest.judge import clock_of, files_beside, reader_of
from analysis.ingest.parts.kept import JOBS, KeptParts, parts_of
from analysis.ingest.parts.split import CampaignPart


@dataclass(frozen=True)
class PartsJob:
    """The names of the parts that one job reads, and the bytes of their files."""

    parts: tuple[str, ...]
    bytes: int

    def written(self, kept: KeptParts, keys: Collection[str]) -> Path:
        """The file that tells the job what to read; its name changes with the bytes of
        the files that are read, by ``keys``."""
        path = kept.folder / JOBS / digest_of(dict.fromkeys(keys, ""))
        if not path.exists():
            write_text(path, json.dumps(asdict(self)))
        return path


def told_job(path: Path) -> PartsJob:
    """What a file of :meth:`PartsJob.written` tells."""
    told = json.loads(path.read_text("utf-8"))
    return PartsJob(tuple(told["parts"]), told["bytes"])


def jobs_for(folder: Path, kept: KeptParts, files: int, bytes: int) -> list[Path]:
    """The files that tell jobs what to read of a campaign: of the parts that are not
    kept up to so many files and bytes each.

    None where one job would read all of it, which is then better done by the one that
    puts the campaign together; and none where anything is wrong, which that one tells.
    """
    try:
        checked, state, parts = _looked_at(folder, kept)
    except UserError:
        return []
    places = kept.places(parts, checked.files, clock_of(checked))
    unread = [part for part in parts if not places[part].is_dir()]
    jobs = list(_packed(unread, state, files, bytes))
    if len(jobs) < 2:
        return []
    return [
        PartsJob(
            tuple(part.name for part in job),
            sum(state.size_of(file) for part in job for file in part.files),
        ).written(kept, [f"{part.name}/{places[part].name}" for part in job])
        for job in jobs
    ]


def read_parts(folder: Path, kept: KeptParts, names: Collection[str]) -> str:
    """Read some parts of a campaign and keep them; says in a line what was read.

    A :class:`UserError` carries all that is wrong with the campaign.
    """
    checked, state, parts = _looked_at(folder, kept)
    wanted = [part for part in parts if part.name in names]
    read, clock = reader_of(checked), clock_of(checked)
    readings = kept.read(state, wanted, checked.files, clock, read)
    told = how_many(len(readings), "file")
    return f"{checked.name}: {len(wanted)} of {how_many(len(parts), 'part')}; {told}"


def _looked_at(
    folder: Path, kept: KeptParts
) -> tuple[CheckedCampaign, CampaignState, list[CampaignPart]]:
    state = campaign_state(folder)
    checked = read_checked(folder, state.hashes(kept.digests), state)
    beside = files_beside(checked.runs)
    return checked, state, parts_of(state, sorted(beside), beside)


def _packed(
    parts: Iterable[CampaignPart], state: CampaignState, files: int, bytes: int
) -> Iterator[list[CampaignPart]]:
    """The parts in their order, as many together as a job may read."""
    job: list[CampaignPart] = []
    count = size = 0
    for part in parts:
        own = sum(map(state.size_of, part.files))
        if job and (count + len(part.files) > files or size + own > bytes):
            yield job
            job, count, size = [], 0, 0
        job.append(part)
        count, size = count + len(part.files), size + own
    if job:
        yield job
