"""The corpus is well formed, and what is caught of it stays caught.

The tests share a worker with those of the synthetic campaign, whose tables they use.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from tests.report.corpus.__main__ import shortcomings, table
from tests.report.corpus.cases import Statement, known, statements
from tests.report.corpus.harness import Benches, Result

pytestmark = pytest.mark.xdist_group("synthetic")
ALL = statements()
FALSE = [s for s in ALL if s.expect != "pass"]
TRUE = [s for s in ALL if s.expect == "pass"]
# Tests have some seconds: of every third way the first statement.
# python -m tests.report.corpus, which make bench runs, tries all of them.
TRIED = [next(own) for _, own in groupby(ALL, lambda s: s.way)][::3]
UPDATE = "python -m tests.report.corpus --update writes the new lists"


@pytest.fixture(scope="module")
def benches(derived: Path, tmp_path_factory: pytest.TempPathFactory) -> Benches:
    return Benches(derived, tmp_path_factory.mktemp("editions"))


@pytest.fixture(scope="module")
def found(benches: Benches) -> list[Result]:
    return [benches.result(statement) for statement in TRIED]


def test_the_corpus_is_large_and_of_many_ways() -> None:
    assert len(FALSE) >= 240
    assert len({s.way for s in FALSE}) >= 26
    assert len(TRUE) >= 120
    assert all(count >= 3 for count in Counter(s.way for s in ALL).values())


def test_a_statement_stands_in_it_once() -> None:
    assert [id for id, n in Counter(s.id for s in ALL).items() if n > 1] == []
    places = Counter((s.edition, s.file, " ".join(s.text.split())) for s in ALL)
    assert [place for place, n in places.items() if n > 1] == []


def test_no_way_is_both_false_and_true() -> None:
    assert {s.way for s in FALSE} & {s.way for s in TRUE} == set()


@pytest.mark.parametrize("name", ["silent", "warned", "refused", "held"])
def test_what_falls_short_is_known(found: list[Result], name: str) -> None:
    now = set(shortcomings(found)[name])
    then = set(getattr(known(), name)) & {s.id for s in TRIED}
    assert now - then == set(), f"fall short and did not\n{_told(found, now - then)}"
    assert then - now == set(), f"no longer fall short; {UPDATE}"


def test_the_table_counts_every_statement(found: list[Result]) -> None:
    sums = [line.split() for line in table(found).splitlines() if line[:4] == "all "]
    counts = [sum(map(int, numbers)) for _, *numbers in sums]
    false = sum(s in FALSE for s in TRIED)
    assert counts == [false, len(TRIED) - false]


def test_the_lists_name_statements_that_there_are() -> None:
    listed = known()
    named = {*listed.silent, *listed.warned, *listed.refused, *listed.held}
    assert named <= {s.id for s in ALL}


def test_a_statement_leaves_its_edition_as_it_was(benches: Benches) -> None:
    bench = benches.of("linux-veth")
    files = {p: p.read_bytes() for p in bench.material.folder.rglob("*.*")}
    for file, how in (
        ("front/preface.md", "append"),
        ("edition.yaml:title", "replace"),
    ):
        benches.result(_example(file, how))
    assert {p: p.read_bytes() for p in bench.material.folder.rglob("*.*")} == files


def _example(file: str, how: str) -> Statement:
    return Statement(
        id="example",
        way="example",
        edition="linux-veth",
        file=file,
        how=how,
        text="Throughput doubles.",
        expect="error",
        why="an example",
    )


def _told(found: list[Result], ids: set[str]) -> str:
    return "\n".join(
        f"{r.statement.id} ({r.statement.why}): {r.outcome} {'; '.join(r.words)}"
        for r in found
        if r.statement.id in ids
    )
