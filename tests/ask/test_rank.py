"""What a question is understood as, which row comes first, and that pages agree."""

from __future__ import annotations

import json
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

from analysis.ask.answers import answer
from analysis.ask.library import AskedBuilds
from analysis.ask.rank import Ranking, fits, fold, known_words, words_of
from analysis.report.beside.answers import SearchIndex
from tests.ask.conftest import FIRST, TEMPLATES
from tests.templates.test_scripts import NODE

QUESTIONS = yaml.safe_load(
    (Path(__file__).parent / "questions.yaml").read_text("utf-8")
)
OTHERS = [
    "latency", "cpu cost of the server", "small requests", "the NEW one, 4 kB?",
    "throughput of large streams", "rate−limited", "old", "TCP/IP over z/OS’s stack",
    "teleprinter", "througput of the servre", "does it cost memory", "Ünïcode ﬁne",
    "what is it", "1kb new versus old latencies",
]  # fmt: skip


def keys(library: AskedBuilds, question: str) -> list[str]:
    """The keys of the first row, with the edition that derives it before each."""
    told = answer(library, question)
    if not told["answered"]:
        return []
    first = told["answers"][0]
    sides = [side["key"] for side in (first["test"], first["baseline"]) if side]
    return [f"{first['edition']}/{key}" for key in (first["key"], *sides)]


@pytest.mark.parametrize(
    "part, least",
    [("tuned", 10), ("held_out", 9), ("foreign", 18), ("third", 17)],
)
def test_the_right_fact_comes_first(built: AskedBuilds, part: str, least: int) -> None:
    right = []
    for one in QUESTIONS[part]:
        given, of = keys(built, one["ask"]), one.get("of", ())
        fit = any(fnmatchcase(key, name) for key in given for name in of)
        right.append(fit if of else not given)
    assert len(right) == (20 if part in ("foreign", "third") else 10)
    assert sum(right) >= least


def test_what_an_answer_is_not_about_is_said_first(built: AskedBuilds) -> None:
    told = answer(built, "does encryption cost throughput")
    first = told["answers"][0]
    assert "TLS" in first["test"]["name"] and first["metric"] == "cpu_cost"
    assert told["remarks"] == ["What comes first says nothing about ‘throughput’."]
    told = answer(built, "how much does IPSec cost")
    assert not told["answered"] and "‘ipsec’" in told["remarks"][1]


@pytest.mark.parametrize("question", QUESTIONS["unanswered"])
def test_what_no_report_answers_is_said(built: AskedBuilds, question: str) -> None:
    assert not answer(built, question)["answered"]


def in_pages(indexes: list[SearchIndex], questions: list[str]) -> list[dict[str, Any]]:
    """What the ranking of the pages gives."""
    content = {"indexes": [one.model_dump() for one in indexes], "questions": questions}
    command = [str(NODE), str(Path(__file__).parent / "order.mjs")]
    text = json.dumps(content)
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told


def differing(library: AskedBuilds, questions: list[str]) -> list[str]:
    """The questions of which pages give other rows, scores or unknown words."""
    ranking = library.ranking
    pages = in_pages([one.index for one in library.builds], questions)
    told = []
    for question in questions:
        here = ranking.ask(question)
        rows = [[one.edition, one.score, *one.row] for one in here.rows[:20]]
        told.append(
            {
                "answered": here.answered,
                "unknown": [*here.unknown],
                "lacking": [*here.lacking],
                "read": [*here.question.read],
                "rows": rows,
            }
        )
    return [
        q for q, page, own in zip(questions, pages, told, strict=True) if page != own
    ]


@pytest.mark.skipif(not NODE, reason="needs Node 20.19, or 22.7 or later")
def test_pages_rank_as_the_program_does(library: AskedBuilds) -> None:
    assert differing(library, OTHERS) == []


@pytest.mark.skipif(not NODE, reason="needs Node 20.19, or 22.7 or later")
def test_pages_rank_all_editions_as_the_program_does(built: AskedBuilds) -> None:
    parts = ("tuned", "held_out", "foreign", "third")
    asked = [one["ask"] for part in parts for one in QUESTIONS[part]]
    assert differing(built, [*asked, *QUESTIONS["unanswered"], *OTHERS]) == []


def test_metric_size_and_role_are_understood(library: AskedBuilds) -> None:
    asked = library.ranking.understand("CPU cost of the server for small requests")
    assert max(asked.metrics, key=lambda one: asked.metrics[one]) == "cpu_cost"
    assert asked.names == {"server", "RR", "small"}
    assert [term.word for term in asked.terms if not term.names] == []


@pytest.mark.parametrize(
    "question, key",
    [
        ("latency", FIRST),  # of rows that fit alike, the one of the study's answer
        ("latency of small requests", "speed.rr1-1kb.-.latency.new.delta"),
        ("latency with 4 kB", "speed.rr10-4kb.-.latency.new.delta"),
        ("bandwidth", "speed.str3-1b-20mb.-.throughput.new.delta"),
        ("cost at the server of RR1(1kB)", "speed.rr1-1kb.server.cpu_cost.new.delta"),
    ],
)
def test_what_is_named_decides(library: AskedBuilds, question: str, key: str) -> None:
    assert keys(library, question)[0] == f"small/{key}"


def test_what_is_in_the_text_alone_is_known(library: AskedBuilds) -> None:
    assert library.ranking.ask("latency of the teleprinter").unknown == ()
    ranked = library.ranking.ask("latency of the telegraph")
    assert (ranked.unknown, ranked.answered) == (("telegraph",), False)


def test_words_of_the_text_alone_are_mentioned_not_answered(
    library: AskedBuilds,
) -> None:
    ranked = library.ranking.ask("teleprinter")
    assert (ranked.mentioned, ranked.lacking) == (("teleprinter",), ())
    assert not ranked.answered


def test_a_metric_that_none_has_is_not_answered(library: AskedBuilds) -> None:
    index = library.builds[0].index
    index.metrics["storage"] = ("Storage", ["Storage"])
    ranked = Ranking([index], TEMPLATES).ask("storage of the new one")
    assert ranked.rows and not ranked.answered


def test_words_are_whole_with_their_parts() -> None:
    assert words_of(fold("SMC−R's z/OS, RR10(4 kB)")) == [
        "smc-r",
        "z/os",
        "rr10",
        "4kb",
    ]
    assert known_words("SMC-Rv2 Two") == ["smc-rv2", "two", "smc", "rv2", "2", "st"]


def test_a_word_may_begin_another_one_and_a_number_may_not() -> None:
    assert fits("auditing", ["audited"])
    assert fits("smc-r", ["smc-rv2"])
    assert not fits("3.1", ["3.11"])
    assert not fits("rr", ["error"])


def test_a_misspelt_word_is_read_as_the_one_that_is_known(library: AskedBuilds) -> None:
    asked = library.ranking.ask("througput of the new one")
    assert (asked.question.read, asked.rows[0].row[3]) == (
        ("throughput",),
        "throughput",
    )
    assert library.ranking.ask("latency of telegraphs").question.read == ()


def test_initials_of_names_are_known() -> None:
    assert {"sd", "ctg"} <= {
        *known_words("A Sysplex Distributor, CICS Transaction Gateway")
    }
    assert "ad" not in known_words("A distributor")


def test_reports_without_values_answer_nothing() -> None:
    ranked = Ranking([SearchIndex(edition="talk")], TEMPLATES).ask("latency of OSH")
    assert (ranked.rows, ranked.answered) == ((), False)
    assert ranked.unknown == ("latency", "osh")
