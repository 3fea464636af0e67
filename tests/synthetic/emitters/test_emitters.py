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
from tests.synthetic.emitters.examples import BYTES, EXAMPLES
from tests.synthetic.emitters.reading import read_back

ROOT = Path(__file__).parents[3]
# Values that cannot be, and the words that name them.
WRONG = [
    ("uperf", {"clients": -1}, "clients: -1 is too small"),
    ("uperf", {"transactions": 19}, "transactions: there are fewer than two a client"),
    ("uperf", {"rate": float("nan")}, "rate: "),
    ("uperf", {"rate": True}, "rate: "),
    ("uperf", {"start": EXAMPLES["uperf"]["start"].replace(tzinfo=None)}, "no zone"),
    ("uperf", {"label": "a\nb"}, "label: "),
    ("uperf", {"threads": 1}, "threads: there is no such entry"),
    ("netperf", {"rate": 0.0}, "rate: 0.0 is too small"),
    ("netperf", {"clients": 1.5}, "clients: "),
    ("procstat", {"cpus": [{"user": -4, "system": 1, "idle": 1}]}, "user: -4"),
]


def test_every_emitter_has_an_example_and_a_format_that_is_read():
    assert set(EXAMPLES) == set(EMITTERS) == set(BYTES)
    assert {emitter.format for emitter in EMITTERS.values()} <= set(FORMATS)


@pytest.mark.parametrize("id", EXAMPLES)
def test_its_bytes_are_those_of_before(id):
    assert hashlib.sha256(emit(id, EXAMPLES[id])).hexdigest() == BYTES[id]


def test_another_process_writes_equal_bytes():
    """Its sets and hashes may have another order."""
    program = (
        "import hashlib; from synthetic.emitters.emitter import emit; "
        "from tests.synthetic.emitters.examples import EXAMPLES; "
        "print({i: hashlib.sha256(emit(i, v)).hexdigest() "
        "for i, v in EXAMPLES.items()})"
    )
    command = (sys.executable, "-c", program)
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == str(BYTES)


@pytest.mark.parametrize("id", EXAMPLES)
def test_what_it_writes_is_read_whole(id):
    reading = read_back(id, EXAMPLES[id])
    assert (reading.status, reading.problems) == ("ok", [])


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
