"""The gates before rendering, what is left on errors, and equal bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.document.document import check_document, read_document
from analysis.report.engines.pandoc import PandocEngine
from analysis.report.output import read_documents
from tests.report.sample_document import edit, sample_document

FIGURE = "figures/offload-latency/figure.svg"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return sample_document(tmp_path / "document")


def refusal(document: Path) -> str:
    with pytest.raises(UserError) as caught:
        read_document(document)
    return str(caught.value)


def test_the_sample_passes(document: Path) -> None:
    assert check_document(read_document(document)) == []


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("@fig-noise-runs shows", "@fig-nose-runs shows", "reference @fig-nose-runs"),
        ("@sec-noise says", "@sec-noises says", "reference @sec-noises"),
        ("[@veth]", "[@vetch]", "no reference has the key @vetch"),
        ("[@uperf; @veth]", "[@uperf; @wet]", "no reference has the key @wet"),
        (f"({FIGURE}){{", "(figures/none.svg){", "picture figures/none.svg is missing"),
        (' fig-alt="Dots of every', ' title="Dots of every', "has no alt text"),
        ('fig-alt="Dots of every run of two configurations; they overlap."',
         'fig-alt=" "', "has no alt text"),
        ("(data/noise-runs.csv)", "(data/none.csv)", "data/none.csv, which is missing"),
        ("edition: sample\n", "", "the metadata lack 'edition'"),
        ("title: 'Sample", "title: 'Sample'", "not valid YAML"),
    ],
)  # fmt: skip
def test_a_gate_names_what_is_wrong(
    document: Path, old: str, new: str, what: str
) -> None:
    edit(document, old, new)
    assert what in refusal(document)


def test_a_gate_names_the_line(document: Path) -> None:
    edit(document, "[@veth]", "[@vetch]")
    lines = (document / "index.qmd").read_text(encoding="utf-8").splitlines()
    number = 1 + next(i for i, line in enumerate(lines) if "@vetch" in line)
    assert f"index.qmd:{number}: " in refusal(document)


def test_code_is_not_taken_for_references(document: Path) -> None:
    edit(document, "`ethtool -K veth0 tso off`", "`mail root@fig-x @nobody`")
    assert check_document(read_document(document)) == []


def test_an_absent_document_is_named(tmp_path: Path) -> None:
    assert "there is no document to render" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        ("# References {.unnumbered #sec-references}\n\n[^lost]", "Pandoc refuses"),
        (
            '![x](figures/noise-runs/figure.svg){#fig-lost fig-alt="x" width=far}',
            "Typst refuses",
        ),
    ],
)
def test_an_engines_refusal_leaves_the_old_report(
    document: Path, tmp_path: Path, fonts: Path, spoil: str, what: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.html").write_text("old")
    with (document / "index.qmd").open("a", encoding="utf-8") as file:
        file.write(f"\n{spoil}\n")
    with pytest.raises(UserError, match=what):
        PandocEngine(fonts).render(read_documents(document), out)
    assert [path.name for path in out.iterdir()] == ["index.html"]
    assert (out / "index.html").read_text() == "old"


def test_equal_documents_give_equal_bytes(tmp_path: Path, fonts: Path) -> None:
    made = []
    for name in ("one", "another/place"):
        folder = tmp_path / name
        PandocEngine(fonts).render(
            read_documents(sample_document(folder / "document")), folder / "out"
        )
        made.append(
            {p.name: hashlib.sha256(p.read_bytes()).hexdigest()
             for p in (folder / "out").iterdir()}
        )  # fmt: skip
    assert made[0] == made[1]
    assert set(made[0]) == {"index.html", "sample.pdf"}


def test_the_engine_tells_its_versions() -> None:
    about = PandocEngine().about()
    assert about["name"] == "pandoc"
    assert set(about) == {"name", "pandoc", "typst"}
