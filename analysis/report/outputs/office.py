"""Files of office programs: their pictures of pixels, and what they must not have."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from lxml import etree

from analysis.errors import Issue, Place, user_error
from analysis.programs.child import run_child
from analysis.report.document.document import REPORT
from analysis.report.outputs.native_charts import is_workbook
from analysis.report.outputs.pdf import typst_command
from analysis.report.pages.look import LOGO

_ACTIVE = ("vbaProject.bin", "activeX", "embeddings/")
_LOGO = f"{REPORT}/{LOGO}.[sj][vp]*"  # what is no PNG yet
_AGAIN = "build the edition again: make report"


@dataclass(frozen=True)
class OfficeFile:
    """A kind of file: its ``name`` in messages, and what is said of another one.

    ``main`` is the part without which it is none, ``texts`` begin the names of parts
    with pictures, and ``mute`` is the XPath of pictures without an alt text. Its
    ``drawings`` have a place in a document's folder, and pictures of ``ppi`` for a
    width of a page of A4.
    """

    name: str
    refusal: str
    main: str
    texts: str
    mute: str
    drawings: str
    ppi: int

    def prepare(self, folder: Path, fonts: Path) -> None:
        """Make a PNG beside each drawing of a document's folder.

        Those that were made once are kept by the content of their drawings.
        """
        found = [*sorted(folder.glob(self.drawings)), *folder.glob(_LOGO)]
        kept = {svg: fonts / "drawings" / f"{self._digest(svg)}.png" for svg in found}
        # Equal drawings are one picture.
        wanted = {png: svg for svg, png in kept.items() if not png.is_file()}
        if wanted:
            _draw(wanted, fonts, self.ppi)
        for svg, png in kept.items():
            shutil.copyfile(png, svg.with_suffix(".png"))

    def _digest(self, svg: Path) -> str:
        data = svg.read_bytes() + f"{self.ppi}".encode()
        return hashlib.sha256(data).hexdigest()[:24]

    def check(self, path: Path, _files: Collection[str] = ()) -> list[Issue]:
        """Why a file must not be published: it is another one, or loads more."""
        where = Place(str(path))
        try:
            with zipfile.ZipFile(BytesIO(path.read_bytes())) as file:
                file.getinfo(self.main)
                return [Issue(what, where, _AGAIN) for what in self._mistakes(file)]
        except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError):
            return [Issue(self.refusal, where, _AGAIN)]

    def _mistakes(self, file: zipfile.ZipFile) -> Iterator[str]:
        for name in file.namelist():
            if any(word in name for word in _ACTIVE) and not self._has_data(file, name):
                yield f"{self.name} with {name}"
            elif name.endswith(".rels"):
                yield from self._asks(etree.fromstring(file.read(name)))
            elif name.startswith(self.texts) and self._is_mute(file.read(name)):
                yield f"a picture without an alt text: {name}"

    def _has_data(self, file: zipfile.ZipFile, name: str) -> bool:
        """Whether a part is the workbook of a chart."""
        return name.endswith(".xlsx") and is_workbook(file.read(name))

    def _is_mute(self, part: bytes) -> bool:
        return bool(etree.fromstring(part).xpath(self.mute))

    def _asks(self, relations: etree._Element) -> Iterator[str]:
        """What a file would load from elsewhere; its links load nothing."""
        for one in relations:
            outside = one.get("TargetMode") == "External"
            if outside and not str(one.get("Type")).endswith("/hyperlink"):
                yield f"{self.name} that asks for {one.get('Target')}"


def _draw(drawings: dict[Path, Path], fonts: Path, ppi: int) -> None:
    command = typst_command("png", fonts, f"{ppi}")
    folder = fonts / "drawings"
    folder.mkdir(parents=True, exist_ok=True)
    # Editions are rendered side by side, so each has a folder for its drafts.
    with tempfile.TemporaryDirectory(prefix=".", dir=folder) as drafts:
        made = {Path(drafts, png.name).resolve(): png for png in drawings}
        pairs = zip(drawings.values(), made, strict=True)
        lines = [f"{svg.resolve()}\t{new}" for svg, new in pairs]
        done = run_child(command, Path.cwd(), "\n".join(lines).encode())
        if done.code != 0:
            said = done.errors.decode("utf-8", "replace")
            raise user_error(f"Typst cannot draw\n{said}", mend="draw the figure again")
        for new, png in made.items():
            new.replace(png)
