"""The environment configuration of a study, from what its campaigns declare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from analysis.declared.campaign import Campaign, Configuration
from analysis.declared.study import Study
from analysis.report.pipe_table import BREAK, Column, breakable, escape, table

_NONE = "–"
# More configurations than these stand in rows: side by side they would be too narrow.
_BESIDE = 3
_SETTINGS = 5
_WIDEST = 30
_CAPTION = "Settings that differ. Bold: unlike the baseline."


@dataclass(frozen=True)
class _Set:
    """The configurations of a study by id, and which settings differ among them."""

    study: Study
    found: Mapping[str, Configuration]
    usual: Mapping[str, str]

    @property
    def settings(self) -> list[str]:
        """All settings but those that every configuration has as is usual."""
        own = dict.fromkeys(k for c in self.found.values() for k in c.details)
        return [setting for setting in {**own, **self.usual} if self._says(setting)]

    def values(self, setting: str) -> list[str]:
        """The setting of every configuration as text; a dash where it has none."""
        texts = (c.details.get(setting, _NONE) for c in self.found.values())
        return [breakable(escape(text)) for text in texts]

    def differs(self, setting: str) -> bool:
        return len(set(self.values(setting))) > 1

    def marked(self, values: Sequence[str]) -> list[str]:
        """Values, those of tests that differ from their own baseline in bold."""
        by_id = dict(zip(self.found, values, strict=True))
        return [
            f"**{text}**" if text != by_id.get(self._against(id), text) else text
            for id, text in by_id.items()
        ]

    def role(self, id: str) -> str:
        """What a configuration is for: the baseline, a test, or a test of another."""
        if self.study.of_values:
            return ""
        if id not in self.study.tests:
            return "baseline"
        several = self.study.several_baselines
        return f"test; baseline: {self.name(self._against(id))}" if several else "test"

    def name(self, id: str) -> str:
        """What readers call a configuration."""
        return escape(self.found[id].label if id in self.found else id)

    def _says(self, setting: str) -> bool:
        texts = {str(c.details.get(setting, _NONE)) for c in self.found.values()}
        return texts != {self.usual.get(setting)}

    def _against(self, id: str) -> str:
        return self.study.baseline_of(id) if id in self.study.tests else id


def usual_settings(
    studies: Iterable[Study], campaigns: Mapping[str, Campaign]
) -> dict[str, str]:
    """The settings that more than half of the configurations of several studies have.

    A page says these once, and of a study what is unlike them; none of a study alone.
    """
    several = list(studies)
    known = {
        name: configuration
        for study in several
        for name, configuration in _known(study, campaigns).items()
    }
    pairs = Counter(
        (setting, str(text))
        for configuration in known.values()
        for setting, text in configuration.details.items()
    )
    found = {pair[0]: pair[1] for pair, n in pairs.items() if 2 * n > len(known)}
    return found if len(several) > 1 else {}


def usual_lines(usual: Mapping[str, str]) -> list[str]:
    """The usual settings, line by line."""
    return [f"{escape(s)}: {breakable(escape(text))}" for s, text in usual.items()]


def configuration_parts(
    id: str,
    study: Study,
    campaigns: Mapping[str, Campaign],
    usual: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """What all configurations share as a list, then what differs as a table.

    What is ``usual`` stands elsewhere, and is left out where all have it. Up to three
    configurations stand side by side; of more, each is a row. What differs from a
    test's baseline is bold.
    """
    own = _Set(study, _known(study, campaigns), usual)
    if study.of_values and own.settings:
        return _list(own, own.settings)
    shared = [s for s in own.settings if not own.differs(s)]
    apart = [s for s in own.settings if own.differs(s)]
    draw = _beside if len(own.found) <= _BESIDE else _in_rows
    return "\n\n".join(filter(None, [_list(own, shared), *draw(id, own, apart)]))


def _known(study: Study, campaigns: Mapping[str, Campaign]) -> dict[str, Configuration]:
    """The configurations of a study that its campaigns declare, in its order."""
    known = {
        name: campaigns[campaign].configurations[name]
        for campaign in study.campaigns
        for name in study.configurations
        if name in campaigns[campaign].configurations
    }
    return {name: known[name] for name in study.configurations if name in known}


def _list(own: _Set, settings: list[str]) -> str:
    if not settings:
        return ""
    every = "Both" if len(own.found) == 2 else "All"
    lines = [f"- {escape(s)}: {own.values(s)[0]}" for s in settings]
    lead = f"{every} configurations have:"
    if len(own.found) == 1:
        lead = f"{own.name(next(iter(own.found)))}:"
    return "\n".join([lead, "", "::: {.facts-list}", *lines, ":::"])


def _beside(id: str, own: _Set, settings: list[str]) -> list[str]:
    if not settings:
        return ["The declared settings are the same."]
    heads = [f"{own.name(name)} ({own.role(name)})" for name in own.found]
    columns = [Column("Setting", 24), *(Column(head, 22) for head in heads)]
    rows = [[escape(s), *_cells(own, s)] for s in settings]
    return [table(columns, rows, _CAPTION, f"{id}-configuration")]


def _in_rows(id: str, own: _Set, settings: list[str]) -> list[str]:
    made = []
    for number, start in enumerate(range(0, max(len(settings), 1), _SETTINGS)):
        part = settings[start : start + _SETTINGS]
        columns = [Column("Configuration", 20), Column("Role", 18)]
        columns += [Column(escape(s), _width(own, s)) for s in part]
        cells = list(zip(*(_cells(own, s) for s in part), strict=True))
        values = cells or [()] * len(own.found)
        rows = [
            [own.name(name), own.role(name), *row]
            for name, row in zip(own.found, values, strict=True)
        ]
        more = f"-{number + 1}" if number else ""
        caption = _CAPTION if settings else "The configurations."
        made.append(table(columns, rows, caption, f"{id}-configuration{more}"))
    return made


def _cells(own: _Set, setting: str) -> list[str]:
    return own.marked(own.values(setting))


def _width(own: _Set, setting: str) -> int:
    """As wide as the longest text, within reason, but never narrower than a word."""
    texts = [setting, *own.values(setting)]
    words = max(_breadth(word) for text in texts for word in _words(text))
    return max(words, min(max(map(len, texts)), _WIDEST))


def _words(text: str) -> list[str]:
    return text.replace(BREAK, " ").split()


def _breadth(word: str) -> int:
    """Characters that a bold word and the gap beside it take; capitals are wide."""
    return len(word) + sum(c.isupper() for c in word) // 3 + 2
