"""Two builds compared: what moved, in which direction, and in four forms."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from analysis.cli import main
from analysis.facts.fact import RunCount, read_facts, write_facts
from analysis.facts.remark import remark
from tests.conftest import ROOT
from tests.publish.made_build import FACT, fact, make_build


def diff(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    """What the verb prints."""
    templates = ["--templates", str(ROOT / "templates")]
    assert main(["diff", *map(str, args), *templates]) == 0
    return capsys.readouterr().out.strip()


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """The build before."""
    return make_build(tmp_path / "before")


def test_equal_builds_have_no_difference(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = make_build(tmp_path / "same")
    assert diff(capsys, before, same) == "nothing changed"
    assert diff(capsys, before, same, "--format", "markdown") == "Nothing changed."
    data = json.loads(diff(capsys, before, same, "--format", "json"))
    assert data["changed"] is False
    assert main(["diff", str(before), str(same), "--exit-code"]) == 0


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (60.0, "! latency, RR10(100B): B: 50 µs → 60 µs, worse, beyond noise"),
        (40.0, "✓ latency, RR10(100B): B: 50 µs → 40 µs, better, beyond noise"),
        (50.9, "! latency, RR10(100B): B: 50 µs → 51 µs, worse, within noise"),
        (51.0, "! latency, RR10(100B): B: 50 µs → 51 µs, worse, within noise"),
    ],
)
def test_a_fact_moves(
    value: float,
    words: str,
    tmp_path: Path,
    before: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    after = make_build(tmp_path / "after", facts=(fact(value, f"{value:.0f} µs"),))
    assert words in diff(capsys, before, after)
    assert main(["diff", str(before), str(after), "--exit-code"]) == 1


def test_a_higher_rate_is_better(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rates = [fact(v, f"{v:.0f}/s", metric="rate", better="higher") for v in (5, 9)]
    builds = [make_build(tmp_path / f.printed[:1], facts=(f,)) for f in rates]
    assert "better, beyond noise" in diff(capsys, *builds)


def test_a_move_that_nobody_can_see_is_counted(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(tmp_path / "after", facts=(replace(FACT, value=50.001),))
    said = diff(capsys, before, after)
    assert "1 fact moved by less than the report prints" in said
    assert "RR10(100B)" not in said


def test_origin_verdict_new_and_gone(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = fact(50.0, "50 µs", origin="modelled", verdict="improved", low=None)
    other = fact(1.0, "1 µs", key="speed.new")
    after = make_build(tmp_path / "after", facts=(changed, other))
    said = diff(capsys, before, after)
    assert "· latency, RR10(100B): B: 50 µs → 50 µs, noise" in said
    assert "origin measured → modelled" in said
    assert "no verdict → improved" in said
    assert "noise unknown" in said
    assert "latency, RR10(100B): B: new, 1 µs (measured)" in said
    gone = diff(capsys, after, before)
    assert "latency, RR10(100B): B: gone, 1 µs (measured)" in gone


def test_claims_reviews_texts_raw_files_and_code(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(
        tmp_path / "after",
        text="Latency rises.",
        state="stale",
        claim="fails",
        raw={"log.txt": "0" * 64},
        code={"derive": "cd34"},
        matter={"state": "stale", "moved": [], "asked": True},
    )
    said = diff(capsys, before, after)
    assert "front and back matter: absent → stale" in said
    assert "speed: ‘latency falls’ held, now fails: −5%" in said
    assert "speed: the approval is void" in said
    assert "-Latency falls.\n  +Latency rises." in said
    assert "raw/lab/log.txt: new" in said
    assert "stage derive: ab12 → cd34" in said


def test_the_page_is_self_contained_and_shows_both_figures(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(
        tmp_path / "after", facts=(fact(60.0, "60 µs"),), text="<b>x</b>"
    )
    out = tmp_path / "diff.html"
    diff(capsys, before, after, "--format", "html", "--out", out)
    page = html.parse(str(out)).getroot()
    pictures = page.xpath("//img/@src")
    assert len(pictures) == 2 and len(set(pictures)) == 2
    assert all(picture.startswith("data:image/svg+xml;base64,") for picture in pictures)
    assert page.xpath("//img/@alt") == [
        "Before: figure speed",
        "After: figure speed",
    ]
    assert not page.xpath("//script | //link | //b")
    assert "<b>x</b>" in page.text_content()  # as text, not as an element
    assert "! worse" in page.text_content()


def test_the_page_counts_what_nobody_can_see(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hidden, seen = replace(FACT, value=50.001), fact(1.0, "1 µs", key="speed.new")
    after = make_build(tmp_path / "after", facts=(hidden, seen))
    page = diff(capsys, before, after, "--format", "html")
    assert "1 fact moved by less than the report prints" in page


def test_markdown_keeps_text_as_text(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(tmp_path / "after", facts=(fact(60.0, "60 µs"),), text="```")
    said = diff(capsys, before, after, "--format", "markdown")
    assert "```diff" in said and said.count("```") == 2
    assert "latency, RR10(100B): B: 50 µs → 60 µs" in said


def moved(tmp_path: Path, before: Path, **changed: Any) -> Path:
    return make_build(tmp_path / "after", facts=(replace(FACT, **changed),))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"n": 3}, "n 5 → 3"),
        ({"low": 45.0}, "interval 49.0 to 51.0 µs → 45.0 to 51.0 µs"),
        ({"low": None}, "interval 49.0 to 51.0 µs → none"),
        ({"threshold": 5.0}, "limit none → 5%"),
        ({"origin": "synthetic"}, "origin measured → synthetic"),
        ({"warnings": (remark("noisy", variation=0.5),)},
         "warnings none → The runs scatter widely."),
    ],
)  # fmt: skip
def test_evidence_that_shrinks_is_a_change(
    changed: dict[str, Any],
    words: str,
    tmp_path: Path,
    before: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    after = moved(tmp_path, before, **changed)
    assert words in diff(capsys, before, after)
    page = diff(capsys, before, after, "--format", "html")
    assert words.rpartition(" → ")[2].removesuffix(" µs") in page
    data = json.loads(diff(capsys, before, after, "--format", "json"))
    assert data["facts"][0]["visible"] is True


def test_runs_origins_and_left_out_evidence_are_told(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(tmp_path / "after")
    for build, used in ((before, 8), (after, 6)):
        facts = read_facts(build / "facts.json")
        count = RunCount("small", "speed", "B", "RR10(100B)", used, 8 - used)
        write_facts(replace(facts, runs=(count,)), build / "facts.json")
        told = json.loads((build / "provenance.json").read_text("utf-8"))
        told["campaigns"]["lab"]["left_out"] = ["x"] * (8 - used)
        told["campaigns"]["lab"]["origin"] = "measured" if used == 8 else "synthetic"
        told["libraries"] = {"scipy": f"1.{used}"}
        (build / "provenance.json").write_text(json.dumps(told), "utf-8")
        rehash(build)
    said = diff(capsys, before, after)
    assert "speed: RR10(100B) on B: 8 used, 0 excluded → 6 used, 2 excluded" in said
    assert "lab, origin: measured → synthetic" in said
    assert "lab, files with evidence that no run names: 0 → 2" in said
    assert "scipy: 1.8 → 1.6" in said
    assert "Changed: 1 count of runs" in said


def rehash(build: Path) -> None:
    """Let the manifest fit files that were changed by hand."""
    path = build / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    for name in manifest["files"]:
        content = (build / name).read_bytes()
        manifest["files"][name] = hashlib.sha256(content).hexdigest()
    path.write_text(json.dumps(manifest), encoding="utf-8")


def test_people_read_titles_and_labels(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"metrics": {"latency": "Latency"}, "configurations": {"B": "Offload off"}}
    changed = fact(60.0, "60 µs", kind="delta", baseline="A")
    after = make_build(tmp_path / "after", facts=(changed,), names=names)
    said = diff(capsys, before, after)
    assert "Facts of Speed (1):" in said
    assert "Latency, RR10(100B): Offload off relative to A: 50 µs → 60 µs" in said


def test_a_large_comparison_stays_usable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builds = []
    for side, value in (("before", 50.0), ("after", 60.0)):
        many = tuple(
            fact(value + n, f"{value + n:.0f} µs", key=f"speed.{n:04}")
            for n in range(3000)
        )
        raw = {f"log-{n}.txt": f"{side[0]}" * 64 for n in range(500)} if many else {}
        text = "\n".join(f"{side} {n}" for n in range(2000))
        drawn = {f"figures/f{n}.svg": f"<svg>{side}</svg>".encode() for n in range(60)}
        builds.append(
            make_build(tmp_path / side, facts=many, raw=raw, text=text, files=drawn)
        )
    said = diff(capsys, *builds)
    assert said.splitlines()[1].startswith("Changed: 3,000 facts (3,000 worse")
    assert "and 2,900 more; --format json has all" in said
    assert len(said.splitlines()) < 500
    page = html.fromstring(diff(capsys, *builds, "--format", "html"))
    assert len(page.xpath("//table//tr")) == 101
    assert len(page.xpath("//img")) == 48
    unfolded = page.xpath("//details[@open]")
    assert not unfolded
    data = json.loads(diff(capsys, *builds, "--format", "json"))
    assert len(data["facts"]) == 3000


def test_a_build_that_was_changed_is_not_compared(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(tmp_path / "after")
    (after / "facts.json").write_text("{}")
    assert main(["diff", str(before), str(after)]) == 2
    assert "not the file that was built" in capsys.readouterr().err


def test_of_files_that_were_changed_the_first_is_told(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(tmp_path / "after")
    (after / "data/speed.csv").write_text("")
    (after / "small.pdf").unlink()
    assert main(["diff", str(before), str(after)]) == 2
    changed = f"{after / 'data/speed.csv'}: not the file that was built"
    assert changed in capsys.readouterr().err


def test_a_folder_that_is_no_build(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", str(before), str(tmp_path)]) == 2
    assert "there is no finished build here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("facts.json", b"[]"),
        ("facts.json", b'{"schema": 1}'),
        ("facts.json", b'{"schema": 1, "facts": [1], "runs": []}'),
        ("facts.json", b'{"schema": 1, "facts": [{"key": 1}], "runs": []}'),
        ("facts.json", b"[" * 100_000),
        ("facts.json", b"\xff"),
        ("data/speed.csv", b"\xff"),
        ("data/speed.csv", b"x" * 200_000),
    ],
)
def test_a_build_whose_numbers_cannot_be_read_is_told(
    name: str,
    content: bytes,
    tmp_path: Path,
    before: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    after = make_build(tmp_path / "after", files={name: content})
    assert main(["diff", str(before), str(after)]) == 2
    said = capsys.readouterr().err
    assert f"{after / name}: " in said and "\n  mend: " in said


def test_names_of_texts_are_text_in_markdown(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "</summary><img src=x>"
    after = make_build(tmp_path / "after", texts={name: "x"})
    said = diff(capsys, before, after, "--format", "markdown")
    assert "&lt;/summary&gt;&lt;img src=x&gt;" in said
