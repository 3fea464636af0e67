"""What a check of the report's words finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.errors import Issue

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Finding:
    """One finding: how bad, of which check, and the issue itself."""

    severity: Severity
    check: Literal["text", "lint", "claim", "review"]
    issue: Issue
