"""The verb: what it prints, and what it makes of bad input."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.ask.library import AskedBuilds
from analysis.ask.years import as_lines, shared_question
from analysis.cli import main
from analysis.facts.fact import read_facts, write_facts
from analysis.report.beside.answers import SEARCH, read_index
from analysis.report.material import Sources
from tests.ask.conftest import FIRST
from tests.publish.made_build import make_build
from tests.report.across.test_across import ASKED


def ask(release: Path, question: str, *options: str) -> int:
    return main(["ask", question, "--release", str(release), *options])


def test_an_answer_has_values_sides_interval_verdict_and_place(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(release, "latency with 4 kB", "--most", "1") == 0
    told = capsys.readouterr().out
    value = ("−12%", "improved", "measured", "Latency, RR10(4kB)")
    place = ("The new one", "The old one", "index.html#sec-speed", "1 New against old")
    for words in (*value, *place):
        assert words in told


def test_json_has_the_key_and_its_addresses(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(release, "latency with 4 kB", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    first = told["answers"][0]
    assert (told["answered"], first["key"]) == (True, FIRST)
    trace = "facts.html#trace-speed-rr10-4kb---latency-new-delta"
    assert first["facts"].endswith(trace)
    assert first["baseline"]["value"] and first["build"] and first["interval"]
    assert told["studies"][0]["figures"]


def test_unknown_words_are_named_with_the_nearest(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(release, "latency of <b>QUIC</b>", "--markdown") == 1
    told = capsys.readouterr().out
    assert told.startswith("No report answers this. No study mentions ")
    assert "‘quic’. The nearest:" in told
    assert "| Change |" in told and "<b>" not in told


@pytest.mark.parametrize(
    "question, why",
    [
        ("", "no word"),
        ("?! \x00\x1b[", "no word"),
        ("latency " * 1300, "at most 500"),
    ],
)
def test_what_is_no_question_is_refused(
    release: Path, question: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(release, question) == 2
    said = capsys.readouterr()
    assert why in said.err and "mend:" in said.err and not said.out


def test_control_characters_and_html_reach_no_terminal(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(release, "latency \x1b[31m<script>\x07 4 kB", "--json")
    told = capsys.readouterr().out
    assert "\x1b" not in told and "\\u001b" not in told and "\x07" not in told


def test_texts_of_a_release_are_shown_as_they_are_safe(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = release / SEARCH
    index = json.loads(path.read_text("utf-8"))
    index["studies"][0]["title"] = "New \x1b[2J| <img src=x>"
    path.write_text(json.dumps(index), "utf-8")
    assert ask(release, "latency", "--markdown") == 0
    told = capsys.readouterr().out
    assert "\x1b" not in told and told.count("<img") == told.count("\\<img")


@pytest.mark.parametrize("text", ["", "[", "{}x", '{"rows": [["a"]]}', '{"rows": 3}'])
def test_a_damaged_index_is_told(
    release: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (release / SEARCH).write_text(text, "utf-8")
    assert read_index(text) is None
    assert ask(release, "latency") == 2
    assert "not an index of answers" in capsys.readouterr().err


def test_a_folder_without_builds_is_told(
    tmp_path: Path, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (release / SEARCH).unlink()
    empty = tmp_path / "empty"
    empty.mkdir()
    for place, why in (
        (release, "built before questions could be asked"),
        (empty, "there is no finished build"),
        (empty / "nowhere", "there is no such folder"),
    ):
        assert ask(place, "latency") == 2
        assert why in capsys.readouterr().err


def test_each_edition_answers_alone(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(release.parent, "latency", "--across", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["answers"][0]["key"] for one in told["editions"]] == [FIRST]
    assert told["shared"] is None
    assert ask(release.parent, "latency of QUIC", "--across") == 1
    assert "No edition answers" in capsys.readouterr().out


def test_a_fact_is_known_by_its_key(library: AskedBuilds) -> None:
    build, fact = library.fact(FIRST)
    assert (build.id, fact.key) == ("small", FIRST)


def test_editions_that_share_a_question_answer_it_in_turn(
    project: Sources, tmp_path: Path
) -> None:
    shutil.copytree(project.report / "small", project.report / "later")
    facts = read_facts(project.facts)
    later = tuple(replace(fact, edition="later") for fact in facts.facts)
    write_facts(replace(facts, facts=(*facts.facts, *later)), project.facts)
    where, place = (project.report, project.facts), ("small", "speed")
    assert shared_question(*where, "latency", place) is None
    (project.report / "questions.yaml").write_text(ASKED, encoding="utf-8")
    told = shared_question(*where, "latency", place)
    assert told and [one["edition"] for one in told["editions"]] == ["small", "later"]
    first = told["continued"][0]
    assert (first["change"], first["reason"]) == ("", "the systems differ in CPC")
    lines = as_lines(told)
    assert "not compared: the systems differ in CPC" in lines[-1]
    other = ("small", "other")
    assert shared_question(*where, "latency", other) is None
    assert shared_question(*where, "how much faster is it, the new one?", other) == told


def test_answers_lead_to_where_a_folder_is_served(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    served = ["--address", "https://intranet.example.com/reports/"]
    assert ask(release.parent, "latency with 4 kB", "--json", *served) == 0
    first = json.loads(capsys.readouterr().out)["answers"][0]
    at = "https://intranet.example.com/reports/small"
    assert first["page"] == f"{at}/index.html#sec-speed"
    assert first["facts"].startswith(f"{at}/facts.html#trace-speed")
    assert ask(release, "latency", "--address", "javascript:alert(1)") == 2
    assert "will not do" in capsys.readouterr().err


def test_a_release_without_an_index_is_left_out_beside_others(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_build(release.parent / "older", edition="older")
    assert ask(release.parent, "latency", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["edition"] for one in told["answers"]} == {"small"}
