"""Nothing is cut off, nothing lies on something else, nothing is too small.

All of it is measured from the drawing, with the widths of the report's own font.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from analysis.declared.published import Published
from analysis.declared.study import Published as Named
from analysis.facts.fact import Facts
from analysis.figures.keys import key_svg
from analysis.figures.kind import KINDS
from analysis.figures.page import Words
from analysis.figures.setting import Setting
from tests.figures.drawn import (
    FORMATS,
    SLIDES,
    Drawn,
    check_texts,
    drawn_once,
    make_setting,
)
from tests.figures.gallery import COSTS
from tests.figures.made import (
    PREDICTED,
    make_costs,
    make_fact,
    make_facts,
    scattered,
)

# One worker draws each case once for all of these.
pytestmark = pytest.mark.xdist_group("layout")
# of others a test of their own looks at what they lay out
OTHERS = {"topology", "sequence", "python"}
METRICS = dict.fromkeys(sorted(set(KINDS) - OTHERS), ("latency",)) | {
    "range": ("latency", "throughput", "cpu_cost"),
    "delta": ("latency", "throughput", "cpu_cost"),
    "equivalence": ("latency", "throughput", "cpu_cost"),
    "value": ("rate",),
    "compare": ("rate", "cpu_cost"),
    "trend": ("latency", "cpu_cost"),
    "scaling": ("rate", "latency"),
    "stacked": ("cpu_cost",),
    "waterfall": ("cpu_cost",),
    "table": ("rate", "cpu_cost"),
}
OVER_CLIENTS = {"trend": "RR*", "scaling": "RR*"}
LONG = {
    "osd": "OSA-Express7S 25GbE on z16",
    "osh": "Network Express 25GbE on z17",
    "ipsec": "Network Express with IPSec",
}
Case = Callable[[], tuple[Facts, Setting]]


def plain(kind: str) -> tuple[Facts, Setting]:
    if kind == "waterfall":
        setting = make_setting(kind, METRICS[kind], study="s")
        return make_costs(COSTS), setting
    facts = make_facts().of("linux-veth", "offload")
    return facts, make_setting(kind, METRICS[kind], OVER_CLIENTS.get(kind, "*"))


def published(kind: str, value: float, test: str, **changes: Any) -> Published:
    """A number of a test in the crowded study."""
    row = {
        "id": "P001",
        "edition": "e",
        "study": "s",
        "baseline": "osd" if kind == "delta" else "",
        "test": test,
        "workload": "*",
        "clients": "",
        "variant": "a restriction",
        "role": "",
        "metric": "latency",
        "kind": kind,
        "value": value,
        "unit": "%" if kind == "delta" else "µs",
        "qualifier": "exact",
        "citation": "c",
        "place": "p",
        "line": 1,
        "printed": "1",
        "note": "",
    }
    return Published.model_validate(row | changes)


def crowded(kind: str) -> tuple[Facts, Setting]:
    """Three configurations with long names, huge changes, every origin, published."""
    if kind == "waterfall":
        return crowded_costs()
    facts = []
    for name, share in (("RR1(1kB)", 20.5), ("RR250(1kB)", 0.2)):
        base = scattered(100, "osd" + name)
        facts.append(make_fact("s", name, None, "latency", "osd", base))
        for test, origin in (("osh", "modelled"), ("ipsec", "synthetic")):
            own = scattered(100 * share, test + name)
            made = ("s", name, None, "latency", test, own)
            told = PREDICTED if test == "ipsec" and share < 1 else {}
            for against in (None, ("osd", base)):
                fact = make_fact(*made, against, origin=origin)
                facts.append(replace(fact, **told))
    tests = ("osh", "ipsec")
    setting = make_setting(kind, ("latency",), "*", "s", "osd", tests, LONG)
    study = setting.study.model_copy(update={"published": Named(study="s")})
    rows = (
        published("delta", 1953, "osh"),
        published("delta", -80, "ipsec", qualifier="up to"),
        published("value", 2000, "osh"),
        published("value", 1000, "ipsec", qualifier="average"),
    )
    return Facts(tuple(facts)), replace(setting, study=study, published=rows)


def crowded_costs() -> tuple[Facts, Setting]:
    """Two tests with long names, and a part that grows twentyfold."""
    tests = ("osh", "ipsec")
    many = {
        (role, name): ((4000.0, 2.0, 3.0), (80_000.0, 1.0, 2.4))
        for role in ("client", "server")
        for name in ("RR1(1kB)", "RR250(1kB)")
    }
    facts = [make_costs(many, baseline="osd", test=test).facts for test in tests]
    named = {fact.key: fact for each in facts for fact in each}
    setting = make_setting("waterfall", ("cpu_cost",), "*", "s", "osd", tests, LONG)
    return Facts(tuple(named.values())), setting


def short(kind: str) -> tuple[Facts, Setting]:
    """Names and values so short that the words of a row fit in one line of a phone."""
    facts = []
    for name in ("RR1(1kB)", "RR60(4kB)"):
        made = ("s", name, None, "latency")
        base, own = scattered(100, "osd" + name), scattered(42, "osh" + name)
        facts.append(make_fact(*made, "osd", base))
        facts.append(make_fact(*made, "osh", own))
        facts.append(make_fact(*made, "osh", own, ("osd", base)))
    return Facts(tuple(facts)), make_setting(
        kind, ("latency",), "*", "s", "osd", ("osh",)
    )


def clients(kind: str) -> tuple[Facts, Setting]:
    """Four lines over hundreds of clients, with a name too long for a phone."""
    facts = [
        make_fact("s", f"ECI{n}(32kB)", "gateway", "cpu_cost", id, scattered(cost, id))
        for id, cost in (("tcp", 2100), ("null", 2180), ("aes", 3100), ("des", 3120))
        for n in range(100, 700, 100)
    ]
    tests = ("null", "aes", "des")
    setting = make_setting(kind, ("cpu_cost",), "*", "s", "tcp", tests, {})
    return Facts(tuple(facts)), setting


def areas(kind: str) -> tuple[Facts, Setting]:
    """Parts with names so long that they need two lines, of one configuration."""
    facts = [
        make_fact("s", f"TN{n}(100B/800B)", area, "cpu_cost", "A", (n / share,) * 6)
        for n in (4000, 64000)
        for share, area in enumerate(("lsqa-above", "csm", "csa-above", "rest"), 20)
    ]
    return Facts(tuple(facts)), make_setting(kind, ("cpu_cost",), "*", "s", tests=())


CASES: dict[str, Case] = {
    f"{make.__name__}-{kind}": lambda make=make, kind=kind: make(kind)
    for make in (plain, crowded)
    for kind in METRICS
} | {
    "short-delta": lambda: short("delta"),
    "clients-scaling": lambda: clients("scaling"),
    "areas-stacked": lambda: areas("stacked"),
}


@pytest.mark.parametrize("format", [*FORMATS, *SLIDES])
@pytest.mark.parametrize("case", list(CASES))
def test_every_text_has_its_place(case: str, format: str) -> None:
    drawn = drawn_once(CASES[case], format)

    assert check_texts(drawn, format) == []
    assert len(drawn.labels) > 5
    assert abs(drawn.size[0] - (FORMATS | SLIDES)[format].width) < 0.1


@pytest.mark.parametrize("format", [*FORMATS, *SLIDES])
def test_what_parts_are_called_stands_above_all_rows(format: str) -> None:
    drawn = drawn_once(CASES["areas-stacked"], format)

    names = [
        text for text in drawn.texts if "LSQA" in text.label or "CSM" in text.label
    ]
    rows = [text for text in drawn.texts if "sessions" in text.label]
    assert len({text.y for text in names}) > 1, "in several lines"
    assert max(text.y for text in names) < min(text.y for text in rows)


@pytest.mark.parametrize("format", list(SLIDES))
@pytest.mark.parametrize("case", list(CASES))
def test_a_slide_has_its_subtitle_and_its_foot_in_full(case: str, format: str) -> None:
    drawn = drawn_once(CASES[case], format)

    words = {*" ".join(drawn.labels).split()}
    assert {*drawn.words.subtitle.split(), *drawn.words.foot.split()} <= words


@pytest.mark.parametrize("case", list(CASES))
def test_a_figure_is_small_and_has_few_shapes(case: str) -> None:
    drawn = drawn_once(CASES[case], "wide")

    assert len(drawn.svg) < 60_000
    assert sum(1 for _ in drawn.root.iter()) < 900
    assert drawn.words.alt


def test_each_kind_but_diagrams_and_files_is_laid_out() -> None:
    assert {*METRICS, *OTHERS} == set(KINDS)
    assert len(METRICS) > 8


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_says_how_to_read_it_in_a_line_and_a_picture(kind: str) -> None:
    own = KINDS[kind]
    assert own.reads.endswith(".")
    assert own.table or own.key or kind == "python", "a table needs no picture"
    drawn = Drawn(Words("", "", "", ""), key_svg(own.key, "key"), None)
    assert drawn.labels == [words for _, words in own.key]
    assert all(0 <= edge <= drawn.size[0] for t in drawn.texts for edge in t.box[:2])
