"""Everything that lies beside the text of a document, made with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from analysis.report.beside import cards, explorer, ledger
from analysis.report.beside.frame import frame_of
from analysis.report.beside.published_page import published_file
from analysis.report.claims.checked import Checked
from analysis.report.pages.fonts import CACHE, font_css

# What readers get as files of their own; the page holds the cards.
PAGES = (ledger.PAGE, explorer.PAGE)


def pages_beside(
    checked: Checked,
    keys: Iterable[str],
    averages: Mapping[str, str],
    banner: str,
    templates: Path,
    slides: Mapping[str, str],
) -> Mapping[str, str]:
    """Pages and data by file name, without the build's id.

    The text prints the facts of ``keys``, and of ``averages`` what they map to.
    ``slides`` has the first slide of each study that has one.
    """
    material = checked.material
    about = (font_css(CACHE), published_file(material), slides)
    frame = frame_of(material, banner, templates, *about)
    return {
        ledger.PAGE: ledger.facts_page(material, averages, frame),
        explorer.PAGE: explorer.explorer_page(material, frame),
        cards.FILE: cards.cards(checked, keys),
    }
