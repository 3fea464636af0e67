"""The timeline: steps of runs, their median, what is left out and what is warned of."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from analysis.errors import UserError
from analysis.facts.fact import Facts
from analysis.facts.series import RunSeries, read_series, write_series
from analysis.figures.kinds.timeline import medians_of
from analysis.figures.output import data_of
from analysis.figures.verb import prepare
from tests.figures.drawn import FORMATS, check_texts, draw, make_drawing, make_setting
from tests.figures.made import BEGINS, make_facts, make_series

OF_STUDY = make_facts().of("linux-veth", "offload")
FACTS = Facts(tuple(f for f in OF_STUDY.facts if f.metric == "throughput"))
STREAM = make_setting("timeline", ("throughput",), "STR*")
STEADY = tuple(
    one.model_copy(update={"warm_up": None})
    for one in make_series(FACTS, (1.0, 1.0, 1.2))
)


def drawn_of(*series: RunSeries):
    return draw(FACTS, replace(STREAM, series=series))


def changed(**what) -> tuple[RunSeries, ...]:
    first, *others = STEADY
    return (first.model_copy(update=what), *others)


def test_each_run_is_a_pale_line_of_steps_below_the_median_of_its_side():
    runs, medians = [
        layer.geom.data
        for layer in drawn_of(*STEADY).layers
        if type(layer.geom).__name__ == "geom_path"
    ]
    assert runs["line"].n_unique() == len(STEADY) == 20
    assert sorted(set(medians["line"])) == ["A", "B"]
    assert set(runs["colour"]).isdisjoint(medians["colour"])
    assert medians.filter(line="A")["x"].to_list() == [0, 1, 1, 2, 2, 3]


def test_a_median_has_what_half_of_the_runs_have_there():
    """By hand: three runs of one second a step, of which one ends early and one begins
    half a second late."""
    starts = ((0.0, 1.0, 2.0), (0.0,), (0.5, 1.5))
    values = ((10.0, 20.0, 30.0), (12.0,), (40.0, 50.0))
    runs = tuple(
        STEADY[0].model_copy(
            update={
                "run": f"r{nth}",
                "starts": of,
                "seconds": (1.0,) * len(of),
                "values": values[nth],
                "kept": (True,) * len(of),
            }
        )
        for nth, of in enumerate(starts)
    )
    frame = make_drawing(FACTS, replace(STREAM, series=runs)).frame
    lines = frame.filter(record="interval")
    # in the middle of each second: 10, 12, 40; 20, 40 or 50; 30, 50
    assert [value for *_, value in medians_of(lines)] == [12, 35, 40]


def test_it_says_by_how_much_medians_move_where_nothing_is_warned_of():
    words = drawn_of(*STEADY).words
    assert re.fullmatch(
        r"Throughput of STR3\(1B/20MB\) rises by (1[89]|2\d)( to 2\d)?% "
        "from the first interval of a run to the last",
        words.title,
    )
    assert "dashed" not in words.foot
    assert "shaded" not in words.foot
    assert "thick line: their median" in words.foot


def test_a_proposed_warm_up_is_dashed_and_told():
    drawn = draw(FACTS, STREAM)
    assert "Offload on and Offload off seem to warm up for 2 s" in drawn.words.title
    assert "in the value" in drawn.words.foot
    assert [row["x"] for row in drawn.layer("geom_segment")] == [2, 2]


def test_what_is_left_out_is_shaded():
    kept = (False, True, True)
    out = [one.model_copy(update={"kept": kept}) for one in STEADY]
    drawn = drawn_of(*out)
    assert [(r["start"], r["end"]) for r in drawn.layer("geom_rect")] == [(0, 1)]
    assert "shaded: left out of the value of each run" in drawn.words.foot
    assert drawn_of(*STEADY).layer("geom_rect") == []


def test_a_change_of_level_has_a_ring_at_its_run():
    drawn = drawn_of(*changed(changes_at=2.0, changes_to=1.2))
    [ring] = drawn.layer("geom_point")
    assert (ring["x"], ring["y"]) == (2, STEADY[0].values[2])
    assert "the level changes inside 1 of 20 runs" in drawn.words.title.lower()


def test_one_interval_a_run_is_a_line():
    one = {"starts": (0.0,), "seconds": (10.0,), "values": (5.0,), "kept": (True,)}
    drawn = drawn_of(*(series.model_copy(update=one) for series in STEADY))
    assert "STR3(1B/20MB) holds its level from" in drawn.words.title
    assert check_texts(drawn, "wide") == []


def test_omitted_intervals_stand_before_zero():
    update = {"starts": (-1.0, 0.0, 1.0), "kept": (False, True, True)}
    drawn = drawn_of(*(series.model_copy(update=update) for series in STEADY))
    assert [(r["start"], r["end"]) for r in drawn.layer("geom_rect")] == [(-1, 0)]


def test_runs_without_intervals_are_counted():
    assert "1 run without intervals not drawn" in drawn_of(*STEADY[1:]).words.foot


def test_the_alt_text_tells_both_sides():
    alt = draw(FACTS, STREAM).words.alt
    assert "Offload on, 10 runs, median 1,5" in alt
    assert "Offload off, 10 runs, median 9" in alt


def test_the_data_have_each_interval_and_the_key_of_its_fact():
    data = data_of(make_drawing(FACTS, STREAM))
    lines = data.filter(record="interval")
    assert lines.height == 20 * len(BEGINS)
    assert set(lines["key"]) <= {fact.key for fact in FACTS.facts}
    assert lines["kept"].all()


def test_what_no_log_tells_by_interval_is_an_error():
    with pytest.raises(UserError, match="no log tells throughput by interval"):
        prepare([STREAM], FACTS)
    latency = make_setting("timeline", ("latency",), "RR10*")
    with pytest.raises(UserError, match="no log tells latency by interval"):
        prepare([replace(latency, series=STEADY)], OF_STUDY)


@pytest.mark.parametrize("format", FORMATS)
def test_words_have_their_place(format):
    assert check_texts(draw(FACTS, STREAM, FORMATS[format]), format) == []


def test_series_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "series.json"
    write_series(reversed(STEADY), path)
    assert sorted(map(str, read_series(path, []))) == sorted(map(str, STEADY))
    assert read_series(tmp_path / "elsewhere" / "evidence.json", []) == ()
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 2'))
    with pytest.raises(UserError, match="another version, or damaged"):
        read_series(path, [])
