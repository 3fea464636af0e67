"""All emitters: equal bytes of equal values, read as what they say, bounds by name."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.errors import UserError
from analysis.ingest.detect import FORMATS
from synthetic.emitters.emitter import EMITTERS, emit
from tests.synthetic.emitters.examples import BYTES, DEVICE, EXAMPLES, REPORT
from tests.synthetic.emitters.reading import read_back

ROOT = Path(__file__).parents[3]


def cpus(*engines: dict) -> dict:
    return {"name": "SYNA", "number": 1, "engines": engines}


def report(**values: object) -> dict:
    return {"intervals": [REPORT | values]}


def area(**values: object) -> dict:
    return {"area": "ECSA", "current": 10, "maximum": 11} | values


def devices(**values: float) -> dict:
    return {"devices": [DEVICE | values]}


def moved(**values: object) -> dict:
    return {"command": "STOR", "file": "A", "bytes": 1} | values


# Values that cannot be, and the words that name them.
WRONG = [
    ("uperf", {"clients": -1}, "clients: -1 is too small"),
    ("uperf", {"transactions": 19}, "transactions: there are fewer than two a client"),
    ("uperf", {"rate": float("nan")}, "rate: "),
    ("uperf", {"rate": True}, "rate: "),
    ("uperf", {"start": EXAMPLES["uperf"]["start"].replace(tzinfo=None)}, "no zone"),
    ("uperf", {"label": "a\nb"}, "label: "),
    ("uperf", {"threads": 1}, "threads: there is no such entry"),
    ("ab", {"errors": 325_501}, "errors: these are more than requests"),
    ("ab", {"requests": 79}, "requests: there are fewer than clients"),
    ("ab", {"document_bytes": 0}, "document_bytes: 0 is too small"),
    ("contract", {"results": []}, "results: this has too few entries"),
    ("storage_contract", {"areas": []}, "areas: this has too few entries"),
    ("contract", {"results": [{"tool": "A", "seconds": 1.0}]}, "transactions: "),
    ("ctg_statistics", {"seconds": 0}, "seconds: 0 is too small"),
    (
        "ctg_statistics",
        {"intervals": [{"requests": 1, "response_ms": -1}]},
        "response_ms: -1 is too small",
    ),
    ("ftp_zos", {"transfers": [{"command": "LIST", "file": "A"}]}, "command: 'LIST'"),
    ("ftp_zos", {"transfers": [moved(seconds=0.0)]}, "seconds: 0.0 is too small"),
    ("ftp_zos", {"transfers": [moved(refusal="550 é")]}, "refusal: "),
    (
        "s3270",
        {"sessions": [{"host": "192.0.2.1", "response_ms": [0.5]}]},
        "response_ms → entry 1: 0.5 is too small",
    ),
    ("s3270", {"sessions": [{"host": "SYNA", "response_ms": []}]}, "host: "),
    ("h2load", {"failed": 325_501}, "failed: these are more than requests"),
    ("h2load", {"latency_us": -1.0}, "latency_us: -1.0 is too small"),
    ("iperf3", {"bytes": 2999}, "bytes: there are fewer than 1000 a client"),
    ("iperf3", {"host_cpu_pct": -0.1}, "host_cpu_pct: -0.1 is too small"),
    ("netperf", {"rate": 0.0}, "rate: 0.0 is too small"),
    ("netperf", {"clients": 1.5}, "clients: "),
    (
        "smf_70",
        {"partitions": [cpus({"busy_seconds": 60.1})]},
        "busy_seconds of SYNA: 60.1 s are more than the interval of 60 s",
    ),
    (
        "smf_70",
        {"partitions": [cpus({"busy_seconds": 40.0, "parked_seconds": 20.5})]},
        "busy_seconds of SYNA: 60.5 s",
    ),
    ("smf_70", {"model": "z17"}, "model: 'z17' will not do here"),
    ("smf_70", {"partition": 9}, "partition: no partition has the number 9"),
    ("smf_70", {"partitions": [cpus(), cpus()]}, "number: a partition has it twice"),
    ("smf_70", {"millis": 6_000_000}, "millis: 6000000 is too large"),
    ("smf_70", {"system": "SYNAB"}, "system: 'SYNAB' will not do here"),
    ("smf_30", {"tcb_seconds": 5e7}, "tcb_seconds: 50000000.0 is too large"),
    ("smf_30", {"job": "tcpip"}, "job: 'tcpip' will not do here"),
    ("smf_72", {"periods": [{"cp_seconds": -1.0}]}, "cp_seconds: -1.0 is too small"),
    ("smf_72", {"periods": [{"cp_seconds": 1.0, "tcb_share": 1.1}]}, "tcb_share: 1.1"),
    (
        "smf_72",
        {"periods": [{"cp_seconds": 1.0, "zaap_on_cp_seconds": 1.1}]},
        "zaap_on_cp_seconds: these are more than cp_seconds",
    ),
    ("smf_30", {"ziip_on_cp_seconds": 99.0}, "these are more than tcb_seconds"),
    (
        "rmf_xml",
        report(cpus=[{"busy_seconds": 61.0}]),
        "busy_seconds: 61 s are more than the interval of 60 s",
    ),
    (
        "rmf_text",
        report(cpus=[{"busy_seconds": 1.0, "mvs_busy_seconds": 60.5}]),
        "mvs_busy_seconds: 60.5 s are more than the interval",
    ),
    (
        "rmf_text",
        report(classes=[{"name": "A", "cp_seconds": 1.0, "zaap_on_cp_seconds": 2.0}]),
        "zaap_on_cp_seconds: these are more than cp_seconds",
    ),
    (
        "rmf_xml",
        report(storage=[{"area": "SQA", "above_bytes": -1}]),
        "above_bytes: -1",
    ),
    ("rmf_xml", report(devices=[DEVICE | {"connect_ms": 6.0}]), "72 s in all are more"),
    ("smf_74_1", devices(exposures=0), "exposures: 0 is too small"),
    ("rmf_xml", {"label": "made --> up"}, "label: two dashes would end the comment"),
    ("rmf_xml", report(release="3.2"), "release: '3.2' will not do here"),
    ("zos_storage", {"areas": [area(maximum=9)]}, "maximum: this is less than current"),
    ("zos_storage", {"areas": [area(limit=10)]}, "limit: this is less than maximum"),
    ("zos_storage", {"areas": [area(current=-1)]}, "current: -1 is too small"),
    ("zos_storage", {"areas": [area(area="a")]}, "area: 'a' will not do here"),
    ("zos_storage", {"real_mb": 10**9}, "real_mb: 1000000000 is too large"),
    ("smf_73", {"paths": [{"chpid": "1C", "busy_pct": 100.1}]}, "busy_pct: 100.1"),
    ("smf_74_1", devices(requests=-1), "requests: -1 is too small"),
    (
        "smf_74_1",
        devices(connect_ms=6.0),
        "connect_ms and disconnect_ms",
    ),
    (
        "smf_74_1",
        devices(pending_ms=1e6),
        "its sum needs five bytes",
    ),
    ("smf_74_9", {"functions": [{"function": "21"}]}, "function: '21' will not do"),
    ("smf_119_2", {"remote_ip": "192.0.2.256"}, "remote_ip: "),
    ("smf_119_2", {"remote_port": 65_536}, "remote_port: 65536 is too large"),
    ("smf_119_5", {"segments_in": 2**32}, "segments_in: 4294967296 is too large"),
    ("smf_119_ftp", {"file": "A B"}, "file: 'A B' will not do here"),
    ("smf_119_tn3270", {"network_ms": 13.0}, "network_ms: this is more than response"),
    ("smf_119_tn3270", {"response_ms": 1e9}, "response_ms: the sum of all needs"),
    ("procstat", {"cpus": [{"user": -4, "system": 1, "idle": 1}]}, "user: -4"),
]


def test_every_emitter_has_an_example_and_a_format_that_is_read():
    assert set(EXAMPLES) == set(EMITTERS) == set(BYTES)
    assert {emitter.format for emitter in EMITTERS.values()} <= set(FORMATS)


@pytest.mark.parametrize("id", EXAMPLES)
def test_its_bytes_are_those_of_before(id):
    assert hashlib.sha256(emit(id, EXAMPLES[id])).hexdigest()[:16] == BYTES[id]


def test_another_process_writes_equal_bytes():
    """Its sets and hashes may have another order."""
    program = (
        "import hashlib; from synthetic.emitters.emitter import emit; "
        "from tests.synthetic.emitters.examples import EXAMPLES; "
        "print({i: hashlib.sha256(emit(i, v)).hexdigest()[:16] "
        "for i, v in EXAMPLES.items()})"
    )
    command = (sys.executable, "-c", program)
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == str(BYTES)


@pytest.mark.parametrize("id", EXAMPLES)
def test_what_it_writes_is_read_whole(id):
    reading = read_back(id, EXAMPLES[id])
    assert (reading.status, reading.problems) == ("ok", [])


@pytest.mark.parametrize("id", EXAMPLES)
def test_what_is_left_out_is_a_value_that_could_be_given(id):
    """Pydantic checks what is given, and no default."""
    whole = EMITTERS[id].checked(EXAMPLES[id]).model_dump()
    assert set(whole) == set(EMITTERS[id].takes.model_fields)
    assert emit(id, whole) == emit(id, EXAMPLES[id])


@pytest.mark.parametrize(("id", "wrong", "told"), WRONG)
def test_a_value_that_cannot_be_is_named(id, wrong, told):
    with pytest.raises(UserError) as caught:
        emit(id, EXAMPLES[id] | wrong)
    assert told in str(caught.value)


@pytest.mark.parametrize("id", EXAMPLES)
def test_a_value_that_is_missing_is_named(id):
    name, field = next(
        (n, f) for n, f in EMITTERS[id].takes.model_fields.items() if f.is_required()
    )
    rest = {n: value for n, value in EXAMPLES[id].items() if n != name}
    with pytest.raises(UserError, match=f"{name}: this entry is missing"):
        emit(id, rest)
    assert field.is_required()


def test_an_emitter_that_is_not_there_is_told():
    with pytest.raises(UserError, match="there is no emitter 'uperv'") as caught:
        emit("uperv", {})
    assert "uperf" in str(caught.value)
