"""A bibliography is plain BibTeX, or is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.text import bibliography
from analysis.report.text.bibliography import bibliography_keys

PLAIN = r"""% A remark on {braces
@book{smith, title = {On {Latency} \& {\"o}re, \#1 and \emph{more} by Gro\ss}, year = 1}
@online{x-1,
  url = "https://example.org/a_b?c=%7B", doi = {10.1000/182}, author = {Ma\~nana, \'E}
}
"""
HOSTILE = {
    "title = {\\input{/etc/passwd}}": "a command",
    "title = {\\include{/etc/passwd}}": "a command",
    "title = {\\href{javascript:alert(1)}{x}}": "a command",
    "title = {\\url{javascript:alert(1)}}": "a command",
    "title = {\\includegraphics{/etc/passwd}}": "a command",
    "title = {\\def\\x{\\x\\x}\\x}": "a command",
    "title = {\\newcommand{\\a}{b}}": "a command",
    "title = {\\write18{id}}": "a command",
    "title = {\\csname x\\endcsname}": "a command",
    "title = {\\begin{verbatim}}": "a command",
    "title = {\\cite{x}}": "a command",
    "title = {$x^2$}": "an equation",
    "title = {$$\\frac{1}{2}$$}": "a command",
    "url = {javascript:alert(1)}": "no web address",
    "URL = {JavaScript:alert(1)}": "no web address",
    "url = {{javascript:alert(1)}}": "no web address",
    "url = \"data:text/html,<script>\"": "no web address",
    "url={file:///etc/passwd}": "no web address",
    "url = {embed:data/speed-rr.csv}": "no web address",
    "url = {https://a.b/\"onclick=\"go}": "no web address",
    "url = address": "no web address",
    "url = {https://a.b} # {c}, url = \"x\"": "no web address",
    "doi = {javascript:alert(1)}": "no DOI",
    "doi = {https://evil.example}": "no DOI",
    "crossref = {smith}": "no entry of its own",
    "xdata = {smith}": "no entry of its own",
    "title = {" + "{" * 5_000 + "}" * 5_000 + "}": "BIBLIOGRAPHY_BRACES",
    "title = {no end": "has no end",
    "title = {{no end}": "has no end",
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "references.bib"


def test_plain_references_are_read(path: Path) -> None:
    path.write_text(PLAIN, encoding="utf-8")
    assert bibliography_keys(path, path.parent) == ["smith", "x-1"]


def test_a_key_is_that_of_one_reference(path: Path) -> None:
    path.write_text("@misc{a, title={X}}\n\n@misc{a, title={Y}}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"bib:3: 2 references have the key 'a'"):
        bibliography_keys(path, path.parent)


def test_pandoc_says_which_keys_there_are_and_is_asked_once(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("@misc\n{a:1/b-c ,\n title = {x}}\n", encoding="utf-8")
    assert bibliography_keys(path, tmp_path) == ["a:1/b-c"]

    monkeypatch.setattr(bibliography, "pandoc_program", lambda: "/no/pandoc")
    assert bibliography_keys(path, tmp_path) == ["a:1/b-c"]


def test_what_pandoc_cannot_read_is_told_with_its_line(path: Path) -> None:
    path.write_text("@misc{a,\n title = {x}\n year = 1\n}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"references.bib:3: Pandoc cannot read"):
        bibliography_keys(path, path.parent)


@pytest.mark.parametrize(("field", "what"), HOSTILE.items())
def test_what_is_more_than_words_is_refused(path: Path, field: str, what: str) -> None:
    path.write_text(f"{PLAIN}@misc{{bad,\n  {field}\n}}\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        bibliography_keys(path, path.parent)
    assert what in str(caught.value)
    assert all(i.where and (i.where.line or 0) >= 6 for i in caught.value.issues)


@pytest.mark.parametrize("entry", ["@string{u = {x}}", "@preamble{{x}}", "@comment{x}"])
def test_what_is_no_reference_is_refused(path: Path, entry: str) -> None:
    path.write_text(f"\n{entry}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"references.bib:[12]: what is no entry"):
        bibliography_keys(path, path.parent)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"@misc{a, title = {\0}}", "the control character U+0000"),
        (b"@misc{a, title = {\xff}}", "not UTF-8 text"),
        (b"x" * 1_048_577, "TEXT_BYTES"),
    ],
)
def test_a_file_that_is_no_text_is_told(path: Path, data: bytes, what: str) -> None:
    path.write_bytes(data)
    with pytest.raises(UserError, match=what.replace("+", r"\+")):
        bibliography_keys(path, path.parent)
