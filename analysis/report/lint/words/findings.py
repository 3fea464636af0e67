"""All findings on the wording of an edition's texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from analysis.report.claims.checked import Checked
from analysis.report.lint.finding import Finding, Severity
from analysis.report.lint.words.block_check import BlockCheck, WordingIssue
from analysis.report.lint.words.edition_wording import EditionWording
from analysis.report.lint.words.passages import marks, passages
from analysis.report.lint.words.prints import Print
from analysis.report.lint.words.unused import check_untold, check_unused
from analysis.report.text.texts import Text

UNBACKED: Severity = "warning"  # of what could be false, and nothing stands behind


def wording_findings(checked: Checked) -> Iterator[Finding]:
    """Errors for what the data contradict, and what nothing stands behind.

    Then warnings of claims that no sentence uses, and of findings that none tells.
    """
    knowledge = EditionWording(checked)
    for text in checked.texts.values():
        for remark in remarks(text, knowledge):
            yield Finding("error" if remark.sure else UNBACKED, "lint", remark.issue)
    for issue in (*check_unused(checked), *check_untold(checked, knowledge.prints)):
        yield Finding("warning", "lint", issue)


def remarks(text: Text, knowledge: EditionWording) -> list[WordingIssue]:
    """What there is to say of the words of a text, in its order."""
    printed, found = knowledge.prints.of(text), list[WordingIssue]()
    every = passages(text.tree)
    near: dict[int, list[Print]] = defaultdict(list)
    for passage in every:
        near[passage.whole] += [printed[n] for _, n in marks(passage.words)]
    for passage in every:
        own = near[passage.whole]
        found += BlockCheck(knowledge, text, passage, printed, own).remarks()
    return found
