"""The table of a campaign's files: what each is, and what is wrong with it."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection
from typing import Any

import polars as pl

from analysis.ingest.detect import timed
from analysis.ingest.joining.assign import CampaignReading
from analysis.ingest.joining.left_out import NOT_NAMED, unnamed_formats
from analysis.ingest.reading import Problem, Problems, Reading
from analysis.ingest.tables.catalog import frame


def source_table(
    evidence: CampaignReading, problems: Problems, named: Collection[str] = ()
) -> pl.DataFrame:
    """One row a file of the campaign, also of those that no run names; ``problems``
    are what the steps found beyond those of the readings. ``named`` are files that
    runs beyond this evidence name."""
    checked, readings = evidence.checked, evidence.readings
    more: dict[str, list[Problem]] = defaultdict(list)
    for file, problem in problems:
        more[file].append(problem)
    files = checked.files
    unnamed = unnamed_formats(checked.folder, files, {*readings, *named})
    rows = []
    for file, sha256 in files.items():
        size = os.stat(f"{checked.folder}/{file}").st_size
        row = {"file": file, "sha256": sha256, "bytes": size, "campaign": checked.name}
        told = (
            _told(readings[file], more[file])
            if file in readings
            else _untold(unnamed[file])
        )
        rows.append(row | told)
    return frame("source", rows)


def _told(reading: Reading, more: list[Problem]) -> dict[str, Any]:
    problems = [problem.as_dict() for problem in (*reading.problems, *more)]
    return {
        "format": reading.format,
        "status": reading.status,
        "reason": reading.reason,
        "problems": json.dumps(problems, ensure_ascii=False),
        "timed": timed(reading.format),
    }


def _untold(name: str) -> dict[str, Any]:
    return {"format": name, "status": "ok", "reason": NOT_NAMED, "problems": "[]"}
