from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.report.text.reviewed import read_reviewed

TEXT = """\
---
claims:
  - latency falls for RR*
  # why
  - throughput rises
allow:
  - {text: 95%, reason: the level}
---
First line of the text.
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "observations.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_claims_know_their_lines_and_the_text_keeps_its_own(tmp_path: Path) -> None:
    text = read_reviewed(write(tmp_path, TEXT))
    assert text.claims == ((3, "latency falls for RR*"), (5, "throughput rises"))
    assert [(a.text, a.reason) for a in text.allow] == [("95%", "the level")]
    assert text.body.splitlines()[8] == "First line of the text."
    assert text.body.strip() == "First line of the text."


@pytest.mark.parametrize("text", ["Plain.\n", "---\n---\nPlain.\n"])
def test_front_matter_may_be_absent_or_empty(tmp_path: Path, text: str) -> None:
    found = read_reviewed(write(tmp_path, text))
    assert (found.claims, found.body.strip()) == ((), "Plain.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\nclaim: [a]\n---\n", ":2: claim: there is no such entry"),
        ("---\nclaims: latency falls\n---\n", ":2: claims: "),
        ("---\nallow: [{text: 95%}]\n---\n", ":2: allow → entry 1 → reason"),
        ("---\nclaims: [\n---\n", "not valid YAML"),
    ],
)
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(UserError) as caught:
        read_reviewed(write(tmp_path, text))
    assert message in str(caught.value)


def test_claims_stand_in_observations_alone(tmp_path: Path) -> None:
    path = write(tmp_path, TEXT)
    with pytest.raises(UserError, match=":2: claims stand in observations"):
        read_reviewed(path, may_claim=False)
