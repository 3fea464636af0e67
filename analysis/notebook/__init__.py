"""Facts and tables as polars frames, for notebooks and scripts.

``from analysis.notebook import load_facts, load_tables``
"""

from __future__ import annotations

from analysis.notebook.frames import load_facts, load_tables

__all__ = ["load_facts", "load_tables"]
