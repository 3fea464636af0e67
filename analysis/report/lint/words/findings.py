"""All findings on the wording of a text, of declarations, and of both together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from analysis.report.lint.finding import Finding, Severity
from analysis.report.lint.page_texts import PageText
from analysis.report.lint.words.block_check import BlockCheck
from analysis.report.lint.words.edition_wording import EditionWording
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.relevance import Place as Role
from analysis.report.lint.words.remarks import Whence, WordingIssue
from analysis.report.lint.words.text_blocks import block_of, marks, text_blocks
from analysis.report.lint.words.unused import check_untold, check_unused
from analysis.report.text.glossary import GLOSSARY
from analysis.report.text.texts import ANSWER, OBSERVATIONS, SLIDES, Text

UNBACKED: Severity = "held"  # of what could be false, and nothing stands behind

_TELLING = (OBSERVATIONS, ANSWER, SLIDES)  # the texts of a study that tell its results


def check_wording(text: Text, knowledge: EditionWording) -> list[Finding]:
    """Errors for what the data contradict, and what nothing stands behind."""
    return _findings(remarks(text, knowledge))


def check_entries(
    entries: Iterable[PageText], knowledge: EditionWording
) -> list[Finding]:
    """The same of what an author declared."""
    own = (entry for entry in entries if entry.kind == "entry")
    return _findings(r for entry in own for r in remarks_on_entry(entry, knowledge))


def check_told(knowledge: EditionWording) -> Iterator[Finding]:
    """Warnings of claims that no sentence uses, and of findings that none tells."""
    checked = knowledge.checked
    for issue in (*check_unused(checked), *check_untold(checked, knowledge.prints)):
        yield Finding("warning", "lint", issue)


def _findings(found: Iterable[WordingIssue]) -> list[Finding]:
    return [Finding("error" if r.sure else UNBACKED, "lint", r.issue) for r in found]


def remarks(text: Text, knowledge: EditionWording) -> list[WordingIssue]:
    """What there is to say of the words of a text, in its order."""
    printed, found = knowledge.prints.of(text), list[WordingIssue]()
    every = text_blocks(text.tree)
    near: dict[int, list[Print]] = defaultdict(list)
    for passage in every:
        near[passage.whole] += [printed[n] for _, n in marks(passage.words)]
    observing = text.study is not None and text.path.stem in _TELLING
    place: Role = "observations" if observing else "study" if text.study else "edition"
    summary = knowledge.material.edition.summary
    results = observing or text.name == summary
    whence = Whence(text.path, place, text.study, text.source.allow, results)
    for passage in every:
        own = near[passage.whole]
        found += BlockCheck(knowledge, whence, passage, printed, own).remarks()
    return found


def remarks_on_entry(entry: PageText, knowledge: EditionWording) -> list[WordingIssue]:
    """The same of a title or another entry that an author declared."""
    whence = Whence(entry.path, "declaration", entry.study)
    around = (entry.entry.partition(".")[0],) if entry.path.name == GLOSSARY else ()
    block = block_of(entry.words, entry.line, around)
    return BlockCheck(knowledge, whence, block, (), ()).remarks()
