"""The extension where no Quarto is at hand: its options, and filters under Pandoc."""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import yaml

from analysis.errors import UserError
from analysis.programs.child import pandoc_program
from analysis.report.document.document import DECK, REPORT, read_document
from analysis.report.document.kept_sections import LAYOUT, kept_file
from analysis.report.engines import pandoc
from analysis.report.engines.pandoc import run_pandoc
from analysis.report.engines.quarto import complete
from analysis.report.outputs import docx, html, pptx, revealjs
from tests.conftest import ROOT
from tests.report.outputs.decks import sample_deck
from tests.report.sample_document import sample_document

OPTIONS = yaml.safe_load(
    Path(__file__).with_name("quarto-options.yaml").read_text(encoding="utf-8")
)
KINDS = {"boolean": bool, "number": int, "string": str, "path": str, "object": dict}
EXTENSIONS = {
    room: yaml.safe_load((ROOT / "templates" / room / "_extension.yml").read_text())
    for room in (REPORT, DECK)
}
FORMATS = [
    (room, base) for room, about in EXTENSIONS.items()
    for base in about["contributes"]["formats"]
]  # fmt: skip
SHARED = {"paper.lua", "house.lua", "glossary.lua", "cover.lua", "deck.lua"}


def mistakes(given: dict[str, Any], known: dict[str, Any]) -> list[str]:
    """The options of a mapping that Quarto's schema has not, or not so."""
    found = []
    for name, value in given.items():
        kind = known.get(name)
        if isinstance(kind, dict):
            found += mistakes(value, kind)
        elif kind == "filters":
            found += [m for one in value for m in mistakes(
                one, {"path": "path", "at": OPTIONS["common"]["at"]})]  # fmt: skip
        elif not fits(value, kind):
            found.append(f"{name}: {value!r}")
    return found


def fits(value: Any, kind: str | list[str] | None) -> bool:
    values = value if isinstance(value, list) else [value]
    if isinstance(kind, list):
        return all(one in kind for one in values)
    if kind == "paths":
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return kind is not None and type(value) is KINDS[kind]


def format_options(base: str) -> dict[str, Any]:
    own = OPTIONS["html"] if base == "html" else OPTIONS.get(base, {})
    return {**OPTIONS["common"], **own} if base != "common" else OPTIONS["common"]


@pytest.mark.parametrize("room", EXTENSIONS)
def test_quarto_knows_all_that_an_extension_says(room: str) -> None:
    about = EXTENSIONS[room]
    assert mistakes(about, OPTIONS["extension"]) == []
    for base, options in about["contributes"]["formats"].items():
        assert mistakes(options, format_options(base)) == [], base


@pytest.mark.parametrize("labels", [None, {"fig-x": "Figure\u00a01"}])
def test_quarto_knows_all_that_a_project_says(
    tmp_path: Path, fonts: Path, labels: dict[str, str] | None
) -> None:
    report, deck = sample_document(tmp_path / "report"), sample_deck(tmp_path / "deck")
    for document in (read_document(report), deck):
        complete(document, fonts, labels)
        alone = document is deck and labels is None
        place = document.folder.parent if alone else document.folder
        project = yaml.safe_load((place / "_quarto.yml").read_text())
        assert mistakes(project, OPTIONS["project"]) == []
        for name, options in project["format"].items():
            assert mistakes(options, format_options(name.rpartition("-")[2])) == []


def test_misspelt_options_are_seen() -> None:
    wrong = {"toc-dept": 4, "pdf-standard": ["ua-9"], "papersize": 4,
             "filters": [{"path": "a.lua", "at": "post-quatro"}]}  # fmt: skip
    assert len(mistakes(wrong, format_options("typst"))) == 4


def filters_of(options: tuple[str, ...]) -> list[str]:
    named = (o.partition("=")[2] for o in options if o.startswith("--lua-filter"))
    return [name.rpartition("/")[2] for name in named]


@pytest.mark.parametrize(
    ("room", "base", "options"),
    [
        (REPORT, "html", pandoc.FILTERS),
        (REPORT, "typst", pandoc.FILTERS),
        (REPORT, "docx", (*pandoc.FILTERS, *docx._TO)),
        (DECK, "html", revealjs._TO),
        (DECK, "pptx", pptx._TO),
    ],
)
def test_both_engines_give_the_look_by_the_same_filters(
    room: str, base: str, options: tuple[str, ...]
) -> None:
    formats = EXTENSIONS[room]["contributes"]["formats"]
    filters = [*formats["common"]["filters"], *formats[base].get("filters", [])]
    named = [Path(one["path"]).name for one in filters]
    ours = [name for name in filters_of(options) if name in SHARED]
    assert [name for name in named if name in SHARED] == ours
    assert ours


def test_both_engines_take_the_same_choices() -> None:
    formats = EXTENSIONS[REPORT]["contributes"]["formats"]
    assert f"--toc-depth={formats['common']['toc-depth']}" in html._PAGE
    assert f"--toc-depth={formats['docx']['toc-depth']}" in docx._TO
    assert "--number-sections" in pandoc._COMMON
    assert formats["common"]["number-sections"]
    assert f"--{formats['html']['html-math-method']}" in html._TO
    for room, base, options in (
        (REPORT, "html", html._TO), (DECK, "html", revealjs._TO),
    ):  # fmt: skip
        own = EXTENSIONS[room]["contributes"]["formats"]
        highlighting = {**own["common"], **own[base]}["syntax-highlighting"]
        assert f"--syntax-highlighting={highlighting}" in options
    level = EXTENSIONS[DECK]["contributes"]["formats"]["pptx"]["slide-level"]
    assert f"--slide-level={level}" in pptx._TO


NODES = """\
quarto = { utils = { as_blocks = pandoc.Blocks, as_inlines = pandoc.Inlines } }
local count, first = table.unpack(
  dofile(pandoc.path.directory(PANDOC_SCRIPT_FILE) .. '/quarto.lua')
)

function Pandoc(doc)
  local order = { fig = 0, tbl = 0 }
  local function node(element, content, type)
    local word = element.identifier:match '^%a+'
    order[word] = order[word] + 1
    local made = {
      identifier = element.identifier,
      order = { order = order[word] },
      caption_long = element.caption.long,
      content = content,
      type = type,
    }
    count.FloatRefTarget(made)
    return first.FloatRefTarget(made)
  end
  local function callout(div)
    local tone = (div.classes[1] or ''):match '^callout%-(%a+)$'
    if not tone then return nil end
    local title = div.content[1].t == 'Header' and div.content:remove(1).content or nil
    return first.Callout { type = tone, title = title, content = div.content }
  end
  doc.blocks = doc.blocks:walk {
    Figure = function(figure) return node(figure, figure.content, 'Figure') end,
    Table = function(element)
      return node(element, { pandoc.Table(
        {}, element.colspecs, element.head, element.bodies, element.foot) }, 'Table')
    end,
    Div = callout,
  }
  return doc
end
"""
PIECE = """\
![How it looks](figures/noise-runs/figure.svg){#fig-a fig-alt="Two & three"}

| a | b |
|---|--:|
| 1 | 2 |

: What it *is* {#tbl-a}

::: {.callout-warning}
## Take care

It is hot.
:::

::: {.callout-note}
No title.
:::
"""


@pytest.mark.parametrize("to", ["html5", "typst", "docx"])
def test_nodes_of_quarto_become_what_the_other_engine_makes(
    tmp_path: Path, to: str
) -> None:
    """A small filter plays Quarto's part: it hands nodes as Quarto does."""
    document = read_document(sample_document(tmp_path / "document"))
    (document.folder / REPORT / "nodes.lua").write_text(NODES, encoding="utf-8")
    for svg in document.folder.glob("figures/*/figure.svg"):
        svg.with_suffix(".png").write_bytes(b"no picture is asked for")
        svg.with_name("figure.svg.html").touch()  # a drawing of the build
    made = []
    for name in ("nodes.lua", "numbers.lua"):
        options = (f"--lua-filter={REPORT}/{name}", f"--to={to}", "--output=-")
        data = run_pandoc(document, options, PIECE)
        if to == "docx":
            with zipfile.ZipFile(BytesIO(data)) as file:
                data = file.read("word/document.xml")
        made.append(data.decode())
    assert made[0] == made[1]
    assert "Take care" in made[0]


def test_what_quarto_adds_to_tables_goes(tmp_path: Path) -> None:
    document = read_document(sample_document(tmp_path / "document"))
    text = "| a |\n|---|\n| 1 |\n\n: So {.caption-top .typst:no-figure .kept}\n"
    options = ("--to=native", f"--lua-filter={REPORT}/quarto-tables.lua")
    made = run_pandoc(document, options, text).decode()
    assert "kept" in made
    assert "caption-top" not in made
    assert "no-figure" not in made


def test_drawings_and_cards_come_into_a_page(tmp_path: Path) -> None:
    folder = sample_document(tmp_path / "document")
    (folder / "figures/a.svg.html").write_text('<svg aria-label="" %1>a</svg>')
    (folder / "cards.json").write_text('{"a": "100%"}')
    page = '<svg data-drawing="figures/a.svg" aria-label="One %2"></svg>'
    page += '<div data-insert="cards.json"></div><a class="home" href="">A</a>'
    page += '<input id="search"></body>'
    (folder / "index.html").write_text(page)
    (folder / "answers.html").write_text("<script>100%</script>\n")
    (folder / "other.pdf").write_bytes(b"%PDF")
    files = f"{folder}/index.html\n{folder}/other.pdf"
    done = subprocess.run(
        [pandoc_program(), "lua", f"{REPORT}/quarto-page.lua"],
        cwd=folder,
        env=os.environ | {"QUARTO_PROJECT_OUTPUT_FILES": files},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    made = (folder / "index.html").read_text()
    assert '<svg aria-label="One %2" %1>a</svg>' in made
    data = made.partition('id="cards">')[2].partition("</script>")[0]
    assert json.loads(data) == {"a": "100%"}
    assert '<a class="home">A</a>' in made
    assert made.endswith('<input id="search"><script>100%</script>\n</body>')
    assert (folder / "other.pdf").read_bytes() == b"%PDF"


TABS = """\
quarto = { utils = { as_blocks = pandoc.Blocks, as_inlines = pandoc.Inlines } }
local count, first = table.unpack(
  dofile(pandoc.path.directory(PANDOC_SCRIPT_FILE) .. '/quarto.lua')
)

function Div(div)
  return first.Tabset { tabs = { { title = 'One', content = div.content } } }
end
"""


def test_tabs_stand_below_each_other(tmp_path: Path) -> None:
    document = read_document(sample_document(tmp_path / "document"))
    (document.folder / REPORT / "tabs.lua").write_text(TABS, encoding="utf-8")
    options = (f"--lua-filter={REPORT}/tabs.lua", "--to=html5")
    made = run_pandoc(document, options, "::: x\nWords\n:::\n").decode()
    assert re.sub(r"\s", "", made) == (
        '<divclass="panel"><p><strong>One</strong></p><p>Words</p></div>'
    )


PANEL = """\
quarto = { utils = { as_blocks = pandoc.Blocks, as_inlines = pandoc.Inlines } }
local count, first = table.unpack(
  dofile(pandoc.path.directory(PANDOC_SCRIPT_FILE) .. '/quarto.lua')
)

function Pandoc(doc)
  local all = { identifier = 'fig-all', order = { order = 3 }, has_subfloats = true,
                attributes = { ['layout-ncol'] = '2' }, caption_long = doc.blocks[3] }
  count.FloatRefTarget(all)
  all.content = pandoc.Blocks {}
  for n, id in ipairs { 'fig-l', 'fig-r' } do
    local part = { identifier = id, order = { order = n }, parent_id = 'fig-all',
                   caption_long = doc.blocks[3], content = doc.blocks[n] }
    count.FloatRefTarget(part)
    all.content:insert(first.FloatRefTarget(part))
  end
  return pandoc.Pandoc(first.FloatRefTarget(all))
end
"""


def test_figures_of_a_figure_have_letters(tmp_path: Path) -> None:
    document = read_document(sample_document(tmp_path / "document"))
    (document.folder / REPORT / "panel.lua").write_text(PANEL, encoding="utf-8")
    (document.folder / "a.svg").write_text("<svg/>")  # somebody's own
    (document.folder / "b.svg.html").touch()
    text = "![](a.svg)\n\n![](b.svg)\n\nWords.\n"
    options = (f"--lua-filter={REPORT}/panel.lua", "--wrap=none")
    page = run_pandoc(document, (*options, "--to=html5"), text).decode()
    assert re.findall(r'label">(.*?)</span> Words', page) == [
        "Figure\u00a03\u00a0(a)", "Figure\u00a03\u00a0(b)", "Figure\u00a03"
    ]  # fmt: skip
    assert page.index("fig-all") < page.index('layout-ncol="2"') < page.index("fig-l")
    assert '<img src="data:image/svg+xml;base64,' in page
    assert '<svg data-drawing="b.svg"' in page
    paper = run_pandoc(document, (*options, "--to=typst"), text).decode()
    assert "numbering: _ => [3\u00a0(b)], caption: [Words.]) <fig-r>" in paper
    assert re.search(r"\],\s*kind: image, caption: \[Words\.\]\) <fig-all>", paper)


# Quarto's program, as far as it is asked for a picture.
CLI = """\
#!/bin/sh
for last; do :; done
echo "$@" > "$0.asked"
cat figures/a/figure.svg.typ >> "$0.asked"
printf picture > "$last"
"""
OTHER = """\
quarto = { config = { cli_path = function() return './cli' end } }
dofile(pandoc.path.directory(PANDOC_SCRIPT_FILE) .. '/other.lua')
"""


def test_word_has_a_picture_of_each_drawing(tmp_path: Path) -> None:
    folder = sample_document(tmp_path / "document")
    document = read_document(folder)
    (folder / "figures/a").mkdir()
    (folder / "figures/a/figure.svg").write_text("<svg/>")
    (folder / "cli").write_text(CLI)
    (folder / "cli").chmod(0o755)
    (folder / REPORT / "called.lua").write_text(OTHER, encoding="utf-8")
    text = "![A](figures/a/figure.svg)\n"
    options = (f"--lua-filter={REPORT}/called.lua", "--output=-")
    for to, kind in (("html5", "svg"), ("docx", "png")):
        data = run_pandoc(document, (*options, f"--to={to}"), text)
        if to == "docx":
            with zipfile.ZipFile(BytesIO(data)) as file:
                names = [name for name in file.namelist() if "media/" in name]
            assert [name.rpartition(".")[2] for name in names] == [kind]
        else:
            assert b"figure.svg" in data
            assert not (folder / "figures/a/figure.png").exists()
    asked = (folder / "cli.asked").read_text()
    assert f"--font-path {REPORT}/fonts --format png --ppi 200" in asked
    assert 'image("figure.svg", width: 100%)' in asked
    assert not (folder / "figures/a/figure.svg.typ").exists()


def test_there_is_no_pdf_by_latex(tmp_path: Path) -> None:
    document = read_document(sample_document(tmp_path / "document"))
    options = ("--to=latex", f"--lua-filter={REPORT}/other.lua")
    with pytest.raises(UserError) as caught:
        run_pandoc(document, options, "Words\n")
    line = "ERROR: no PDF by LaTeX here: quarto render --to netperf-typst"
    assert str(caught.value).splitlines()[1] == line


def test_figures_stand_where_the_build_put_them(tmp_path: Path, fonts: Path) -> None:
    document = read_document(sample_document(tmp_path / "document"))
    kept = kept_file(document.folder, LAYOUT)
    kept.parent.mkdir()

    def layout(text: str) -> str:
        kept.write_text(text)
        complete(document, fonts)
        project = yaml.safe_load((document.folder / "_quarto.yml").read_text())
        variables = project["format"]["netperf-typst"].get("variables", {})
        return variables.get("layout", "")

    assert layout('[["a", "b"], ["b"]]') == '(floats: ("a", "b", ), feet: ("b", ))'
    assert layout("[[], []]") == "(floats: (), feet: ())"
    assert layout("{") == ""


def test_a_talk_is_rendered_from_the_folder_of_its_edition(
    tmp_path: Path, fonts: Path
) -> None:
    deck = sample_deck(tmp_path / "talk/slides")
    complete(deck, fonts)
    project = yaml.safe_load((tmp_path / "talk/_quarto.yml").read_text())
    assert project["project"]["render"] == ["slides/index.qmd"]
    named = [*project["project"]["post-render"], project["filters"][0]["path"]]
    assert [name for name in named if not (tmp_path / "talk" / name).exists()] == []
    assert not (deck.folder / "_quarto.yml").exists()
    complete(deck, fonts, {})  # for the engine, in a copy of its own
    assert (deck.folder / "_quarto.yml").exists()
