"""The parts of a text that one edits: paragraphs, items of lists, boxes and quotes.

A mark in the page says which part an element is of: an empty span behind the words of
the part, placed by the tree of the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from analysis.report.checks.claims import Checked
from analysis.report.document.noted import end_of_line, prints_alone
from analysis.report.review.sentences import SentenceRests, margin
from analysis.report.table import escape
from analysis.report.text.passages import bare
from analysis.report.text.texts import Text, of_slides, own_texts
from analysis.report.text.tree import Node

_WORDS = 6  # by which a person knows a part
_FIRST = 4  # words of a sentence in the margin


@dataclass(frozen=True)
class EditedPart:
    """A part: its text and number in it, its lines in the file, and what they say.

    ``ends`` is the line behind whose words its mark stands; 0 where none can.
    """

    text: str
    number: int
    first: int
    last: int
    source: str
    ends: int = 0

    @property
    def hash(self) -> str:
        """What stands for what it says."""
        return hash_of(self.source)

    @property
    def anchor(self) -> str:
        """The anchor of its mark in a page."""
        return f"part-{self.text.replace('/', '-')}-{self.number}"

    @property
    def start(self) -> str:
        """Its first words."""
        found = [w for w in bare(self.source).split() if w.strip("-+#>:")]
        return " ".join(found[:_WORDS])


def hash_of(source: str) -> str:
    """What stands for what a part says."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def parts_of(text: Text) -> list[EditedPart]:
    """The parts of a text in its order."""
    found: list[EditedPart] = []
    for node in _nodes(text):
        last = _last(node, text.tree.lines)
        source = "\n".join(text.tree.lines[node.line - 1 : last])
        part = EditedPart(text.name, len(found), node.line, last, source)
        found.append(replace(part, ends=_ends(text, node)))
    return found


def _last(node: Node, lines: Sequence[str]) -> int:
    """The last line of a part, with the fence that ends a box."""
    fence = "".join(lines[node.last : node.last + 1]).strip()
    if node.kind == "div" and fence and not fence.strip(":"):
        return node.last + 1
    last = node.last
    while not lines[last - 1].strip() and last > node.line:
        last -= 1
    return last


@dataclass
class Marking:
    """Marks the texts of one edition, most of which are again what they were."""

    _last: dict[str, tuple[Text, Text]] = field(default_factory=dict)

    def __call__(self, checked: Checked) -> Checked:
        """The texts of an edition with a mark for each part of its own."""
        edition, texts = checked.material.edition, dict(checked.texts)
        own = own_texts(checked.texts, edition).items()
        found = {
            name: self._marked(name, text, checked)
            for name, text in own
            if not of_slides(edition, name, text.study)
        }
        self._last = {name: (texts[name], text) for name, text in found.items()}
        return replace(checked, texts=texts | found)

    def _marked(self, name: str, text: Text, checked: Checked) -> Text:
        before, marked = self._last.get(name, (None, text))
        if before is text:
            return marked
        notes = (*text.notes, *_marks(text, margin(checked, text)))
        return replace(text, notes=notes)


def _marks(text: Text, rests: Sequence[SentenceRests]) -> Iterator[tuple[int, str]]:
    for part in parts_of(text):
        if part.ends:
            own = f'text="{part.text}" number="{part.number}" hash="{part.hash}"'
            at = f"{{#{part.anchor} .part {own}}}"
            lines = [one for one in rests if part.first <= one.line <= part.last]
            beside = " ".join(map(_beside, lines)) if any(o.data for o in lines) else ""
            yield end_of_line(text, part.ends), f"{beside}[]{at}"


def _beside(rests: SentenceRests) -> str:
    """A line of the margin: the first words of a sentence, and what it rests on."""
    first = escape(" ".join(rests.words.split()[:_FIRST]))
    return f"[*{first} …* {escape(rests.margin_words)}]{{.rests}}"


def _nodes(text: Text) -> Iterator[Node]:
    for block in text.tree.blocks:
        if block.kind.endswith(" list") and block.kind != "definition list":
            yield from block.children
        else:
            yield block


def _ends(text: Text, part: Node) -> int:
    for node in part.walk():
        if node.kind == "paragraph" and not prints_alone(text, node):
            return node.last
    return 0
