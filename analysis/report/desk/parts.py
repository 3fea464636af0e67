"""What is edited and commented as one: parts of texts, and words of declarations.

A part is a paragraph, an item of a list, a box or a quote. Where somebody edits it,
each bound value stands there as what it prints: ``{−37%}`` is such a token, and who
saves sends it with the expression that it is for, so words may be moved round it. A
mark in the page says which part an element is of: an empty span behind the words of the
part, placed by the tree of the text. Of a declaration titles, questions and captions
are edited, and only the bytes of the words themselves change.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.declared.base import check_declared, load_yaml, parse_yaml
from analysis.declared.edition import Edition
from analysis.declared.study import Study
from analysis.errors import UserError, user_error
from analysis.facts.fact import Fact
from analysis.files.text_file import read_text
from analysis.report.checks.claims import Checked
from analysis.report.document.noted import end_of_line, prints_alone
from analysis.report.document.parts import content as content_of
from analysis.report.language.printed import Printed
from analysis.report.language.syntax import COMMENT_START, Prose, parse_text
from analysis.report.review.sentences import SentenceRests, margin
from analysis.report.table import escape
from analysis.report.text.characters import reader_text
from analysis.report.text.passages import bare
from analysis.report.text.texts import Text, of_slides, own_texts
from analysis.report.text.tree import Node

_EDITION, _STUDY, _DECLARED = "edition.yaml", "study.yaml", ".yaml"
_WORDS = 6  # by which a person knows a part
_FIRST = 4  # words of a sentence in the margin
_LONGEST = 60  # characters of what a token shows
_ALIKE = 0.5  # of its words: a part that was edited is still the same one
_UNFIT = re.compile(r"[{}\n]")
# Braces with a digit within: neither an expression nor attributes, nor code.
_BRACES = re.compile(r"(?<![{`\]\)\\])\{([^{}=`\n]*)\}(?!\})")
_NUMBER = re.compile(r"[^#.\d]*\d")
_NO_BRACES = str.maketrans("", "", "{}")
_REFERENCE = re.compile(r"@[\w:.-]+|\b(?:Figure|Table|Section) [\d.]+")
_BOX = ":::"
_SIGN = r"(?:[-*+]|\d{1,9}[.)]|\(?[a-zA-Z][.)])(?:\s|$)"  # of an item of a list
_ITEM, _ITEM_OR_IN_IT = re.compile(rf" {{0,3}}{_SIGN}"), re.compile(rf" |\t|{_SIGN}")
# The entries that a page prints, and selectors of the elements that do.
_OF_EDITION = {
    "title": ".cover h1",
    "subtitle": ".cover .subtitle",
    "front.*.title": "#sec-{id}",
    "back.*.title": "#sec-{id}",
    "studies.*.title": "#sec-{id}",
    "tables.*.caption": "#tbl-{id} caption",
}
_OF_STUDY = {
    "title": "#sec-{study}",
    "question": "#sec-{study} ~ .question p",
    "figures.*.question": "#fig-{study}-{id} figcaption",
}


@dataclass(frozen=True)
class Token:
    """What stands for an expression: its words in braces, and what it prints.

    What prints nothing short has no words in braces: its token is the expression.
    """

    token: str
    expression: str
    printed: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class EditedPart:
    """A part of a text, or words of a declaration: ``source`` is what it says.

    ``text`` is the name of its file in the edition, ``number`` counts those of a file.
    A part has lines, ``read`` is the text, and ``ends`` the line behind whose words its
    mark stands; 0 where none can. Declared words have an ``entry``, such as
    ``front.0.title``, and ``at``, a selector of the elements of a page that print them.
    """

    text: str
    number: int
    source: str
    first: int = 0
    last: int = 0
    ends: int = 0
    read: Text | None = field(default=None, repr=False, compare=False)
    entry: str = ""
    at: str = ""

    @property
    def hash(self) -> str:
        """What stands for what it says."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]

    @property
    def anchor(self) -> str:
        """Where it is in a page."""
        if not self.entry:
            return f"part-{self.text.replace('/', '-')}-{self.number}"
        study = self.text.rpartition("/")[0].rpartition("/")[2]
        return f"sec-{study}" if study else ""

    @property
    def start(self) -> str:
        """Its first words."""
        plain = _REFERENCE.sub("", bare(self.source)).replace("()", "")
        words = [w for w in plain.split() if w.strip("-+#>:|(),.;")]
        return " ".join(words[:_WORDS])

    @cached_property
    def printed(self) -> list[Printed]:
        """What its expressions print."""
        all = self.read.printed if self.read else ()
        return [one for one in all if self.first <= one.line <= self.last]

    @cached_property
    def edited(self) -> tuple[str, tuple[Token, ...]]:
        """Its words with tokens, and the tokens.

        All expressions stay as they are where the text has a comment among them.
        """
        if not self.read or COMMENT_START in self.source:
            return self.source, ()
        try:
            pieces = parse_text(self.source, self.read.path)
        except UserError:
            return self.source, ()
        if sum(not isinstance(one, Prose) for one in pieces) != len(self.printed):
            return self.source, ()
        tokens = list(_tokens(self.printed))
        following = iter(tokens)
        words = "".join(
            one.text if isinstance(one, Prose) else next(following).token
            for one in pieces
        )
        return words, tuple(tokens)

    @cached_property
    def words(self) -> list[str]:
        """Its words as a reader has them."""
        return reader_text(self.source).split()

    @cached_property
    def counts(self) -> Counter[str]:
        """How often it has each of them."""
        return Counter(self.words)

    @cached_property
    def heard(self) -> str:
        """What a quote is looked for in: its words with values printed."""
        return heard(self.edited[0].translate(_NO_BRACES))

    @cached_property
    def keys(self) -> frozenset[str]:
        """Those of the facts that it prints."""
        return frozenset(key for one in self.printed for key in one.keys)


def heard(words: str) -> str:
    """Words alone, without marks and numbers of figures, tables and sections."""
    plain = re.findall(r"\w+", _REFERENCE.sub(" ", reader_text(words)))
    return f" {' '.join(plain)} "


def likest_part(words: list[str], parts: list[EditedPart]) -> EditedPart | None:
    """The part that is most like some words, if any is like them."""
    counts, ratios = Counter(words), list[tuple[float, EditedPart]]()
    for one in parts:
        # So many words both have; only where that is enough their order is looked at.
        both, all_words = (counts & one.counts).total(), len(words) + len(one.words)
        if 2 * both >= _ALIKE * all_words:
            ratios.append((SequenceMatcher(None, words, one.words).ratio(), one))
    most, likest = max(ratios, key=lambda pair: pair[0], default=(0.0, None))
    return likest if most >= _ALIKE else None


def parts_in(checked: Checked, name: str) -> list[EditedPart]:
    """The parts of a file of the edition; a LookupError where it has none."""
    material = checked.material
    if not name.endswith(_DECLARED):
        return parts_of(own_texts(checked.texts, material.edition)[name])
    declared = declared_words(material.folder, material.edition)
    parts = [one for one in declared if one.text == name]
    if not parts:
        raise LookupError(name)
    return parts


def parts_of(text: Text) -> list[EditedPart]:
    """The parts of a text in its order."""
    parts: list[EditedPart] = []
    for block in text.tree.blocks:
        lists = block.kind.endswith(" list") and block.kind != "definition list"
        for node in block.children if lists else (block,):
            last = _last(node, text.tree.lines)
            source = "\n".join(text.tree.lines[node.line - 1 : last])
            place = node.line, last, _ends(text, node)
            parts.append(EditedPart(text.name, len(parts), source, *place, read=text))
    return parts


def _last(node: Node, lines: Sequence[str]) -> int:
    """The last line of a part, with the fence that ends a box."""
    fence = "".join(lines[node.last : node.last + 1]).strip()
    if node.kind == "div" and fence and not fence.strip(":"):
        return node.last + 1
    last = node.last
    while not lines[last - 1].strip() and last > node.line:
        last -= 1
    return last


def _ends(text: Text, part: Node) -> int:
    for node in part.walk():
        if node.kind == "paragraph" and not prints_alone(text, node):
            return node.last
    return 0


def _tokens(printed: Sequence[Printed]) -> Iterator[Token]:
    known: dict[str, str] = {}
    for one in printed:
        shows = one.words
        if not shows or len(shows) > _LONGEST or _UNFIT.search(shows):
            call = f"{{{{ {one.expression} }}}}"
            yield Token(call, one.expression, shows[:_LONGEST], one.facts)
            continue
        token, count = f"{{{shows}}}", 2
        while known.get(token, one.expression) != one.expression:
            token, count = f"{{{shows}, {count}}}", count + 1
        known[token] = one.expression
        yield Token(token, one.expression, shows, one.facts)


def with_expressions(words: str, tokens: Mapping[str, str]) -> str:
    """Words with the expression of each token in its place.

    A :class:`UserError` where something that looks like a token is none.
    """
    known = "|".join(
        map(re.escape, sorted(filter(None, tokens), key=len, reverse=True))
    )
    prose = content_of(words).prose  # braces in code are its own
    for piece in re.split(known, prose) if known else [prose]:
        for braces in _BRACES.finditer(piece):
            if _NUMBER.match(braces[1]):
                mend = "insert the value again, or take the braces away"
                raise user_error(f"{braces[0]} is no value of this text", mend=mend)
    if not known:
        return words
    return re.sub(known, lambda token: f"{{{{ {tokens[token[0]]} }}}}", words)


def with_words(content: str, part: EditedPart, words: str) -> tuple[str, range]:
    """A text with other words in the place of a part's, and the lines that they take.

    No words take the part away. They stand apart from those beside them where the part
    was an item or a box, and they are none.
    """
    lines = content.split("\n")
    before, after = lines[: part.first - 1], lines[part.last :]
    words = words.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    new = words.split("\n") if words else []
    if new and (_ITEM.match(part.source) or part.source.startswith(_BOX)):
        end = words.rpartition("\n\n")[2]
        if "".join(before[-1:]).strip() and not _ITEM.match(words):
            new.insert(0, "")
        if "".join(after[:1]).strip() and not _ITEM_OR_IN_IT.match(end):
            new.append("")
    if not new and after and not after[0].strip():
        after = after[1:]
    place = range(part.first, part.first + max(1, len(new)))
    return "\n".join([*before, *new, *after]), place


def declared_words(folder: Path, edition: Edition) -> Iterator[EditedPart]:
    """All words of an edition's declarations that a page prints."""
    yield from _declared(folder, _EDITION, "", _OF_EDITION)
    for study in edition.own_studies:
        yield from _declared(folder, f"studies/{study}/{_STUDY}", study, _OF_STUDY)


def _declared(
    folder: Path, file: str, study: str, printed: Mapping[str, str]
) -> Iterator[EditedPart]:
    data, number = load_yaml(folder / file)[0], 0
    for pattern, at in printed.items():
        several, _, key = pattern.rpartition(".*.")
        listed = enumerate(data.get(several) or ()) if several else [(0, data)]
        for n, one in listed:
            words = one.get(key) if isinstance(one, dict) else None
            if isinstance(words, str) and words:
                entry = pattern.replace("*", str(n))
                place = at.format(id=one.get("id"), study=study)
                yield EditedPart(file, number, words, entry=entry, at=place)
                number += 1


def rewritten(path: Path, entry: str, words: str) -> str:
    """The content of a declaration with other words at an entry.

    A :class:`analysis.errors.UserError` where the declaration would be none, or words
    could not stand there.
    """
    before = read_text(path)
    data, node = parse_yaml(before, path)
    keys = tuple(int(k) if k.isdecimal() else k for k in entry.split("."))
    wanted = inner = copy.deepcopy(data)
    for key in keys:
        outer, inner = inner, inner[key]
        named = isinstance(key, str)
        node = {k.value: v for k, v in node.value}[key] if named else node.value[key]
    outer[keys[-1]] = words
    start, end = node.start_mark.index, node.end_mark.index
    for form in (words, json.dumps(words, ensure_ascii=False)):
        after = f"{before[:start]}{form}{before[end:]}"
        try:
            read = parse_yaml(after, path)
        except UserError:
            continue
        if read[0] == wanted:
            model: Any = Edition if path.name == _EDITION else Study
            check_declared(*read, model, path)
            return after
    raise user_error("these words cannot stand there", path, mend="edit the file")


@dataclass
class Marking:
    """Marks the texts of one edition, most of which are again what they were."""

    _last: dict[str, tuple[Text, Text]] = field(default_factory=dict)

    def __call__(self, checked: Checked) -> Checked:
        """The texts of an edition with a mark for each part of its own."""
        edition, texts, last = checked.material.edition, dict(checked.texts), self._last
        self._last = {}
        for name, text in own_texts(checked.texts, edition).items():
            if of_slides(edition, name, text.study):
                continue
            before, marked = last.get(name, (None, text))
            if before is not text:
                notes = (*text.notes, *_marks(text, margin(checked, text)))
                marked = replace(text, notes=notes)
            texts[name], self._last[name] = marked, (text, marked)
        return replace(checked, texts=texts)


def _marks(text: Text, rests: Sequence[SentenceRests]) -> Iterator[tuple[int, str]]:
    """Marks by their places; before one stands what its sentences rest on."""
    for part in parts_of(text):
        if part.ends:
            about = f'text="{part.text}" number="{part.number}" hash="{part.hash}"'
            lines = [one for one in rests if part.first <= one.line <= part.last]
            beside = " ".join(
                f"[*{escape(' '.join(one.words.split()[:_FIRST]))} …* "
                f"{escape(one.margin_words)}]{{.rests}}"
                for one in (lines if any(one.data for one in lines) else ())
            )
            place = end_of_line(text, part.ends)
            yield place, f"{beside}[]{{#{part.anchor} .part {about}}}"
