"""Reports of RMF's Postprocessor in XML of one system over one session."""

from __future__ import annotations

from synthetic.emitters.emitter import EMITTERS
from synthetic.network.dumps import CLASSES, captured_seconds, split
from synthetic.network.runs import Minute
from synthetic.smf_day import OFFSET, PLEX


def report(session: list[Minute], system: str, classes: bool) -> str:
    """CPU activity and partition data of each minute, with ``classes`` also WLMGL."""
    intervals = [_interval(minute, system, classes) for minute in session]
    return EMITTERS["rmf_xml"].emit(intervals=intervals).decode()


def _interval(minute: Minute, system: str, classes: bool) -> dict[str, object]:
    used = captured_seconds(minute, system)
    shares = CLASSES.items() if classes else ()
    return {
        "system": system,
        "start": minute.slot.start,
        "millis": minute.millis,
        "hours": OFFSET,
        "plex": PLEX,
        "release": "V" + minute.slot.release.removeprefix("V").replace(".", "R"),
        "family": minute.slot.machine.type,
        "model": minute.slot.machine.model,
        "dedicated": True,
        "cpus": [{"busy_seconds": busy / 1e6} for busy in split(minute, system)],
        "classes": [{"name": n, "cp_seconds": used * share} for n, share in shares],
    }
