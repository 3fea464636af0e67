"""What the programs that made the load tell of a run."""

from __future__ import annotations

from synthetic.emitters.emitter import EMITTERS
from synthetic.services.runs import Run

_LOST = 20  # of so many transactions one fails, in a run that fails
_AREAS = "storage_contract"


def log(run: Run) -> bytes:
    """The log of a run, in the format of its bench."""
    match run.bench.tool:
        case "storage":
            return _storage(run)
        case "h2load":
            return _web(run)
        case _:
            return _contract(run)


def _contract(run: Run) -> bytes:
    result = {
        "tool": run.bench.program,
        "workload": run.load.name,
        "start": run.start,
        "seconds": run.seconds,
        "transactions": run.transactions,
        "latency_ms": round(run.response, 4),
        "bytes_per_second": run.rate
        * (run.load.request_bytes + run.load.response_bytes),
        "errors": run.transactions // _LOST if run.failed else 0,
    }
    return EMITTERS["contract"].emit(results=[result])


def _web(run: Run) -> bytes:
    return EMITTERS["h2load"].emit(
        seed=run.id,
        clients=run.load.clients,
        requests=run.transactions,
        rate=run.rate,
        failed=run.transactions // _LOST if run.failed else 0,
        latency_us=run.response * 1000,
        document_bytes=run.load.response_bytes,
    )


def _storage(run: Run) -> bytes:
    system = next(iter(run.systems.values()))
    return EMITTERS[_AREAS].emit(
        system=system,
        workload=run.load.name,
        start=run.start,
        areas=[
            {"area": area, "bytes": round(size * 1e6)}
            for area, size in run.storage.items()
        ],
        cut=run.failed,
    )
