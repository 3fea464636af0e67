"""A reviewed text, written so that Pandoc reads in it what our grammar does.

The checks look at the tree of a text, and Pandoc renders it. So it gets no text as its
author typed it, but one that is written from the tree: whatever is a word there is
escaped wherever Pandoc could take it for a mark, and blocks are set apart.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

from markdown_it.tree import SyntaxTreeNode as Parsed

from analysis.report.text.grammar import (
    CITED,
    NONE,
    Attributes,
    caption_mark,
    make_grammar,
)

# What Pandoc is told to read. Nothing in a document is raw: the filters make all HTML
# and Typst that is needed.
READER = (
    "markdown-raw_html-raw_tex-raw_attribute-native_divs-native_spans-tex_math_dollars"
)
_GRAMMAR = make_grammar()
_MARKS = re.compile(r"[\\`*_<>{}^~|@]|&(?=[#\w])|!$")
_BRACKET = re.compile(r"[\[\]]")
# What begins a block at the start of a line: marks of lists, rules, quotes, headings,
# boxes, metadata; and numbers or letters that Pandoc takes for those of a list.
_LINE_START = re.compile(
    r"(?P<mark>[-+#=:%]|\((?=@))|\(?(?:\d+|[A-Za-z]|(?i:[ivxlcdm]+))(?P<end>[.)])(?=\s|$)"
)
_CITED_FIRST = re.compile(rf"{CITED.pattern}(?=[.)])")  # or it numbers an example
# Small, raised or struck words, which are words to the checks and more to Pandoc.
_STYLED = re.compile(r"~~[^\s~][^~\n]*~~|\^[\w+,.−-]+\^|~[\w+,.−-]+~")
_GOES_ON = re.compile(r"[:.#$%&+?<>~/-]+[\w{]|[.:/]{2}")  # what a key could go on with
_PLAIN_ADDRESS = re.compile(r"[^\s()<>\\\"'`*_\[\]]+")
_DASHES = re.compile(r"[|:\- \t]*-[|:\- \t]*$")
_CLOSE = ("footnote_ref", "span", "link", "attributes")  # end with a bracket
Insertion = tuple[int, str]  # an offset into a text, and what stands there


def write(
    text: str,
    insertions: Iterable[Insertion] = (),
    deeper: int = 0,
    prefix: str = "",
    lines: range | None = None,
) -> str:
    """The Markdown of a text for Pandoc, or of the blocks that begin on some lines.

    ``insertions`` are Markdown of the program's: words, or paragraphs that begin with
    an empty line. Headings are some levels ``deeper``; labels of footnotes have a
    ``prefix``, as all texts share one document.
    """
    ordered = [
        (at, words)
        for at, words in sorted(insertions, key=itemgetter(0))
        if lines is None or text.count("\n", 0, at) in lines
    ]
    stand_in = next(c for c in map(chr, range(0x2E18, 0x2E50)) if _may_stand(c, text))
    parts, done = [], 0
    for place, words in ordered:
        alone = words.startswith("\n\n")
        parts += [text[done:place], f"\n\n{stand_in}\n\n" if alone else stand_in]
        done = place
    text = "".join([*parts, text[done:]])
    environment: dict[str, Any] = {}
    root = Parsed(_GRAMMAR.parse(text, environment))
    nodes = [n for n in root.children if lines is None or _lines(n)[0] in lines]
    written = _Writer(text, environment, deeper, prefix).blocks(nodes)
    first, *others = written.split(stand_in)
    filled = (
        words.strip("\n") if words.startswith("\n\n") else words for _, words in ordered
    )
    both = zip(filled, others, strict=True)
    return "".join([first, *(part for pair in both for part in pair)])


def _may_stand(character: str, text: str) -> bool:
    """Whether a mark of punctuation, which changes nothing beside it, is free."""
    return unicodedata.category(character) == "Po" and character not in text


class _Writer:
    """Writes the nodes of one text."""

    def __init__(
        self, text: str, environment: dict[str, Any], deeper: int, prefix: str
    ) -> None:
        self.lines = text.split("\n")
        self.notes = environment.get("footnotes", {}).get("list", {})
        self.deeper, self.prefix = deeper, prefix

    def blocks(self, nodes: Sequence[Parsed], tight: bool = False) -> str:
        """Blocks, an empty line between two but in a list whose author left it out."""
        captions = _captions(nodes)
        written = [
            self.caption(node) if node in captions else self.block(node)
            for node in nodes
        ]
        parts = written[:1]
        for (before, after), words in zip(pairwise(nodes), written[1:], strict=True):
            close = tight and not self.is_apart(before, after)
            parts += ["\n" if close else "\n\n", words]
        return "".join(parts)

    def is_apart(self, before: Parsed, after: Parsed) -> bool:
        """Whether the text has an empty line between two blocks."""
        last = self.lines[_lines(after)[0] - 1]
        return _lines(before)[0] < _lines(after)[0] - 1 and not last.strip(" \t>")

    def block(self, node: Parsed) -> str:
        """One block."""
        match node.type:
            case "paragraph":
                return self.leaf(node)
            case "heading":
                marks = "#" * (int(node.tag[1]) + self.deeper)
                words = self.leaf(node).replace("\n", " ")
                ends = re.sub(r"(?<!\\)#$", r"\\#", words)
                return f"{marks} {ends}{_attributes(node, ' ')}"
            case "bullet_list" | "ordered_list":
                return self.list(node)
            case "blockquote":
                return _indented(self.blocks(node.children), "> ", "> ")
            case "div":
                inner = self.blocks(node.children)
                return f":::{_attributes(node, ' ')}\n\n{inner}\n\n:::"
            case "table":
                return self.table(node)
            case "dl":
                return self.definitions(node)
            case "footnote_reference":
                label = f"[^{self.prefix}{node.meta['label']}]: "
                return label + _indented(self.blocks(node.children), "", "    ")
            case "fence" | "code_block":
                return _code_block(node)
            case "hr":
                return "***"
            case _:  # raw HTML, which is refused before
                return _escaped(node.content)

    def leaf(self, node: Parsed) -> str:
        """The words of a block; none can begin another block."""
        inline = node.children[0] if node.children else None
        written = self.spans(inline.children) if inline else ""
        return "\n".join(map(_line, written.split("\n")))

    def caption(self, node: Parsed) -> str:
        """The caption of the table beside it."""
        written = self.spans(node.children[0].children)
        words = written[caption_mark(written) :]
        return f": {words}{_attributes(node, ' ')}"

    def list(self, node: Parsed) -> str:
        """A list of items, numbered on from its first number."""
        start = int(node.attrs.get("start", 1))
        end = node.markup or "."
        tight = node.children[0].children[:1]
        close = not tight or tight[0].type != "paragraph" or tight[0].hidden
        parts: list[str] = []
        for nth, item in enumerate(node.children):
            bullet = node.type == "bullet_list"
            mark = "- " if bullet else f"{start + nth}{end} "
            words = self.blocks(item.children, tight=True)
            if nth:
                before = node.children[nth - 1]
                apart = not close or self.is_apart(before, item)
                parts.append("\n\n" if apart and self.is_apart(before, item) else "\n")
            parts.append(_indented(words, mark, " " * len(mark)))
        return "".join(parts)

    def definitions(self, node: Parsed) -> str:
        """Terms with their definitions."""
        parts: list[str] = []
        for nth, part in enumerate(node.children):
            apart = nth > 0 and self.is_apart(node.children[nth - 1], part)
            if part.type == "dt":
                parts += ["\n\n"] if nth else []
                parts.append(self.leaf(part).replace("\n", " "))
            else:
                inner = self.blocks(part.children)
                parts += ["\n\n" if apart else "\n"]
                parts.append(_indented(inner, ":   ", "    "))
        return "".join(parts)

    def table(self, node: Parsed) -> str:
        """A table of cells; the dashes are the author's, as they set its widths."""
        rows = [row for part in node.children for row in part.children]
        found = _DASHES.search(self.lines[_lines(node)[0] + 1])
        dashes = found[0].strip() if found else "|---" * len(rows[0].children) + "|"
        lines = [
            "| " + " | ".join(self.leaf(cell) for cell in row.children) + " |"
            for row in rows
        ]
        return "\n".join([lines[0], dashes, *lines[1:]])

    def spans(self, nodes: Sequence[Parsed]) -> str:
        """What stands in a line."""
        plain = _plain_brackets(nodes)
        parts: list[str] = []
        for nth, node in enumerate(nodes):
            before = nodes[nth - 1] if nth else None
            if node.type == "text":
                words = _escaped(node.content, plain.get(nth, frozenset()))
                closed = before and before.type not in ("text", "text_special")
                parts.append("\\" + words if closed and words[:1] == "(" else words)
            elif node.type == "citation":
                after = nodes[nth + 1 : nth + 2]
                goes_on = after and _GOES_ON.match(after[0].content)
                parts.append(_citation(node.content, bool(goes_on)))
            else:
                parts.append(self.span(node))
        return "".join(parts)

    def span(self, node: Parsed) -> str:
        """One span that is no plain word."""
        match node.type:
            case "text_special":
                return _escaped_character(node.content)
            case "softbreak":
                return "\n"
            case "hardbreak":
                return "\\\n"
            case "em" | "strong":
                mark = "*" * len(node.markup)
                return f"{mark}{self.spans(node.children)}{mark}"
            case "code_inline":
                return _code(node.content)
            case "link":
                return self.link(node)
            case "image":
                target = _target(str(node.attrs["src"]), node.attrs.get("title"))
                return f"![{self.spans(node.children)}]({target})"
            case "span":
                return f"[{self.spans(node.children)}]"
            case "attributes":
                return _written(node.meta["attributes"])
            case "footnote_ref":
                return self.note(node)
            case _:  # raw HTML, which is refused before
                return _escaped(node.content)

    def link(self, node: Parsed) -> str:
        """A link with its words and address."""
        address = str(node.attrs["href"])
        if node.markup == "autolink":
            return f"<{node.children[0].content}>"
        target = _target(address, node.attrs.get("title"))
        return f"[{self.spans(node.children)}]({target})"

    def note(self, node: Parsed) -> str:
        """The mark of a note, or the note where it is meant."""
        if "label" in node.meta:
            return f"[^{self.prefix}{node.meta['label']}]"
        inner = self.notes[node.meta["id"]]["tokens"]
        return f"^[{self.spans(Parsed(inner).children)}]"


def _lines(node: Parsed) -> tuple[int, int]:
    """On which lines a block stands, up to the second; its parts may not know."""
    return node.map or (_lines(node.children[0]) if node.children else (0, 0))


def _captions(nodes: Sequence[Parsed]) -> set[Parsed]:
    """The paragraphs that are captions of a table beside them, one for each."""
    found: set[Parsed] = set()
    for place, node in enumerate(nodes):
        for near in (place + 1, place - 1):
            if node.type == "table" and 0 <= near < len(nodes):
                other = nodes[near]
                own = other.children[0] if other.type == "paragraph" else None
                if own and other not in found and caption_mark(own.content):
                    found.add(other)
                    break
    return found


def _plain_brackets(nodes: Sequence[Parsed]) -> dict[int, frozenset[int]]:
    """Where brackets of words hold or follow a citation, and so belong to it: by the
    place of the words, the offsets in them."""
    found: dict[int, set[int]] = {}
    opened: list[tuple[int, int, bool, bool]] = []  # where, and what stands before
    cited: list[int] = []  # the places of citations
    for nth, node in enumerate(nodes):
        if node.type == "citation":
            cited.append(nth)
        if node.type != "text":
            continue
        for bracket in _BRACKET.finditer(node.content):
            if bracket[0] == "[":
                before = node.content[: bracket.start()]
                behind = not before.strip() and nth - 1 in cited
                joined = not before and nth > 0 and nodes[nth - 1].type in _CLOSE
                opened.append((nth, bracket.start(), behind, joined))
            elif opened:
                first, at, behind, joined = opened.pop()
                if joined or _begins_link(nodes, nth, bracket.end()):
                    continue
                if behind or any(first < place < nth for place in cited):
                    found.setdefault(first, set()).add(at)
                    found.setdefault(nth, set()).add(bracket.start())
    return {nth: frozenset(places) for nth, places in found.items()}


def _begins_link(nodes: Sequence[Parsed], nth: int, end: int) -> bool:
    """Whether what follows a bracket could make it the words of a link."""
    after = nodes[nth].content[end:]
    if after:
        return after[0] in "[({"
    return nth + 1 < len(nodes) and nodes[nth + 1].type in ("link", "span")


def _escaped(words: str, plain: frozenset[int] = frozenset()) -> str:
    """Words of which Pandoc takes no character for a mark, but the brackets at the
    places that are ``plain``."""
    marked = {found.start() for found in _MARKS.finditer(words)}
    marked |= {b.start() for b in _BRACKET.finditer(words) if b.start() not in plain}
    for styled in _STYLED.finditer(words):
        marked -= {n for n in range(*styled.span()) if words[n] in "~^"}
    return "".join(f"\\{c}" if n in marked else c for n, c in enumerate(words))


def _citation(key: str, goes_on: bool) -> str:
    """A key, in braces where Pandoc would read another one."""
    return f"@{{{key}}}" if goes_on or "://" in key else f"@{key}"


def _escaped_character(character: str) -> str:
    """A character that its author escaped, or wrote as an entity."""
    return f"\\{character}" if character in string.punctuation else character


def _line(line: str) -> str:
    """A line of a paragraph of which Pandoc begins no block."""
    line = _CITED_FIRST.sub(r"@{\1}", line) if _CITED_FIRST.match(line) else line
    found = _LINE_START.match(line)
    if found is None:
        return line
    at = found.start("mark") if found["mark"] else found.start("end")
    return f"{line[:at]}\\{line[at:]}"


def _attributes(node: Parsed, before: str) -> str:
    """The attributes of a block; nothing where it has none."""
    own: Attributes = node.meta.get("attributes", NONE)
    return "" if own == NONE else before + _written(own)


def _written(own: Attributes) -> str:
    named = (one.partition("=") for one in own.named)
    words = [
        *([f"#{own.id}"] if own.id else []),
        *(f".{name}" for name in own.classes),
        *(f'{name}="{_quoted(value)}"' for name, _, value in named),
    ]
    return f"{{{' '.join(words)}}}"


def _quoted(value: str) -> str:
    return re.sub(r'([\\"])', r"\\\1", value)


def _target(address: str, title: str | float | None) -> str:
    marked = re.sub(r"([<>])", r"\\\1", address)
    written = address if _PLAIN_ADDRESS.fullmatch(address) else f"<{marked}>"
    return f'{written} "{_quoted(str(title))}"' if title else written


def _code(content: str) -> str:
    """Code in a line, between more backticks than it has in a row."""
    longest = max(map(len, re.findall("`+", content)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if content.startswith("`") or content.endswith("`") else ""
    return f"{ticks}{pad}{content}{pad}{ticks}"


def _code_block(node: Parsed) -> str:
    longest = max(map(len, re.findall("`+", node.content)), default=0)
    ticks = "`" * max(3, longest + 1)
    info = node.info.strip().lower()
    return f"{ticks}{info}\n{node.content.removesuffix(chr(10))}\n{ticks}"


def _indented(text: str, first: str, others: str) -> str:
    """A text with something before its first line, and before the others."""
    lines = text.split("\n")
    rest = (f"{others}{line}".rstrip(" ") if not line else f"{others}{line}"
            for line in lines[1:])  # fmt: skip
    return "\n".join([f"{first}{lines[0]}", *rest])
