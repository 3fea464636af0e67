"""What a run leaves behind: the driver's log, the gateway's statistics, SMF and RMF."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synthetic.emitters.emitter import EMITTERS
from synthetic.gateway.declaration import REST, GatewayDeclaration
from synthetic.gateway.runs import Run, gateway_seconds
from synthetic.smf_day import OFFSET, PLEX, day_dump

_DRIVER = "synthetic-eci-driver"
_LEVEL, _RELEASE = "ZV020100", "V2R1"
_ERRORS = 0.05  # of its calls, where a run broke off
_TILT = (1.0, -0.4, -0.6)  # engines of a kind are not equally busy
_LEAN = 0.02
STC, SYSSTC, SYSTEM = "STC", "SYSSTC", "SYSTEM"
_CAPTURED = 0.8  # of what no part has used is found in a service class
_SRB = {"TCPIP": 0.7}  # share of its CPU time in SRBs
Values = dict[str, object]


def driver_log(run: Run) -> bytes:
    """The clients' own result, by the benchmark contract, without their thinking."""
    result = {
        "tool": _DRIVER,
        "workload": run.point.load.name,
        "start": run.start + run.late,
        "seconds": run.length.total_seconds(),
        "transactions": run.transactions,
        "latency_ms": round(run.response + run.outside, 3),
        "errors": round(run.transactions * _ERRORS) if run.failed else 0,
    }
    return EMITTERS["contract"].emit(results=[result])


def statistics(run: Run) -> bytes:
    """The gateway's statistics of the run, which were reset at its begin."""
    load = run.point.load
    interval = {
        "requests": run.transactions,
        "response_ms": round(run.response),
        "bytes_in": run.transactions * load.request_bytes,
        "bytes_out": run.transactions * load.response_bytes,
    }
    return EMITTERS["ctg_statistics"].emit(
        gateway="SYNCTG",
        start=run.start + run.late,
        seconds=round(run.length.total_seconds()),
        intervals=[interval],
        hours=OFFSET,
    )


def dump(of: GatewayDeclaration, runs: Sequence[Run]) -> bytes:
    """The dump of SMF of one system over its runs."""
    made = (record for run in runs for record in _Minute(of, run).records())
    return day_dump(runs[0].point.system, runs[0].start, runs[-1].start, made)


def report(of: GatewayDeclaration, runs: Sequence[Run]) -> bytes:
    """RMF's reports of CPUs and of service classes over the same runs."""
    return EMITTERS["rmf_xml"].emit(
        intervals=[_Minute(of, run).reported() for run in runs]
    )


@dataclass(frozen=True)
class _Minute:
    """What RMF and SMF tell of one run."""

    of: GatewayDeclaration
    run: Run

    @property
    def _shared(self) -> Values:
        run = self.run
        start: dt.datetime = run.start
        of: Values = {"system": run.point.system, "start": start}
        return of | {"millis": run.millis, "hours": OFFSET, "plex": PLEX}

    def records(self) -> Iterator[bytes]:
        """Records 70-1, 72-3 and 30-2."""
        rmf = self._shared | {"level": _LEVEL}
        making = self.of.making
        here = {"name": self.run.point.system, "number": 1, "engines": self.engines()}
        yield EMITTERS["smf_70"].emit(
            **rmf,
            partitions=[here],
            family=making.family,
            model=making.model,
            hiperdispatch=False,
        )
        for name, period in self.classes().items():
            yield EMITTERS["smf_72"].emit(**rmf, name=name, periods=[period])
        yield from self._spaces()

    def reported(self) -> Values:
        """The values of RMF's reports."""
        making = self.of.making
        cpus = [
            {k: v for k, v in e.items() if k != "dedicated"} for e in self.engines()
        ]
        classes = [{"name": n, **period} for n, period in self.classes().items()]
        machine = {"family": making.family, "model": making.model}
        return self._shared | machine | {
            "release": _RELEASE, "dedicated": True, "cpus": cpus, "classes": classes,
        }  # fmt: skip

    def engines(self) -> list[Values]:
        """Each engine with the time in which it was busy."""
        system, made = self.run.point.system, list[Values]()
        kinds = {"CP": self.of.cps[system], "zAAP": self.of.zaaps(system)}
        for (kind, count), busy in zip(kinds.items(), self.run.busy, strict=True):
            for used in _split(busy, count, self.run.millis / 1000):
                made.append({"kind": kind, "busy_seconds": used, "dedicated": True})
        return made

    def classes(self) -> dict[str, Values]:
        """The CPU time of each service class; gateway and CICS are in the same one."""
        used = self.run.seconds
        on_cps, waited, zaap = gateway_seconds(self.run)
        stc: Values = {"cp_seconds": on_cps + used["cics"], "tcb_share": 0.95}
        if self.of.zaaps(self.run.point.system):
            stc |= {"zaap_seconds": zaap, "zaap_on_cp_seconds": waited}
        return {
            STC: stc,
            SYSSTC: {"cp_seconds": used["tcpip"], "tcb_share": 1 - _SRB["TCPIP"]},
            SYSTEM: {"cp_seconds": used[REST] * _CAPTURED, "tcb_share": 0.5},
        }

    def _spaces(self) -> Iterator[bytes]:
        """Records 30-2 of the gateway and of the address spaces beside it."""
        making = self.of.making
        on_cps, waited, zaap = gateway_seconds(self.run)
        java = {"zaap_seconds": zaap, "zaap_on_cp_seconds": waited}
        yield self._space(making.gateway, "CTGBATCH", on_cps, java)
        for name, part in making.parts.items():
            yield self._space(part.job, part.program, self.run.seconds[name], {})

    def _space(
        self, job: str, program: str, used: float, more: Mapping[str, float]
    ) -> bytes:
        srb = _SRB.get(job, 0.02)
        return EMITTERS["smf_30"].emit(
            system=self.run.point.system,
            job=job,
            program=program,
            start=self.run.start,
            seconds=self.run.millis / 1000,
            tcb_seconds=used * (1 - srb),
            srb_seconds=used * srb,
            hours=OFFSET,
            ziip_factor=1.0,
            **more,
        )


def _split(busy: float, count: int, seconds: float) -> list[float]:
    """Busy seconds of each of some engines, which are all together ``busy``."""
    if not count:
        return []
    each = busy / count
    lean = min(_LEAN * each, seconds - each) if count > 1 else 0.0
    tilt = _TILT if count > 2 else (1.0, -1.0)
    return [each + lean * tilt[nth] for nth in range(count)]
