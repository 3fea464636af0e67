"""Which files of a campaign are read together: its parts.

A file stays in its part whatever else comes or goes, until the campaign has outgrown
its number of parts and all are cut in two.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Container, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from analysis.files.digests import digest_of
from analysis.files.limits import MIB
from analysis.ingest.rmf.mapped_csv import mappings_beside

FILES = 400  # of a part, at most, on average
ALONE = 64 * MIB  # a file of so many bytes is a part by itself
_ALONE = "alone-"
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class CampaignPart:
    """Files that are read together; ``name`` is that of the part within a campaign."""

    name: str
    files: tuple[str, ...]

    @property
    def alone(self) -> bool:
        """Whether it is of large files."""
        return self.name.startswith(_ALONE)

    def read_of(self, known: Container[str]) -> list[str]:
        """Its files, and those of the ``known`` ones that tell how these are read."""
        return [*self.files, *mappings_beside(self.files, known)]

    def key(self, hashes: Mapping[str, str], read_by: str) -> str:
        """What changes with its files, and with how they are read; ``hashes`` are of
        all files of the campaign."""
        of = {name: hashes[name] for name in self.read_of(hashes)}
        return digest_of(of | {"": read_by})


def split(
    sizes: Mapping[str, int], beside: Mapping[str, str] = NOTHING, most: int = FILES
) -> list[CampaignPart]:
    """The parts of a campaign by the bytes of its files; names are spread evenly.

    ``beside`` names for files others in whose part they are. ``most`` files are in a
    part on average, at most.
    """
    large = [name for name, size in sizes.items() if size >= ALONE]
    small = sizes.keys() - large
    count = 1
    while count * most < len(small):
        count *= 2
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(small):
        number = _number(beside.get(name, name)) % count
        found[f"{number:04x}-of-{count:x}"].append(name)
    for name in sorted(large):
        found[f"{_ALONE}{_number(name):08x}"].append(name)
    return [CampaignPart(name, tuple(files)) for name, files in sorted(found.items())]


def _number(name: str) -> int:
    return zlib.crc32(name.encode("utf-8", "surrogateescape"))
