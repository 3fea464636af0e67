from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from analysis.errors import UserError
from analysis.facts.fact import Gap, read_facts, write_facts
from analysis.facts.remark import refusal
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble, files_below
from analysis.report.document.compose import compose
from analysis.report.document.document import Document
from analysis.report.material import Sources, read_material
from analysis.report.review.state import reviews
from tests.report.tables.test_reproduction import ROW

WriteText = Callable[[str, str], Path]


def build(project: Sources) -> dict[str, Document]:
    out = project.facts.parent / "document"
    checked = check_texts(read_material("small", project))
    return assemble(checked, reviews(checked), project.templates, out)


def text_of(project: Sources) -> str:
    document = build(project)[""]
    text = (document.folder / "index.qmd").read_text(encoding="utf-8")
    assert text == document.text
    return text


def mistake(project: Sources) -> str:
    with pytest.raises(UserError) as caught:
        build(project)
    return str(caught.value)


def test_the_folder_holds_all_that_an_engine_reads(project: Sources) -> None:
    out = build(project)[""].folder
    names = {path.relative_to(out).as_posix() for path in files_below(out)}
    assert {
        "index.qmd", "references.bib", "facts.json", "_extensions/netperf/ieee.csl",
        "_extensions/netperf/_extension.yml", "_extensions/netperf/head.html",
        "figures/speed-rr/figure.svg", "figures/speed-rr/figure-narrow.svg",
        "data/speed-rr.csv",
    } <= names  # fmt: skip
    assert not [name for name in names if name.endswith(".j2")]


def test_every_number_of_the_text_has_a_card(project: Sources) -> None:
    out = build(project)[""].folder
    text = (out / "index.qmd").read_text(encoding="utf-8")
    keys = re.findall(r'\.(?:value|average) keys?="([^"]+)"', text)
    found = json.loads((out / "cards.json").read_text(encoding="utf-8"))["facts"]
    assert len(keys) >= 10
    assert {key for several in keys for key in several.split()} <= set(found)


def test_the_front_matter_is_yaml_with_the_build_id(project: Sources) -> None:
    document = build(project)[""]
    data = yaml.safe_load(document.text.split("---\n")[1])
    assert data["title"] == 'A "small" report'
    assert data["author"] == ["Ann Author"]
    assert data["date"] == "2026-03-05"
    assert data["date-text"] == "5 March 2026"
    assert data["origins"] == ["measured"]
    assert data["build"] == document.build
    assert len(document.build) == 12
    assert data["banner"] == "Draft: not reviewed yet."


def test_sections_stand_in_the_order_of_reports(project: Sources) -> None:
    lines = text_of(project).splitlines()
    heads = [line for line in lines if line.startswith("#") and "#sec-" in line]
    assert heads == [
        "# Executive summary {#sec-summary}",
        "# Preface {#sec-preface}",
        "# New against old {#sec-speed .study}",
        "## Observations {#sec-speed-observations}",
        "## All results {#sec-speed-results}",
        "## Background {#sec-speed-background}",
        "## Testing environment {#sec-speed-environment}",
        "## Environment configuration {#sec-speed-configuration}",
        "# Runs {#sec-runs}",
        "# References {.unnumbered #sec-references}",
    ]


def test_a_figure_has_its_question_caption_alt_text_and_links(project: Sources) -> None:
    text = text_of(project)
    assert "[Is it faster?]{.figure-lead} 58% lower latency (@fig-speed-rr)." in text
    assert "58% lower latency (@fig-speed-str)." in text
    caption = "Latency: change of new against old. Lower is better."
    assert f"![{caption}](figures/speed-rr/figure.svg){{#fig-speed-rr" in text
    assert 'fig-alt="Bars. &#34;Old&#34; is longer." width=170mm' in text
    assert "[Data (CSV)](data/speed-rr.csv)" in text


def test_differences_of_configurations_are_bold(project: Sources) -> None:
    text = text_of(project)
    assert "| CPC | z16 | **z17** |" in text
    shared = "::: {.facts-list}\n- MTU: 1500\n:::"
    assert f"Both configurations have:\n\n{shared}\n" in text


def test_equal_inputs_give_equal_documents(project: Sources) -> None:
    first = build(project)[""]
    out = first.folder
    before = {p: p.read_bytes() for p in files_below(out)}
    assert build(project)[""] == first
    assert {p: p.read_bytes() for p in files_below(out)} == before


@pytest.mark.parametrize(
    "change", ["text", "figure", "facts", "template"], ids=lambda name: name
)
def test_every_input_changes_the_build_id(
    project: Sources, write_text: WriteText, tmp_path: Path, change: str
) -> None:
    templates = tmp_path / "templates"
    shutil.copytree(project.templates, templates)
    project = replace(project, templates=templates)
    first = build(project)[""].build
    if change == "text":
        write_text("studies/speed/background.md", "Another sentence.\n")
    elif change == "figure":
        (project.figures / "speed-rr/figure.csv").write_text("workload,value\n")
    elif change == "facts":
        text = project.facts.read_text(encoding="utf-8")
        project.facts.write_text(text.replace("run-1", "run-2"), encoding="utf-8")
    else:
        (templates / "_extensions/netperf/ieee.csl").write_text("<style/>")
    assert build(project)[""].build != first


def test_nothing_stays_of_an_earlier_document(project: Sources) -> None:
    out = build(project)[""].folder
    (out / "old.txt").write_text("old")
    build(project)
    assert not (out / "old.txt").exists()


def test_a_mistake_leaves_the_earlier_document(
    project: Sources, write_text: WriteText
) -> None:
    out = build(project)[""].folder
    before = (out / "index.qmd").read_bytes()
    path = write_text("studies/speed/observations.md", 'One.\n{{ delta("x", "y") }}\n')
    assert mistake(project).startswith(f"{path}:2: there is no metric 'x'")
    assert (out / "index.qmd").read_bytes() == before


def test_a_citation_of_nothing_is_named(
    project: Sources, write_text: WriteText
) -> None:
    path = write_text("front/preface.md", "As shown [@smyth].\n")
    assert mistake(project).startswith(f"{path}:1: @smyth refers to nothing")


def test_raw_html_made_by_an_expression_is_refused(
    project: Sources, write_text: WriteText
) -> None:
    write_text("front/preface.md", "{{ '<' ~ 'script>' }}\n")
    assert "a concatenation is not allowed" in mistake(project)


def test_an_anchor_that_occurs_twice_is_named(
    project: Sources, write_text: WriteText
) -> None:
    write_text("front/preface.md", "## Again {#sec-runs}\n")
    assert "the anchor #sec-runs occurs twice" in mistake(project)


@pytest.mark.parametrize("alt", ["", "  ", None])
def test_a_figure_without_alt_text_is_refused(
    project: Sources, alt: str | None
) -> None:
    about = project.figures / "speed-rr/figure.json"
    about.write_text(json.dumps({"id": "speed-rr", "alt": alt}))
    assert mistake(project).startswith(f"{about}: the figure has no alt text")


def test_a_missing_figure_is_named(project: Sources) -> None:
    shutil.rmtree(project.figures / "speed-str")
    message = mistake(project)
    assert "speed-str: figure files are missing" in message
    assert "mend: " in message


def test_a_broken_figure_json_is_named(project: Sources) -> None:
    (project.figures / "speed-rr/figure.json").write_text("{")
    assert "not JSON" in mistake(project)


def test_an_unknown_edition_is_named_with_the_nearest(project: Sources) -> None:
    with pytest.raises(UserError, match="did you mean small"):
        read_material("smalls", project)


def test_synthetic_facts_put_a_banner(project: Sources) -> None:
    text = project.facts.read_text(encoding="utf-8")
    project.facts.write_text(text.replace('"measured"', '"synthetic"'), "utf-8")
    assert "reviewed yet. Synthetic data." in text_of(project)
    project.facts.write_text(text.replace('"measured"', '"synthetic"', 1), "utf-8")
    assert "reviewed yet. Measured and synthetic data." in text_of(project)


def test_a_number_sign_in_alt_text_hides_no_anchor(project: Sources) -> None:
    path = project.figures / "speed-rr/figure.json"
    text = path.read_text("utf-8").replace("Bars.", "PKCS#1 bars.")
    path.write_text(text, encoding="utf-8")
    assert "fig-speed-rr" in build(project)[""].parts.ids


def test_what_lacks_a_value_is_said_where_the_results_are(project: Sources) -> None:
    facts = read_facts(project.facts)
    why = refusal("no_rate", "no rate is known")
    gap = Gap("small", "speed", "new", "RR1(1kB)", None, "latency", why)
    write_facts(replace(facts, gaps=(gap,)), project.facts)
    text = text_of(project)
    assert (
        "Not measured or predicted: "
        "Latency of RR1(1kB), The new one (no rate is known)."
    ) in text


def test_published_numbers_have_an_appendix_with_its_warning(
    project: Sources,
) -> None:
    checked = check_texts(read_material("small", project))
    row = ROW.model_copy(update={"value": -37.0})
    material = replace(checked.material, published=(row,))
    states = reviews(checked)
    parts = compose(replace(checked, material=material), states, project.templates)
    text = parts.text
    assert "{#sec-reproduction}" in text
    told = "1 published number about these studies: 1 is reproduced."
    assert told in text
    assert "sec-reproduction" not in compose(checked, states, project.templates).ids


def test_the_set_up_stands_with_the_environment_and_is_told_once(
    project: Sources, write_text: WriteText
) -> None:
    path = project.figures / "speed-rr/figure.json"
    set_up = {"setup": True}
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | set_up))
    words = text_of(project)
    assert "{.figure-lead} See @fig-speed-rr." in words
    assert words.index("{#fig-speed-rr") < words.index("{#sec-speed-configuration}")
    write_text("studies/speed/environment.md", "See @fig-speed-rr.\n")
    assert "{.figure-lead} See @fig-speed-rr." not in text_of(project)
