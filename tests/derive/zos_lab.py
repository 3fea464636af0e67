"""A campaign of z/OS in a folder: SMF dumps and RMF reports with known CPU time.

Each run lasts 10 s and is one RMF interval of SYSA (server) and SYSB (client).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from analysis.cli import main
from analysis.facts.fact import Fact, Facts, read_facts
from synthetic.emitters import rmf_xml as ddsml
from synthetic.smf.dump import NEW_YORK, START, blocked
from synthetic.smf.rmf import (
    Activity,
    Cpu,
    Interval,
    Lpar,
    Period,
    class_activity,
    cpu_activity,
)
from synthetic.smf.spaces import Space, address_space
from tests.derive.conftest import FIGURE, METRICS
from tests.ingest.rmf import ddsml_more
from tests.ingest.smf.made_other import data_lost

SECONDS = 10
FACTOR = 384  # / 256: a zIIP is 1.5 times as fast as a CP
UNITS = 16e6 / 188  # service units a second
OTHER = Lpar("OTHER", 1, [Cpu(0, 1_100_000, 1_000_000, SECONDS * 1_000_000)])


@dataclass(frozen=True)
class Usage:
    """True seconds on one system in one run; 4 CPs and 2 zIIPs.

    With wait completion, each CP is dispatched ``waits`` longer than it works.
    """

    busy: float = 10.0
    waits: float = 2.0
    ziip: float = 2.0
    classes: dict[str, tuple[float, float]] = field(
        default_factory=lambda: {"NETSTC": (4.0, 1.0), "OTHER": (5.0, 1.0)}
    )
    jobs: dict[str, tuple[float, float]] = field(
        default_factory=lambda: {"TCPIP": (3.0, 0.5), "FTPD1": (1.0, 0.0)}
    )
    flags: int = 0  # of the product section; 0x0020 is a speed boost
    capacity: int = 100

    def records(self, start: dt.datetime, sid: str) -> list[bytes]:
        """The records 70-1, 72-3 and 30-2 of one interval."""
        interval = Interval(start, SECONDS * 1000, sid, flags=self.flags)
        spaces = [
            Space(
                job,
                start=start,
                seconds=SECONDS,
                cpt=round(cp * 100),
                ziip=round(ziip * 100),
                sid=sid,
            )
            for job, (cp, ziip) in self.jobs.items()
        ]
        return [
            cpu_activity(interval, self._activity()),
            *(
                class_activity(interval, name, [_period(*used)], ziip=FACTOR)
                for name, used in self.classes.items()
            ),
            *map(address_space, spaces),
        ]

    def _activity(self) -> Activity:
        online = SECONDS * 1_000_000
        cps = [
            Cpu(
                cid,
                dispatch=round((self.busy + self.waits) / 4 * 1e6),
                online=online,
                wait=round(self.waits / 4 * 1e6),
                completion=True,
            )
            for cid in range(4)
        ]
        ziips = [
            Cpu(cid, round(self.ziip / 2 * 1e6), online=online, name=2)
            for cid in (4, 5)
        ]
        lpars = [OTHER, Lpar("SYSX", 3, [*cps, *ziips])]
        return Activity(lpars, capacity=self.capacity, factor=FACTOR)


def _period(cp: float, ziip: float) -> Period:
    return Period(cpu=(cp + ziip * FACTOR / 256) * UNITS, ziip=ziip * UNITS)


def report(start: dt.datetime, busy: float, sid: str = "SYSA") -> str:
    """The CPU report of one run's interval in RMF's XML."""
    local = start + dt.timedelta(hours=NEW_YORK)
    end = local + dt.timedelta(seconds=SECONDS)
    cpu = ddsml.Processor(online=SECONDS, dispatched=busy / 4, mvs_busy=busy / 4)
    return ddsml.Interval(
        (cpu,) * 4,
        f"{local:%m/%d/%Y-%H.%M.%S}",
        f"{end:%m/%d/%Y-%H.%M.%S}",
        SECONDS,
        sid,
    ).xml()


def workload(start: dt.datetime, used: float) -> str:
    """The Workload Activity report of one run's interval in RMF's XML."""
    local = start + dt.timedelta(hours=NEW_YORK)
    one = ddsml_more.Class("NETSTC", tcb=used, srb=0, rct=0, iit=0, on_cp=0)
    begin = f"{local:%m/%d/%Y-%H.%M.%S}"
    return ddsml_more.workload(begin, (one,), seconds=SECONDS)


@dataclass
class Lab:
    """A project in a folder; ``derive`` runs the verbs."""

    root: Path
    server: dict[str, Usage]  # by configuration, one run each
    client: Usage = field(
        default_factory=lambda: Usage(
            busy=20.0, ziip=0.0, classes={"NETSTC": (4.0, 0.0), "OTHER": (14.0, 0.0)}
        )
    )
    xml: dict[str, float] = field(default_factory=dict)  # busy seconds of SYSA
    classes: dict[str, float] = field(default_factory=dict)  # CP s of SYSA, in XML
    records: tuple[int, ...] = (70, 72, 30)  # types of SMF that the dump holds
    lost: tuple[int, ...] = ()  # s after the first run's start; SYSA lost 99 records
    smf: bool = True
    window: int = SECONDS  # of a run, from the start of its interval
    name: str = "lab"  # of the campaign, and of the edition

    def start(self, configuration: str) -> dt.datetime:
        """When the configuration's run started."""
        nth = list(self.server).index(configuration)
        return START + dt.timedelta(minutes=nth)

    def derive(self, **changes: Any) -> dict[str, Fact]:
        """Value facts by ``<configuration>.<role>.<metric>``."""
        self.ingest(changes)
        return values(derive_labs(self.root, [self]).of(self.name))

    def ingest(self, changes: dict[str, Any]) -> None:
        """Write the campaign, its tables and an edition of one study."""
        folder = self._campaign(changes)
        self._study()
        run("checksums", folder)
        run("ingest", "--campaign", folder, "--out", self.tables)

    @property
    def tables(self) -> Path:
        """The folder of the campaign's tables."""
        return self.root / "tables" / self.name

    def _campaign(self, changes: dict[str, Any]) -> Path:
        folder = self.root / "raw" / self.name
        folder.mkdir(parents=True, exist_ok=True)
        data: dict[str, Any] = {
            "title": "Lab", "origin": "synthetic", "zone": "America/New_York",
            "measured": {"by": "us", "from": START.date(), "to": START.date(),
                         "how": "so"},
            "systems": {"SYSA": {"role": "server", "cps": 4},
                        "SYSB": {"role": "client", "cps": 4}},
            "configurations": {
                id: {"label": id, "details": {}} for id in self.server
            },
            "cpu": {"source": "lpar_busy"},
        }  # fmt: skip
        (folder / "campaign.yaml").write_text(yaml.safe_dump(data | changes))
        self._evidence(folder)
        self._runs(folder)
        return folder

    def _evidence(self, folder: Path) -> None:
        starts = {name: self.start(name) for name in self.server}
        if self.smf:
            records = [
                record
                for name, used in self.server.items()
                for record in (
                    *used.records(starts[name], "SYSA"),
                    *self.client.records(starts[name], "SYSB"),
                )
            ]
            kept = [record for record in records if record[5] in self.records]
            moments = [START + dt.timedelta(seconds=second) for second in self.lost]
            kept += [data_lost(moment, moment, 99) for moment in moments]
            (folder / "day.smf").write_bytes(blocked(kept))
        if self.xml or self.classes:
            parts = [report(starts[name], busy) for name, busy in self.xml.items()]
            parts += [
                workload(starts[name], used) for name, used in self.classes.items()
            ]
            (folder / "cpu.xml").write_text(ddsml.document(*parts))

    def _runs(self, folder: Path) -> None:
        cpu = ";".join(
            name for name in ("day.smf", "cpu.xml") if (folder / name).is_file()
        )
        lines = [
            "run,configuration,workload,repetition,start,end,client,server,log,cpu"
        ]
        for name in self.server:
            start = self.start(name)
            end = start + dt.timedelta(seconds=self.window)
            log = f"{name}.csv"
            (folder / log).write_text(
                "benchmark_contract,tool,workload,start,seconds,transactions,"
                f"latency_mean_ms,errors\n1,AWM,RR10(100B),{_utc(start)},{SECONDS},"
                "1000000,0.1,0\n"
            )
            lines.append(
                f"{name}-1,{name},RR10(100B),1,{_utc(start)},{_utc(end)},SYSB,SYSA,"
                f"{log},{cpu}"
            )
        (folder / "runs.csv").write_text("\n".join(lines) + "\n")

    def _study(self) -> None:
        baseline, *tests = self.server
        edition = self.root / "report" / self.name
        (edition / "studies" / "q").mkdir(parents=True, exist_ok=True)
        study = {
            "title": "T", "question": "Q?", "campaigns": [self.name],
            "baseline": baseline, "tests": tests, "workloads": ["*"],
            "figures": [FIGURE],
        }  # fmt: skip
        (edition / "studies" / "q" / "study.yaml").write_text(yaml.safe_dump(study))
        head = {"title": "E", "authors": ["us"], "date": START.date(), "front": [],
                "studies": ["q"]}  # fmt: skip
        (edition / "edition.yaml").write_text(yaml.safe_dump(head))

    def problems(self) -> str:
        """All that ingest found odd in the files."""
        import polars as pl

        source = pl.read_parquet(self.tables / "source.parquet")
        found = [json.loads(text) for text in source["problems"]]
        return "\n".join(item["message"] for each in found for item in each)


def run(*words: object) -> None:
    """A verb that must do."""
    assert main([str(word) for word in words]) == 0


def derive_labs(root: Path, labs: Iterable[Lab]) -> Facts:
    """The facts of labs of one folder, whose tables are made."""
    database, out = root / "perf.duckdb", root / "facts.json"
    run("load", "--tables", *(lab.tables for lab in labs), "--out", database)
    run(
        "derive", "--database", database, "--report", root / "report",
        "--raw", root / "raw", "--metrics", METRICS, "--out", out,
    )  # fmt: skip
    return read_facts(out)


def values(facts: Facts) -> dict[str, Fact]:
    """Value facts by ``<configuration>.<role>.<metric>``."""
    return {
        f"{fact.configuration}.{fact.role}.{fact.metric}": fact
        for fact in facts.facts
        if fact.kind == "value"
    }


def _utc(moment: dt.datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
