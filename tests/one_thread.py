"""Polars with one thread in the process of the tests, as ``POLARS`` imports it.

Tables of tests have some rows: to hand them to threads takes longer than to reckon.
What a test starts as a program of its own has as many threads as ever.
"""

from __future__ import annotations

from importlib import import_module

import pytest

with pytest.MonkeyPatch.context() as patch:
    patch.setenv("POLARS_MAX_THREADS", "1")  # which is read once
    POLARS = import_module("polars")
