"""Changes after an approval: what notices them today goes on noticing them.

They share a worker with the tests of the synthetic campaign, whose tables they use.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.report.corpus.__main__ import in_memory, unnoticed
from tests.report.corpus.cases import known
from tests.report.corpus.changes import Change, Noticed, changes, original
from tests.report.corpus.edits import Edit, edited

pytestmark = pytest.mark.xdist_group("synthetic")
ALL = changes()


def _kind(change: Change) -> tuple[str, tuple[str, ...]]:
    return change.edition, change.noticed_by


# Tests have some seconds: of each kind of noticing the first change and then every
# fortieth. python -m tests.report.corpus --changes tries all of them.
_IN_MEMORY = sorted((c for c in ALL if c.needs == "memory"), key=_kind)
TRIED = [c for _, own in groupby(_IN_MEMORY, _kind) for c in list(own)[::40]]
UPDATE = "python -m tests.report.corpus --update writes the new lists"


@pytest.fixture(scope="module")
def found(
    raw: Path, derived: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[Noticed]:
    return in_memory(tmp_path_factory.mktemp("changes"), derived, raw, TRIED)


def test_there_are_many_changes_and_some_that_mean_nothing() -> None:
    assert len({c.id for c in ALL}) == len(ALL)
    assert sum(bool(c.noticed_by) for c in ALL) >= 60
    assert sum(not c.noticed_by for c in ALL) >= 16


@pytest.mark.parametrize("name", ["unnoticed", "alarms"])
def test_what_falls_short_is_known(found: list[Noticed], name: str) -> None:
    now, then = set(unnoticed(found)[name]), set(getattr(known(), name))
    then &= {change.id for change in TRIED}
    assert now - then == set(), "fall short and did not"
    assert then - now == set(), f"no longer fall short; {UPDATE}"


@pytest.mark.parametrize("change", ALL, ids=lambda change: change.id)
def test_every_edit_finds_what_it_edits(
    change: Change, raw: Path, tmp_path: Path
) -> None:
    """Of changes that need a build, too, which no test makes."""
    for edit in change.edits:
        if edit.library or edit.create or edit.file.endswith("review.yaml"):
            continue
        source = original(edit.file, raw)
        target = tmp_path / edit.file
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
        before = target.read_bytes()
        edited(tmp_path, edit)
        assert edit.touch or not target.exists() or target.read_bytes() != before


def test_an_edit_that_changes_nothing_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("one\n")
    with pytest.raises(AssertionError, match="nothing to edit"):
        edited(tmp_path, Edit(file="a.md", find="two", to="three"))


def test_an_edit_of_no_known_way_is_a_mistake() -> None:
    with pytest.raises(ValidationError):
        Edit(file="a.md", replace="one")  # type: ignore[call-arg]
