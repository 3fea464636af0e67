from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.declared.edition import Published as Named
from analysis.declared.published import Published
from analysis.facts.fact import Facts
from analysis.figures.captions import Around
from analysis.figures.kind import KINDS
from analysis.figures.output import Drawing
from analysis.figures.overlay import Spoken, spoken_of
from analysis.figures.select import groups
from analysis.figures.setting import Setting
from analysis.figures.theme import WIDE
from tests.figures.drawn import Drawn, boxes, draw, make_setting
from tests.figures.made import make_study

AROUND = Around("", "", "")
RR = ("RR10(1kB)", "RR10(4kB)", "RR10(32kB)")
FACTS = make_study(
    "s",
    {("latency", None, name): (100.0, 60.0) for name in RR}
    | {("cpu_cost", role, RR[0]): (10.0, 8.0) for role in ("client", "server")},
)


def published(id: int = 1, **changes: Any) -> Published:
    """A row of data/published.csv on the latency of RR workloads."""
    row = {
        "id": f"P{id:03}",
        "edition": "e",
        "study": "theirs",
        "baseline": "old",
        "test": "new",
        "workload": "RR*",
        "clients": "",
        "variant": "",
        "role": "",
        "metric": "latency",
        "kind": "delta",
        "value": -40,
        "unit": "%",
        "qualifier": "exact",
        "citation": "c",
        "place": "p",
        "line": 1,
        "printed": "40%",
        "note": "",
    }
    return Published.model_validate(row | changes)


def setting_of(*rows: Published, metrics: tuple[str, ...] = ("latency",)) -> Setting:
    """A study that is ``theirs``, with configurations of other ids."""
    setting = make_setting("delta", metrics, study="s")
    named = Named(study="theirs", configurations={"A": "old", "B": "new"})
    study = setting.study.model_copy(update={"published": named})
    return replace(setting, study=study, published=rows)


def spoken(*rows: Published, metric: str = "latency") -> list[Spoken]:
    setting = setting_of(*rows, metrics=(metric,))
    frame = KINDS["delta"].data(FACTS, setting)
    return spoken_of(groups(frame, "metric", "role")[0][1], setting)


def drawn(*rows: Published) -> Drawn:
    return draw(FACTS, setting_of(*rows))


def diamonds(found: Drawn) -> int:
    """Diamonds on the axis: one more stands before the words."""
    return sum(p["shape"] == "D" for p in found.layers["geom_point"]) - 1


def test_a_number_of_its_own_is_a_diamond_in_each_row() -> None:
    found = drawn(published(variant="small"), published(2, variant="large", value=-9))

    assert diamonds(found) == 2
    assert "published: −40% (small), −9.0% (large)" in found.texts


@pytest.mark.parametrize("qualifier", ["up to", "average", "over"])
def test_a_number_over_several_rows_is_one_diamond_on_a_dashed_line(
    qualifier: str,
) -> None:
    found = drawn(published(qualifier=qualifier))

    dashed = [s for s in found.layers["geom_segment"] if s["linetype"] == "dashed"]
    assert len(dashed) == len(RR)
    assert len({s["x"] for s in dashed}) == 1
    assert diamonds(found) == 1
    assert f"published: {qualifier} −40%" in found.texts


def said_and_heading(found: Drawn) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Left, right and bottom (mm) of the published words and of the panel's name."""
    said = next(box for box in boxes(found) if box[0].startswith("published"))
    name = next(box for box in boxes(found) if box[0].strip() == "lower is better")
    return (said[1], said[2], said[4]), (name[1], name[2], name[4])


def test_published_numbers_stand_at_the_right_of_the_heading() -> None:
    said, heading = said_and_heading(drawn(published(qualifier="up to")))

    assert said[1] == pytest.approx(WIDE.width)
    assert said[0] > heading[1]
    assert said[2] == pytest.approx(heading[2], abs=0.3)


def test_published_numbers_stand_below_a_heading_that_leaves_no_room() -> None:
    long = published(variant="a long restriction " * 6)
    said, heading = said_and_heading(drawn(long))

    assert said[0] < heading[0]
    assert said[2] > heading[2] + 2


def test_comparable_is_said_and_has_no_place_on_the_axis() -> None:
    found = drawn(published(qualifier="comparable", value=0))

    assert "published: comparable" in found.texts
    assert diamonds(found) == 0


def test_two_numbers_of_one_row_are_said_and_not_drawn() -> None:
    found = drawn(
        published(variant="local", value=-41), published(2, variant="forwarded")
    )

    assert "published: −41% (local), −40% (forwarded)" in found.texts
    assert diamonds(found) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"study": "other"},
        {"test": "newer"},
        {"baseline": "older"},
        {"metric": "rate"},
        {"workload": "STR*"},
        {"kind": "factor", "unit": "x", "value": 2},
        {"workload": "RR10(1kB) + STR1(5MB/1B)", "variant": "32 kB", "test": "newer"},
    ],
)
def test_a_number_of_something_else_is_not_overlaid(change: dict[str, Any]) -> None:
    assert spoken(published(**change)) == []


def test_a_number_for_both_roles_is_of_each() -> None:
    row = published(metric="cpu_cost", role="both", qualifier="average")
    other = published(2, metric="cpu_cost", role="router")

    (found,) = spoken(row, other, metric="cpu_cost")

    assert found.row == row
    assert found.workloads == RR[:1]


def test_a_mix_speaks_of_the_workloads_that_it_names() -> None:
    (found,) = spoken(published(workload="RR10(4kB) + STR1(5MB/1B)"))

    assert found.workloads == ("RR10(4kB)",)


def test_one_number_in_two_places_is_drawn_once() -> None:
    assert len(spoken(published(), published(2))) == 1


def test_nothing_is_overlaid_where_the_study_names_nothing() -> None:
    setting = make_setting("delta", ("latency",), study="s")
    setting = replace(
        setting, published=(published(study="s", baseline="A", test="B"),)
    )

    assert "published" not in " ".join(draw(FACTS, setting).texts)


def test_published_numbers_are_in_the_data_and_its_origins() -> None:
    setting = setting_of(published(qualifier="up to"))
    frame = KINDS["delta"].data(Facts(FACTS.facts), setting)
    data = Drawing(setting, frame, KINDS["delta"].words(frame, setting), AROUND).data()

    (row,) = data.filter(data["record"] == "published").to_dicts()
    assert (row["key"], row["value"], row["qualifier"]) == ("P001", -40.0, "up to")
    assert (row["workload"], row["configuration"]) == ("RR*", "B")
    assert row["origin"] == "published"
