"""The table: what differs names its sides, units stand once, sums are of one unit."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from analysis.facts.fact import Facts
from analysis.facts.units import format_number
from analysis.figures.kinds.table import NONE, Grid, grid_of
from analysis.figures.verb import check_declaration
from tests.figures.drawn import FORMATS, check_texts, draw, make_drawing, make_setting
from tests.figures.made import make_fact, make_facts

FACTS = make_facts().of("linux-veth", "offload")


def grid(*metrics: str, facts: Facts = FACTS, **declared: Any) -> Grid:
    setting = make_setting("table", metrics, **declared)
    return grid_of(make_drawing(facts, setting).frame, setting)


def texts(made: Grid) -> dict[str, list[str]]:
    return {name: [cell.text for cell in cells] for name, cells in made.rows}


def test_what_is_no_column_and_differs_is_a_row() -> None:
    made = grid("rate", workloads="RR*")
    assert (made.corner, made.unit) == ("Configuration", "trans/s")
    assert made.heads == ("1 client", "10 clients", "40 clients"), "what differs"
    assert list(texts(made)) == ["Offload on", "Offload off"]
    key = made.rows[0][1][0].key
    assert next(f.printed for f in FACTS.facts if f.key == key).startswith(
        texts(made)["Offload on"][0]
    )


def test_units_that_differ_stand_in_the_cells() -> None:
    made = grid("rate", "latency", workloads="CRR*", columns=("configuration",))
    assert made.unit == ""
    assert [row[0].split()[-1] for row in texts(made).values()] == ["trans/s", "µs"]
    assert made.corner == "Metric"


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (("workload",), "Offload on"),
        (("configuration",), "Transaction rate"),
        (("configuration", "metric"), "RR1(100B)"),
        (("configuration", "metric", "workload"), "Value"),
    ],
)
def test_a_single_row_has_the_name_of_what_no_column_names(
    columns: tuple[str, ...], row: str
) -> None:
    one = {"tests": (), "configurations": ("A",)} if columns == ("workload",) else {}
    made = grid("rate", workloads="RR1(100B)", columns=columns, **one)
    assert [name for name, _ in made.rows] == [row]


def test_the_order_of_rows_is_the_declared_one() -> None:
    made = grid("cpu_cost", workloads="RR*", rows=("configuration", "role"))
    assert made.corner == "Configuration, role"
    on = ["Offload on, client", "Offload on, server"]
    assert [name for name, _ in made.rows][:2] == on


def test_totals_add_up_what_is_shown() -> None:
    made = grid("cpu_cost", workloads="RR*", tests=(), totals=True)
    own = [f for f in FACTS.facts if f.metric == "cpu_cost" and f.kind == "value"]
    first = [f for f in own if (f.workload, f.configuration) == ("RR1(100B)", "A")]
    assert made.rows[-1][0] == "Sum"
    assert made.rows[-1][1][0].text == format_number(sum(f.value for f in first))
    assert not made.rows[-1][1][0].key


def test_a_place_without_a_fact_is_empty() -> None:
    assert NONE in texts(grid("rate", "throughput"))["Throughput, Offload on"]


def test_changes_keep_their_sign_and_say_against_what() -> None:
    setting = make_setting("table", ("throughput",), shows="changes")
    drawing = make_drawing(FACTS, setting)
    assert texts(grid_of(drawing.frame, setting)) == {"Offload off": ["−37%"]}
    assert drawing.words.title == "37% less throughput"


def test_its_alt_text_has_every_row() -> None:
    setting = make_setting("table", ("rate",), "RR*")
    words, made = draw(FACTS, setting).words, grid("rate", workloads="RR*")
    for name, cells in texts(made).items():
        assert f"{name}: {', '.join(cells)}" in words.alt
    assert words.subtitle == "In trans/s."


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"shows": "changes", "totals": True}, "changes in percent have no totals"),
        ({"shows": "changes", "tests": ()}, "there are no changes without tests"),
    ],
)
def test_what_has_no_meaning_is_refused(declared: dict[str, Any], says: str) -> None:
    issues = check_declaration(make_setting("table", ("latency",), **declared))
    assert says in " ".join(map(str, issues))


@pytest.mark.parametrize("format", list(FORMATS))
def test_many_columns_stand_below_each_other_where_they_do_not_fit(format: str) -> None:
    sessions = (1, 4000, 8000, 16000, 32000, 48000, 64000)
    facts = Facts(
        tuple(
            make_fact("s", f"TN{n}(100B)", role, "cpu_cost", "A", (n * 3.7,) * 6)
            for n in sessions
            for role in ("client", "server", "total-below", "lsqa-above")
        )
    )
    setting = make_setting("table", ("cpu_cost",), study="s", tests=(), totals=True)
    drawn = draw(facts, setting, FORMATS[format])
    assert check_texts(drawn, format) == []
    assert {"TCP/IP LSQA/SWA/229/230 above 16 MB", "64,000 sessions"} <= {*drawn.labels}
    assert asdict(grid_of(make_drawing(facts, setting).frame, setting))["heads"]
