"""Whether numbers rest on the raw files as they are: digests of campaigns, compared.

Tables, facts and reports each carry the digest of the campaigns that they were made
from. Whatever reads them compares it with that of the files now.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.declared.campaign import campaign_folder
from analysis.declared.names import FOLDER, fits_folder
from analysis.errors import Issue, Place
from analysis.facts.fact import read_facts
from analysis.files.campaign_state import content_digest
from analysis.files.digests import CACHE

MEND = "run 'make report'"


def check_digests(
    told: Mapping[str, str], raw: Path, where: Path, cache: Path = CACHE
) -> list[Issue]:
    """Campaigns whose files are not those that ``told``, in ``where``, speaks of."""
    return [
        Issue(f"not made from the files of {folder}", Place(str(where)), MEND)
        for name, digest in sorted(told.items())
        if content_digest(folder := campaign_folder(raw, name), cache) != digest
    ]


def check_told(names: set[str], told: Mapping[str, str], where: Path) -> list[Issue]:
    """Campaigns of whose files ``where`` says nothing."""
    return [
        Issue(f"does not say from which files of {name!r}", Place(str(where)), MEND)
        for name in sorted(names - told.keys())
    ]


def check_build(
    folder: Path, provenance: Mapping[str, Any], raw: Path, cache: Path = CACHE
) -> list[Issue]:
    """Whether facts, provenance and raw files of a finished build are of one kind."""
    campaigns, place = provenance.get("campaigns", {}), folder / "provenance.json"
    if foreign := [name for name in campaigns if not fits_folder(name, FOLDER)]:
        unsafe = [f"not a safe name of a campaign: {name!r}" for name in foreign]
        return [Issue(what, Place(str(place)), MEND) for what in unsafe]
    told = {n: str(c["digest"]) for n, c in campaigns.items() if c.get("digest")}
    issues = check_told(set(campaigns), told, place)
    place = folder / "facts.json"
    facts = read_facts(place)
    issues += check_told(set(told), dict(facts.digests), place)
    if not issues and dict(facts.digests) != told:
        what = "the facts and provenance.json are of different raw files"
        issues.append(Issue(what, Place(str(place)), MEND))
    known = {sha for about in campaigns.values() for sha in about["files"].values()}
    if any(not known.issuperset(fact.lineage.files) for fact in facts.facts):
        what = "a fact rests on a file that no campaign of the build has"
        issues.append(Issue(what, Place(str(place)), MEND))
    return issues or check_digests(told, raw, folder, cache)
