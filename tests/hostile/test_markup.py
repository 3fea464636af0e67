"""Hostile text is refused with its line, or comes out as words.

All payloads go through one document: each is a section of an edition, and whatever is
not refused is rendered by both engines' ways and looked at there.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import html

from analysis.declared.base import load_yaml
from analysis.errors import Issue, UserError
from analysis.report.checks.claims import check_texts
from analysis.report.document.assemble import assemble
from analysis.report.document.compose import compose
from analysis.report.document.document import Document, read_document
from analysis.report.material import Sources, read_material
from analysis.report.outputs.html import html_page
from analysis.report.outputs.pdf import pdf_file, typst_source
from analysis.report.review.state import reviews
from analysis.report.text.glossary import read_glossary
from tests.handed_over import hand_over
from tests.hostile.live import live
from tests.hostile.markup import MARKUP
from tests.report.attacked import skeleton, titles
from tests.report.conftest import CAMPAIGN
from tests.report.conftest import project as project
from tests.report.grouped import group, remake

UNSEEN = "words-that-no-page-may-show"
CODE = re.compile(
    r"(?<!\\)#(?:read|sys|eval|include|plugin|json|csv|yaml|context|raw)\b"
)
# What Typst takes as words as it stands: the text of a picture, and raw text.
WORDS = re.compile(r'(?<=alt: )"(?:[^"\\]|\\.)*"|(?<!\\)(`+).*?\1', re.DOTALL)
STUDY = "studies/speed"
LONGEST_NAME = 200
DAY = dt.date(2026, 1, 31)


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    path = tmp_path / "canary.txt"
    path.write_text(UNSEEN, encoding="utf-8")
    return path


@pytest.fixture
def payloads(canary: Path) -> list[str]:
    return [payload.replace("CANARY", str(canary)) for payload in MARKUP]


def test_there_are_enough_payloads() -> None:
    assert len(set(MARKUP)) > 400


def test_hostile_texts_are_refused_or_come_out_as_words(
    project: Sources, payloads: list[str], tmp_path: Path, fonts: Path
) -> None:
    told = refused(project, payloads)
    assert len(told) > len(payloads) / 2
    for place, issues in told.items():
        for issue in issues:
            assert issue.where, place
            line = issue.where.line or issue.where.offset or 0
            # What makes another block of the paragraph before begins with that.
            first = 1 if issue.what.startswith("Pandoc reads") else 3
            assert line >= first, payloads[place]
            assert issue.mend, payloads[place]
    inert = {n: text for n, text in enumerate(payloads) if n not in told}
    assert len(inert) > 50
    write_sections(project, inert)
    document = check_inert(project, tmp_path, fonts)
    assert pdf_file(document, fonts).startswith(b"%PDF")


@pytest.mark.parametrize(
    "name",
    [
        "front/preface.md", "back/runs.md", "nets.md", f"{STUDY}/background.md",
        f"{STUDY}/environment.md", f"{STUDY}/observations.md",
    ],
)  # fmt: skip
def test_every_text_of_an_edition_is_checked(project: Sources, name: str) -> None:
    group(project)
    path = project.report / "small" / name
    path.write_text("Fine.\n\n<script>alert(1)</script>\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"\.md:3: raw HTML") as caught:
        check_texts(read_material("small", project))
    assert {i.where.file for i in caught.value.issues if i.where} == {str(path)}


def test_hostile_words_in_declarations_come_out_as_words(
    project: Sources, payloads: list[str], tmp_path: Path, fonts: Path
) -> None:
    words = [text for text in payloads if text.isprintable() or "\n" in text]
    words = [text for text in words if not re.search(r"[\x00-\x09\x0b-\x1f\x85]", text)]
    declare(project, [text for text in words if text.strip()])
    check_inert(project, tmp_path, fonts)


@pytest.mark.parametrize(
    "entry",
    ['title: "<script>x"', 'hardware: {CPC: "`x`{=html}"}', 'software: {z: "{{ x }}"}'],
)
def test_a_declaration_that_a_text_prints_is_no_text(
    project: Sources, entry: str, tmp_path: Path, fonts: Path
) -> None:
    campaign = project.raw / "lab/campaign.yaml"
    name = entry.partition(":")[0]
    lines = [line for line in CAMPAIGN.splitlines() if not line.startswith(f"{name}:")]
    campaign.write_text("\n".join([entry, *lines]), "utf-8")
    hand_over(project.raw, project.facts)
    call = f"{name}_table" if name != "title" else "campaign_title"
    preface = project.report / "small/front/preface.md"
    preface.write_text(f'Fine.\n\n{{{{ {call}("lab") }}}}\n', "utf-8")
    try:
        check_inert(project, tmp_path, fonts)
    except UserError as error:
        assert str(error).startswith(f"{preface}:")


def test_hostile_claims_are_refused_with_their_lines(
    project: Sources, payloads: list[str]
) -> None:
    claims = yaml.safe_dump({"claims": payloads}, width=10_000)
    path = project.report / "small" / STUDY / "observations.md"
    path.write_text(f"---\n{claims}---\nFine.\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        check_texts(read_material("small", project))
    assert all(issue.where and issue.where.line for issue in caught.value.issues)


def test_hostile_exceptions_and_names_of_reviewers_come_out_as_words(
    project: Sources, payloads: list[str], tmp_path: Path, fonts: Path
) -> None:
    folder = project.report / "small" / STUDY
    words = [text for text in payloads if text.isprintable() and text.strip()]
    allow = yaml.safe_dump({"allow": [{"text": w, "reason": w} for w in words]})
    (folder / "observations.md").write_text(f"---\n{allow}---\nFine.\n", "utf-8")
    names = [word.strip() for word in words if len(word) <= LONGEST_NAME]
    assert len(names) > 300
    first, *others = ({"by": name, "date": DAY} for name in names)
    record = first | {"stamp": "-".join(["0" * 8] * 6), "also": others}
    (folder / "review.yaml").write_text(yaml.safe_dump(record), "utf-8")
    document = check_inert(project, tmp_path, fonts)
    told = skeleton(document.text.replace("\\", ""))
    assert [name for name in names if skeleton(name) not in told] == []


def refused(project: Sources, payloads: list[str]) -> dict[int, list[Issue]]:
    """The issues of every payload that is refused, by its place in the list."""
    told: dict[int, list[Issue]] = {}
    while True:
        kept = {n: text for n, text in enumerate(payloads) if n not in told}
        write_sections(project, kept)
        try:
            checked = check_texts(read_material("small", project))
            compose(checked, reviews(checked), project.templates)
            break
        except UserError as error:
            for issue in error.issues:
                assert issue.where, issue
                told.setdefault(number_of(issue.where.file), []).append(issue)
    return told


def number_of(file: str) -> int:
    return int(Path(file).stem.removeprefix("p"))


def write_sections(project: Sources, texts: dict[int, str]) -> None:
    """Each text as a section of the front matter."""
    folder = project.report / "small"
    edition, _ = load_yaml(folder / "edition.yaml")
    edition["front"] = []
    for number, text in texts.items():
        file = f"front/p{number}.md"
        edition["front"].append({"id": f"p{number}", "title": "P", "file": file})
        (folder / file).write_bytes(f"Fine.\n\n{text}\n".encode("utf-8", "replace"))
    (folder / "edition.yaml").write_text(yaml.safe_dump(edition), "utf-8")


def declare(project: Sources, words: list[str]) -> None:
    """The words in every entry for words of a study, a campaign and the glossary."""
    folder, campaign = project.report / "small", project.raw / "lab/campaign.yaml"
    first, second, third = ("\n".join(words[n::3]) for n in range(3))
    parts = ["\n".join(words[n : n + 20]) for n in range(0, len(words), 20)]
    study = change(folder / STUDY / "study.yaml")
    data = next(study)
    data["title"], data["question"] = titles(words)[0], f"{first}\n{second}"
    figure = data["figures"][0]
    data["figures"] += [
        figure | {"id": f"f{n}", "question": text, "caption": text, "alt": text}
        for n, text in enumerate(parts)
    ]
    next(study, None)
    other = change(campaign)
    data = next(other)
    data["title"], data["measured"]["how"] = third, first
    data["systems"]["SYSA"]["description"] = second
    data["configurations"]["old"] = {
        "label": third,
        "details": {text: text for text in words},
    }
    next(other, None)
    terms = {f"T{n}": {"name": text, "means": text} for n, text in enumerate(parts)}
    (folder / "glossary.yaml").write_text(yaml.safe_dump(terms), "utf-8")
    assert len(read_glossary(folder)) == len(parts)
    remake(project)


def change(path: Path) -> Iterator[Any]:
    """The data of a YAML file, which is written when the caller has changed them."""
    data, _ = load_yaml(path)
    yield data
    path.write_text(yaml.safe_dump(data, width=10_000), "utf-8")


def check_inert(project: Sources, tmp_path: Path, fonts: Path) -> Document:
    """Render the edition, and look for what would be more than words."""
    checked = check_texts(read_material("small", project))
    folder = tmp_path / "document"
    assemble(checked, reviews(checked), project.templates, folder)
    document = read_document(folder)
    page = html_page(document, fonts).decode()
    assert UNSEEN not in page
    main = html.fromstring(page).get_element_by_id("text")
    facts = html.fromstring((folder / "facts.html").read_bytes())
    assert list(live(main, set(facts.xpath("//@id")))) == []
    source = typst_source(document)
    assert UNSEEN not in source
    house = project.templates / "_extensions/netperf"
    template = (house / "page.typ").read_text("utf-8")
    template += (house / "parts.typ").read_text("utf-8")
    assert set(CODE.findall(WORDS.sub("", source))) <= set(CODE.findall(template))
    return document
