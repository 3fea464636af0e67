"""Displays of NETSTAT of z/OS: connections (CONN/-c and ALL/-A) and interfaces
(DEVLINKS/-d, with or without SMC).

As TSO, z/OS UNIX or ``D TCPIP,,NETSTAT`` print them, one display or several behind one
another, or in the hardcopy log among other messages, whose system is taken. They print
lines of ``Name: value`` pairs with two blanks between them; names are compared without
blanks and in lower case, as the console prints capitals. Values are those at the moment
of the display: counts since the connection or interface started. A display tells a time
of day without a date, so rows have no time. Layouts: z/OS Communications Server IP
System Administrator's Commands, "Netstat ALL/-A report", its "Report field
descriptions", "Netstat COnn/-c report", "Netstat DEvlinks/-d report".
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from analysis.facts.remark import remark
from analysis.ingest.logs.result import Result, read_log
from analysis.ingest.logs.text import LogText, UnreadableError, not_a_number
from analysis.ingest.raw_file import Raw
from analysis.ingest.reading import Reading
from analysis.ingest.services.zos_displays import STAMP

FORMAT = "netstat_zos"
TITLE = "NETSTAT displays (z/OS)"
TESTED = "examples in IBM's books"
_HEAD = re.compile(
    rb"NETSTAT CS V\d|EZD0101I NETSTAT|EZZ2350I MVS TCP/IP NETSTAT", re.IGNORECASE
)
_PARTS = re.compile(
    rb"Client Name:|Foreign Socket|Intf ?Name:|Lnk ?Name:|Dev ?Name:", re.IGNORECASE
)
# Of a line of the hardcopy log behind its time, and of those that follow one of the
# same number: job and flags, then the text.
_LOGGED = re.compile(r".{8} [\dA-F]{8} {1,2}(.*?)(?: (\d{3}))?\s*")
_FOLLOWS = re.compile(r"[DEL] +(\d{3}) +[\dA-F]{8} {1,2}(.*)")
_MESSAGE = re.compile(r"EZ[A-Z]\d{4}I ")
_STACK = re.compile(r"TCPIP NAME: ?(\S{1,8})|NETSTAT CS V\S{1,8} (\S{1,8})", re.I)
_SHOWN = re.compile(r"(\d{1,9}) OF (\d{1,9}) RECORDS DISPLAYED", re.IGNORECASE)
_SHORT = re.compile(r"(\S{1,8}) +([0-9A-Fa-f]{8}) +(\S+) +(\S+) +(\S+)")
_LONG = re.compile(r"(\S{1,8}) +([0-9A-Fa-f]{8}) +([A-Za-z]\S*)")
_COUNT = re.compile(r"\d{1,20}", re.ASCII)
_TIME = re.compile(r"\d{1,12}(\.\d{1,6})?", re.ASCII)
_WHOLE = "counts"  # how a value is read: whole numbers, milliseconds, Mbit/s, words
_OF_CONNECTION = {
    "state": ("state", ""), "bytesin": ("bytes_in", _WHOLE),
    "bytesout": ("bytes_out", _WHOLE), "segmentsin": ("segments_in", _WHOLE),
    "segmentsout": ("segments_out", _WHOLE), "rexmt": ("retransmits", _WHOLE),
    "dupacks": ("duplicate_acks_in", _WHOLE), "smoothtriptime": ("rtt_ms", "time"),
    "smoothtripvariance": ("rtt_deviation_ms", "time"),
    "maximumsegmentsize": ("segment_bytes", _WHOLE),
    "sndwnd": ("send_window_bytes", _WHOLE),
    "maxsndwnd": ("most_send_window_bytes", _WHOLE),
    "congestionwindow": ("congestion_window_bytes", _WHOLE),
    "rcvwnd": ("receive_window_bytes", _WHOLE), "smcstatus": ("smcr", ""),
    "smcrstatus": ("smcr", ""), "smcdstatus": ("smcd", ""),
    "smcreason": ("smcr_reason", ""), "smcrreason": ("smcr_reason", ""),
    "smcdreason": ("smcd_reason", ""),
}  # fmt: skip
_OF_INTERFACE = {
    "intftype": ("kind", ""), "lnktype": ("kind", ""), "intfstatus": ("status", ""),
    "lnkstatus": ("status", ""), "chpidtype": ("chpid_type", ""),
    "actmtu": ("mtu", _WHOLE), "speed": ("speed_mbps", _WHOLE),
    "pnetid": ("pnetid", ""), "readstorage": ("read_storage", ""),
    "inbperf": ("inbound", ""),
    "workloadqueueing": ("workload_queueing", "yes"), "smcr": ("smcr", ""),
    "smcd": ("smcd", ""), "bytesin": ("bytes_in", _WHOLE),
    "bytesout": ("bytes_out", _WHOLE), "inboundpackets": ("packets_in", _WHOLE),
    "outboundpackets": ("packets_out", _WHOLE),
    "inboundpacketsinerror": ("errors_in", _WHOLE),
    "outboundpacketsinerror": ("errors_out", _WHOLE),
    "inboundpacketsdiscarded": ("discards_in", _WHOLE),
    "outboundpacketsdiscarded": ("discards_out", _WHOLE),
    "inboundoperations": ("operations_in", _WHOLE),
    "outboundoperations": ("operations_out", _WHOLE),
}  # fmt: skip
_COUNTED = ("outboundpacketsdiscarded", "outboundoperations")  # the last of the counts
_NONE = {"none", "n/a", "unknown", "0" * 10}  # of a speed or MTU that is not there
# What ends an interface's own lines: others follow that are named as its own are.
_APART = ("smc-rlinkinformation", "smc-dlinkinformation", "associated")


def recognise(head: bytes) -> bool:
    """Whether it has the heading of NETSTAT and begins with what is read."""
    return bool(_HEAD.search(head) and _PARTS.search(head))


def read(raw: Raw, _zone: str | None = None) -> Reading:
    """``connection_snapshot`` and ``interface_snapshot`` rows."""
    reading = read_log(raw, FORMAT, "NETSTAT", _parse)
    systems = [table["system"] for table in reading.tables.values()]
    reading.systems = sorted({name for one in systems for name in one.drop_nulls()})
    return reading


@dataclass
class _Block:
    """The lines of a connection or an interface so far."""

    table: str
    row: dict[str, Any]
    names: dict[str, tuple[str, str]]
    ends: tuple[str, ...] = ()  # any of which its last lines have; none: it is whole
    open: bool = True

    def take(self, name: str, value: str, line: int) -> None:
        """The value of a name that has a column, once."""
        if name in self.ends:
            self.ends = ()
        column, form = self.names.get(name, ("", ""))
        if name.startswith(_APART):
            self.open = False
        elif name in ("localsocket", "foreignsocket"):
            side = "local" if name == "localsocket" else "remote"
            self.row |= _socket(side, value, line)
        elif column and self.open and column not in self.row:
            self.row[column] = _value(form, value, line)


def _parse(log: LogText) -> list[Result]:
    out = Result(records={})
    block, stack = None, None
    for line, system, text in _displayed(log.lines):
        text = _MESSAGE.sub("", text, count=1).strip()
        if named := _STACK.search(text):
            stack = named[1] or named[2]
        elif shown := _SHOWN.search(text):
            if shown[1] != shown[2]:
                words = f"{shown[1]} of {shown[2]} records are displayed; ask for MAX=*"
                out.judge("degraded", remark("not_all_displayed", words), line)
        elif begun := _begin(text, line, system, stack):
            _keep(block, out)
            block = begun
        elif block:
            for name, value in _pairs(text):
                block.take(name, value, line)
    if block and block.ends:
        words = "the last display is cut off; its last entry was not used"
        out.judge("truncated", remark("display_cut_off", words), block.row["position"])
    else:
        _keep(block, out)
        if block and log.lines[-1].strip():  # a word may be cut, and still be one
            out.judge("degraded", remark("maybe_cut_off"), len(log.lines))
    if not out.tables and out.status == "ok":
        words = "there is no connection and no interface in it"
        out.judge("failed", remark("nothing_displayed", words))
    return [out]


def _keep(block: _Block | None, out: Result) -> None:
    if block:
        out.tables.setdefault(block.table, []).append(block.row)
        kind = block.table.partition("_")[0]
        out.records[kind] = out.records.get(kind, 0) + 1


def _displayed(lines: Iterable[str]) -> Iterator[tuple[int, str | None, str]]:
    """Lines of displays with number and system; of a hardcopy log without what stands
    before them, and without the lines of other messages."""
    system, display = None, ""
    for line, text in enumerate(lines, 1):
        if stamp := STAMP.match(text):
            logged = _LOGGED.fullmatch(text, stamp.end())
            if logged and logged[2] and _HEAD.search(logged[1].encode()):
                system, display = stamp[1], logged[2]
                yield line, system, logged[1]
        elif follows := _FOLLOWS.fullmatch(text):
            if follows[1] == display:
                yield line, system, follows[2]
        else:
            yield line, None, text


def _begin(
    text: str, line: int, system: str | None, stack: str | None
) -> _Block | None:
    """A connection or interface that begins in a line; of one a line with all of it."""
    row: dict[str, Any] = {"system": system, "stack": stack, "position": line}
    if short := _SHORT.fullmatch(text):
        if ".." not in short[3] or ".." not in short[4]:
            return None
        row |= {"job": short[1], "connection": int(short[2], 16), "state": short[5]}
        row |= _socket("local", short[3], line) | _socket("remote", short[4], line)
        return _Block("connection_snapshot", row, {})
    if long := _LONG.fullmatch(text):
        row |= {"job": long[1], "connection": int(long[2], 16), "state": long[3]}
        ends: tuple[str, ...] = ("foreignsocket",)
        return _Block("connection_snapshot", row, _OF_CONNECTION, ends)
    pairs = dict(_pairs(text))
    if "clientname" in pairs:
        number = pairs.get("clientid", "")
        if not re.fullmatch("[0-9A-Fa-f]{8}", number):
            raise UnreadableError(not_a_number(number), line)
        row |= {"job": pairs["clientname"], "connection": int(number, 16)}
        ends = ("----", "ancillaryinputqueue")
        return _Block("connection_snapshot", row, _OF_CONNECTION, ends)
    name = pairs.get("intfname") or pairs.get("lnkname")
    if name is None:
        return None
    kind = pairs.get("intftype") or pairs.get("lnktype") or ""
    ends = () if kind.startswith("VIPA") else _COUNTED
    block = _Block("interface_snapshot", row | {"interface": name}, _OF_INTERFACE, ends)
    for each, value in pairs.items():
        block.take(each, value, line)
    return block


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """``Name: value  Name: value``, or ``Name = value``; a name alone has no value."""
    if text == "----":
        yield text, ""
        return
    name, equals, value = text.partition(" = ")
    if equals:
        yield _plain(name), value.strip()
        return
    waiting = ""
    for cell in re.split(r"\s{2,}", text):
        if waiting and ":" not in cell.rstrip(":"):
            yield waiting, cell
            waiting = ""
            continue
        name, colon, value = cell.partition(": ")
        if colon:
            yield _plain(name), value
        elif cell.endswith(":"):
            if waiting:
                yield waiting, ""
            waiting = _plain(cell.rstrip(":"))
        elif waiting:  # such as a time of day, which has colons
            yield waiting, cell
            waiting = ""
    if waiting:
        yield waiting, ""


def _plain(name: str) -> str:
    return name.replace(" ", "").lower()


def _socket(side: str, text: str, line: int) -> dict[str, Any]:
    """Address and port, as ``10.1.2.3..21``; null where none is bound."""
    address, dots, port = text.rpartition("..")
    if not dots:
        raise UnreadableError(not_a_number(text), line)
    none = address in ("*", "") or not address.strip("0.:")
    try:  # IPv4 as IPv4, IPv6 in small letters, as records have them
        of = ipaddress.ip_address(address)
        address = str(getattr(of, "ipv4_mapped", None) or of)
    except ValueError:
        pass  # a name, as of HOSTNAME
    number = int(port) if re.fullmatch(r"\d{1,5}", port, re.ASCII) else None
    return {f"{side}_ip": None if none else address, f"{side}_port": number or None}


def _value(form: str, text: str, line: int) -> str | int | float | bool | None:
    if form == "":
        return text or None
    if form == "yes":
        return text.lower() == "yes"
    if text.lower() in _NONE and form == _WHOLE:
        return 0 if text.isdigit() else None
    if form == "time" and _TIME.fullmatch(text):
        return float(text)
    if form == _WHOLE and _COUNT.fullmatch(text) and int(text) < 2**63:
        return int(text)
    raise UnreadableError(not_a_number(text), line)
