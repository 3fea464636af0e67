"""What is refused and left on errors, and equal bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.engines.pandoc import PandocEngine
from tests.report.sample_document import read_documents, sample_document


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return sample_document(tmp_path / "document")


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        ("# References {.unnumbered #sec-references}\n\n[^lost]", "Pandoc refuses"),
        ("See [@nobody].", "citation nobody not found"),
        ("See @fig-nobody.", "no target for the reference @fig-nobody"),
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
