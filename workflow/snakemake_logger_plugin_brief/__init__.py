"""Snakemake's log in a few plain lines: each step as it ends, and what failed.

A package of this name is found by Snakemake when ``workflow`` is on the path. The whole
log is in ``.snakemake/log``. What a step itself prints is on the terminal already; of a
job elsewhere, on a cluster, it is brought home from the step's log.
"""

from __future__ import annotations

import logging
import sys
import time
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

UP_TO_DATE = "Nothing to be done: everything is up to date."
_SHOWN_SECONDS = 1.0  # a step that took longer says how long
# What Snakemake says beside its events that a reader need not know.
_QUIET = (
    "CalledProcessError",
    "did not complete successfully",
    "Exiting because",
    "Using workflow specific profile",
    "Restored previous version",
    "SLURM account",
    "No account was given",
)


class LogHandler(LogHandlerBase):
    """Prints to standard error; Snakemake calls ``emit`` for every record."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self.total = 0
        self.ended = 0
        self.jobs: dict[int, dict[str, Any]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Print what a reader needs of one record."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            stats: dict[str, int] = getattr(record, "stats", {})
            self.total = stats.get("total", 0) - stats.get("all", 0)
        elif event == LogEvent.JOB_INFO:
            fields = vars(record)
            self.jobs[fields["jobid"]] = {**fields, "began": time.monotonic()}
        elif event == LogEvent.JOB_FINISHED:
            self._finished(vars(record)["job_id"])
        elif event == LogEvent.JOB_ERROR:
            self._failed(vars(record))
        elif record.levelno >= logging.WARNING:
            message = record.getMessage()
            if not any(text in message for text in _QUIET):
                _say(message)
        elif record.getMessage().startswith("Nothing to be done"):
            _say(UP_TO_DATE)

    def _finished(self, id: int) -> None:
        job = self.jobs.get(id)
        if not job or job["rule_name"] == "all":
            return
        self.ended += 1
        took = time.monotonic() - job["began"]
        seconds = f" ({took:.0f} s)" if took >= _SHOWN_SECONDS else ""
        _say(f"[{self.ended}/{self.total}] {_name(job)}{seconds}")

    def _failed(self, fields: dict[str, Any]) -> None:
        job = self.jobs.get(fields["jobid"], fields)
        logs = " ".join(str(path) for path in fields["log"])
        _say(f"{_name(job)} failed: the reason is above, also in {logs}")


def _name(job: dict[str, Any]) -> str:
    of = " ".join(str(value) for value in job.get("wildcards", {}).values())
    return f"{job['rule_name']} {of}".rstrip()


def _say(text: str) -> None:
    sys.stderr.write(text + "\n")  # at once, as jobs write there too
    sys.stderr.flush()
