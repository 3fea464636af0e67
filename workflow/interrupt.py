"""Ctrl-C in a build: told in one line, whatever it falls into."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

EXIT_CODE = 130  # as shells have it: 128 and the number of the signal
SAID = "interrupted: what was finished stays; run it again to go on"
told_to_end = False  # by SIGTERM, of which Snakemake tells
_interrupted = False


def listen() -> None:
    """Take note of an interrupt from now on, and pass it on to all jobs."""
    signal.signal(signal.SIGINT, _interrupt)


def ended() -> bool:
    """Whether the build was to end before all was made."""
    return _interrupted or told_to_end


def interrupted() -> bool:
    """Whether there was one: nothing that follows from it needs to be told."""
    return _interrupted


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _interrupted
    if not _interrupted:
        _interrupted = True
        print(SAID, file=sys.stderr, flush=True)
        _end_jobs()
    signal.default_int_handler(number, frame)


def _end_jobs() -> None:
    """End what this build started: all of its group, as a terminal interrupts it."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    signal.signal(signal.SIGTERM, before)
