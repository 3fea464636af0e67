"""Write anew the golden facts: what each edition derives from its campaigns.

Run ``python tests/golden/update_facts.py``. Look at the differences before you commit
them: a changed number needs a reason.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from analysis.cli import main  # noqa: E402
from analysis.declared.campaign import (  # noqa: E402
    GENERATED,
    campaign_folder,
    find_campaigns,
)
from analysis.declared.edition import find_editions, read_edition  # noqa: E402
from analysis.facts.fact import Fact, read_facts  # noqa: E402
from synthetic.campaign import DECLARED, write  # noqa: E402


def editions() -> list[str]:
    """The editions of the project that derive facts."""
    known = find_editions(ROOT / "report")
    return [id for id in known if read_edition(ROOT / "report" / id).own_studies]


def golden(edition: str) -> Path:
    """The file of an edition's golden facts."""
    return HERE / "facts" / f"{edition}.tsv"


def generate_all(folder: Path) -> Path:
    """A folder ``raw`` as the project's, and beside it what a build generates."""
    raw = folder / "raw"
    raw.symlink_to(ROOT / "raw")
    for campaign in find_campaigns(DECLARED):
        write(campaign, folder / GENERATED / campaign)
    return raw


def ingest_all(folder: Path, raw: Path) -> dict[str, Path]:
    """The tables of each campaign, made of its raw files."""
    names = [*find_campaigns(raw), *find_campaigns(DECLARED)]
    tables = {name: folder / name for name in names}
    for name, out in tables.items():
        _run("ingest", "--campaign", campaign_folder(raw, name), "--out", out)
    return tables


def derive_all(folder: Path, raw: Path, tables: Iterable[Path]) -> Path:
    """The file of the facts of all editions, with their evidence beside it."""
    database, facts = folder / "perf.duckdb", folder / "facts.json"
    _run("load", "--tables", *tables, "--out", database)
    places = ("--report", ROOT / "report", "--raw", raw)
    data = ROOT / "data"
    inputs = ("--metrics", data / "metrics.yaml", "--published", data / "published.csv")
    _run("derive", "--database", database, *places, *inputs, "--out", facts)
    return facts


def lines_of(facts: Path) -> dict[str, list[str]]:
    """The facts of each edition, one a line, sorted by key."""
    found = read_facts(facts).facts
    return {
        edition: sorted(line(fact) for fact in found if fact.edition == edition)
        for edition in editions()
    }


def line(fact: Fact) -> str:
    """Key, printed text, verdict and origin of a fact."""
    verdict = "predicted" if fact.estimate else fact.verdict or "-"
    return "\t".join((fact.key, fact.printed, verdict, fact.origin))


def _run(verb: str, *arguments: str | Path) -> None:
    if main([verb, *map(str, arguments)]) != 0:
        raise SystemExit(f"{verb} failed")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        raw = generate_all(work)
        facts = derive_all(work, raw, ingest_all(work / "tables", raw).values())
        found = lines_of(facts)
    for name, lines in found.items():
        golden(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
