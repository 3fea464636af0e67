"""What a file says, as JSON beside frames, and back.

Of a :class:`Reading` its ``details`` are left out, which no step of a build reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.facts.remark import Remark
from analysis.ingest.reading import Circumstances, Problem, Reading, Verdict

Json = dict[str, Any]


def told(reading: Reading) -> Json:
    """All of it but its rows and details."""
    return {
        "format": reading.format,
        "tool": reading.tool,
        "status": reading.status,
        "cause": _coded(reading.cause),
        "systems": reading.systems,
        "records": reading.records,
        "problems": [
            [_coded(one.remark), one.line, one.offset] for one in reading.problems
        ],
        "circumstances": reading.circumstances.told(),
        "verdicts": {
            test: [one.status, _coded(one.cause)]
            for test, one in reading.verdicts.items()
        },
        "kinds": reading.kinds,
    }


def reading_of(said: Mapping[str, Any]) -> Reading:
    """The reading that was :func:`told`, without rows."""
    problems = [
        Problem(_decoded(remark), line, offset)
        for remark, line, offset in said["problems"]
    ]
    verdicts = {
        test: Verdict(status, _decoded(cause))
        for test, (status, cause) in said["verdicts"].items()
    }
    return Reading(
        said["format"],
        said["tool"],
        said["status"],
        _decoded(said["cause"]),
        said["systems"],
        said["records"],
        problems,
        circumstances=Circumstances(**said["circumstances"]),
        verdicts=verdicts,
        kinds=said["kinds"],
    )


def _coded(value: Any) -> Any:
    """A remark, or a value of one; of lists and tuples JSON knows but one kind."""
    if isinstance(value, Remark):
        values = {name: _coded(one) for name, one in value.values.items()}
        return vars(value) | {"values": values}
    if isinstance(value, (tuple, list)):
        return [_coded(one) for one in value]
    return value


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        values = {name: _decoded(one) for name, one in value["values"].items()}
        return Remark(**value | {"values": values})
    if isinstance(value, list):
        return tuple(_decoded(one) for one in value)
    return value
