"""All passages of an edition, as the checks of words meet them one by one."""

from __future__ import annotations

from analysis.report.claims.checked import Checked
from analysis.report.lint.page_texts import PageText, declared_texts, texts_of


def page_texts(checked: Checked) -> list[PageText]:
    """Those of its texts, then those of its declarations."""
    texts = [p for text in checked.texts.values() for p in texts_of(text)]
    return [*texts, *declared_texts(checked)]
