"""What a reviewer sees of a study: every part of it, entry by entry."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel

from analysis.report.checks.claims import check_texts
from analysis.report.material import Sources, read_material
from analysis.report.review import snapshot, state
from analysis.report.review.snapshot import Snapshot, Snapshots, flat
from analysis.report.review.state import reviews
from tests.report.conftest import EDITION, fact, make_project

TAKEN = 'value("latency", "RR1(1kB)", configuration="new", study="speed")'
HEAD = "record,name,label,joins,configurations"
CHAPTER = "studies:\n  - {id: part, title: A part, file: part.md, studies: [speed]}\n"
OBSERVED = """\
---
claims:
  - latency falls for RR*
  - latency rises for RR1(1kB)
allow:
  - {text: faster, reason: it is said}
---
Latency {{ moves("latency", "RR1(1kB)") }} [@smith].

Latency {{ moves("latency", "RR1(1kB)") }} as before.

Latency {{ moves("latency", "RR1(1kB)") }} as
before over OSA.

Latency {{ moves("latency", "RR1(1kB)") }} as before.
"""
TEXTS = {
    "edition.yaml": EDITION.replace("studies: [speed]\n", CHAPTER) + "subtitle: Of 9\n",
    "part.md": f"RR1 takes {{{{ {TAKEN} }}}}.\n",
    "studies/speed/observations.md": OBSERVED,
    "glossary.yaml": "OSA: {name: an adapter, means: a card}\n"
    "SA: {name: another, means: none}\nRoCE: {name: a third, means: a way}\n",
}


@pytest.fixture
def whole(tmp_path: Path) -> Snapshot:
    project = make_project(tmp_path)
    for name, text in TEXTS.items():
        (project.report / "small" / name).write_text(text, encoding="utf-8")
    return Snapshots(check_texts(read_material("small", project)), {}).of("speed")


def test_all_words_are_seen(whole: Snapshot) -> None:
    figure = "Latency: change of new against old. Lower is better. "
    figures = [whole.text[f"words of figure speed-{id}"] for id in ("rr", "str")]
    assert {name: words for name, words in whole.text.items()
            if words not in figures} == {
        "background: The new one is new.": "The new one is new.",
        "environment: The goal was to compare.": "The goal was to compare.",
        "observations: Latency … @smith.":
            'Latency {{ moves("latency", "RR1(1kB)") }} [@smith].',
        "observations: Latency … as before.":
            'Latency {{ moves("latency", "RR1(1kB)") }} as before.',
        "observations: Latency … as before. (2)":
            'Latency {{ moves("latency", "RR1(1kB)") }} as before.',
        "observations: Latency … as before over OSA.":
            'Latency {{ moves("latency", "RR1(1kB)") }} as before over OSA.',
        "order of observations":
            "Latency … @smith. | Latency … as before. | Latency … as before over OSA. "
            "| Latency … as before. (2)",
        "chapter: RR1 takes ….":
            f"RR1 takes {{{{ {TAKEN} }}}}.",
    }  # fmt: skip
    for id, words in zip(("rr", "str"), figures, strict=True):
        assert words.startswith(figure) and words.endswith(' "Old" is longer.')
        assert f"58% lower latency (@fig-speed-{id})." in words


def test_all_numbers_are_seen(whole: Snapshot) -> None:
    roles = ("cpu_cost client", "cpu_cost server")
    whose = [f"{of} {work}" for of in roles for work in ("RR1(1kB)", "RR10(4kB)")]
    whose += [f"{of} STR3(1B/20MB)" for of in (*roles, "throughput")]
    whose += ["latency RR1(1kB)", "latency RR10(4kB)"]
    names = {f"{one} {side}" for one in whose for side in ("old", "new")}
    names |= {f"change of {one} new against old" for one in whose}
    names |= {f"runs of {side} {work}" for side in ("old", "new")
              for work in ("RR1(1kB)", "RR10(4kB)", "STR3(1B/20MB)")}  # fmt: skip
    names |= {"comparisons", 'observations: moves("latency", "RR1(1kB)")'}
    names.add(f"chapter: {TAKEN}")
    assert whole.values.keys() == names
    some = {
        "change of latency RR1(1kB) new against old":
            "−37%, −39 to −35%, n = 10, limit 2%, measured, improved.",
        "latency RR1(1kB) new": "1,370 µs, 1,330 to 1,400 µs, n = 10, measured.",
        "runs of new STR3(1B/20MB)":
            "8 used, 2 excluded; run-09: connection reset; run-10: connection reset",
        "comparisons": "7 improved and 2 regressed",
        f"chapter: {TAKEN}": "1,370 µs",
        'observations: moves("latency", "RR1(1kB)")': "falls by 37%",
    }  # fmt: skip
    assert whole.values | some == whole.values


def test_claims_figures_and_drawings_are_seen(whole: Snapshot) -> None:
    told = {"latency falls for RR*": "holds", "latency rises for RR1(1kB)": "fails"}
    assert whole.claims == told
    assert whole.figures == {
        "speed-rr: RR1(1kB)": "1.00",
        "speed-str: RR1(1kB)": "1.00",
    }
    assert whole.drawings.keys() == {"speed-rr", "speed-str"}
    assert {len(digest) for digest in whole.drawings.values()} == {8}


def test_a_file_that_draws_is_part_of_the_drawing(project: Sources) -> None:
    def drawings() -> dict[str, str]:
        checked = check_texts(read_material("small", project))
        return reviews(checked).studies["speed"].now.drawings

    before, path = drawings(), project.figures / "speed-rr/figure.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"code": "1a2b"}))
    after = drawings()

    assert after["speed-rr"] != before["speed-rr"]
    assert after["speed-str"] == before["speed-str"]


def test_all_that_is_declared_is_seen(whole: Snapshot) -> None:
    expected = {
        "edition › title": 'A "small" report',
        "edition › subtitle": "Of 9",
        "edition › chapter": "A part",
        "exception in observations: faster": "it is said",
        "term OSA": "an adapter: a card",
        "workload RR10(4kB)": "RR, 10 clients, 4kB sent, 4kB received",
        "workload STR3(1B/20MB)": "STR, 3 clients, 1B sent, 20MB received",
        "study speed › figures › order": "rr, str",
        "study speed › figures › str › kind": "value",
        "study speed › tests": "new",
        "campaign lab › configurations › old › label": "The old one",
        "campaign lab › configurations › new › details › MTU": "1500",
        "campaign lab › systems › SYSA › role": "server",
        "campaign lab › cpu › minimum_coverage": "0.8",
        "campaign lab › measured › from": "2026-01-12",
        "metric throughput › unit": "MB/s",
    }
    assert whole.meaning | expected == whole.meaning
    heads = {name.partition(" › ")[0] for name in whole.meaning}
    some = ("metric", "workload", "term")
    assert {head for head in heads if head.startswith(some)} == {
        "metric latency", "metric throughput", "metric cpu_cost", "term OSA",
        "workload RR1(1kB)", "workload RR10(4kB)", "workload STR3(1B/20MB)",
    }  # fmt: skip
    assert "smith" in whole.meaning["reference smith"]


class Anything(BaseModel):
    """A declaration of whatever it is given."""

    a: Any


@pytest.mark.parametrize(
    ("value", "entries"),
    [
        ("", []), (None, []), (False, []), ([], []), ({}, []),
        (True, [("a", "True")]), (0, [("a", "0")]), (0.0, [("a", "0")]),
        (2.0, [("a", "2")]), (2.5, [("a", "2.5")]), (-1, [("a", "-1")]),
        ("two\n  words", [("a", "two words")]),
        ([1, "b"], [("a", "1, b")]),
        ({"b": {"c": 1}}, [("a › b › c", "1")]),
        ([{"id": "x", "b": 1}, {"b": 2}],
         [("a › order", "x, 2"), ("a › x › id", "x"), ("a › x › b", "1"),
          ("a › 2 › b", "2")]),
    ],
)  # fmt: skip
def test_what_is_not_empty_is_an_entry(value: Any, entries: list) -> None:
    assert list(flat(Anything(a=value))) == entries
    below = [(f"of › {name}", words) for name, words in entries]
    assert list(flat(Anything(a=value), "of")) == below


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "100 µs, 95.0 to 104 µs, n = 10, measured."),
        ({"low": None}, "100 µs, no interval, n = 10, measured."),
        ({"threshold": 0.0}, "100 µs, 95.0 to 104 µs, n = 10, limit 0%, measured."),
        ({"threshold": 12.345, "verdict": "improved", "n": 3},
         "100 µs, 95.0 to 104 µs, n = 3, limit 12.3%, measured, improved."),
    ],
)  # fmt: skip
def test_a_fact_is_seen_as_tables_show_it(changes: dict, words: str) -> None:
    assert snapshot._shown(fact(**changes)) == words


def rows_of(tmp_path: Path, *rows: str) -> list[tuple[str, str]]:
    path = tmp_path / "figure.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    picture: Any = SimpleNamespace(id="it", folder=tmp_path)
    return list(snapshot._figures([picture]))


def test_every_element_of_a_diagram_is_seen(tmp_path: Path) -> None:
    before = rows_of(tmp_path, HEAD, "adapter,osh,25GbE,LPA:OSH,shared")
    after = rows_of(tmp_path, HEAD, "adapter,osh,10GbE,LPA:OSH,shared")

    assert before == [("it: adapter osh 25GbE LPA:OSH shared", "")]
    assert before != after


def test_numbers_of_a_row_are_those_that_are_printed(tmp_path: Path) -> None:
    head = "key,workload,role,metric,configuration,value,low,high"
    rows = (
        "a.delta,RR1,,latency,new,-37.26,-39.1,",
        "a.b,RR1,client,rate,old,0,1234.5,9",
    )
    assert rows_of(tmp_path, head, *rows) == [
        ("it: RR1 latency new", "−37% −39%"),
        ("it: RR1 client rate old", "0 1,234 9.00"),
    ]


def test_it_is_read_again_where_a_text_a_picture_or_the_look_is_another(
    project: Sources, write_text: Callable[[str, str], Path], monkeypatch: Any
) -> None:
    counted, whole = list[str | None](), Snapshots.of
    count = lambda *args: counted.append(args[1]) or whole(*args)  # noqa: E731
    monkeypatch.setattr(Snapshots, "of", count)
    material = read_material("small", project)
    first = reviews(check_texts(material))
    again = reviews(
        check_texts(material, first.checked.texts, last=first.checked), first
    )
    assert again.studies["speed"].now == first.studies["speed"].now
    assert counted == ["speed", None]
    monkeypatch.setattr(state, "page_look", lambda _: {"a": "2"})
    other = reviews(again.checked, again)
    assert other.studies["speed"].now.looks == {"a": "2"} and len(counted) == 2
    drawn = project.figures / "speed-rr/figure.svg"
    drawn.write_text(f"{drawn.read_text()}<!-- another -->")
    second = reviews(other.checked, other).studies["speed"].now
    assert second.drawings != first.studies["speed"].now.drawings
    write_text("studies/speed/background.md", "Newer.\n")
    third = reviews(check_texts(material, other.checked.texts), other).studies["speed"]
    assert "Newer." in third.now.text.values()
    assert third.now.drawings == second.drawings
