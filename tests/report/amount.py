"""How much there is to read in a built edition, and what it says again and again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from lxml import html

from tests.report.paper import Paper

# Data, drawings, folded commands, and what a draft folds away are no text that is read.
_UNREAD = (
    ".//script | .//style | .//*[local-name()='svg']"
    " | .//details[@class='workshop' or @class='reproduce']"
)
OFTEN = 3  # times: the summary, the answer and the observations of a study


@dataclass(frozen=True)
class Amount:
    """Words of the page, pages of the PDF, and how often each fact is printed."""

    edition: str
    words: int
    pages: int
    faults: tuple[str, ...]
    printed: Counter[str]

    @property
    def said(self) -> str:
        """One line of it."""
        often = sum(count > OFTEN for count in self.printed.values())
        return (
            f"{self.edition}: {self.words:,} words, {self.pages} pages of PDF, "
            f"{len(self.faults)} of them broken at a bad place, "
            f"{often} of {len(self.printed):,} facts printed more than {OFTEN} times, "
            f"one {max(self.printed.values(), default=0)} times"
        )


def amount(page: Path) -> Amount:
    """What a reader of an edition has before them; nothing of slides alone."""
    text = html.document_fromstring(page.read_bytes()).find(".//*[@id='text']")
    if text is None:
        return Amount(page.parent.name, 0, 0, (), Counter())
    keys = [key for link in text.find_class("value") for key in _keys(link)]
    for unread in text.xpath(_UNREAD):
        unread.drop_tree()
    papers = [Paper(path) for path in sorted(page.parent.glob("*.pdf"))]
    return Amount(
        edition=page.parent.name,
        words=len(text.text_content().split()),
        pages=sum(len(paper.words) for paper in papers),
        faults=tuple(fault for paper in papers for fault in paper.faults()),
        printed=Counter(keys),
    )


def _keys(link: html.HtmlElement) -> list[str]:
    return str(link.get("data-keys") or "").split()
