"""Records of rare kinds, gathered until decoding them is worth its fixed cost.

Column operations cost the same for ten rows as for thousands. So what a batch has few
bytes of for a decoder is copied, and decoded together with that of later batches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from analysis.ingest.smf.decode import Decoder
from analysis.ingest.smf.records import Records, joined


@dataclass
class Waiting:
    """Records by the decoder that they wait for; ``enough`` bytes do not wait."""

    enough: int
    parts: dict[Decoder, list[Records]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, decoder: Decoder, records: Records) -> Records | None:
        """What to decode now, in the order of the file: nothing, or all there is."""
        before = self.parts.pop(decoder, [])
        size = sum(int(part.length.sum()) for part in (*before, records))
        if size >= self.enough:
            return joined([*before, records]) if before else records
        self.parts[decoder] = [*before, joined([records])]
        return None

    def rest(self) -> Iterator[tuple[Decoder, Records]]:
        """What still waits, by decoder."""
        for decoder, parts in self.parts.items():
            yield decoder, joined(parts)
        self.parts.clear()
