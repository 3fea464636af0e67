"""Charts that office programs draw, edit and let be restyled, in place of pictures.

Pandoc puts a picture into a slide; where its figure has charts, they take its place,
each with its numbers as a workbook. The parts are those of ECMA-376, part 1, 21.2.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from lxml import etree
from lxml.builder import ElementMaker

from analysis.report.document.document import REPORT, Document
from analysis.report.pages.look import LOGO
from analysis.report.slides.compose import CHARTS

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPES = "application/vnd.openxmlformats-officedocument."
NAMES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "r": _OFFICE,
}
A, C, P = (ElementMaker(namespace=NAMES[n], nsmap=NAMES) for n in "acp")
_ID, _CHART_ID = f"{{{_OFFICE}}}embed", f"{{{_OFFICE}}}id"
# The colours of figures that the theme of the deck has, by its names for them.
_THEME = {"0f62fe": "accent1", "da1e28": "accent2", "009e73": "accent3",
          "b8860b": "accent4", "0072b2": "accent5", "8d8d8d": "accent6"}  # fmt: skip
_PATTERNS = {"modelled": "wdUpDiag", "synthetic": "pct75"}
_INK, _SOFT, _LINE = "161616", "525252", "e0e0e0"
_FILE = re.compile(r"\s*figures/([\w.-]+)\.png\s*")  # behind the alt text of a picture
_LOGO = 504_000  # EMU, its height: 14 mm, as in the PDF
_SMALL, _TEXT = 900, 1100  # hundredths of a point
_ABOVE, _BELOW = 330_000, 420_000  # EMU: the words above charts and below them
_TIGHT = 1_300_000  # EMU, below which a chart has numbers at its bars alone
_BESIDE = 0.3  # of the reach of an axis, the room for the numbers at its bars
# 38%, but 3.8%; what falls has a minus of its own.
_CHANGES = '[>=9.95]+0"%";[<=-9.95]\\−0"%";0.0"%"'
_VALUES = "[>=100]#,##0;[>=10]0.0;0.00"
_RELATIONS = "application/vnd.openxmlformats-package.relationships+xml"
_BOOK = (
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/worksheets/sheet1.xml",
)
_FOLDER = "ppt/charts/"
Rel: TypeAlias = etree._Element
Box: TypeAlias = tuple[int, int, int, int]


def with_charts(deck: bytes, document: Document) -> bytes:
    """A deck in which pictures of figures are charts, where these have any.

    No alt text names a file any more.
    """
    told = (document.folder / "figures" / CHARTS).read_text(encoding="utf-8")
    known = json.loads(told)
    with zipfile.ZipFile(BytesIO(deck)) as old:
        infos = {info.filename: info for info in old.infolist()}
        parts = {name: old.read(name) for name in infos}
    for name in sorted(
        n for n in parts if re.fullmatch(r"ppt/slides/slide\d+\.xml", n)
    ):
        _put_charts(parts, name, known)
    _put_logo(parts, document.folder / REPORT)
    _drop_unused(parts)
    made, date = BytesIO(), next(iter(infos.values())).date_time
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in parts.items():
            new.writestr(_entry(name, date), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _entry(name: str, date: tuple[int, ...] = (1980, 1, 1, 0, 0, 0)) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, date)  # type: ignore[arg-type]


def _put_charts(
    parts: dict[str, bytes], name: str, known: Mapping[str, Mapping[str, Any]]
) -> None:
    slide = etree.fromstring(parts[name])
    where = name.replace("slides/", "slides/_rels/") + ".rels"
    rels = etree.fromstring(parts[where])
    pictures = slide.xpath("//p:pic", namespaces=NAMES)
    for picture in pictures:
        about = picture.find(".//p:cNvPr", NAMES)
        alt, id, *_ = [*_FILE.split(about.get("descr", "")), ""]
        about.set("descr", alt)
        if figure := known.get(id):
            for one in _shapes(parts, rels, picture, figure, alt):
                picture.addprevious(one)
            image = picture.find(".//a:blip", NAMES).get(_ID)
            rels.remove(next(rel for rel in rels if rel.get("Id") == image))
            picture.getparent().remove(picture)
    if pictures:
        for number, each in enumerate(slide.iter(f"{{{NAMES['p']}}}cNvPr"), 1):
            each.set("id", str(number))
        parts[name], parts[where] = _xml(slide), _xml(rels)


def _put_logo(parts: dict[str, bytes], extension: Path) -> None:
    """The logo of a brand at the upper right of the first slide."""
    words, picture = extension / f"{LOGO}.txt", extension / f"{LOGO}.png"
    if not words.is_file():
        return
    name, where = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
    slide, rels = etree.fromstring(parts[name]), etree.fromstring(parts[where])
    show = etree.fromstring(parts["ppt/presentation.xml"]).find("p:sldSz", NAMES)
    data = picture.read_bytes()
    parts["ppt/media/logo.png"] = data
    rels.append(_relation("rIdLogo", f"{_OFFICE}/image", "../media/logo.png"))
    wide = _LOGO * int.from_bytes(data[16:20]) // int.from_bytes(data[20:24])
    tree = slide.find(".//p:spTree", NAMES)
    id, x = str(len(tree) + 100), str(int(show.get("cx")) - wide - _LOGO)
    blip = A.blip()
    blip.set(_ID, "rIdLogo")
    tree.append(
        P.pic(
            P.nvPicPr(
                P.cNvPr(id=id, name="Logo", descr=words.read_text("utf-8")),
                P.cNvPicPr(),
                P.nvPr(),
            ),
            P.blipFill(blip, A.stretch(A.fillRect())),
            P.spPr(
                A.xfrm(
                    A.off(x=x, y=str(_LOGO // 2)), A.ext(cx=str(wide), cy=str(_LOGO))
                ),
                A.prstGeom(A.avLst(), prst="rect"),
            ),
        )
    )
    types = parts["[Content_Types].xml"]
    if b'Extension="png"' not in types:
        kind = b'<Default Extension="png" ContentType="image/png"/>'
        parts["[Content_Types].xml"] = types.replace(
            b"<Override", kind + b"<Override", 1
        )
    parts[name], parts[where] = _xml(slide), _xml(rels)


def _shapes(
    parts: dict[str, bytes], rels: Rel, picture: Rel, figure: Mapping[str, Any],
    alt: str,
) -> Iterator[Rel]:  # fmt: skip
    """The words above the charts of a figure, these, and the words below them."""
    x, y, wide, high = _room(parts, rels, picture)
    yield _words(figure["about"], (x, y, wide, _ABOVE), _TEXT)
    charts, top = figure["charts"], y + _ABOVE
    weights = [len(one["categories"]) * len(one["series"]) + 2 for one in charts]
    ends = _ends(charts)
    for one, weight in zip(charts, weights, strict=True):
        tall = (high - _ABOVE - _BELOW) * weight // sum(weights)
        id = _add(parts, rels, one | {"bare": tall < _TIGHT}, ends[one["axis"]])
        words = alt if one is charts[0] else one["title"]
        yield _frame(id, words, (x, top, wide, tall))
        top += tall
    yield _words(figure["foot"], (x, y + high - _BELOW, wide, _BELOW), _SMALL)


def _room(parts: Mapping[str, bytes], rels: Rel, picture: Rel) -> Box:
    """The place of the layout that holds a picture."""
    own = _box(picture.find("p:spPr/a:xfrm", NAMES))
    x, y = own[0] + own[2] // 2, own[1] + own[3] // 2
    [layout] = [r.get("Target") for r in rels if r.get("Type").endswith("/slideLayout")]
    for part in (f"slideLayouts/{Path(layout).name}", "slideMasters/slideMaster1.xml"):
        shapes = etree.fromstring(parts[f"ppt/{part}"]).iterfind(".//p:sp", NAMES)
        for shape in (one for one in shapes if one.find(".//p:ph", NAMES) is not None):
            if (place := shape.find("p:spPr/a:xfrm", NAMES)) is not None:
                left, top, wide, high = box = _box(place)
                if left <= x <= left + wide and top <= y <= top + high:
                    return box
    return own


def _box(place: Rel) -> Box:
    """Left, top, width and height [EMU] of where a shape is."""
    off, size = place
    x, y, wide, high = (*map(off.get, "xy"), *map(size.get, ("cx", "cy")))
    return int(x), int(y), int(wide), int(high)


def _ends(charts: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """How far the axes of each name reach, with room for numbers at their bars."""
    found: dict[str, tuple[float, float]] = {}
    for one in charts:
        numbers = [n for each in one["series"] for end in ("values", "low", "high")
                   for n in each[end] if n is not None]  # fmt: skip
        if one["form"] == "stacked":
            numbers = [
                sum(n or 0 for n in bar)
                for bar in zip(*(s["values"] for s in one["series"]), strict=True)
            ]
        low, high = found.get(one["axis"], (0.0, 0.0))
        found[one["axis"]] = min(low, *numbers, 0.0), max(high, *numbers, 0.0)
    return {
        axis: (low - _BESIDE * (high - low) * (low < 0),
               high + _BESIDE * (high - low) * (high > 0))
        for axis, (low, high) in found.items()
    }  # fmt: skip


def _frame(id: str, alt: str, place: Box) -> Rel:
    x, y, wide, high = map(str, place)
    chart = C.chart()
    chart.set(_CHART_ID, id)
    return P.graphicFrame(
        P.nvGraphicFramePr(
            P.cNvPr(id="0", name="Chart", descr=alt), P.cNvGraphicFramePr(), P.nvPr()
        ),
        P.xfrm(A.off(x=x, y=y), A.ext(cx=wide, cy=high)),
        A.graphic(A.graphicData(chart, uri=NAMES["c"])),
    )


def _words(words: str, place: Box, size: int) -> Rel:
    x, y, wide, high = map(str, place)
    return P.sp(
        P.nvSpPr(P.cNvPr(id="0", name="Words"), P.cNvSpPr(txBox="1"), P.nvPr()),
        P.spPr(
            A.xfrm(A.off(x=x, y=y), A.ext(cx=wide, cy=high)),
            A.prstGeom(A.avLst(), prst="rect"),
            A.noFill(),
        ),
        P.txBody(
            A.bodyPr(A.normAutofit(), wrap="square", tIns="0", bIns="0"),
            A.lstStyle(),
            A.p(A.r(A.rPr(_fill(_SOFT), sz=str(size)), A.t(words))),
        ),
    )


def _add(
    parts: dict[str, bytes], rels: Rel, chart: dict[str, Any], ends: tuple[float, float]
) -> str:
    """Add the parts of a chart to a deck; the id by which the slide knows it."""
    number = sum(name.startswith(f"{_FOLDER}chart") for name in parts) + 1
    name, book = f"{_FOLDER}chart{number}.xml", f"ppt/embeddings/chart{number}.xlsx"
    parts[name] = _xml(_chart(chart, ends))
    parts[book] = _workbook(_rows(chart))
    one = _relation("rId1", f"{_OFFICE}/package", f"../embeddings/{Path(book).name}")
    parts[f"{_FOLDER}_rels/chart{number}.xml.rels"] = _xml(_relations(one))
    id = f"rIdChart{number}"
    rels.append(_relation(id, f"{_OFFICE}/chart", f"../charts/{Path(name).name}"))
    types = etree.fromstring(parts["[Content_Types].xml"])
    space = f"{{{_PACKAGE}/content-types}}"
    if number == 1:
        kind = f"{_TYPES}spreadsheetml.sheet"
        types.insert(
            0, etree.Element(f"{space}Default", Extension="xlsx", ContentType=kind)
        )
    kind = f"{_TYPES}drawingml.chart+xml"
    etree.SubElement(types, f"{space}Override", PartName=f"/{name}", ContentType=kind)
    parts["[Content_Types].xml"] = _xml(types)
    return id


def _drop_unused(parts: dict[str, bytes]) -> None:
    """Take out pictures that no slide shows any more."""
    rels = b"".join(parts[name] for name in parts if name.endswith(".rels"))
    for name in [n for n in parts if n.startswith("ppt/media/")]:
        if f'media/{Path(name).name}"'.encode() not in rels:
            del parts[name]


@dataclass(frozen=True)
class _Column:
    """A column of the sheet of a chart: its head, its cells, and its letter."""

    letter: str
    head: str
    cells: list[Any]

    @property
    def range(self) -> str:
        return f"Sheet1!${self.letter}$2:${self.letter}${len(self.cells) + 1}"


def _columns(chart: dict[str, Any]) -> list[_Column]:
    """Names, then of each series its numbers, and how far its intervals reach."""
    made: list[tuple[str, list[Any]]] = [("", chart["categories"])]
    for each in chart["series"]:
        made.append((each["name"], each["values"]))
        for end in ("low", "high"):
            reach = [
                None if value is None or limit is None else abs(limit - value)
                for value, limit in zip(each["values"], each[end], strict=True)
            ]
            made.append((f"{each['name']}, {end} end", reach))
    return [_Column(_letter(n), head, cells) for n, (head, cells) in enumerate(made)]


def _letter(column: int) -> str:
    """``A`` of 0, ``Z`` of 25, ``AA`` of 26."""
    first, last = divmod(column, 26)
    return chr(64 + first) * bool(first) + chr(65 + last)


def _rows(chart: dict[str, Any]) -> list[list[Any]]:
    columns = _columns(chart)
    cells = zip(*(column.cells for column in columns), strict=True)
    return [[column.head for column in columns], *map(list, cells)]


def _chart(chart: dict[str, Any], ends: tuple[float, float]) -> Rel:
    columns, lines = _columns(chart), chart["form"] == "lines"
    series = [
        _series(chart, number, columns[0], columns[1 + 3 * number : 4 + 3 * number])
        for number in range(len(chart["series"]))
    ]
    title = C.rich(A.bodyPr(), A.lstStyle(), _paragraph(chart["title"]))
    plot = _lines(series) if lines else _bars(series, chart["form"] == "stacked")
    legend = [C.legend(*_vals(legendPos="b", overlay=0), _text(_SMALL))]
    return C.chartSpace(
        *_vals(date1904=0, roundedCorners=0),
        C.chart(
            C.title(C.tx(title), *_vals(overlay=0)),
            *_vals(autoTitleDeleted=0),
            C.plotArea(C.layout(), plot, *_axes(chart, ends)),
            *legend[: len(series) - 1],
            *_vals(plotVisOnly=1, dispBlanksAs="gap"),
        ),
        C.spPr(A.noFill(), A.ln(A.noFill())),
        _text(_SMALL),
        C.externalData(*_vals(autoUpdate=0), {_CHART_ID: "rId1"}),
    )


def _bars(series: list[Rel], stacked: bool) -> Rel:
    look = {"grouping": "stacked" if stacked else "clustered", "varyColors": 0}
    overlap = {"overlap": 100} if stacked else {}
    ends = _vals(gapWidth=60, **overlap), _vals(axId=1), _vals(axId=2)
    return C.barChart(*_vals(barDir="bar", **look), *series, *chain(*ends))


def _lines(series: list[Rel]) -> Rel:
    look, ends = _vals(grouping="standard", varyColors=0), _vals(marker=1, axId=1)
    return C.lineChart(*look, *series, *ends, *_vals(axId=2))


def _series(
    chart: dict[str, Any], number: int, names: _Column, columns: list[_Column]
) -> Rel:
    """The series of that number, whose values and intervals are ``columns``."""
    each, (values, low, high) = chart["series"][number], columns
    lines, stacked = (chart["form"] == form for form in ("lines", "stacked"))
    looks = [*zip(each["colours"], each["looks"], strict=True)]
    name = C.tx(_cache("str", f"Sheet1!${values.letter}$1", [values.head]))
    labels = C.dLbls(
        C.numFmt(formatCode=_formats(chart)[0], sourceLinked="0"),
        C.spPr(A.noFill(), A.ln(A.noFill())),
        _text(_SMALL),
        *([] if stacked else _vals(dLblPos="t" if lines else "outEnd")),
        *_vals(showLegendKey=0, showVal=int(not stacked), showCatName=0),
        *_vals(showSerName=0, showPercent=0, showBubbleSize=0),
    )
    errors = C.errBars(
        *_vals(**({"errDir": "y"} if lines else {}), errBarType="both"),
        *_vals(errValType="cust", noEndCap=0),
        C.plus(_cache("num", high.range, high.cells)),
        C.minus(_cache("num", low.range, low.cells)),
        C.spPr(A.ln(_fill(_INK), w="15875")),
    )
    known = not stacked and any(n is not None for n in low.cells + high.cells)
    data = [
        labels,
        *([errors] if known else []),
        C.cat(_cache("str", names.range, names.cells)),
        C.val(_cache("num", values.range, values.cells)),
    ]
    head = (*_vals(idx=number, order=number), name)
    if lines:
        dot = C.marker(*_vals(symbol="circle", size=7), _look(looks[0][0], "measured"))
        return C.ser(*head, _stroke(each), dot, *data, *_vals(smooth=0))
    flip = {"invertIfNegative": 0}
    points = [
        C.dPt(*_vals(idx=n, **flip, bubble3D=0), _look(*look))
        for n, look in enumerate(looks)
        if look != looks[0]
    ]
    return C.ser(*head, _look(*looks[0]), *_vals(**flip), *points, *data)


def _formats(chart: dict[str, Any]) -> tuple[str, str]:
    """How numbers at marks are printed, and those of the axis."""
    if chart["changes"]:
        return _CHANGES, '+0"%";\\−0"%";0'
    return _VALUES, "#,##0.###"


def _axes(chart: dict[str, Any], ends: tuple[float, float]) -> list[Rel]:
    """Categories from top to bottom, or from left to right, and numbers across them."""
    lines, ticks = (
        chart["form"] == "lines",
        {"majorTickMark": "none", "minorTickMark": "none"},
    )
    scale = _vals(orientation="minMax")
    if chart["log"]:
        scale = _vals(logBase=10, orientation="minMax")
    elif not lines:
        scale += _vals(max=f"{ends[1]:.6g}", min=f"{ends[0]:.6g}")
    names = C.catAx(
        *_vals(axId=1),
        C.scaling(*_vals(orientation="minMax" if lines else "maxMin")),
        *_vals(delete=0, axPos="b" if lines else "l"),
        C.numFmt(formatCode="General", sourceLinked="0"),
        *_vals(**ticks, tickLblPos="low"),
        C.spPr(A.ln(_fill(_INK), w="15875")),
        _text(_TEXT),
        *_vals(crossAx=2, crosses="autoZero", auto=0, lblAlgn="ctr"),
        *_vals(lblOffset=100, noMultiLvlLbl=1),
    )
    numbers = C.valAx(
        *_vals(axId=2),
        C.scaling(*scale),
        *_vals(delete=int(chart["bare"]), axPos="l" if lines else "b"),
        C.majorGridlines(C.spPr(A.ln(_fill(_LINE)))),
        C.numFmt(formatCode=_formats(chart)[1], sourceLinked="0"),
        *_vals(**ticks, tickLblPos="nextTo"),
        C.spPr(A.ln(A.noFill())),
        _text(_SMALL),
        *_vals(crossAx=1, crosses="autoZero" if lines else "max"),
        *_vals(crossBetween="between"),
    )
    return [names, numbers]


def _cache(kind: str, where: str, cells: list[Any]) -> Rel:
    """A reference to cells of the sheet, with what they hold."""
    points = [
        C.pt(C.v(f"{cell:.15g}" if kind == "num" else str(cell)), idx=str(n))
        for n, cell in enumerate(cells)
        if cell is not None
    ]
    code = [C.formatCode("General")] if kind == "num" else []
    [count] = _vals(ptCount=len(cells))
    return C(f"{kind}Ref", C.f(where), C(f"{kind}Cache", *code, count, *points))


def _vals(**values: str | int) -> list[Rel]:
    """Elements that have nothing but a value, in their order."""
    return [C(name, val=str(value)) for name, value in values.items()]


def _fill(colour: str) -> Rel:
    return A.solidFill(_colour(colour))


def _colour(hex: str) -> Rel:
    hex = hex.removeprefix("#")
    named = _THEME.get(hex)
    return A.schemeClr(val=named) if named else A.srgbClr(val=hex.upper())


def _look(colour: str, look: str) -> Rel:
    """A fill that shows an origin: solid is measured, hollow published."""
    edge = A.ln(_fill(colour), w="12700")
    if look == "published":
        return C.spPr(A.noFill(), edge)
    if pattern := _PATTERNS.get(look):
        ground = A.bgClr(A.schemeClr(val="bg1"))
        fill = A.pattFill(A.fgClr(_colour(colour)), ground, prst=pattern)
        return C.spPr(fill, edge)
    return C.spPr(_fill(colour), edge)


def _stroke(each: dict[str, Any]) -> Rel:
    dashed = [A.prstDash(val="dash")] if "modelled" in each["looks"] else []
    return C.spPr(A.ln(_fill(each["colours"][0]), *dashed, w="28575"))


def _paragraph(words: str) -> Rel:
    look = {"sz": str(_TEXT), "b": "1"}
    return A.p(A.pPr(A.defRPr(**look)), A.r(A.rPr(_fill(_INK), **look), A.t(words)))


def _text(size: int) -> Rel:
    letters = A.defRPr(_fill(_SOFT), sz=str(size))
    return C.txPr(
        A.bodyPr(), A.lstStyle(), A.p(A.pPr(letters), A.endParaRPr(lang="en-GB"))
    )


def is_workbook(data: bytes) -> bool:
    """Whether a file has a sheet and nothing else, nothing that runs above all."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as file:
            return file.namelist() == list(_BOOK)
    except zipfile.BadZipFile:
        return False


def _workbook(rows: list[list[Any]]) -> bytes:
    """A workbook with one sheet, whose first row has the heads of columns."""
    s = ElementMaker(namespace=_SPREADSHEET, nsmap={None: _SPREADSHEET, "r": _OFFICE})

    def cell(row: int, column: int, value: Any) -> Rel:
        at = f"{_letter(column)}{row}"
        if isinstance(value, str):
            return s.c(getattr(s, "is")(s.t(value)), r=at, t="inlineStr")
        return s.c(s.v(f"{value:.15g}"), r=at)

    sheet = s.worksheet(
        s.sheetData(
            *(
                s.row(
                    *(cell(n, k, v) for k, v in enumerate(row) if v is not None),
                    r=str(n),
                )
                for n, row in enumerate(rows, 1)
            )
        )
    )
    one = s.sheet(name="Sheet1", sheetId="1")
    one.set(_CHART_ID, "rId1")
    space = f"{_PACKAGE}/content-types"
    t = ElementMaker(namespace=space, nsmap={None: space})
    main, part = (
        f"{_TYPES}spreadsheetml.{kind}+xml" for kind in ("sheet.main", "worksheet")
    )
    types = t.Types(
        t.Default(Extension="rels", ContentType=_RELATIONS),
        t.Default(Extension="xml", ContentType="application/xml"),
        t.Override(PartName="/xl/workbook.xml", ContentType=main),
        t.Override(PartName="/xl/worksheets/sheet1.xml", ContentType=part),
    )
    document = _relation("rId1", f"{_OFFICE}/officeDocument", "xl/workbook.xml")
    of_sheet = _relation("rId1", f"{_OFFICE}/worksheet", "worksheets/sheet1.xml")
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        book = s.workbook(s.sheets(one))
        roots = (types, _relations(document), book, _relations(of_sheet), sheet)
        for name, root in zip(_BOOK, roots, strict=True):
            file.writestr(_entry(name), _xml(root), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _relations(*ones: Rel) -> Rel:
    space = f"{_PACKAGE}/relationships"
    return ElementMaker(namespace=space, nsmap={None: space}).Relationships(*ones)


def _relation(id: str, kind: str, target: str) -> Rel:
    name = f"{{{_PACKAGE}/relationships}}Relationship"
    return etree.Element(name, Id=id, Type=kind, Target=target)


def _xml(root: Rel) -> bytes:
    return bytes(
        etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    )
