"""Two builds compared: what moved, in which direction, and in four forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import html

from analysis.cli import main
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


def test_equal_builds(
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
        (60.0, "▼ {key}: 50 µs → 60 µs, worse, beyond noise"),
        (40.0, "▲ {key}: 50 µs → 40 µs, better, beyond noise"),
        (50.9, "▼ {key}: 50 µs → 51 µs, worse, within noise"),
        (51.0, "▼ {key}: 50 µs → 51 µs, worse, within noise"),
    ],
)
def test_a_fact_moves(
    value: float,
    words: str,
    tmp_path: Path,
    before: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    moved = fact(value, f"{value:.0f} µs")
    after = make_build(tmp_path / "after", facts=(moved,))
    assert words.format(key=FACT.key) in diff(capsys, before, after)
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
    after = make_build(tmp_path / "after", facts=(fact(50.001, "50 µs"),))
    said = diff(capsys, before, after)
    assert "1 more fact moved by less than the report prints" in said
    assert FACT.key not in said


def test_origin_verdict_new_and_gone(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = fact(50.0, "50 µs", origin="modelled", verdict="improved", low=None)
    other = fact(1.0, "1 µs", key="speed.new")
    after = make_build(tmp_path / "after", facts=(changed, other))
    said = diff(capsys, before, after)
    assert "· speed.rr10-100b.-.latency.B: 50 µs → 50 µs, noise" in said
    assert "origin measured → modelled" in said
    assert "no verdict → improved" in said
    assert "noise unknown" in said
    assert "speed.new: new, 1 µs (measured)" in said
    assert "speed.new: gone, 1 µs (measured)" in diff(capsys, after, before)


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
    )
    said = diff(capsys, before, after)
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
    assert "▼ worse" in page.text_content()


def test_the_page_counts_what_nobody_can_see(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hidden, seen = fact(50.001, "50 µs"), fact(1.0, "1 µs", key="speed.new")
    after = make_build(tmp_path / "after", facts=(hidden, seen))
    page = diff(capsys, before, after, "--format", "html")
    assert "1 fact moved by less than the report prints" in page


def test_markdown_keeps_text_as_text(
    tmp_path: Path, before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    after = make_build(tmp_path / "after", facts=(fact(60.0, "60 µs"),), text="```")
    said = diff(capsys, before, after, "--format", "markdown")
    assert "```diff" in said and said.count("```") == 2
    assert "speed.rr10-100b.-.latency.B" in said


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
