"""Figures that a Python file of the study draws."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.checks import check_declared_edition
from analysis.declared.figure_file import FigureFile
from analysis.figures.kinds import python
from tests.figures.drawn import make_drawing
from tests.figures.gallery import python_example
from tests.figures.test_verb import OUT, STUDY, declare
from workflow.plan import Plan

FILE = Path(STUDY).with_name("own.py")
EDITION = Path("report/linux-veth/edition.yaml")
DRAW = ["figures", "--edition", "linux-veth"]
CODE = """\
import plotnine as p9
def figure(facts):
    plot = p9.ggplot(facts, p9.aes("configuration", "value")) + p9.geom_jitter()
    return plot, {"title": "<script>alert(1)</script>", "alt": "Dots & more."}
"""
FOLDER = OUT / "offload-stream"
PICTURES = ("figure.svg", "figure-narrow.svg", "figure.csv", "figure.json")


@pytest.fixture
def allowed(project: Path) -> Path:
    """A project in which a file draws the only figure, and may."""
    declare(project, "python", more="    file: own.py\n")
    EDITION.write_text(EDITION.read_text("utf-8") + "python-figures: true\n", "utf-8")
    FILE.write_text(CODE, encoding="utf-8")
    return project


def drawn() -> dict[str, bytes]:
    assert main(DRAW) == 0
    return {name: (FOLDER / name).read_bytes() for name in PICTURES}


def test_a_file_draws_what_all_figures_have(allowed: Path) -> None:
    files = drawn()

    about = json.loads(files["figure.json"])
    assert about["title"] == "<script>alert(1)</script>"
    assert about["alt"] == "Dots & more."
    assert about["foot"] == "n = 10 runs each · origin: measured"
    assert about["caption"].startswith("Throughput: ")
    rows = list(csv.DictReader(files["figure.csv"].decode().splitlines()))
    assert {row["record"] for row in rows} == {"fact", "run"}
    assert {row["key"] for row in rows} == {*about["facts"]}
    for name, width in (("figure.svg", 481.89), ("figure-narrow.svg", 255.12)):
        assert f'viewBox="0 0 {width:g} '.encode() in files[name]
        assert b"origin: measured" in files[name]
        assert b"rotate(-90" in files[name], "the title of the axis of y"
    assert files == drawn(), "equal bytes, jittered dots and all"


def test_nothing_runs_unless_the_edition_allows_it(
    allowed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declare(allowed, "python", more="    file: own.py\n")
    text = EDITION.read_text("utf-8").replace("python-figures: true\n", "")
    EDITION.write_text(text, "utf-8")
    FILE.write_text("open('ran', 'w').close()\n" + CODE, "utf-8")

    assert main(DRAW) == 2

    printed = capsys.readouterr().err
    assert f"{STUDY}:8: figure stream: this edition runs no Python files" in printed
    assert "python-figures: true" in printed
    assert not Path("ran").exists()
    assert not OUT.exists()
    assert [str(i.where) for i in check_declared_edition(EDITION.parent)] == [
        f"{STUDY}:8"
    ]


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        ("def figure(facts)\n", 1, "is no Python: expected ':'"),
        ("import nothing_of_it\n", 1, "ModuleNotFoundError: No module named"),
        ("x = 1\n", 1, "has no function figure"),
        ("\ndef figure(facts):\n    return 1 / 0\n", 3, "ZeroDivisionError: division"),
        ("\ndef figure(facts):\n    exit(3)\n", 3, "SystemExit: 3"),
        ("\ndef figure(facts):\n    while True: pass\n", 3, "TimeoutError: it takes"),
        ("\ndef figure(facts):\n    return 1\n", 2, "figure() returns int, no plot"),
        (CODE.replace('"alt": "Dots & more."', '"alt": " "'), 2, "it has no alt"),
        (CODE.replace('"alt"', '"atl"'), 2, "its words have no 'atl'"),
        (CODE.replace('"Dots & more."', "7"), 2, "its alt is int"),
        (CODE.replace('"alt"', '"height": 9, "alt"'), 2, "its height will not do"),
        (CODE.replace('"value"', '"absent"'), 2, "PlotnineError"),
        ("#" * 100_001, None, "has more than 100 kB"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_at_its_line(
    allowed: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    code: str,
    line: int | None,
    words: str,
) -> None:
    monkeypatch.setattr(python, "SECONDS", 0.2 if "while" in code else 60)
    FILE.write_text(code, encoding="utf-8")

    assert main(DRAW) == 2

    printed = capsys.readouterr().err
    assert f"{FILE}:{line}: " in printed if line else f"{FILE}: " in printed
    assert words in printed
    assert "Traceback" not in printed
    assert not OUT.exists(), "nothing is half written"


def test_a_file_is_a_plain_name_of_a_regular_file(
    allowed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    FILE.rename(FILE.with_name("other.py"))
    assert main(DRAW) == 2
    assert f"{FILE}: there is no such file" in capsys.readouterr().err

    FILE.symlink_to("other.py")
    assert main(DRAW) == 2
    assert f"{FILE}: is a symbolic link" in capsys.readouterr().err

    for name in ("../other.py", "/other.py", "other.txt", '""'):
        declare(allowed, "python", more=f"    file: {name}\n")
        assert main(DRAW) == 2
        assert STUDY in capsys.readouterr().err


def test_an_edit_changes_keys_digest_and_what_reviewers_saw(allowed: Path) -> None:
    key, code = Plan("linux-veth", "pandoc").key("figures"), drawn()
    before = key(["linux-veth"])
    FILE.write_text(CODE + "# no other picture\n", encoding="utf-8")

    assert Plan("linux-veth", "pandoc").key("figures")(["linux-veth"]) != before
    again = drawn()
    assert again["figure.svg"] == code["figure.svg"]
    assert again["figure.json"] != code["figure.json"]


def test_the_example_of_the_guide_draws() -> None:
    facts, setting = python_example()
    text = setting.file.text if setting.file else ""

    drawing = make_drawing(facts, setting)

    assert drawing.words.title.startswith("Runs are farthest apart in RR")
    assert drawing.digest("") != replace(
        drawing, setting=replace(setting, file=FigureFile("spread.py", text + "#"))
    ).digest("")
    for format in (python.page.WIDE, python.page.NARROW):
        svg = drawing.sheet(format).svg("x")
        assert b"Latency, " in svg
        assert b"<circle" in svg
