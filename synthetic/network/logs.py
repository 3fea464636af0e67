"""What the tools that ran in a run tell of it: its log, and the ticks of its CPUs."""

from __future__ import annotations

from synthetic.emitters.emitter import EMITTERS
from synthetic.emitters.procstat import Ticks
from synthetic.network.runs import LOAD_SECONDS, Minute, Run

HERTZ = 100
_SHARES = (0.16, 0.0, 0.52, 0.02, 0.30)  # user, nice, system, irq, softirq
_IOWAIT = 900  # ticks of each CPU, before the first run
Counts = list[int]  # user, nice, system, idle, irq, softirq


def netperf_log(run: Run) -> str:
    """The log of a run that netperf made."""
    return EMITTERS["netperf"].emit(**_seen(run)).decode()


def uperf_log(run: Run) -> str:
    """The log of a run that uperf made."""
    shape = run.load.workload.shape
    more = {"shape": shape, "start": run.start, "seconds": LOAD_SECONDS}
    more |= {"aborted": run.slot.failed}
    return EMITTERS["uperf"].emit(**_seen(run), **more).decode()


def _seen(run: Run) -> dict[str, object]:
    workload = run.load.workload
    return {
        "seed": run.id,
        "clients": workload.clients,
        "request_bytes": workload.request_bytes,
        "response_bytes": workload.response_bytes,
        "transactions": run.transactions,
        "rate": run.rate,
        "latency_us": run.latency,
    }


def snapshots(minutes: list[Minute], system: str) -> dict[str, tuple[str, str]]:
    """``/proc/stat`` before and after each run of a Linux system, by the id of the run;
    ticks never fall back."""
    cpus = minutes[0].slot.cps[system]
    ticks = [[400_000 + 1000 * n, 90, 250_000, 9_000_000, 4000, 60_000]
             for n in range(cpus)]  # fmt: skip
    made = {}
    for minute in minutes:
        run = minute.runs[0]
        before = _snapshot(ticks, run.id)
        busy = round(minute.busy[system] * HERTZ)
        whole = round(run.window * HERTZ)
        for nth, each in enumerate(ticks):
            used = busy // cpus + (nth < busy % cpus)
            _advance(each, used, whole - used)
        made[run.id] = before, _snapshot(ticks, run.id)
    return made


def _advance(ticks: Counts, busy: int, idle: int) -> None:
    user, nice, system, irq, softirq = (int(busy * share) for share in _SHARES)
    system += busy - user - nice - system - irq - softirq
    for at, value in enumerate((user, nice, system, idle, irq, softirq)):
        ticks[at] += value


def _snapshot(ticks: list[Counts], seed: str) -> str:
    names = ("user", "nice", "system", "idle", "irq", "softirq")
    cpus = [
        Ticks(**dict(zip(names, each, strict=True)), iowait=_IOWAIT) for each in ticks
    ]
    return EMITTERS["procstat"].emit(seed=seed, cpus=cpus).decode()
