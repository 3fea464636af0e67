"""The deck of share-2026: how many slides of which kind, and what results say."""

from __future__ import annotations

import re

import yaml

from analysis.declared.edition import read_edition
from tests.report.conftest import ROOT

FOLDER = ROOT / "report/share-2026"
TEXT = (FOLDER / "slides.md").read_text(encoding="utf-8")
SLIDES = [part.partition("\n") for part in re.split(r"^## ", TEXT, flags=re.M)[1:]]
RESULT = re.compile(r"\b(?:delta|moves|value|average|verdict)\(")


def test_it_has_the_slides_of_the_talk() -> None:
    kinds = [re.findall(r"\{\.(\w+)\}$", title) for title, _, _ in SLIDES]
    at = kinds.index(["backup"])
    own = [n for n, kind in enumerate(kinds) if not kind]
    front = 2  # that nobody measured it, and the notices
    assert kinds.count(["agenda"]) == 1 and kinds.count(["divider"]) == 4
    assert len([n for n in own if n < at]) == front + 27 + 10
    assert len([n for n in own if n > at]) == 8 + 1  # and why a cost fell


def test_a_slide_with_results_tells_its_limit_in_its_notes() -> None:
    for title, _, body in SLIDES:
        slide, _, notes = body.partition("::: {.notes}")
        if RESULT.search(slide):
            assert "limit(" in notes, title


def test_no_bullet_prints_what_its_title_answers() -> None:
    printed = re.compile(r"\{\{ .*? \}\}")
    for title, _, body in SLIDES:
        slide, _, _ = body.partition("::: {.notes}")
        assert not set(printed.findall(title)) & set(printed.findall(slide)), title


def test_a_title_over_a_chart_is_a_sentence() -> None:
    labels = re.compile(
        r"^[^,]*: (?:requests|streams|the effect|the results)\b|against"
    )
    answers = [title for title, _, body in SLIDES if "figure(" in body]
    assert [title for title in answers if labels.search(title)] == []


def test_it_borrows_the_studies_of_the_report() -> None:
    lenders = list(read_edition(FOLDER).borrowed.values())
    assert lenders.count("zos-cs-3.2") == 14


def test_its_two_displays_say_what_the_campaign_declares() -> None:
    declared = ROOT / "synthetic/campaigns/zos-cs-3.2/campaign.yaml"
    configurations = yaml.safe_load(declared.read_text("utf-8"))["configurations"]
    [body] = [body for _, _, body in SLIDES if "SecLevel:" in body]
    shown = re.findall(r"^```\n(.*?)\n```", body, flags=re.DOTALL | re.MULTILINE)
    for id, text in zip(("tls12-c030", "tls13-1302"), shown, strict=True):
        details = configurations[id]["details"]
        version = details["Security protocol"].removeprefix("TLSv")
        assert f"SecLevel:   TLS Version {version}\n" in text
        for name in ("Cipher suite", "Signature pair"):
            word, number = re.fullmatch(r"(\w+) \((\w+)\)", details[name]).groups()
            assert number in text, name
        assert word.endswith("RSASSA_PSS") and f"{number} {word}" in text
        assert details["Cipher suite"].partition(" ")[0] in text
        assert details["Key of the certificate"] == "RSA, 2048 bits"
