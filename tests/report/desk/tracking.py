"""Comments and tracked changes in a DOCX, as Word writes them."""

from __future__ import annotations

import zipfile
from copy import deepcopy
from io import BytesIO

from lxml import etree

NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W = f"{{{NAMESPACE}}}"
_COMMENTS = "word/comments.xml"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_RELATION = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"
)


class Tracked:
    """A document in which somebody works with changes tracked."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(BytesIO(data)) as file:
            self.parts = {name: file.read(name) for name in file.namelist()}
        self.root = etree.fromstring(self.parts["word/document.xml"])
        self.comments = etree.Element(f"{W}comments", nsmap={"w": NAMESPACE})
        self.count = 0

    def change(self, by: str, old: str, new: str) -> None:
        """Take words away, and write others in their place."""
        run = self._run(old)
        who = self._who(by)
        if old and new != old:
            gone = etree.Element(f"{W}del", who)
            run.addprevious(gone)
            gone.append(deepcopy(run))
            for text in gone.iter(f"{W}t"):
                text.tag = f"{W}delText"
        if new:
            come = etree.Element(f"{W}ins", self._who(by))
            run.addprevious(come)
            own = deepcopy(run)
            own.find(f"{W}t").text = new
            come.append(own)
        run.getparent().remove(run)

    def comment(self, by: str, on: str, said: str) -> None:
        """Say something of words."""
        run, who = self._run(on), self._who(by)
        id = {f"{W}id": who[f"{W}id"]}
        run.addprevious(etree.Element(f"{W}commentRangeStart", id))
        end = etree.Element(f"{W}commentRangeEnd", id)
        run.addnext(end)
        mark = etree.Element(f"{W}r")
        etree.SubElement(mark, f"{W}commentReference", id)
        end.addnext(mark)
        comment = etree.SubElement(self.comments, f"{W}comment", who)
        words = etree.SubElement(etree.SubElement(comment, f"{W}p"), f"{W}r")
        etree.SubElement(words, f"{W}t").text = said

    def data(self) -> bytes:
        """The file, as it is sent back."""
        self.parts["word/document.xml"] = etree.tostring(self.root)
        self.parts[_COMMENTS] = etree.tostring(self.comments)
        named = {"PartName": f"/{_COMMENTS}", "ContentType": _TYPE}
        self._declare("[Content_Types].xml", "Override", named)
        leads = {"Id": "rIdOwn", "Type": _RELATION, "Target": "comments.xml"}
        self._declare("word/_rels/document.xml.rels", "Relationship", leads)
        made = BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
            for name, data in self.parts.items():
                file.writestr(name, data)
        return made.getvalue()

    def _declare(self, part: str, tag: str, about: dict[str, str]) -> None:
        root = etree.fromstring(self.parts[part])
        name = f"{{{root.nsmap[None]}}}{tag}"
        for old in root.iter(name):
            if {old.get("PartName"), old.get("Type")} & set(about.values()):
                root.remove(old)
        etree.SubElement(root, name, about)
        self.parts[part] = etree.tostring(root)

    def _who(self, by: str) -> dict[str, str]:
        self.count += 1
        about = {"id": str(100 + self.count), "author": by,
                 "date": "2026-02-03T10:00:00Z"}  # fmt: skip
        return {f"{W}{name}": value for name, value in about.items()}

    def _run(self, words: str) -> etree._Element:
        """A run of just these words, cut out of the first that has them."""
        for text in self.root.iter(f"{W}t"):
            if words in (text.text or "") and text.getparent().tag == f"{W}r":
                run = text.getparent()
                before, _, after = text.text.partition(words)
                for place, rest in ((run.addprevious, before), (run.addnext, after)):
                    if rest:
                        other = deepcopy(run)
                        other.find(f"{W}t").text = rest
                        place(other)
                text.text = words
                for one in run.getparent().iter(f"{W}t"):
                    one.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
                return run
        raise LookupError(words)
