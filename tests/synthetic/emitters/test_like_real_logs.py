"""What is emitted has the lines, names and columns of real output of the tool."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from synthetic.emitters.emitter import emit
from tests.ingest.logs import GOLDEN
from tests.synthetic.emitters.examples import EXAMPLES

NUMBER = re.compile(r"\d+(?:\.\d+)*(?:us|ms|[KMG]?B|s|%)?")
# Words of the run and not of the tool.
OWN = re.compile(
    r"SYNTHETIC/\S+|nginx/\S+|/synthetic|/8k\.bin|<\$Rev.*|TLS\S+|ECDHE\S+"
)
REAL = {
    "ab": ("ab/crr.txt", "ab/https.txt", "ab/keep-alive.txt"),
    "h2load": ("h2load/https.txt", "h2load/timed.txt"),
}


def skeleton(line: str) -> str:
    """A line without its numbers, the words of its run, and the width of blanks."""
    return " ".join(NUMBER.sub("0", OWN.sub("x", line)).split())


@pytest.mark.parametrize("id", REAL)
def test_every_line_is_one_that_the_tool_prints(id):
    texts = [(GOLDEN / name).read_text(encoding="utf-8") for name in REAL[id]]
    known = {skeleton(line) for text in texts for line in text.splitlines()}
    made = emit(id, EXAMPLES[id] | {"tls": False}).decode().splitlines()
    assert {skeleton(line) for line in made} - known == set()


@pytest.mark.parametrize("id", REAL)
def test_no_heading_and_no_figure_of_the_tool_is_missing(id):
    text = (GOLDEN / REAL[id][0]).read_text(encoding="utf-8")
    made = {skeleton(line) for line in emit(id, EXAMPLES[id]).decode().splitlines()}
    lost = {skeleton(line) for line in text.splitlines()} - made
    assert {line for line in lost if not line.startswith(("Server Temp", "Bench"))} == (
        set()
    )


def paths(value: Any, at: str = "") -> Iterator[str]:
    """All names of a JSON document, with those above them."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield f"{at}.{name}"
            yield from paths(inner, f"{at}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, at)


def test_json_of_iperf3_has_names_of_iperf3():
    real = json.loads((GOLDEN / "iperf3" / "streams.json").read_text(encoding="utf-8"))
    made = json.loads(emit("iperf3", EXAMPLES["iperf3"]))
    assert {*paths(made)} - {*paths(real)} == {".title"}  # of its option -T
    assert [*made["start"]] == [name for name in real["start"] if name in made["start"]]


def test_a_log_of_uperf_has_its_tables():
    real = (GOLDEN / "uperf" / "rr-raw.txt").read_text(encoding="utf-8")
    made = emit("uperf", EXAMPLES["uperf"] | {"shape": "RR"}).decode()
    for heading in ("Txn ", "Flowop ", "Run Statistics", "Hostname ", "Strand Details"):
        of_tool = next(x for x in real.splitlines() if x.startswith(heading))
        assert of_tool.rstrip() in [line.rstrip() for line in made.splitlines()]
