"""What a check of the report's words finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from analysis.errors import Issue

# ``held`` is what could be false: a draft shows it, and no final edition goes out with
# it. ``error`` is false or unbound in either, ``warning`` for a person to look at.
Severity = Literal["error", "held", "warning"]
STOPS = "stops a final edition"


@dataclass(frozen=True)
class Finding:
    """One finding: how bad, of which check, and the issue itself."""

    severity: Severity
    check: Literal["text", "lint", "claim", "review"]
    issue: Issue

    def stops(self, final: bool) -> bool:
        """Whether it is an error: of what is held, only in a final edition."""
        return self.severity == "error" or (final and self.severity == "held")

    def prefix(self, final: bool) -> str:
        """How a message begins: ``error``, or ``warning (stops a final edition)``."""
        if self.stops(final):
            return "error"
        return f"warning ({STOPS})" if self.severity == "held" else "warning"
