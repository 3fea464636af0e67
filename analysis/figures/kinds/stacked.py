"""The stacked chart: parts of a whole as bars, with a limit and a potential part."""

from __future__ import annotations

from typing import Any

import plotnine as p9
import polars as pl

from analysis.declared.vocabulary import PARTS as PART_ORDER
from analysis.declared.vocabulary import is_of_whole, part_words
from analysis.errors import Issue
from analysis.facts.fact import Facts
from analysis.facts.sentences import inside, listed
from analysis.facts.units import format_value
from analysis.figures import page, words
from analysis.figures.chart import chart_of_parts
from analysis.figures.grammar import marks
from analysis.figures.grammar.rows import GAP, Heading, RowTable, WordColumn
from analysis.figures.grammar.scales import scale_value
from analysis.figures.kind import Chart, FigureKind, check_metrics
from analysis.figures.select import fact_frame, groups, load_names
from analysis.figures.setting import Setting
from analysis.figures.sheet import Named, Sheet, legend_lines

_REST = "rest"
_BAR_OF = ("workload", "configuration")
_BAR = 1.5  # mm, half the height of a bar
_OUTLINE = _BAR + 0.45  # mm, half that of an outline
_FULL = 0.97  # of the limit, from which on there is no room for more
_OVER = 1.05  # of the limit, beyond which no noise explains the sum


def data_stacked(facts: Facts, setting: Setting) -> pl.DataFrame:
    """The parts, a row each; ``part`` names the part.

    The roles of the first metric are parts, in the declared order, and so is every
    other metric with all of its roles. What could be a part comes last.
    """
    figure = setting.figure
    named = dict.fromkeys([*figure.metrics, *filter(None, [figure.potential])])
    every = figure.model_copy(update={"metrics": tuple(named)})
    frame = fact_frame(facts, setting, "value", every)
    places = {role: i for i, role in enumerate(figure.roles)}
    order = {id: i for i, id in enumerate(named)}
    frame = frame.sort(
        pl.col("metric").replace_strict(order, return_dtype=pl.Int64),
        pl.col("role").replace_strict(places, default=-1, return_dtype=pl.Int64),
        maintain_order=True,
    )
    labels = {id: setting.metrics[id].label for id in named}
    metrics = pl.col("metric").replace_strict(labels, return_dtype=pl.String)
    roles = pl.col("role").map_elements(part_words, return_dtype=pl.String)
    several = frame.filter(metric=figure.metrics[0])["role"].n_unique() > 1
    parts = pl.when((pl.col("metric") == figure.metrics[0]) & several).then(roles)
    loads = pl.col("workload").replace_strict(load_names(frame["workload"]))
    return frame.with_columns(
        load=loads, part=parts.otherwise(metrics).fill_null(metrics)
    )


def check_stacked(setting: Setting) -> list[Issue]:
    """Issues of a figure without metrics, with several units, or with a whole among
    its own parts."""
    figure = setting.figure
    named = dict.fromkeys([*figure.metrics, *filter(None, [figure.potential])])
    units = {setting.metrics[id].unit for id in named if id in setting.metrics}
    wholes = [r for r in figure.roles if is_of_whole(r) or r.startswith("total-")]
    issues = check_metrics(setting)
    if len(units) > 1:
        what = f"parts of a whole have one unit, and not {' and '.join(sorted(units))}"
        issues.append(_issue(setting, what, "draw metrics of one unit"))
    if wholes and len(wholes) < len(figure.roles):
        what = f"{wholes[0]} is the whole, and the other roles are its parts"
        issues.append(_issue(setting, what, f"take {wholes[0]} out of roles"))
    return issues


def check_sums(frame: pl.DataFrame, setting: Setting) -> list[Issue]:
    """An issue for each sum of parts beyond the limit."""
    limit = setting.figure.limit
    if limit is None:
        return []
    most, mend = format_value(limit, frame["unit"][0]), "mend the limit or the roles"
    return [
        _issue(
            setting,
            f"the parts of {row['workload']} on {row['name']} are "
            f"{row['sum']} together, more than the limit of {most}",
            mend,
        )
        for row in sums(_filled(frame, setting))
        if row["end"] > _OVER * limit
    ]


def _issue(setting: Setting, what: str, mend: str) -> Issue:
    return Issue(f"figure {setting.figure.id}: {what}", setting.place, mend)


def words_stacked(frame: pl.DataFrame, setting: Setting) -> page.Words:
    """Finding, subtitle, foot line and alt text of a stacked chart."""
    solid = _filled(frame, setting)
    whole = sums(solid, setting.figure.limit)
    several = solid["configuration"].n_unique() > 1
    sums_in_words = [
        f"{words.bar_name(row | {'workload': row['load']}, several)} {row['sum']}"
        for row in whole
    ]
    finding = _finding(frame, whole, setting)
    parts = solid["part"].unique(maintain_order=True)
    named = listed([_spoken(part, setting) for part in parts])
    full = any(row["full"] for row in whole)
    return page.Words(
        finding,
        f"Parts: {named}; at the end their sum.",
        words.foot_line(_told_marks(setting, frame["unit"][0], full), frame),
        f"Stacked bars of {named}. {finding}. Sums: {'; '.join(sums_in_words)}.",
    )


def _finding(frame: pl.DataFrame, whole: list[dict[str, Any]], setting: Setting) -> str:
    """How much the last part is and could be, else which part is the largest; what
    fills the limit, and from which load on, else that nothing does."""
    solid, limit = _filled(frame, setting), setting.figure.limit
    phrases = [_most_potential(frame, setting) or _largest(solid, setting)]
    if limit is not None:
        most, loads = format_value(limit, frame["unit"][0]), dict[str, list[str]]()
        for id in dict.fromkeys(row["configuration"] for row in whole):
            if load := _full_from([row for row in whole if row["configuration"] == id]):
                loads.setdefault(load, []).append(id)
        full = [f"{setting.label_list(ids)} {load}" for load, ids in loads.items()]
        said = f"the limit of {most} is reached with {'; '.join(full)}"
        phrases.append(said if full else f"no load reaches the limit of {most}")
    text = "; ".join(filter(None, phrases)) or "the largest part depends on the load"
    return text if text[1].isupper() else text[0].upper() + text[1:]


def _largest(solid: pl.DataFrame, setting: Setting) -> str:
    """``gateway is always the largest part``, where one is."""
    parts = solid.group_by(*_BAR_OF, "part", maintain_order=True).agg(pl.sum("value"))
    largest = {
        str(bar.sort("value", descending=True)["part"][0])
        for _, bar in groups(parts, *_BAR_OF)
    }
    if len(largest) > 1:
        return ""
    return f"{_spoken(largest.pop(), setting)} is always the largest part"


def _most_potential(frame: pl.DataFrame, setting: Setting) -> str:
    """``offload is 93.6% and could be 204% (600 clients, AES-256)``: where most could
    be."""
    could = frame.filter(metric=setting.figure.potential)
    if could.is_empty():
        return ""
    bars = could.group_by(*_BAR_OF, maintain_order=True).agg(
        pl.sum("value"), pl.first("load", "name", "unit")
    )
    top = bars.sort("value", descending=True).row(0, named=True)
    last = _filled(frame, setting)["part"][-1]
    here = frame.filter(part=last, **{side: top[side] for side in _BAR_OF})
    now, most = (
        format_value(v, top["unit"]) for v in (sum(here["value"]), top["value"])
    )
    several = frame["configuration"].n_unique() > 1
    where = words.bar_name(top | {"workload": top["load"]}, several)
    return f"{_spoken(last, setting)} is {now} and could be {most} ({where})"


def _spoken(part: str, setting: Setting) -> str:
    """The name of a part inside a sentence."""
    labels = {metric.label for metric in setting.metrics.values()}
    return inside(part) if part in labels else part


def _full_from(rows: list[dict[str, Any]]) -> str:
    """``from 400 clients on``, or the loads that are full; nothing where none is."""
    full = [row["load"] for row in rows if row["full"]]
    if len(full) > 1 and all(row["full"] for row in rows[-len(full) :]):
        return f"from {full[0]} on"
    return f"at {listed(full)}" if full else ""


def plot_stacked(frame: pl.DataFrame, setting: Setting, sheet: Sheet) -> None:
    """A row a workload and configuration: its parts from zero, and their sum."""
    solid = _filled(frame, setting)
    whole = sums(solid, setting.figure.limit)
    rows = pl.DataFrame(whole, infer_schema_length=None)
    columns = _columns(
        solid["configuration"].n_unique() > 1, any(row["full"] for row in whole)
    )
    colours = _colours(solid)
    named = [(color, name) for name, color in colours.items()]
    heading = Heading("", words.unit_and_better(frame))
    by = (["one"], lambda _: heading, "load")
    table = RowTable(sheet, rows, columns, *by)
    chips = _legend(named, table, heading)
    heads = len(chips)
    heading = heading if heads == 1 else Heading("")  # the unit is at each sum, too
    table = RowTable(sheet, rows, columns, *by, heads=heads)
    scale, limit = scale_value(False, table.room), setting.figure.limit
    could = frame.filter(metric=setting.figure.potential)
    drawn = _bars(solid, could, table, colours)
    reached = max([0.0, limit or 0.0, *(float(row["end"]) for row in whole)])
    layers = marks.ground(table.frame, {1: (0.0, reached)}, zero=True) + drawn
    if limit is not None:
        places = p9.aes(x="limit", xend="limit", y="ymin", yend="ymax")
        upright = table.frame.with_columns(limit=pl.lit(limit))
        layers.append(p9.geom_segment(places, upright, color=page.INK, size=0.6))
    table.draw(layers, scale)
    panel = sheet.panels[0]
    sheet.legend((panel.x[0], panel.y[0]), chips, table.heading / heads)


def _chart(frame: pl.DataFrame, setting: Setting) -> list[Chart]:
    """The parts as a chart of an office program."""
    solid = _filled(frame, setting)
    colours = pl.col("part").replace_strict(_colours(solid))
    return chart_of_parts(solid.with_columns(colour=colours))


def _bars(
    frame: pl.DataFrame,
    potential: pl.DataFrame,
    table: RowTable,
    colours: dict[str, str],
) -> list[Any]:
    """The parts of each bar, one after the other from zero, and as an outline at its
    end how much could be the last."""
    places = table.frame.select(*_BAR_OF, "panel", "y")
    whole = pl.col("value").cum_sum().over(_BAR_OF)
    parts = (
        frame.group_by(*_BAR_OF, "metric", "part", maintain_order=True)
        .agg(pl.col("value").sum(), pl.col("look").first())
        .with_columns(end=whole, start=whole - pl.col("value"))
        .join(places, on=_BAR_OF, maintain_order="left")
        .with_columns(fill=pl.col("part").replace_strict(colours))
    )
    layers = [marks.bars(parts, "start", "end", "fill", _BAR)]
    if potential.is_empty():
        return layers
    last = parts.group_by(_BAR_OF).agg(pl.col("end", "panel", "y").last())
    y, outline = (
        pl.col("y"),
        p9.aes(xmin="start", xmax="end", ymin="bottom", ymax="top"),
    )
    could = (
        potential.group_by(*_BAR_OF, maintain_order=True)
        .agg(pl.col("value").sum())
        .join(last, on=_BAR_OF, maintain_order="left")
        .with_columns(start=(pl.col("end") - pl.col("value")).clip(0))
        .with_columns(bottom=y - _OUTLINE, top=y + _OUTLINE)
    )
    look = {"fill": "none", "color": page.INK, "size": 0.4, "linetype": "dashed"}
    return [*layers, p9.geom_rect(outline, could, **look)]


def _filled(frame: pl.DataFrame, setting: Setting) -> pl.DataFrame:
    """The parts without what could be one."""
    return frame.filter(pl.col("metric") != setting.figure.potential)


def _legend(named: Named, table: RowTable, heading: Heading) -> list[Named]:
    """The names of the parts in lines, in one with the unit where there is room."""
    format = table.format
    beside = format.width - table.left - table.room
    aside = max(page.text_width(heading.aside, format.text) + 2 * GAP - beside, 0.0)
    lines = legend_lines(named, table.room - aside, format)
    return lines if len(lines) == 1 else legend_lines(named, table.room, format)


def _columns(several: bool, full: bool) -> list[WordColumn]:
    """A row's load, its configuration where there are ``several``, and its sum; beside
    it whether it is ``full``, where any is."""
    return [
        WordColumn("load", "left", of_block=several),
        *[WordColumn("name", "left", color=page.SOFT)] * several,
        WordColumn("sum", ha="right", weight=page.BOLD),
        *[WordColumn("full", gap=1.2)] * full,
    ]


def sums(frame: pl.DataFrame, limit: float | None = None) -> list[dict[str, Any]]:
    """The whole of each workload and configuration: what its parts add up to, and
    ``full`` where the limit leaves no room for more."""
    rows = []
    for _, part in groups(frame, "workload", "configuration"):
        end = float(part["value"].sum())
        row = part.row(0, named=True)
        full = "full" * (limit is not None and end >= _FULL * limit)
        whole = {"end": end, "sum": format_value(end, row["unit"]), "full": full}
        rows.append(row | whole | {"one": 1, "keys": " ".join(part["key"])})
    return rows


def _colours(frame: pl.DataFrame) -> dict[str, str]:
    """A colour for each part, one of a role in all figures of an edition that have the
    same roles, however stacked; all that is left over is grey."""
    pairs = frame.select("part", "role").unique(maintain_order=True)
    names = pairs["part"].unique(maintain_order=True).to_list()
    role_of = dict(pairs.iter_rows())
    coloured = sorted(
        (name for name in names if name != _REST),
        key=lambda name: _place(name, role_of[name]),
    )
    colours = {name: page.PARTS[i % len(page.PARTS)] for i, name in enumerate(coloured)}
    return {name: colours.get(name, page.BASELINE) for name in names}


def _place(name: str, role: str | None) -> int:
    """Where a part stands among all that are declared; a metric's comes last."""
    is_role = role is not None and part_words(role) == name
    return PART_ORDER.index(str(role)) if is_role else len(PART_ORDER)


def _told_marks(setting: Setting, unit: str, full: bool) -> list[str]:
    """What the outline, the upright line and the word are, if they are drawn."""
    name, limit = setting.figure.potential, setting.figure.limit
    parts = [f"upright line: limit of {format_value(limit, unit)}"] if limit else []
    parts += [f"full: {_FULL:.0%} of the limit or more"] * full
    if name:
        parts.append(f"dashed at the end: {inside(setting.metrics[name].label)}")
    return parts


KIND = FigureKind(
    id="stacked",
    data=data_stacked,
    words=words_stacked,
    plot=plot_stacked,
    chart=_chart,
    draws="parts of a whole with a limit, and at the end their sum",
    answers="what is it made of, and how near is the limit?",
    caption="parts and their sum, {all}",
    reads="A bar adds up its parts; the number at its end is their sum.",
    key=(
        ("parts", "parts, in the colours above the bars"),
        ("limit", "the most that the sum may be"),
        ("outline", "how much could be the last part"),
    ),
    check=check_stacked,
    check_data=check_sums,
)
