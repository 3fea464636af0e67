"""Nothing is cut off, nothing lies on something else, nothing is too small."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.declared.edition import Published as Named
from analysis.declared.published import Published
from analysis.facts.fact import Facts
from analysis.figures.setting import Setting
from tests.figures.drawn import FORMATS, boxes, draw, make_setting
from tests.figures.made import PREDICTED, make_fact, make_facts, scattered

METRICS = {
    "delta": ("latency", "throughput", "cpu_cost"),
    "value": ("rate", "cpu_cost"),
    "distribution": ("latency",),
    "compare": ("rate", "cpu_cost"),
    "trend": ("latency", "cpu_cost"),
    "absolute-relative": ("rate", "cpu_cost"),
}
LONG = {
    "osd": "OSA-Express7S 25GbE on z16",
    "osh": "Network Express 25GbE on z17",
    "ipsec": "Network Express 25GbE on z17 with IPSec and a long name",
}


def plain(kind: str) -> tuple[Facts, Setting]:
    return make_facts().of("linux-veth", "offload"), make_setting(kind, METRICS[kind])


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
        "variant": "a long restriction",
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
    facts = []
    for name, share in (("RR1(1kB)", 20.5), ("CRR250(64B/20MB)", 0.2)):
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


@pytest.fixture(params=["plain", "crowded"])
def case(request: pytest.FixtureRequest, kind: str) -> tuple[Facts, Setting]:
    return {"plain": plain, "crowded": crowded}[request.param](kind)


pytestmark = [
    pytest.mark.parametrize("kind", list(METRICS)),
    pytest.mark.parametrize("format", list(FORMATS)),
]


def test_every_text_is_on_the_page(
    case: tuple[Facts, Setting], kind: str, format: str
) -> None:
    drawn = draw(*case, FORMATS[format])

    for label, left, right, top, _ in boxes(drawn):
        assert left >= -0.01, label
        assert right <= FORMATS[format].width + 0.01, label
        assert top >= 0, label


def test_no_text_lies_on_another(
    case: tuple[Facts, Setting], kind: str, format: str
) -> None:
    texts = [box for box in boxes(draw(*case, FORMATS[format])) if len(box[0]) > 1]

    for i, (label, left, right, top, bottom) in enumerate(texts):
        for other, x0, x1, y0, y1 in texts[:i]:
            apart = right <= x0 or x1 <= left or bottom <= y0 or y1 <= top
            assert apart, (label, other)


def test_no_text_is_under_eight_points(
    case: tuple[Facts, Setting], kind: str, format: str
) -> None:
    # a phone shows the 90 mm of the narrow format on 328 of its 360 pixels
    shown = 1.0 if format == "wide" else 328 / 96 * 25.4 / 90
    drawn = draw(*case, FORMATS[format])

    smallest = min(t["size"] for t in drawn.layers["geom_text"] if len(t["label"]) > 1)
    assert smallest * shown >= 8


def test_every_mark_is_on_the_page(
    case: tuple[Facts, Setting], kind: str, format: str
) -> None:
    drawn = draw(*case, FORMATS[format])

    assert drawn.layers["geom_point"]
    for point in drawn.layers["geom_point"]:
        assert 0.8 <= point["x"] <= FORMATS[format].width - 0.8


def test_the_question_is_the_title_in_full(
    case: tuple[Facts, Setting], kind: str, format: str
) -> None:
    drawn = draw(*case, FORMATS[format])

    assert " ".join(drawn.texts).startswith(drawn.words.title)
    assert drawn.words.title.startswith(case[1].figure.question)
