"""Several editors of one part at once: no word is lost, none is there twice."""

from __future__ import annotations

from tests.report.desk.conftest import Office
from tests.report.desk.load import Load, lost_or_doubled
from tests.report.desk.test_saving import OBSERVATIONS, git


def test_saves_at_once_are_neither_lost_nor_doubled(office: Office) -> None:
    office.desk.warm()
    load = Load(office.client.address, "small", OBSERVATIONS)
    words = load.run(editors=3, saves=6, readers=4)
    assert lost_or_doubled((office.texts / OBSERVATIONS).read_text(), words) == []
    assert load.met > 0 and all(load.seen)
    commits = git(office.texts, "rev-list", "--count", "main..review/small")
    assert commits == "6"
    assert lost_or_doubled("a b b", ["a", "b", "c"]) == ["b", "c"]
