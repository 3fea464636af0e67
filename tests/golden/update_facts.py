"""Write anew the golden facts: what each edition derives from the committed raw files.

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
from analysis.edition import find_editions  # noqa: E402
from analysis.fact import Fact, read_facts  # noqa: E402


def editions() -> list[str]:
    """The editions of the project."""
    return find_editions(ROOT / "report")


def golden(edition: str) -> Path:
    """The file of an edition's golden facts."""
    return HERE / "facts" / f"{edition}.tsv"


def ingest_all(folder: Path) -> dict[str, Path]:
    """The tables of each campaign, made of its raw files."""
    campaigns = sorted(path.parent for path in ROOT.glob("raw/*/campaign.yaml"))
    tables = {campaign.name: folder / campaign.name for campaign in campaigns}
    for campaign in campaigns:
        _run("ingest", "--campaign", campaign, "--out", tables[campaign.name])
    return tables


def derive_all(folder: Path, tables: Iterable[Path]) -> dict[str, list[str]]:
    """The facts of each edition, one a line, sorted by key."""
    database, facts = folder / "perf.duckdb", folder / "facts.json"
    _run("load", "--tables", *tables, "--out", database)
    places = ("--report", ROOT / "report", "--raw", ROOT / "raw")
    data = ROOT / "data"
    inputs = ("--metrics", data / "metrics.yaml", "--published", data / "published.csv")
    _run("derive", "--database", database, *places, *inputs, "--out", facts)
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
        found = derive_all(work, ingest_all(work / "tables").values())
    for name, lines in found.items():
        golden(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
