"""How much there is to read: words, pages and facts that are printed again."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfWriter

from tests.report.amount import OFTEN, amount

NUMBER = '<a class="value" data-keys="{}">−37%</a> '


@pytest.fixture
def edition(tmp_path: Path) -> Path:
    """A page that prints one fact often, and a PDF of three pages."""
    numbers = NUMBER.format("s.a") * (OFTEN + 2) + NUMBER.format("s.a s.b")
    folder = tmp_path / "small"
    folder.mkdir()
    unread = "<svg><text>drawn</text></svg><script>1 2</script>"
    unread += '<details class="workshop">of a draft</details>'
    read = f"<p>Two words {numbers}</p>"
    text = f'<p>Not counted</p><main id="text">{read}{unread}</main>'
    (folder / "index.html").write_text(text, "utf-8")
    pdf = PdfWriter()
    for _ in range(3):
        pdf.add_blank_page(100, 100)
    pdf.write(folder / "small.pdf")
    return folder / "index.html"


def test_words_pages_and_repeated_facts_are_printed(edition: Path) -> None:
    said = amount(edition).said
    print(said)
    assert said == (
        f"small: {OFTEN + 5} words, 3 pages of PDF, 0 of them broken at a bad place, "
        f"1 of 2 facts printed more than {OFTEN} times, one {OFTEN + 3} times"
    )
