"""Files of ``compress``: what was packed comes out, and nothing of what is damaged."""

from __future__ import annotations

import io
import random
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.files import limits
from analysis.ingest.compressed import lzw
from analysis.ingest.compressed.lzw import CompressFile
from analysis.ingest.detect import read_file
from synthetic.smf.dump import START, dump_header, local, unblocked
from synthetic.smf.tcpip import Connection, connection
from tests.ingest.compressed.made_lzw import compressed


def unpacked(data: bytes) -> bytes:
    file = CompressFile(io.BytesIO(data))
    return b"".join(iter(lambda: file.read1(1), b""))


def words(size: int) -> bytes:
    drawn = random.Random(7)  # noqa: S311 - no secret
    return b"".join(drawn.randbytes(2) + b"EBCDIC" for _ in range(size))


@pytest.mark.parametrize("most", [10, 12, 16])
@pytest.mark.parametrize("size", [0, 1, 50, 20_000])
def test_what_was_packed_comes_out(most, size):
    assert unpacked(compressed(words(size), most)) == words(size)


@given(st.binary(max_size=600), st.sets(st.integers(1, 500), max_size=3))
def test_the_table_may_be_cleared_anywhere(data, clears):
    assert unpacked(compressed(data, clears=clears)) == data


@pytest.mark.skipif(not shutil.which("gzip"), reason="needs gzip")
@pytest.mark.parametrize("most", [10, 12, 16])
def test_gzip_unpacks_the_same(most):
    made = compressed(words(9000), most, clears={5, 4000, 20_000})
    done = subprocess.run(["gzip", "-dc"], input=made, capture_output=True, check=True)
    assert done.stdout == unpacked(made) == words(9000)


def test_a_dump_is_read_as_if_it_were_not_packed(tmp_path):
    dump = unblocked(
        [dump_header(local(START)), *(connection(Connection(), n) for n in range(40))]
    )
    (tmp_path / "a.smf").write_bytes(dump)
    (tmp_path / "a.smf.Z").write_bytes(compressed(dump))
    plain, packed = (read_file(tmp_path / name) for name in ("a.smf", "a.smf.Z"))
    assert packed.tables["tcp_connection"].equals(plain.tables["tcp_connection"])
    assert packed.details["packed"] == f"compress, {len(dump):,} bytes unpacked"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x1f\x9d", "compress is cut off after 0 unpacked bytes"),
        (b"\x1f\x9d\x91ab", "compress is damaged (codes of 17 bits)"),
        (b"\x1f\x9d\x89ab", "compress is damaged (codes of 9 bits)"),
        (b"\x1f\x9d\x90\x54\xff\xff", "the code 340 before it has a meaning"),
    ],
)
def test_what_is_damaged_is_told(tmp_path, data, said):
    (tmp_path / "a.Z").write_bytes(data)
    reading = read_file(tmp_path / "a.Z")
    assert reading.status == "failed"
    assert said in reading.reason


def test_a_table_of_endless_phrases_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lzw, "UNPACKING_BYTES", 10_000)
    (tmp_path / "a.Z").write_bytes(compressed(bytes(100_000)))
    with pytest.raises(Exception, match=r"UNPACKING_BYTES") as caught:
        read_file(tmp_path / "a.Z")
    assert str(limits.UNPACKING_BYTES // limits.MIB) in str(caught.value)
