from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from analysis.cli import main
from analysis.figures.output import COLUMNS, Drawer, Drawing
from analysis.figures.page import POINT, SLIDE

ROOT = Path(__file__).parents[2]
STUDY = "report/linux-veth/studies/offload/study.yaml"
VERB = (sys.executable, "-m", "analysis", "figures")
OUT = Path("data/build/figures/linux-veth")
ONE = """\
title: Offload
question: What is it worth?
campaigns: [linux-veth]
baseline: A
tests: [B]
workloads: [STR3(1B/20MB)]
figures:
  - id: stream
    kind: {kind}
    metrics: [{metric}]
    workloads: "{workloads}"
    question: How much do streams lose?
{more}"""


def declare(
    project: Path,
    kind: str = "delta",
    metric: str = "throughput",
    workloads: str = "STR*",
    more: str = "",
) -> None:
    """Leave one figure in the offload study and none in the other."""
    text = ONE.format(kind=kind, metric=metric, workloads=workloads, more=more)
    (project / STUDY).write_text(text, encoding="utf-8")
    edition = project / "report/linux-veth/edition.yaml"
    text = edition.read_text(encoding="utf-8")
    text = re.sub(r"studies: .*", "studies: [offload]", text)
    edition.write_text(text, encoding="utf-8")


def test_a_figure_is_a_folder_of_five_files(project: Path) -> None:
    declare(project)

    assert main(["figures", "--edition", "linux-veth"]) == 0

    files = sorted(p.relative_to(OUT).as_posix() for p in OUT.rglob("*.*"))
    assert files == [
        f"offload-stream/{name}"
        for name in (
            "figure-narrow.svg", "figure.csv", "figure.json", "figure.svg", "key.svg"
        )
    ]  # fmt: skip


def test_slides_are_drawn_into_a_folder_of_their_own(project: Path) -> None:
    assert main(["figures", "--edition", "linux-veth", "--slides", "slides"]) == 0

    drawn = {path.name: path.read_text("utf-8") for path in Path("slides").iterdir()}
    alts = json.loads(drawn.pop("alts.json"))
    assert {*json.loads(drawn.pop("charts.json"))} <= {*alts}
    assert {f"{id}.svg" for id in alts} == {*drawn}
    assert "offload-stream.svg" in drawn
    width = round(SLIDE.width / POINT, 2)
    assert all(f'viewBox="0 0 {width:g} ' in svg for svg in drawn.values())
    assert not Path("data/build/figures/linux-veth").exists(), "pages have their own"


def test_the_description_and_the_data_name_their_facts(project: Path) -> None:
    declare(project)
    main(["figures", "--edition", "linux-veth"])

    about = json.loads((OUT / "offload-stream/figure.json").read_text("utf-8"))
    data = pl.read_csv(OUT / "offload-stream/figure.csv")
    key = "offload.str3-1b-20mb.-.throughput.B.delta"
    assert about["facts"] == [key]
    assert about["origins"] == ["measured"]
    assert about["question"] == "How much do streams lose?"
    assert (about["width_mm"], about["narrow_width_mm"]) == (170.0, 90.0)
    assert about["alt"]
    assert tuple(data.columns) == COLUMNS
    assert data["key"].to_list() == [key]
    assert data["verdict"].to_list() == ["regressed"]


def test_a_declared_alt_text_is_kept(project: Path) -> None:
    declare(project, more="    alt: Streams lose a third.\n")
    main(["figures", "--edition", "linux-veth"])

    about = json.loads((OUT / "offload-stream/figure.json").read_text("utf-8"))
    assert about["alt"] == "Streams lose a third."


def test_a_figure_no_longer_declared_is_removed(project: Path) -> None:
    declare(project)
    (OUT / "offload-gone").mkdir(parents=True)
    (OUT / "offload-gone/figure.svg").touch()

    main(["figures", "--edition", "linux-veth"])

    assert {p.name for p in OUT.iterdir()} == {"SHA256SUMS", "offload-stream"}
    assert [p.name for p in OUT.parent.iterdir()] == ["linux-veth"]


@pytest.mark.parametrize(
    ("mistake", "what", "mend"),
    [
        ({"more": '    alt: "  "\n'}, "stream has no alt text", "leave alt out"),
        ({"more": '    alt: ""\n'}, "stream has no alt text", "leave alt out"),
        (
            {"kind": "boxplot"},
            "there is no kind 'boxplot'",
            "use one of: compare, delta, ",
        ),
        ({"metric": "speed"}, "there is no metric 'speed'", "throughput"),
        ({"kind": "delt"}, "there is no kind 'delt'", "did you mean 'delta'?"),
        ({"metric": "thruput"}, "no metric 'thruput'", "did you mean 'throughput'?"),
        ({"workloads": "STR4(1B/20MB)"}, "has no workload", "did you mean 'STR3(1B/20"),
        (
            {"more": "    tests: [X]\n"},
            "'X' is no test of this study",
            "use one of: B",
        ),
        ({"metric": ""}, "it names no metric", "list what it draws"),
        ({"kind": "topology", "metric": ""}, "has no topology", "declare topology"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_nothing_is_replaced(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    mistake: dict[str, str],
    what: str,
    mend: str,
) -> None:
    (OUT / "offload-old").mkdir(parents=True)
    declare(project, **mistake)

    assert main(["figures", "--edition", "linux-veth"]) == 2

    told = capsys.readouterr().err
    assert f"{STUDY}:8: " in told
    assert what in told
    assert mend in told
    assert [p.name for p in OUT.iterdir()] == ["offload-old"]


def test_all_mistakes_are_named_at_once(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declare(project, kind="boxplot", metric="speed", more='    alt: ""\n')

    assert main(["figures", "--edition", "linux-veth"]) == 2
    assert capsys.readouterr().err.count("mend: ") == 3


def test_only_what_changed_is_drawn_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw_all(
        drawings: list[Drawing], draw: Drawer, cores: int | None
    ) -> list[tuple[bytes, bytes]]:
        drawn.extend(drawing.setting.id for drawing in drawings)
        return [draw(drawing) for drawing in drawings]

    monkeypatch.setattr("analysis.figures.output.draw_all", draw_all)
    declare(project)
    command = ["figures", "--edition", "linux-veth", "--cache", "kept"]
    for _ in range(2):
        assert main(command) == 0
    assert drawn == ["offload-stream"]

    figure = OUT / "offload-stream/figure.svg"
    drawn_first = figure.read_bytes()
    figure.write_text("<svg/>", encoding="utf-8")
    assert main(command) == 0
    assert figure.read_bytes() == drawn_first
    assert drawn == ["offload-stream"]

    declare(project, kind="value")
    assert main(command) == 0
    assert drawn == ["offload-stream"] * 2


@pytest.mark.parametrize("kind", ["value"])
def test_two_processes_draw_the_same_bytes(project: Path, kind: str) -> None:
    declare(project, kind=kind)
    found = []
    for seed in ("1", "2"):
        out = project / f"drawn-{seed}"
        subprocess.run(
            [*VERB, "--edition", "linux-veth", "--out", str(out)],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
        )
        files = sorted(p for p in out.rglob("*") if p.is_file())
        found.append({p.relative_to(out): p.read_bytes() for p in files})

    assert len(found[0]) == 6
    assert found[0] == found[1]


def test_what_slides_place_is_drawn_for_them_and_parts_of_it(project: Path) -> None:
    talk = project / "report/talk"
    talk.mkdir()
    (talk / "edition.yaml").write_text(
        "title: T\nauthors: [A]\ndate: 2026-01-01\nformats: [pptx]\nslides: slides.md\n"
        "front: []\nstudies: [{from: linux-veth, study: offload}]\n"
    )
    placed = (
        '{{ figure("offload-latency") }}\n{{ figure("offload-stream", "cpu_cost") }}'
    )
    (talk / "slides.md").write_text(placed)
    assert main(["figures", "--edition", "talk", "--out", "out"]) == 0

    alts = json.loads(Path("out/slides/alts.json").read_text("utf-8"))
    assert sorted(alts) == ["offload-latency", "offload-stream--cpu_cost"]
    part = alts["offload-stream--cpu_cost"]
    assert "CPU cost" in part
    assert "hroughput" not in part
