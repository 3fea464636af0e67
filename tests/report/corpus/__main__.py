"""What the checks notice of the corpus, as tables.

``python -m tests.report.corpus`` lists, way by way, the false statements that are
errors, warned of or silent, and the true ones that pass or are refused. ``--update``
writes ``silent.yaml`` anew. ``--changes`` tells of the changes of declarations and data
instead: it ingests and derives again for each, which takes minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import yaml

from tests.golden.update_facts import generate_all, ingest_all
from tests.report.corpus.cases import HERE, Outcome, Statement, known, statements
from tests.report.corpus.changes import Change, Noticed, changes, noticed
from tests.report.corpus.harness import EDITIONS, ROOT, Benches, Result, derived_facts

BUILT = ROOT / "data/build/facts.json"
HEAD = (
    "# What falls short today; python -m tests.report.corpus --update writes it anew.\n"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; 1 where something falls short that silent.yaml does not know."""
    parser = argparse.ArgumentParser(prog="tests.report.corpus", description=__doc__)
    parser.add_argument("--facts", type=Path, help=f"instead of {BUILT.name} as built")
    parser.add_argument("--update", action="store_true", help="write silent.yaml")
    parser.add_argument("--changes", action="store_true", help="the changes instead")
    parser.add_argument("--only", nargs="*", default=(), help="ids, with all findings")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        raw, facts = _made(folder)
        facts = given.facts or facts
        if given.changes:
            return _changes(folder / "changes", facts, raw, given.only)
        benches = Benches(facts, folder / "editions")
        chosen = _chosen(statements(), given.only)
        found = [benches.result(statement) for statement in chosen]
        if given.update:
            write_known(found, in_memory(folder / "changes", facts, raw, changes()))
    if given.only:
        print(*map(_told, found), sep="\n")
    else:
        print(table(found))
    return 0 if given.update or not _unknown(found) else 1


def table(found: Sequence[Result]) -> str:
    """False statements by way, then true ones, then both sums."""
    false = [r for r in found if r.statement.expect != "pass"]
    true = [r for r in found if r.statement.expect == "pass"]
    lines = [_row("false or unbound", ("error", "held", "warning", "silent"))]
    lines += _rows(false, ("error", "held", "warning", "silent"))
    lines += ["", _row("true", ("pass", "warned", "held", "refused"))]
    lines += _rows(true, ("silent", "warning", "held", "error"))
    short = [result.statement.id for result in found if not result.good]
    told = f"{len(short)} of {len(found)} fall short"
    return "\n".join([*lines, "", ": ".join([told, ", ".join(short)])])


def shortcomings(found: Iterable[Result]) -> dict[str, list[str]]:
    """The ids of the lists of statements in ``silent.yaml``, as they are now."""
    names: dict[Outcome, str] = {
        "silent": "silent",
        "warning": "warned",
        "error": "refused",
        "held": "held",
    }
    lists: dict[str, list[str]] = {name: [] for name in names.values()}
    for result in found:
        if not result.good:
            lists[names[result.outcome]].append(result.statement.id)
    return lists


def in_memory(
    folder: Path, facts: Path, raw: Path, of: Iterable[Change]
) -> list[Noticed]:
    """What notices those changes that leave the facts as they are."""
    told = dict.fromkeys(EDITIONS, facts)
    return [noticed(c, folder, told, raw) for c in of if c.needs == "memory"]


def unnoticed(found: Iterable[Noticed]) -> dict[str, list[str]]:
    """The ids of the two lists of changes, as they are now."""
    lists: dict[str, list[str]] = {"unnoticed": [], "alarms": []}
    for result in found:
        if not result.good:
            name = "unnoticed" if result.change.noticed_by else "alarms"
            lists[name].append(result.change.id)
    return lists


def write_known(found: Iterable[Result], moved: Iterable[Noticed]) -> None:
    """Write ``silent.yaml``."""
    text = yaml.safe_dump(shortcomings(found) | unnoticed(moved), sort_keys=False)
    (HERE / "silent.yaml").write_text(HEAD + text, encoding="utf-8")


def _unknown(found: Iterable[Result]) -> set[str]:
    """What falls short and is in none of the lists of ``silent.yaml``."""
    listed = known()
    short = {id for ids in shortcomings(found).values() for id in ids}
    return short - {*listed.silent, *listed.warned, *listed.refused, *listed.held}


def _made(folder: Path) -> tuple[Path, Path]:
    """The campaigns and their facts: as built, else made below a folder."""
    if BUILT.is_file():
        return ROOT / "raw", BUILT
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        (project := folder / "project").mkdir()
        raw = generate_all(project)
        return raw, derived_facts(folder, raw, ingest_all(folder / "tables", raw))


def _chosen(known: list[Statement], ids: Sequence[str]) -> list[Statement]:
    return [statement for statement in known if not ids or statement.id in ids]


def _rows(found: Sequence[Result], outcomes: Sequence[str]) -> Iterator[str]:
    counts = Counter((r.statement.way, r.outcome) for r in found)
    total = Counter(r.outcome for r in found)
    for way in dict.fromkeys(r.statement.way for r in found):
        yield _row(way, [counts[way, outcome] for outcome in outcomes])
    yield _row("all", [total[outcome] for outcome in outcomes])


def _row(name: str, cells: Iterable[object]) -> str:
    return f"{name:40}" + "".join(f" {cell:>7}" for cell in cells)


def _told(result: Result) -> str:
    words = "\n".join(f"  {words}" for words in result.words)
    return f"{result.statement.id}: {result.outcome}\n{words}".rstrip()


def _changes(folder: Path, facts: Path, raw: Path, ids: Sequence[str]) -> int:
    found: list[Noticed] = []
    for change in (c for c in changes() if not ids or c.id in ids):
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            result = noticed(change, folder, dict.fromkeys(EDITIONS, facts), raw)
        print(_change_line(change, result), flush=True)
        found.append(result)
    good = sum(result.good for result in found)
    print(f"{good} of {len(found)} as they should be")
    listed = {*known().unnoticed, *known().alarms}
    return 1 if any(not r.good and r.change.id not in listed for r in found) else 0


def _change_line(change: Change, result: Noticed) -> str:
    by = ", ".join(sorted(result.by)) or "nothing"
    wanted = " or ".join(change.noticed_by) or "nothing"
    mark = "  " if result.good else "! "
    return f"{mark}{change.id:40} wanted: {wanted:24} noticed by: {by}"


if __name__ == "__main__":
    sys.exit(main())
