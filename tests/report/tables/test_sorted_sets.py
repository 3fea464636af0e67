"""Values whose workload nothing tells: sorted, and paired in that order."""

from __future__ import annotations

from dataclasses import replace

from analysis.report.material import Sources, read_material
from analysis.report.tables.reproduction import match_rows, reproduction
from tests.report.tables.test_reproduction import FACTS, ROW, STUDY, matched, row

BARS = [row(id=f"P{n}", value=v, variant=f"bar {n} of 3", qualifier="exact") for n, v in
        ((1, -6.0), (2, -41.0), (3, -20.0))]  # fmt: skip


def test_bars_that_nothing_tells_apart_are_compared_as_sorted_sets() -> None:
    matches = match_rows(BARS, {"speed": STUDY}, FACTS)
    found = [(m.derived, m.outcome, m.paired) for m in matches]
    assert found == [
        (-6.0, "reproduced", True),
        (-40.0, "differs", True),
        (-20.0, "reproduced", True),
    ]
    assert [len(match.facts) for match in matches] == [1, 1, 1]
    assert not matched(ROW).paired


def test_sets_of_other_sizes_are_not_paired() -> None:
    for match in match_rows(BARS[:2], {"speed": STUDY}, FACTS):
        assert (match.outcome, match.facts, match.paired) == ("not derived", (), False)
        assert match.reason == (
            "2 values are published, and 3 derived, so sorting pairs none of them"
        )


def test_the_appendix_says_which_rows_are_sorted(project: Sources) -> None:
    material = read_material("small", project)
    bar = row(value=-37, workload="RR1(1kB)", variant="bar", qualifier="exact")
    made = reproduction(replace(material, published=(bar,)), [])
    assert made is not None and made["paired"]
    assert "[✓ reproduced]{.verdict .improved}, sorted |" in made["tables"][0]
    named = replace(material, published=(row(value=-37),))
    assert not reproduction(named, [])["paired"]  # type: ignore[index]
