"""Pictures as they were when somebody approved them, to lie beside those of now."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from analysis.files.atomic import write_text
from analysis.report.checks.claims import Checked
from analysis.report.pictures import Picture
from analysis.report.review.snapshot import Snapshot

_DRAWING = "figure.svg"


@dataclass(frozen=True)
class KeptDrawings:
    """Drawings in a folder, each by the hash that approvals have of it."""

    folder: Path

    def keep(self, checked: Checked, study: str | None, now: Snapshot) -> None:
        """Keep what somebody approves now."""
        known = self._known()
        for picture in _pictures(checked, study):
            digest = now.drawings.get(picture.id, "")
            if digest and digest not in known:
                drawing = (picture.folder / _DRAWING).read_text("utf-8")
                write_text(self.folder / f"{digest}.svg", drawing)

    def read(self, digest: str) -> bytes:
        """A drawing that was kept; a LookupError where it was not."""
        return self._known()[digest].read_bytes()

    def has(self, digest: str) -> bool:
        """Whether a drawing was kept."""
        return digest in self._known()

    def _known(self) -> dict[str, Path]:
        return {path.stem: path for path in self.folder.glob("*.svg")}


def _pictures(checked: Checked, study: str | None) -> Iterator[Picture]:
    material = checked.material
    if study is not None:
        yield from material.pictures[study]
        return
    yield from [material.overview] if material.overview else []
    yield from material.sequences


def side_by_side(
    kept: KeptDrawings, checked: Checked, study: str | None, then: dict[str, str]
) -> dict[str, tuple[str, str]]:
    """Each drawing that changed, as it was and as it is: ``data:`` addresses.

    ``then`` has the hashes of what was approved; nothing stands for what is not there.
    """
    now = {
        picture.id: picture.folder / _DRAWING for picture in _pictures(checked, study)
    }
    return {
        id: (
            _address(kept.read(digest)) if kept.has(digest) else "",
            _address(now[id].read_bytes()) if id in now else "",
        )
        for id, digest in then.items()
    }


def _address(drawing: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(drawing).decode('ascii')}"
