"""Snakemake's log in a few plain lines: each step as it starts, and what failed.

A package of this name is found by Snakemake when ``workflow`` is on the path. The
whole log is in ``.snakemake/log``; what a step itself says goes past this unseen.
"""

from __future__ import annotations

import logging
import sys

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from workflow import interrupt
from workflow.interrupt import interrupted
from workflow.made import UP_TO_DATE

NOTHING_TO_DO = "Nothing to be done"
WILL_END = "Will exit after finishing currently running jobs"
ENDS = "told to end: what runs is finished first; run it again to go on"
# What Slurm's plugin says of every job where a cluster keeps no accounts.
_EXPECTED = ("SLURM account", "No account was given")


class LogHandler(LogHandlerBase):
    """Prints to standard error; Snakemake calls ``emit`` for every record."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = True
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self.total = 0
        self.started = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Print what a reader needs of one record; after an interrupt, nothing."""
        if interrupted():
            return
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            stats: dict[str, int] = getattr(record, "stats", {})
            self.total = stats.get("total", 0) - stats.get("all", 0)
        elif event == LogEvent.JOB_INFO:
            self._job_info(record)
        elif event == LogEvent.JOB_ERROR:
            self._job_error(record)
        elif record.levelno >= logging.ERROR:
            self._error(record)
        elif record.levelno >= logging.WARNING:
            self._warning(record.getMessage())
        elif record.getMessage().startswith(NOTHING_TO_DO):
            _say(UP_TO_DATE)
        elif record.getMessage().startswith(WILL_END) and not interrupt.told_to_end:
            interrupt.told_to_end = True
            _say(ENDS)

    def _warning(self, message: str) -> None:
        if not any(text in message for text in _EXPECTED):
            _say(message)

    def _job_info(self, record: logging.LogRecord) -> None:
        fields = vars(record)
        if fields["rule_name"] == "all":
            return
        self.started += 1
        found = fields["wildcards"].items()
        of = " ".join(str(value) for name, value in found if name != "mark")
        _say(f"[{self.started}/{self.total}] {fields['rule_name']} {of}".rstrip())

    def _job_error(self, record: logging.LogRecord) -> None:
        log = "".join(f", also in {path}" for path in vars(record)["log"])
        _say(f"{vars(record)['rule_name']} failed: the reason is above{log}")

    def _error(self, record: logging.LogRecord) -> None:
        """Errors that no step has told already: in the Snakefile, or a missing file."""
        told = (
            "CalledProcessError",
            "did not complete successfully",
            "Exiting because",
        )
        message = record.getMessage()
        if not any(text in message for text in told):
            _say(message)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
