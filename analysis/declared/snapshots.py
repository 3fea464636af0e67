"""What was captured of the systems of a configuration: files of ``Name: value`` lines,
or what a z/OS system says of itself (:mod:`analysis.declared.zos_settings`).

Only what differs between the configurations of a campaign becomes a setting of theirs,
beside those that are declared, with the system behind its name: ``Kernel (client)``.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from analysis.declared.zos_settings import zos_settings
from analysis.errors import Issue, Place, raise_if
from analysis.files.limits import DECLARATION_BYTES
from analysis.files.text_file import read_text

_LINE = re.compile(r"([^:\s][^:]{0,79}): +(\S.*)")
_LONGEST = 120  # characters of a value
_FEW = 5  # PTFs that differ, up to which each is a setting
_MISSING = "this file is missing", "collect it, or take it out of 'snapshots'"


def captured_name(name: str, system: str) -> str:
    """The setting of a configuration that was captured of one of its systems."""
    return f"{name} ({system})"


def read_snapshot(path: Path) -> dict[str, str]:
    """The values of a snapshot by name; a :class:`UserError` where it is none.

    Lines that begin with ``#`` and empty ones are left out.
    """
    text = read_text(path, _MISSING, DECLARATION_BYTES, "DECLARATION_BYTES")
    if of_zos := zos_settings(text):
        return {name[:80]: _shortened(value) for name, value in of_zos.items()}
    values, issues = dict[str, str](), []
    for number, line in enumerate(text.splitlines(), 1):
        if match := _LINE.fullmatch(line.strip()):
            values[match[1]] = _shortened(match[2])
        elif line.strip() and not line.startswith("#"):
            what, mend = "no name with a value", "write Name: value, or # before it"
            issues.append(Issue(what, Place(str(path), number), mend))
    raise_if(issues)
    return values


def _shortened(value: str) -> str:
    """A long value cut; its checksum tells those apart that begin alike."""
    if len(value) <= _LONGEST:
        return value
    return f"{value[: _LONGEST - 20]} … (checksum {zlib.crc32(value.encode()):08x})"


def captured_differences(
    snapshots: Mapping[str, Mapping[str, str]], folder: Path
) -> dict[str, dict[str, str]]:
    """What differs between configurations, by each of them that has snapshots.

    ``snapshots`` are the files of each, by system, below ``folder``.
    """
    captured = {
        id: {
            captured_name(name, system): value
            for system, file in files.items()
            for name, value in read_snapshot(folder / file).items()
        }
        for id, files in snapshots.items()
        if files
    }
    names = dict.fromkeys(name for values in captured.values() for name in values)
    unlike = [n for n in names if len({v.get(n) for v in captured.values()}) > 1]
    patches = [name for name in unlike if name.startswith("PTF ")]
    together = {name.rpartition(" (")[2] for name in patches}
    if len(patches) <= _FEW:
        patches, together = [], set()
    return {
        id: {
            name: values.get(name, "not there")
            for name in unlike
            if name not in patches
        }
        | {
            f"PTFs ({of}": _listed(n for n in patches if n in values and n.endswith(of))
            for of in sorted(together)
        }
        for id, values in captured.items()
    }


def _listed(names: Iterable[str]) -> str:
    """The PTFs that this configuration has and another has not."""
    each = [name.split()[1] for name in names]
    more = f" and {len(each) - _FEW} more" if len(each) > _FEW else ""
    return f"{', '.join(each[:_FEW])}{more}" if each else "none of those that differ"
