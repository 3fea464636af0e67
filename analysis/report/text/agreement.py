"""Whether Pandoc reads a text as our grammar does, so that its checks hold.

Pandoc renders what the checks have passed. A text in which the two see other blocks,
links, code, notes, citations or words is refused where the first difference lies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from analysis.errors import Issue, Place, user_error
from analysis.files.atomic import whole_file
from analysis.programs.child import run_child
from analysis.report.text.marked import Marked
from analysis.report.text.pandoc_program import READER, pandoc_program
from analysis.report.text.pandoc_sights import Sight, pandoc_sights, told
from analysis.report.text.tree import LEAVES, Node, Tree

_SCRIPT = Path(__file__).with_name("read.lua")
_MEND = (
    "put a blank line before and after lists, quotes, tables, boxes and code, no ` "
    "into names and addresses, and \\ before a character that shall be one"
)
_JOIN = "join it with the line before: alone, @name and a full stop number an example"
_KEPT = 2_000  # texts that both read alike: those of an edition and of its last edits
_DEEP = 20  # notes within notes


def disagreements(
    texts: Mapping[Path, Marked], known: Path
) -> Callable[[], list[Issue]]:
    """What to call for the issues of texts that Pandoc reads in another way.

    Pandoc is asked meanwhile. The file ``known`` keeps the digests of texts that both
    read alike, of which it is not asked again.
    """
    program = _program()
    digests = {
        path: hashlib.sha256(program + marked.text.encode()).hexdigest()
        for path, marked in texts.items()
    }
    read = _read(known)
    agreed = set(read)
    asked = [path for path, digest in digests.items() if digest not in agreed]
    pool = ThreadPoolExecutor(max_workers=1)
    trees = pool.submit(pandoc_trees, [texts[path].text for path in asked])
    pool.shutdown(wait=False)

    def answer() -> list[Issue]:
        issues = [
            issue
            for path, tree in zip(asked, trees.result(), strict=True)
            for issue in check_agreement(texts[path], tree, path)
        ]
        if asked and not issues:
            _write(known, [*read, *(digests[path] for path in asked)])
        return issues

    return answer


@cache
def _program() -> bytes:
    """What the answers depend on beside a text: Pandoc, the parser and this code."""
    pandoc = Path(pandoc_program()).stat()
    about = [READER, version("markdown-it-py"), version("mdit-py-plugins")]
    code = [path.read_bytes() for path in sorted(_SCRIPT.parent.glob("*.py"))]
    told = json.dumps([pandoc.st_size, pandoc.st_mtime_ns, *about])
    return hashlib.sha256(b"".join([told.encode(), *code])).digest()


def _read(known: Path) -> list[str]:
    try:
        return known.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return []


def _write(known: Path, agreed: Sequence[str]) -> None:
    """Keep the last digests; where nothing can be kept, Pandoc is asked again."""
    kept = list(dict.fromkeys(agreed))[-_KEPT:]
    with suppress(OSError), whole_file(known, rivals=True) as draft:
        draft.write_text("\n".join(kept), encoding="ascii")


def pandoc_trees(texts: Sequence[str]) -> list[Any]:
    """The trees that Pandoc makes of texts, in one call of it."""
    if not texts:
        return []
    command = [pandoc_program(), "lua", str(_SCRIPT), READER]
    done = run_child(command, Path.cwd(), json.dumps(texts).encode())
    if done.code != 0:
        said = done.errors.decode("utf-8", "replace").strip()
        raise user_error(f"Pandoc cannot read the texts: {said}", Path.cwd())
    found: list[Any] = json.loads(done.output)
    return found


def check_agreement(marked: Marked, pandoc: Any, path: Path) -> list[Issue]:
    """The first place at which Pandoc's tree of a text is another than ours."""
    if pandoc["meta"]:
        what = "Pandoc reads metadata in the text"
        return [Issue(what, Place(str(path)), "begin no line with --- or %")]
    ours, theirs = list(_ours(marked.tree)), list(pandoc_sights(pandoc["blocks"]))
    found = _difference(ours, theirs)
    if found is None:
        return []
    here, there = found
    place = Place(str(path), here.line or (ours[-1].line if ours else 1))
    what = f"Pandoc reads this in another way: {there} instead of {here}"
    return [Issue(what, place, _JOIN if here.what == "citation" else _MEND)]


_END = Sight("the end of the text")


def _difference(ours: list[Sight], theirs: list[Sight]) -> tuple[Sight, Sight] | None:
    """The first that differs of what two readers see; words may come in pieces."""
    here, there = iter(_bare(ours)), iter(_bare(theirs))
    mine, yours = next(here, _END), next(there, _END)
    while mine.same == yours.same or "words" == mine.what == yours.what:
        if mine is _END:
            return None
        one, other = mine.same[1], yours.same[1]
        if mine.what == "words" and one != other:
            if one.startswith(other):
                mine, yours = replace(mine, words=one[len(other) :]), next(there, _END)
            elif other.startswith(one):
                mine, yours = next(here, _END), replace(yours, words=other[len(one) :])
            else:
                break
        else:
            mine, yours = next(here, _END), next(there, _END)
    while mine.what.startswith("the end of a ") and yours.what == "words":
        mine = next(here, _END)  # what begins here is no block to Pandoc
    return mine, yours


def _bare(sights: list[Sight]) -> Iterator[Sight]:
    return (sight for sight in sights if sight.what != "words" or sight.same[1])


def _ours(tree: Tree) -> Iterator[Sight]:
    for block in tree.blocks:
        yield from _block(block, tree.notes, 0)


def _block(node: Node, notes: dict[str, Node], depth: int) -> Iterator[Sight]:
    kind, line = node.kind, node.line
    if kind == "note":  # is seen where it is meant
        return
    if kind == "code block":
        yield Sight(kind, f"{node.mark} {node.words}", line)
        return
    own = told(node.attributes)
    if kind == "table":
        own = told(node.children[0].attributes)
    elif kind == "heading":  # Pandoc makes one up where there is none
        own = f"{node.level} {told(replace(node.attributes, id=''))}"
    yield Sight(kind, own if kind in ("table", "heading", "div") else "", line)
    for child in node.children:
        if kind in LEAVES or kind == "cell":
            yield from _span(child, notes, depth)
        elif not _is_empty_head(child):
            yield from _block(child, notes, depth)
    yield Sight(f"the end of a {kind}", line=node.last)


def _is_empty_head(node: Node) -> bool:
    """Whether it is the first row of a table without heads."""
    cells = node.children
    return node.mark == "head" and not any(cell.children for cell in cells)


def _span(node: Node, notes: dict[str, Node], depth: int) -> Iterator[Sight]:
    kind, line = node.kind, node.line
    if kind in ("words", "character"):
        yield Sight("words", node.words, line)
    elif kind in ("code", "citation", "image", "html"):
        yield Sight(kind, f"{node.words} {told(node.attributes)}", line)
    elif kind in ("link", "span"):
        yield Sight(kind, f"{node.words} {told(node.attributes)}", line)
        for child in node.children:
            yield from _span(child, notes, depth)
        yield Sight(f"the end of a {kind}", line=node.last)
    elif kind == "note mark" and depth < _DEEP:
        yield Sight("note", line=line)
        if node.words:
            for child in notes[node.words].children:
                yield from _block(child, notes, depth + 1)
        else:
            yield Sight("paragraph", line=line)
            for child in node.children:
                yield from _span(child, notes, depth + 1)
            yield Sight("the end of a paragraph", line=line)
        yield Sight("the end of a note", line=line)
