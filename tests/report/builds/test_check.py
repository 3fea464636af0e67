from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis import cli
from analysis.report.material import Sources
from tests.report.conftest import ROOT

WriteText = Callable[[str, str], Path]
OBSERVATIONS = "studies/speed/observations.md"
HEAVY = ("duckdb", "numpy", "plotnine", "polars", "scipy", "snakemake")


@pytest.fixture
def check(
    project: Sources,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., tuple[int, str]]:
    folder = project.facts.parent
    (folder / "drawn").mkdir()
    project.figures.rename(folder / "drawn/small")
    monkeypatch.chdir(ROOT)

    def run(*options: str) -> tuple[int, str]:
        places = {"facts": project.facts, "figures": folder / "drawn"}
        places |= {"report": project.report}
        paths = [part for k, v in places.items() for part in (f"--{k}", str(v))]
        code = cli.main(["check", *paths, *options])
        return code, capsys.readouterr().out

    return run


def test_a_clean_edition_passes(check: Callable[..., tuple[int, str]]) -> None:
    code, text = check()
    assert code == 0
    assert text.endswith("small: no errors, 1 warning; 0 of 1 studies approved\n")
    assert "study speed is not approved yet" in text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("It falls by 37%.\n", "typed by hand"),
        ("---\nclaims: [latency rises]\n---\nLatency.\n", "this claim is false"),
        ("---\nclaims: [latency sinks]\n---\nLatency.\n", "'sinks' is not understood"),
        ("<b>Bold</b>\n", "raw HTML"),
        ("See @fig-none.\n", "refers to nothing"),
        ('{{ delta("speed") }}\n', "missing a required argument"),
        ("---\nclaim: [latency falls]\n---\nLatency.\n", "there is no such entry"),
    ],
)
def test_an_error_ends_with_1(
    check: Callable[..., tuple[int, str]], write_text: WriteText, text: str, what: str
) -> None:
    path = write_text(OBSERVATIONS, text)
    code, printed = check()
    assert code == 1
    assert f"{path}:" in printed
    assert f"error: {what}" in printed or what in printed


def test_json_is_for_programs(
    check: Callable[..., tuple[int, str]], write_text: WriteText
) -> None:
    claims = "---\nclaims: [latency falls for RR*]\n---\n"
    path = write_text(OBSERVATIONS, f"{claims}Latency falls by 37% for RR1(1kB).\n")
    code, text = check("--format", "json", "--edition", "small")
    (edition,) = json.loads(text)
    assert code == 1
    assert (edition["edition"], edition["errors"]) == ("small", 1)
    error = edition["findings"][0]
    assert (error["severity"], error["check"]) == ("error", "lint")
    assert (error["file"], error["line"]) == (str(path), 4)
    (claim,) = edition["claims"]
    assert (claim["claim"], claim["verdict"]) == ("latency falls for RR*", "holds")
    assert claim["margin"] == pytest.approx(12.4)
    assert edition["reviews"][0]["state"] == "draft"


def test_markdown_is_for_pull_requests(
    check: Callable[..., tuple[int, str]], write_text: WriteText
) -> None:
    claims = "---\nclaims: [latency rises for RR*]\n---\n"
    write_text(OBSERVATIONS, f"{claims}Latency of RR1(1kB).\n")
    _, text = check("--format", "markdown")
    assert text.startswith("### small: 1 error, ")
    assert "- ❌ `" in text
    assert "| latency rises for RR\\* | fails | −37% for RR1(1kB) | 37.2 " in text
    assert "- speed: draft" in text


def test_an_unknown_edition_is_a_mistake(check: Callable[..., tuple[int, str]]) -> None:
    assert check("--edition", "smal")[0] == 2


def test_check_imports_nothing_heavy() -> None:
    program = (
        "import sys; import analysis.report.builds.check; "
        "import analysis.report.review.verb; import "
        "analysis.report.language.verb; "
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
