"""What is declared against what the files tell: processors, releases, networks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.declared.base import line_of, load_yaml
from analysis.declared.campaign import CAMPAIGN_FILE, Campaign, Configuration
from analysis.errors import Issue, Place
from analysis.ingest.joining.assign import CampaignReading, Frames
from analysis.ingest.joining.run_table import run_table

_MEND = "mend the declaration, or name the files of what is declared"
_RELEASE = re.compile(r"(?<!\d)(\d+)[.R](\d+)")  # 3.2, V3R2
_TOLD_RELEASE = re.compile(r"ZV(\d\d)(\d\d)\d\d")  # ZV030200
_SIZE = re.compile(r"(\d+)\s*(KB|kB)?(?![\w.])")
_LOOPBACK = "LOOPBACK"
_MEMORY = {"IPAQIDIO": "HiperSockets"}  # interfaces that are no adapter
_ADAPTER = re.compile(r"\b(OSA|OSD|OSH|Network Express)\b")
Keys = tuple[str, ...]


def check_observed(tables: Frames, evidence: CampaignReading) -> list[Issue]:
    """Entries of campaign.yaml that a file of the campaign contradicts."""
    checked = evidence.checked
    names = {sha256: file for file, sha256 in checked.files.items()}
    found = [
        *_processors(tables, checked.campaign, names),
        *_kernels(evidence),
        *_of_configurations(tables, evidence, names),
    ]
    if not found:
        return []
    path = checked.folder / CAMPAIGN_FILE
    node = load_yaml(path)[1]
    return [
        Issue(what, Place(str(path), line_of(node, keys)), _MEND)
        for keys, what in found
    ]


def _processors(
    tables: Frames, campaign: Campaign, names: Mapping[str, str]
) -> Iterator[tuple[Keys, str]]:
    """Numbers of CPs, and whether they are dedicated, by the machine of a system."""
    told = (
        _counts(tables)
        .group_by("system", maintain_order=True)
        .agg(
            least=pl.col("online_cpus").min(),
            most=pl.col("online_cpus").max(),
            dedicated=pl.col("dedicated").drop_nulls().unique(),
            source=pl.col("source").first(),
            own=pl.col("source").filter(pl.col("dedicated").is_not_null()).first(),
        )
    )
    by_machine = {row["system"]: row for row in told.to_dicts()}
    for id, system in campaign.systems.items():
        row = by_machine.get(system.host or id)
        if row is None:
            continue
        few = 0 if system.host else math.floor(row["least"])
        if not few <= system.cps <= math.ceil(row["most"]):
            what = f"cps is {system.cps}, but {names[row['source']]} tells of"
            yield ("systems", id, "cps"), f"{what} {row['most']:g} CPs of {id}"
        declared = "dedicated" in system.model_fields_set
        if declared and row["dedicated"] and system.dedicated not in row["dedicated"]:
            kind = "shared" if system.dedicated else "dedicated"
            what = f"dedicated is {str(system.dedicated).lower()}, but"
            told_by = f"{names[row['own']]} tells of {kind} CPs of {id}"
            yield ("systems", id, "dedicated"), f"{what} {told_by}"


def _counts(tables: Frames) -> pl.DataFrame:
    """How many CPs a system has, in intervals and in snapshots of its clock ticks."""
    columns = ("system", "online_cpus", "dedicated", "source")
    intervals = tables["cpu_interval"].filter(
        pl.col("cpu_type") == "CP", pl.col("online_cpus") > 0
    )
    snapshots = (
        tables["cpu_counter"]
        .filter(pl.col("cpu") != "all")
        .group_by("system", "source", maintain_order=True)
        .agg(online_cpus=pl.len().cast(pl.Float64))
        .with_columns(dedicated=pl.lit(None, pl.Boolean))
    )
    return pl.concat([intervals.select(columns), snapshots.select(columns)])


def _kernels(evidence: CampaignReading) -> Iterator[tuple[Keys, str]]:
    """The kernel that software names, and that of the files of Linux."""
    software = evidence.checked.campaign.software
    entry = next((name for name in software if name.casefold() == "kernel"), None)
    if entry is None:
        return
    declared = str(software[entry])
    for file, reading in sorted(evidence.readings.items()):
        told = reading.circumstances.release
        if told and not (told in declared or declared in told):
            what = f"{entry} is {declared}, but {file} tells of {told}"
            yield ("software", entry), what
            return


def _of_configurations(
    tables: Frames, evidence: CampaignReading, names: Mapping[str, str]
) -> Iterator[tuple[Keys, str]]:
    """Releases, MTU sizes and kinds of interfaces in the windows of the runs."""
    releases = tables["cpu_interval"].filter(pl.col("release").is_not_null())
    networks = tables["interface_interval"].filter(pl.col("mtu") > 0)
    if releases.is_empty() and networks.is_empty():
        return
    checked = evidence.checked
    runs = run_table(checked, evidence.readings, evidence.results)
    windows = _windows(runs, evidence)
    campaign = checked.campaign
    for id, rows in _by_configuration(releases, windows):
        yield from _release(id, campaign, rows, names)
    for id, rows in _by_configuration(networks, windows):
        yield from _network(id, campaign.configurations[id], _busiest(rows), names)


def _windows(runs: pl.DataFrame, evidence: CampaignReading) -> pl.DataFrame:
    """One row for each run and system: when it began and ended."""
    lines = {line.run: line for line in evidence.checked.runs}
    roles = [
        {"run": run, "system": system}
        for run, line in lines.items()
        for system in line.roles.values()
    ]
    named = pl.DataFrame(roles, {"run": pl.String, "system": pl.String})
    return named.join(
        runs.select("run", "configuration", _time("start_utc", "begin"),
                    _time("end_utc", "end")),
        on="run",
    ).drop_nulls()  # fmt: skip


def _time(column: str, name: str) -> pl.Expr:
    return pl.col(column).str.to_datetime(time_zone="UTC", strict=False).alias(name)


def _by_configuration(
    rows: pl.DataFrame, windows: pl.DataFrame
) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows that lie within runs of each configuration."""
    timed = rows.drop("run", strict=False).with_columns(_time("start_utc", "first"))
    last = pl.col("first") + pl.duration(microseconds=pl.col("seconds") * 1e6)
    timed = timed.with_columns(middle=pl.col("first") + (last - pl.col("first")) / 2)
    met = _within_any(timed, windows).join(windows, on="system")
    met = met.filter(pl.col("middle").is_between("begin", "end")).drop("middle")
    for (id,), group in met.group_by("configuration", maintain_order=True):
        yield str(id), group


def _within_any(timed: pl.DataFrame, windows: pl.DataFrame) -> pl.DataFrame:
    """The rows that lie in one of the runs of their system, without which each would
    be held against each run."""
    ends = windows.sort("begin").select(
        "system", "begin", until=pl.col("end").cum_max().over("system")
    )
    rows = timed.with_row_index("_row").drop_nulls("middle")
    found = rows.sort("middle").join_asof(
        ends, left_on="middle", right_on="begin", by="system", check_sortedness=False
    )
    within = found.filter(pl.col("until") >= pl.col("middle")).sort("_row")
    return within.select(timed.columns)


def _busiest(rows: pl.DataFrame) -> pl.DataFrame:
    """Of each system in each run, the interface with most bytes."""
    moved = pl.col("bytes_in").fill_null(0) + pl.col("bytes_out").fill_null(0)
    carried = rows.with_columns(moved=moved).filter(
        pl.col("moved") > 0, ~pl.col("interface").str.contains(_LOOPBACK)
    )
    return carried.sort("moved").group_by("run", "system", maintain_order=True).last()


def _release(
    id: str, campaign: Campaign, rows: pl.DataFrame, names: Mapping[str, str]
) -> Iterator[tuple[Keys, str]]:
    keys, declared = _declared_release(id, campaign)
    told = {
        (int(found[1]), int(found[2])): row
        for row in rows.unique("release").to_dicts()
        if (found := _TOLD_RELEASE.match(row["release"]))
    }
    wanted = _RELEASE.search(declared)
    if wanted and told and (int(wanted[1]), int(wanted[2])) not in told:
        (version, release), row = next(iter(told.items()))
        what = f"{keys[-1]} is {declared}, but {names[row['source']]} tells of"
        yield keys, f"{what} {version}.{release} in runs of {id}"


def _declared_release(id: str, campaign: Campaign) -> tuple[Keys, str]:
    """The release of z/OS that a configuration declares, else the campaign."""
    details = campaign.configurations[id].details
    for name, value in details.items():
        if "release" in name.casefold():
            return ("configurations", id, "details", name), str(value)
    for name, value in campaign.software.items():
        if name.casefold() == "z/os":
            return ("software", name), str(value)
    return (), ""


def _network(
    id: str, declared: Configuration, rows: pl.DataFrame, names: Mapping[str, str]
) -> Iterator[tuple[Keys, str]]:
    """The MTU and the kind of the interface that carried the load."""
    if rows.is_empty():
        return
    row: dict[str, Any] = rows.row(0, named=True)
    seen = f"but {names[row['source']]} tells of {row['interface']}"
    sizes, memory = set(rows["mtu"]), _MEMORY.get(row["kind"] or "")
    for name, value in declared.details.items():
        keys = ("configurations", id, "details", name)
        size = _size(str(value)) if name.casefold().startswith("mtu") else None
        if size and size not in sizes:
            what = f"{name} is {value}, {seen} with {row['mtu']}"
            yield keys, f"{what} in runs of {id}"
        if name == "Interface" and memory and _contradicts(str(value), memory):
            yield keys, f"{name} is {value}, {seen}, {memory}, in runs of {id}"


def _contradicts(text: str, memory: str) -> bool:
    return memory not in text and bool(_ADAPTER.search(text))


def _size(text: str) -> int | None:
    found = _SIZE.match(text)
    return int(found[1]) * (1024 if found[2] else 1) if found else None
