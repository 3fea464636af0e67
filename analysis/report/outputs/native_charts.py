"""Charts that office programs draw, edit and let be restyled, in place of pictures.

Pandoc puts a picture into a slide; where its figure has charts, they take its place,
each with its numbers as a workbook.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import xlsxwriter
from lxml.builder import ElementMaker
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import (
    XL_CHART_TYPE,
    XL_LABEL_POSITION,
    XL_LEGEND_POSITION,
    XL_MARKER_STYLE,
    XL_TICK_LABEL_POSITION,
    XL_TICK_MARK,
)
from pptx.enum.dml import MSO_LINE_DASH_STYLE, MSO_PATTERN_TYPE, MSO_THEME_COLOR
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.shapes.picture import Picture
from pptx.util import Emu, Mm, Pt
from xlsxwriter.utility import xl_range_abs

from analysis.report.document.document import REPORT, Document
from analysis.report.pages.look import LOGO
from analysis.report.slides.compose import CHARTS

_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_C = ElementMaker(namespace=_CHART, nsmap={"c": _CHART})
_FORMS = {
    "bars": XL_CHART_TYPE.BAR_CLUSTERED,
    "stacked": XL_CHART_TYPE.BAR_STACKED,
    "lines": XL_CHART_TYPE.LINE_MARKERS,
}
# The colours of figures that the theme of the deck has, by its names for them.
_THEME = {
    "0f62fe": MSO_THEME_COLOR.ACCENT_1,
    "da1e28": MSO_THEME_COLOR.ACCENT_2,
    "009e73": MSO_THEME_COLOR.ACCENT_3,
    "b8860b": MSO_THEME_COLOR.ACCENT_4,
    "0072b2": MSO_THEME_COLOR.ACCENT_5,
    "8d8d8d": MSO_THEME_COLOR.ACCENT_6,
}
_PATTERNS = {
    "modelled": MSO_PATTERN_TYPE.WIDE_UPWARD_DIAGONAL,
    "synthetic": MSO_PATTERN_TYPE.PERCENT_75,
}
_INK, _SOFT, _LINE = "161616", "525252", "e0e0e0"
_FILE = re.compile(r"\s*figures/([\w.-]+)\.png\s*")  # behind the alt text of a picture
_LOGO = Mm(14)  # its height, as in the PDF
_SMALL, _TEXT = Pt(9), Pt(11)
_ABOVE, _BELOW = Emu(330_000), Emu(420_000)  # the words above charts and below them
_TIGHT = Emu(1_300_000)  # a chart less high has no axis of numbers
_ROW = Pt(44)  # of a chart for each category, below which its name is small
# Of an axis: "0.##" would print a point behind whole numbers.
_CHANGES, _NUMBERS = '+General"%";\\−General"%";0', "[>=1000]#,##0;General"
_VALUES = "[>=100]#,##0;[>=10]0.0;0.00"
_BOOK = re.compile(  # what a workbook of nothing but cells consists of
    r"\[Content_Types\]\.xml|_rels/\.rels|docProps/(app|core)\.xml|xl/workbook\.xml"
    r"|xl/_rels/workbook\.xml\.rels|xl/(styles|sharedStrings|theme/theme1)\.xml"
    r"|xl/worksheets/sheet1\.xml"
)
_MADE = dt.datetime(1980, 1, 1)  # a workbook's date, so that equal charts are equal
Json: TypeAlias = Mapping[str, Any]
Box: TypeAlias = tuple[int, int, int, int]


def with_charts(deck: bytes, document: Document) -> bytes:
    """A deck in which pictures of figures are charts, where these have any.

    No alt text names a file any more.
    """
    text = (document.folder / "figures" / CHARTS).read_text(encoding="utf-8")
    known = json.loads(text)
    presentation = Presentation(BytesIO(deck))
    for slide in presentation.slides:
        for picture in [one for one in slide.shapes if isinstance(one, Picture)]:
            [about] = picture._element.xpath("p:nvPicPr/p:cNvPr")
            alt, id, *_ = [*_FILE.split(about.get("descr", "")), ""]
            about.set("descr", alt)
            if figure := known.get(id):
                _replace(slide, picture, figure, alt)
        for number, about in enumerate(slide._element.iter("{*}cNvPr"), 1):
            about.set("id", str(number))
    _put_logo(presentation, document.folder / REPORT)
    drafted, made = BytesIO(), BytesIO()
    presentation.save(drafted)
    with zipfile.ZipFile(BytesIO(deck)) as old:
        date = old.infolist()[0].date_time
    with zipfile.ZipFile(drafted) as draft, zipfile.ZipFile(made, "w") as new:
        for name in draft.namelist():
            entry = zipfile.ZipInfo(name, date)
            new.writestr(entry, draft.read(name), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def is_workbook(data: bytes) -> bool:
    """Whether a file has a sheet and nothing else, nothing that runs above all."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as file:
            return all(map(_BOOK.fullmatch, file.namelist()))
    except zipfile.BadZipFile:
        return False


def _put_logo(presentation: Any, extension: Path) -> None:
    """The logo of a brand at the upper right of the first slide."""
    words, picture = extension / f"{LOGO}.txt", extension / f"{LOGO}.png"
    if words.is_file():
        shapes = presentation.slides[0].shapes
        logo = shapes.add_picture(str(picture), 0, _LOGO // 2, height=_LOGO)
        logo.left, logo.name = presentation.slide_width - logo.width - _LOGO, "Logo"
        [about] = logo._element.xpath("p:nvPicPr/p:cNvPr")
        about.set("descr", words.read_text("utf-8"))


def _replace(slide: Any, picture: Picture, figure: Json, alt: str) -> None:
    """Put the charts of a figure, with the words above and below them, in the place of
    its picture."""
    x, y, wide, high = _room(slide, picture)
    charts, room = figure["charts"], high - _ABOVE - _BELOW
    shapes = [_words(slide, figure["about"], (x, y, wide, _ABOVE), _TEXT)]
    weights = [len(one["categories"]) * len(one["series"]) + 2 for one in charts]
    top = y + _ABOVE
    for one, weight in zip(charts, weights, strict=True):
        tall = room * weight // sum(weights)
        shapes.append(_chart(slide, one, (x, top, wide, tall)))
        words = alt if one is charts[0] else one["title"]
        shapes[-1]._element.nvGraphicFramePr.cNvPr.set("descr", words)
        top += tall
    foot = (x, y + high - _BELOW, wide, _BELOW)
    shapes.append(_words(slide, figure["foot"], foot, _SMALL))
    for shape in shapes:  # the order of shapes is that in which they are read aloud
        picture._element.addprevious(shape._element)
    slide.part.drop_rel(picture._element.blip_rId)
    picture._element.getparent().remove(picture._element)


def _room(slide: Any, picture: Picture) -> Box:
    """The place of the layout that holds a picture."""
    x, y = picture.left + picture.width // 2, picture.top + picture.height // 2
    for place in slide.slide_layout.placeholders:
        box = place.left, place.top, place.width, place.height
        if box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]:
            return box
    return picture.left, picture.top, picture.width, picture.height


def _words(slide: Any, words: str, box: Box, size: Pt) -> Any:
    shape = slide.shapes.add_textbox(*box)
    frame = shape.text_frame
    frame.word_wrap, frame.auto_size = True, MSO_AUTO_SIZE.TEXT_TO_FIT_SHAPE
    frame.margin_top = frame.margin_bottom = 0
    frame.text = words
    font = frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb = size, RGBColor.from_string(_SOFT)
    return shape


def _chart(slide: Any, one: Json, box: Box) -> Any:
    data = CategoryChartData()
    data.categories = one["categories"]
    for each in one["series"]:
        data.add_series(each["name"], each["values"])
    frame = slide.shapes.add_chart(_FORMS[one["form"]], *box, data)
    chart, lines = frame.chart, one["form"] == "lines"
    reaches = [list(_reach(each)) for each in one["series"]]
    book = _workbook(one, reaches)
    chart.part.chart_workbook.update_from_xlsx_blob(book)
    chart.font.size, chart.font.color.rgb = _SMALL, RGBColor.from_string(_SOFT)
    chart.chart_title.text_frame.text = one["title"]
    title = chart.chart_title.text_frame.paragraphs[0].runs[0].font
    title.size, title.bold = _TEXT, True
    title.color.rgb = RGBColor.from_string(_INK)
    chart.has_legend = len(one["series"]) > 1
    if chart.has_legend:
        chart.legend.position = XL_LEGEND_POSITION.BOTTOM
        chart.legend.include_in_layout = False
    _axes(chart, one, box[3])
    [plot] = chart.plots
    if not lines:
        plot.gap_width, plot.vary_by_categories = 60, False
    if not one["changes"] and one["form"] != "stacked":
        plot.has_data_labels = True
        labels, place = plot.data_labels, XL_LABEL_POSITION
        labels.number_format, labels.number_format_is_linked = _VALUES, False
        labels.position = place.ABOVE if lines else place.OUTSIDE_END
    for number, each in enumerate(one["series"]):
        series, reach = plot.series[number], reaches[number]
        _dress(series, each, lines)
        if any(n is not None for cells in reach for n in cells):
            first = 1 + len(reaches) + 2 * number
            _add_interval(series, reach, first, lines)
    return frame


def _axes(chart: Any, one: Json, high: int) -> None:
    """Categories from top to bottom, or from left to right, and numbers across them."""
    names, numbers = chart.category_axis, chart.value_axis
    for axis in (names, numbers):
        axis.major_tick_mark = axis.minor_tick_mark = XL_TICK_MARK.NONE
    names.format.line.color.rgb = RGBColor.from_string(_INK)
    is_close = high < _ROW * (1 + len(one["categories"]))
    names.tick_labels.font.size = _SMALL if is_close else _TEXT
    # every name is shown: office programs leave out each second where room is short
    names._element.find("{*}noMultiLvlLbl").addprevious(_C.tickLblSkip(val="1"))
    names.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    if one["form"] != "lines":
        names.reverse_order = True
        numbers.tick_label_position = XL_TICK_LABEL_POSITION.HIGH  # that is below
    numbers.visible = high >= _TIGHT
    numbers.format.line.fill.background()
    numbers.major_gridlines.format.line.color.rgb = RGBColor.from_string(_LINE)
    shown = numbers.tick_labels
    shown.number_format = _CHANGES if one["changes"] else _NUMBERS
    shown.number_format_is_linked = False
    if one["log"]:
        numbers._element.find(f"{{{_CHART}}}scaling").insert(0, _C.logBase(val="10"))
    elif one["breaks"]:
        low, step, *_, high = one["breaks"]
        numbers.minimum_scale, numbers.maximum_scale = low, high
        numbers.major_unit = step - low


def _dress(series: Any, each: Json, lines: bool) -> None:
    """The colours of a series, and of points that differ from its first."""
    looks = [*zip(each["colours"], each["looks"], strict=True)]
    if lines:
        series.smooth, series.marker.style = False, XL_MARKER_STYLE.CIRCLE
        series.marker.size, series.format.line.width = 7, Pt(2.25)
        _colour(series.format.line.color, each["colours"][0])
        if "modelled" in each["looks"]:
            series.format.line.dash_style = MSO_LINE_DASH_STYLE.DASH
        _look(series.marker.format, looks[0][0], "measured")
        return
    series.invert_if_negative = False
    _look(series.format, *looks[0])
    for number, look in enumerate(looks):
        if look != looks[0]:
            _look(series.points[number].format, *look)


def _look(form: Any, colour: str, look: str) -> None:
    """A fill that shows an origin: solid is measured, hollow published."""
    form.line.width = Pt(1)
    _colour(form.line.color, colour)
    if look == "published":
        form.fill.background()
    elif pattern := _PATTERNS.get(look):
        form.fill.patterned()
        form.fill.pattern = pattern
        _colour(form.fill.fore_color, colour)
        form.fill.back_color.theme_color = MSO_THEME_COLOR.BACKGROUND_1
    else:
        form.fill.solid()
        _colour(form.fill.fore_color, colour)


def _colour(place: Any, hex: str) -> None:
    hex = hex.removeprefix("#")
    if hex in _THEME:
        place.theme_color = _THEME[hex]
    else:
        place.rgb = RGBColor.from_string(hex.upper())


def _reach(each: Json) -> Iterator[list[float | None]]:
    """How far the intervals of a series reach below its values and above them."""
    for end in ("low", "high"):
        pairs = zip(each["values"], each[end], strict=True)
        yield [None if None in pair else abs(pair[1] - pair[0]) for pair in pairs]


def _add_interval(
    series: Any, reach: list[list[float | None]], column: int, lines: bool
) -> None:
    """Lines from low to high, which stand in the sheet from a column on: error bars
    (ECMA-376, part 1, 21.2.2.55)."""
    low, high = (
        _C.numRef(
            _C.f(f"Sheet1!{xl_range_abs(1, column + n, len(cells), column + n)}"),
            _C.numCache(
                _C.formatCode("General"),
                _C.ptCount(val=str(len(cells))),
                *(
                    _C.pt(_C.v(f"{cell:.15g}"), idx=str(row))
                    for row, cell in enumerate(cells)
                    if cell is not None
                ),
            ),
        )
        for n, cells in enumerate(reach)
    )
    bars = _C.errBars(
        *([_C.errDir(val="y")] if lines else []),
        _C.errBarType(val="both"),
        _C.errValType(val="cust"),
        _C.noEndCap(val="0"),
        _C.plus(high),
        _C.minus(low),
    )
    series._element.insert_element_before(bars, "c:cat", "c:val", "c:smooth")


def _workbook(one: Json, reaches: list[list[list[float | None]]]) -> bytes:
    """The numbers of a chart as a workbook with one sheet: its names, its series where
    office programs look for them, then how far intervals reach."""
    columns = [("", one["categories"])]
    columns += [(each["name"], each["values"]) for each in one["series"]]
    for each, reach in zip(one["series"], reaches, strict=True):
        for end, cells in zip(("low", "high"), reach, strict=True):
            columns.append((f"{each['name']}, {end} end", cells))
    made = BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
    }
    with xlsxwriter.Workbook(made, options) as book:
        book.set_properties({"created": _MADE})
        sheet = book.add_worksheet("Sheet1")
        for number, (head, cells) in enumerate(columns):
            sheet.write_column(0, number, [head, *cells])
    return made.getvalue()
