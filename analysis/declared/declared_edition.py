"""What an edition declares, checked before anything is built: names that mean nothing.

Whatever ``check`` says of words needs facts; a slip of the pen is told without them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import (
    GENERATORS,
    Campaign,
    campaign_folder,
    find_campaigns,
    read_campaign,
)
from analysis.declared.edition import Edition, read_edition
from analysis.declared.figures import check_figures, nearest_of
from analysis.declared.metrics import read_metrics
from analysis.declared.studies import read_studies, study_folder
from analysis.declared.study import Study
from analysis.declared.study_names import check_study
from analysis.errors import Issue, Place, UserError

RAW = "raw"


def check_declared_edition(folder: Path) -> list[Issue]:
    """Mistakes in an edition, its own studies and their campaigns; none, all is well.

    The campaigns lie in ``raw`` beside the folder of the reports.
    """
    try:
        edition = read_edition(folder)
        studies = read_studies(folder, edition)
        return [
            issue
            for id in edition.own_studies
            for issue in _study(folder, edition, id, studies[id])
        ]
    except UserError as error:
        return error.issues


def _study(folder: Path, edition: Edition, id: str, study: Study) -> Iterator[Issue]:
    path = study_folder(folder, edition, id) / "study.yaml"
    metrics, node = read_metrics(), load_yaml(path)[1]
    project = folder.parent.parent
    campaigns: dict[str, Campaign] = {}
    for number, name in enumerate(study.campaigns):
        place = campaign_folder(project / RAW, name)
        if place.is_dir():
            campaigns[name] = read_campaign(place)
        elif not (project / GENERATORS / name).is_dir():
            where = Place(str(path), line_of(node, ("campaigns", number)))
            known = [*find_campaigns(project / RAW), *_generated(project)]
            mend = nearest_of(name, known)
            yield Issue(f"there is no campaign {name!r}", where, mend)
    if len(campaigns) == len(study.campaigns):
        yield from check_study(study, path, campaigns, metrics)

    def at(number: int) -> Place:
        return Place(str(path), line_of(node, ("figures", number)))

    yield from check_figures(study, metrics, at)


def _generated(project: Path) -> list[str]:
    return sorted(
        path.name for path in (project / GENERATORS).glob("*") if path.is_dir()
    )
