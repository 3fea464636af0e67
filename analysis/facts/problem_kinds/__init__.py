"""Words for what is wrong in raw files, by what they are; a kind is named once."""

from __future__ import annotations

from collections.abc import Mapping

from analysis.facts.kind import Kind
from analysis.facts.problem_kinds.dumps import DUMPS
from analysis.facts.problem_kinds.files import FILES
from analysis.facts.problem_kinds.linux import LINUX
from analysis.facts.problem_kinds.logs import LOGS
from analysis.facts.problem_kinds.rmf import RMF

PROBLEMS: Mapping[str, Kind] = {**FILES, **LOGS, **LINUX, **RMF, **DUMPS}
