from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.declared.published import Published
from analysis.declared.study import Published as Named
from analysis.facts.fact import Facts
from analysis.figures.kind import KINDS
from analysis.figures.output import data_of
from analysis.figures.published import Spoken, spoken_of
from analysis.figures.select import groups
from analysis.figures.setting import Setting
from analysis.figures.words import sizes_text
from tests.figures.drawn import FORMATS, Drawn, draw, make_drawing, make_setting
from tests.figures.made import make_study

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


def drawn(*rows: Published, metric: str = "latency") -> Drawn:
    return draw(FACTS, setting_of(*rows, metrics=(metric,)))


def diamonds(found: Drawn) -> list[dict[str, Any]]:
    """The open diamonds on the axes."""
    return [
        row
        for layer in found.layers
        if layer.geom.aes_params.get("shape") == "D"
        for row in layer.geom.data.to_dicts()
    ]


def test_a_number_of_its_own_is_a_diamond_in_each_row() -> None:
    found = drawn(published(workload="RR10(1kB)"))

    (diamond,) = diamonds(found)
    assert (diamond["record"], diamond["stated"]) == ("fact", -40)
    assert diamond["workload"] == "RR10(1kB)"
    assert "published: latency −40%" in found.words.foot


@pytest.mark.parametrize("qualifier", ["up to", "average", "over"])
def test_a_number_over_several_rows_has_a_row_of_its_own(qualifier: str) -> None:
    found = drawn(published(qualifier=qualifier))

    (diamond,) = diamonds(found)
    assert diamond["record"] == "stated"
    assert f"{qualifier} −40%" in found.labels
    assert "published" in found.labels
    assert "latency" not in found.words.foot.split("published: ")[-1]


@pytest.mark.parametrize("format", list(FORMATS))
def test_a_diamond_lies_below_the_marks_of_its_row_and_within_it(format: str) -> None:
    rows = (published(workload="RR10(4kB)"), published(2, workload="RR10(1kB)"))
    found = draw(FACTS, setting_of(*rows), FORMATS[format])

    bars = {bar["workload"]: bar for bar in found.layer("geom_origin")}
    size = 1.0  # mm, half the height of a diamond
    for diamond in diamonds(found):
        bar = bars[diamond["workload"]]
        assert diamond["y"] + size < bar["bottom"]
        assert diamond["y"] - size > bar["ymin"]
    assert len(diamonds(found)) == 2


def test_an_average_over_both_roles_is_drawn_in_neither_s_panel() -> None:
    row = published(metric="cpu_cost", role="both", qualifier="average", value=-20)

    found = drawn(row, metric="cpu_cost")

    assert diamonds(found) == []
    assert "CPU cost per transaction of both roles average −20%" in found.words.foot


def test_a_bound_over_both_roles_says_so_in_each_s_panel() -> None:
    row = published(metric="cpu_cost", role="both", qualifier="up to", value=-20)
    own = published(metric="cpu_cost", role="client", qualifier="up to", value=-20)

    found = drawn(row, metric="cpu_cost")

    assert found.labels.count("up to −20%, both roles") == 2
    assert drawn(own, metric="cpu_cost").labels.count("up to −20%") == 1


def test_comparable_is_said_and_has_no_place_on_the_axis() -> None:
    found = drawn(published(qualifier="comparable", value=0))

    assert "published: latency comparable" in found.words.foot
    assert diamonds(found) == []


def test_two_numbers_of_one_row_are_said_and_not_drawn() -> None:
    found = drawn(
        published(variant="local", value=-41), published(2, variant="forwarded")
    )

    told = "published: latency −41% (local), −40% (forwarded)"
    assert told in found.words.foot
    assert diamonds(found) == []


def test_both_ends_of_what_was_published_are_one_range() -> None:
    ends = {"low end": -12.5, "high end": 3}
    for variant in ("", "local"):
        rows = [
            published(n, variant=variant, qualifier=end, value=value)
            for n, (end, value) in enumerate(ends.items(), 1)
        ]
        more = f" ({variant})" if variant else ""
        assert f"published: latency −12.5 to +3%{more} ·" in drawn(*rows).words.foot
    assert (
        "published: latency from −12.5% ·"
        in drawn(published(qualifier="low end", value=-12.5)).words.foot
    )


def test_the_foot_counts_whose_sizes_generated_changes_have() -> None:
    made = [replace(fact, origin="synthetic") for fact in FACTS.facts]
    best = next(f for f in made if f.kind == "delta" and f.metric == "latency")
    facts = Facts(
        tuple(
            replace(f, basis="published" if f.key == best.key else "assumed")
            for f in made
        )
    )

    told = sizes_text(make_drawing(facts, setting_of()).frame)
    assert told == "sizes: 1 published and 2 assumed"
    foot = draw(facts, setting_of()).words.foot
    bare = draw(Facts(tuple(made)), setting_of()).words.foot

    assert "origin: synthetic; sizes of changes: 1 published and 2 assumed" in foot
    assert "sizes of changes" not in bare


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

    assert "published" not in " ".join(draw(FACTS, setting).labels)


def test_published_numbers_are_in_the_data_and_its_origins() -> None:
    setting = setting_of(published(qualifier="up to"))
    data = data_of(make_drawing(FACTS, setting))

    (row,) = data.filter(data["record"] == "published").to_dicts()
    assert (row["key"], row["value"], row["qualifier"]) == ("P001", -40.0, "up to")
    assert (row["workload"], row["configuration"]) == ("RR*", "B")
    assert row["origin"] == "published"


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ({"test": "B"}, [RR]),
        ({"test": "B", "workloads": "RR10(1kB), RR10(4kB)"}, [RR[:2]]),
        ({"test": "A"}, []),
    ],
)
def test_what_a_study_says_of_a_single_row_holds_in_figures(told, shown) -> None:
    setting = setting_of(published(7, qualifier="up to"))
    named = Named.model_validate(
        {
            "study": "theirs",
            "configurations": {"A": "old", "B": "new"},
            "rows": {"P007": told},
        }
    )
    study = setting.study.model_copy(update={"published": named})
    frame = KINDS["delta"].data(FACTS, setting)
    of = spoken_of(groups(frame, "metric", "role")[0][1], replace(setting, study=study))
    assert [spoken.workloads for spoken in of] == shown
