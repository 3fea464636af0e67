"""The tools of the MCP server, and the server by a client that is not ours."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from analysis.ask import mcp, tools
from analysis.ask.draft import MOST
from analysis.ask.library import AskedBuilds, read_asked
from analysis.ask.tools import Tools, because
from analysis.cli import main
from analysis.errors import UserError
from analysis.publish.build import MANIFEST
from tests.ask.conftest import FIRST, TEMPLATES
from tests.conftest import ROOT

NEEDS = pytest.mark.skipif(
    not find_spec("mcp"), reason="needs mcp: uv sync --extra mcp"
)


@pytest.fixture
def given(library: AskedBuilds) -> Tools:
    return Tools(library)


def test_editions_and_studies_are_listed(given: Tools) -> None:
    (edition,) = given.list_editions()["entries"]
    assert (edition["edition"], edition["draft"]) == ("small", False)
    assert str(edition["year"]) == edition["date"][:4]
    (study,) = given.list_studies("small")["entries"]
    assert study["configurations"] == {"old": "The old one", "new": "The new one"}
    assert study["metrics"] == ["cpu_cost", "latency", "throughput"]
    with pytest.raises(UserError, match="there is no edition 'other'"):
        given.list_studies("other")


def test_editions_of_the_newest_results_come_first(
    library: AskedBuilds, tmp_path: Path
) -> None:
    folder = library.builds[0].build.folder
    for name, year in (("a", 2001), ("b", 2026)):
        manifest = tmp_path / "both" / name / MANIFEST
        shutil.copytree(folder, manifest.parent)
        known = json.loads(manifest.read_text("utf-8"))
        manifest.write_text(json.dumps(known | {"year": year}), "utf-8")
    asked = Tools(read_asked(tmp_path / "both", library.templates))
    assert [one["year"] for one in asked.list_editions()["entries"]] == [2026, 2001]


def test_a_quote_has_the_number_its_address_and_its_build(given: Tools) -> None:
    told = given.quote(FIRST)
    build = given.asked.builds[0].build.id
    assert told["printed"] == "−12%"
    assert told["facts"].endswith("#trace-speed-rr10-4kb---latency-new-delta")
    assert "The new one against The old one: −12%" in told["quote"]
    assert "measured" in told["quote"] and build in told["quote"]
    with pytest.raises(UserError, match="there is no fact 'speed'"):
        given.quote("speed")


def test_a_verdict_is_explained_by_what_decided_it(given: Tools) -> None:
    told = given.explain(FIRST)
    assert told["verdict"] == "improved"
    assert "leaves out zero" in told["because"]
    fact = given.asked.fact(FIRST)[1]
    ends = {"low_90": -1.0, "high_90": 2.0, "threshold": 5.0}
    alike = replace(fact, verdict="comparable", **ends)
    assert because(alike) == (
        "Its interval of 90%, −1.0 to +2.0%, lies within 5% either way."
    )
    unsure = replace(fact, verdict="inconclusive", threshold=5.0, detectable=12.0)
    assert because(unsure).endswith("Such runs show 12% or more.")
    assert "too few runs" in because(replace(fact, verdict=None))
    assert "no change" in because(replace(fact, kind="value"))


def test_values_are_found_and_compared_by_question(given: Tools) -> None:
    assert given.find("latency with 4 kB")["answers"][0]["key"] == FIRST
    (one,) = given.compare("latency with 4 kB")["editions"]
    assert one["answers"][0]["key"] == FIRST


SENTENCES = [
    ("Latency of RR10(4kB) falls by 12%.", "bound", ""),
    ("The network is modern.", "own words", ""),
    ("Latency of RR10(4kB) falls by 13%.", "refused", "no fact prints this"),
    ("Latency of RR1(1kB) falls by 12%.", "refused", "beside 'RR1(1kB)'"),
    ("Latency of RR10(4kB) rises by 12%.", "refused", "'rises' beside 12%"),
    ("Throughput falls by 12%.", "refused", "beside 'Throughput'"),
    ("Latency of RR10(4kB) falls by 11 to 12%.", "refused", "11 %: no fact"),
    ("With the new one latency of RR10(4kB) falls by 12%.", "bound", ""),
    ("With the old one latency of RR10(4kB) falls by 12%.", "refused", "look at it"),
    ("Against the old one latency of RR10(4kB) falls by 12%.", "bound", ""),
    ("The old one has 12% less latency than the new one.", "refused", "look at it"),
    ("A session of the new one takes 7.03 MB.", "refused", "7.03 MB: no fact prints"),
    ("Messages of 4 kB are sent.", "own words", ""),
]


@pytest.mark.parametrize("text, kind, why", SENTENCES)
def test_a_draft_comes_back_with_what_it_says(
    given: Tools, text: str, kind: str, why: str
) -> None:
    (sentence,) = given.check(text)["sentences"]
    assert sentence["is"] == kind, sentence
    assert why in " ".join(sentence["refused"])


def test_own_words_and_refusals_are_marked_and_no_markup_of_a_draft_is(
    given: Tools,
) -> None:
    told = given.check("<b>Fast</b> it is. Latency rises by 99%.")
    own, refused = told["marked"].split("] [", 1) if "] [" in told["marked"] else (
        told["marked"].split(" [", 1)
    )  # fmt: skip
    assert "\\<b" in own and ".own-words" in own
    assert refused.endswith("{.refused}")
    assert told["refused"] == 1 and "own words" in told["limits"]


@pytest.mark.parametrize("text", ["", " \n", "x" * (MOST + 1)])
def test_a_draft_that_is_empty_or_too_long_is_refused(given: Tools, text: str) -> None:
    with pytest.raises(UserError, match="a draft of"):
        given.check(text)


def test_answers_are_bounded_and_say_what_they_leave_out(
    given: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = given.find("latency", 50)
    assert "left_out" not in whole
    monkeypatch.setattr(tools, "MOST_BYTES", 1_500)
    told = given.find("latency", 50)
    assert len(repr(told)) < 1_600
    assert told["left_out"] == len(whole["answers"]) - len(told["answers"]) > 0


def test_without_the_package_one_line_says_so(
    release: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(mcp, "import_module", missing)
    assert main(["mcp", str(release)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("error: the package mcp 2 is not installed")
    assert "uv sync --extra mcp" in said.err and not said.out


async def _talk(release: Path) -> dict[str, Any]:
    from mcp import Client, StdioServerParameters  # type: ignore[import-not-found]

    args = ["-m", "analysis", "mcp", str(release), "--templates", str(TEMPLATES)]
    start = StdioServerParameters(command=sys.executable, args=args, cwd=str(ROOT))
    async with Client(start) as client:
        listed = (await client.list_tools()).tools
        asked = await client.call_tool("find", {"question": "latency with 4 kB"})
        quoted = await client.call_tool("quote", {"key": FIRST})
        wrong = await client.call_tool("quote", {"key": "nothing"})
        told = [json.loads(one.content[0].text) for one in (asked, quoted)]
    return {"tools": listed, "told": told, "wrong": wrong}


@NEEDS
def test_a_client_lists_asks_and_quotes(release: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in release.rglob("*")}
    said = asyncio.run(_talk(release))
    assert [tool.name for tool in said["tools"]] == list(mcp.TOOLS)
    assert all(tool.annotations.read_only_hint for tool in said["tools"])
    (asked, quoted), wrong = said["told"], said["wrong"]
    assert asked["answers"][0]["key"] == FIRST
    assert quoted["printed"] == "−12%"
    assert wrong.is_error and "there is no fact" in wrong.content[0].text
    assert {path: path.stat().st_mtime_ns for path in release.rglob("*")} == before
