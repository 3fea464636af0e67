"""The tables of the appendices come back as they were, unless something changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.report import pandoc_engine
from analysis.report.document import Document, read_document
from analysis.report.kept_tables import Split, rendered_tables, split_tables
from analysis.report.material import Sources
from analysis.report.pandoc_engine import PandocEngine
from tests.report.test_assemble import build

HEAD = "# Appendix {#sec-appendix}\n\n## Speed {#sec-appendix-speed}\n"
TABLE = "\n| a | b |\n|---|---|\n| 1 | 2 |\n\n: Values. {#tbl-speed-values}\n\n"
BEFORE = "| a |\n|---|\n| 1 |\n\n: First. {#tbl-first}\n\n"
RENDERED = '<h2 id="kept-table-0">x</h2>\n<table></table>\n'


@pytest.fixture
def document(project: Sources) -> Document:
    return read_document(build(project)[1])


def test_a_page_with_kept_tables_is_the_page_rendered_whole(
    document: Document, fonts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert split_tables(document.text).parts
    engine = PandocEngine(fonts)
    first, second = engine.page(document), engine.page(document)
    monkeypatch.setattr(pandoc_engine, "split_tables", Split)
    assert first == second == engine.page(document)


def test_the_table_is_taken_out_and_keeps_its_number() -> None:
    split = split_tables(BEFORE + HEAD + TABLE + "# References {#sec-references}\n")
    assert split.parts == (TABLE,)
    assert split.labels == {"tbl-speed-values": "Table\u00a02"}
    assert "tbl-speed-values" not in split.text
    assert split.text.endswith("# References {#sec-references}\n")


@pytest.mark.parametrize(
    "text",
    [
        HEAD + TABLE + "# More {#sec-more}\n\n" + BEFORE,
        HEAD + TABLE.replace("1", "@tbl-first"),
        HEAD + TABLE.replace("1", "one[^note]"),
        HEAD.replace("appendix", "preface") + TABLE,
    ],
    ids=["a numbered table after", "a reference", "a note", "another chapter"],
)
def test_what_is_bound_to_the_rest_stays_in(text: str) -> None:
    assert split_tables(text) == Split(text)


class Renderer:
    """Counts how often the tables are rendered."""

    times = 0

    def __call__(self) -> str:
        self.times += 1
        return RENDERED


def test_tables_are_rendered_anew_when_anything_changed(tmp_path: Path) -> None:
    file, render = tmp_path / "kept.json", Renderer()
    split = split_tables(HEAD + TABLE)
    for _ in range(2):
        assert rendered_tables(split, [b"filter"], file, render) == [
            "<table></table>\n"
        ]
    assert render.times == 1
    rendered_tables(split, [b"another filter"], file, render)
    rendered_tables(split_tables(BEFORE + HEAD + TABLE), [b""], file, render)
    file.write_text("{", encoding="utf-8")
    rendered_tables(split_tables(BEFORE + HEAD + TABLE), [b""], file, render)
    assert render.times == 4
