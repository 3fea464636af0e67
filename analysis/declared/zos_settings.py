"""Settings of a z/OS system, out of what its console and its profile say.

One text may hold ``D M=CPU`` (IEE174I), ``D IPLINFO`` (IEE254I), NETSTAT CONFIG, lists
of PTFs and PROFILE.TCPIP behind one another, as people put them together. Of a
parameter that is switched off by NO in front of its name the value is ``off``. Words of
a profile that are no parameter that is known belong to the one before, so none is lost;
of displays the lines that say nothing of the configuration are left out. Layouts: MVS
System Messages, IEE174I and IEE254I; z/OS Communications Server IP System
Administrator's Commands, "Netstat CONFIG/-f report", and IP Configuration Reference;
SMP/E for z/OS Reference, LIST.
"""

from __future__ import annotations

import re

_MACHINE = (  # of D M=CPU and D IPLINFO
    ("CPC model", re.compile(r"\bCPC SI = (\S{1,60})")),
    ("CPC", re.compile(r"\bCPC ND = (\S{1,60})")),
    ("LPAR", re.compile(r"\bLP NAME = (\S{1,8})")),
    ("HiperDispatch", re.compile(r"\bHD=([YN])\b")),
    ("MT mode", re.compile(r"\bMT_MODE: (CP=\d.{0,40})")),
    ("z/OS", re.compile(r"\bRELEASE (z/OS \S{1,20})")),
    ("ARCHLVL", re.compile(r"\bARCHLVL = (\d)")),
    ("Load member", re.compile(r"\bUSED (LOAD\S{2}) IN ")),
    ("IEASYS", re.compile(r"\bIEASYS LIST = (.{1,60})$")),
    ("System volume", re.compile(r"\bIPL DEVICE: .{1,60}VOLUME\((\S{1,6})\)")),
)
_CPU = re.compile(r"(?:^|\s)[0-9A-F]{2,4}\s+([+-])([A-Z]?)(?:\s|$)")
_DISPLAY = re.compile(r"\b(IEE174I|IEE254I|NETSTAT CS V\d)")
_TABLE = re.compile(r"([A-Z][\w ]{0,30}?) (?:Configuration )?(?:Table|Information):$")
_PTF = re.compile(r"([A-Z]{2}\d{5})(?:\s+TYPE\s+= PTF)?$")
_STATUS = re.compile(r"STATUS\s+= (.{1,40})")
_NAMED = {"INTERFACE", "DEVICE", "LINK", "START", "STOP", "ROUTE"}
_PLAIN = {
    "ARPAGE", "AUTOLOG", "BEGINROUTES", "BEGINVTAM", "BSDROUTINGPARMS", "DEFADDRTABLE",
    "GLOBALCONFIG", "HOME", "INCLUDE", "IPCONFIG", "IPCONFIG6", "ITRACE", "NETACCESS",
    "NETMONITOR", "OSAENTA", "PORT", "PORTRANGE", "PRIMARYINTERFACE", "SACONFIG",
    "SMFCONFIG", "SMFPARMS", "SOMAXCONN", "SRCIP", "TCPCONFIG", "TELNETPARMS",
    "TELNETGLOBALS", "UDPCONFIG", "IPSEC", "VIPADYNAMIC",
}  # fmt: skip
# Parameters of these statements; each begins a setting of its own.
_PARAMETERS = frozenset(re.findall(r"\S+", """
    ARPTO CHECKSUMOFFLOAD DATAGRAMFWD DEVRETRYDURATION DYNAMICXCF FORMAT
    IGNOREREDIRECT IPSECURITY IQDIOROUTING MULTIPATH PATHMTUDISCOVERY
    QDIOACCELERATOR REASSEMBLYTIMEOUT SEGMENTATIONOFFLOAD SOURCEVIPA
    STOPONCLAWERROR SYSPLEXROUTING TCPSTACKSOURCEVIPA TTL HOPLIMIT ICMPERRORLIMIT
    TEMPADDRS DELAYACKS EPHEMERALPORTS FINWAIT2TIME INTERVAL KEEPALIVEPROBES
    KEEPALIVEPROBEINTERVAL MAXIMUMRETRANSMITTIME NAGLE QUEUEDRTT RESTRICTLOWPORTS
    RETRANSMITATTEMPTS CONNECTINITINTERVAL CONNECTTIMEOUT FRRTHRESHOLD
    AUTODELAYACKS SELECTIVEACK SENDGARBAGE TCPMAXRCVBUFRSIZE TCPMAXSENDBUFRSIZE
    TCPRCVBUFRSIZE TCPSENDBFRSIZE TCPTIMESTAMP TIMEWAITINTERVAL TTLS SOMAXCONN
    UDPCHKSUM UDPQUEUELIMIT UDPRCVBUFRSIZE UDPSENDBFRSIZE ADJUSTDVIPAMSS AUTOIQDC
    AUTOIQDX AUTOSMC ECSALIMIT EXPLICITBINDPORTRANGE IQDMULTIWRITE IQDVLANID
    MAXRECS MLSCHKTERMINATE POOLLIMIT SEGOFFLOAD SMCGLOBAL SMCR SMCD SMCEID
    SYSPLEXMONITOR SYSPLEXWLMPOLL TCPIPSTATISTICS WLMPRIORITYQ XCFGRPID ZERT ZIIP
    FIXEDMEMORY PFID SMCPERMIT SMCEXCLUDE DEFINE CHPIDTYPE PORTNAME IPADDR MTU
    INBPERF VLANID VMAC READSTORAGE SOURCEVIPAINTERFACE OLM ISOLATE MONSYSPLEX
    DYNVLANREG SECCLASS INTFID DUPADDRDET TEMPPREFIX ADDADDR CHPID PNETID WORKLOADQ
    TYPE118 TYPE119
"""))  # fmt: skip


def zos_settings(text: str) -> dict[str, str]:
    """The settings by name; none where the text is nothing of that kind."""
    lines = text.splitlines()
    if not any(map(_DISPLAY.search, lines)) and not _is_profile(lines):
        return {}
    values: dict[str, str] = {}
    online = {"CPs online": 0, "zIIPs online": 0}
    display = table = ptf = statement = ""
    for line in lines:
        words = line.split(";")[0].split()
        if match := _DISPLAY.search(line):
            display, table, statement = match[1], "", ""
        elif words and _statement(words[0]):
            display = ""
        for name, pattern in _MACHINE if display.startswith("IEE") else ():
            if cell := pattern.search(line.rstrip()):
                values[name] = cell[1].strip()
        if display == "IEE174I" and (cpu := _CPU.search(line)) and cpu[1] == "+":
            online["zIIPs online" if cpu[2] == "I" else "CPs online"] += 1
        elif match := _PTF.match(line.strip()):
            ptf, display, statement = match[1], "", ""
            values[f"PTF {ptf}"] = "applied" if "TYPE" not in line else "listed"
        elif display.startswith("NETSTAT"):
            table = _take_table(line, table, values)
        elif ptf and (status := _STATUS.search(line)):
            values[f"PTF {ptf}"] = _applied(status[1])
        elif not display and words:
            statement = _take_statement(words, statement, values)
    counted = {name: str(number) for name, number in online.items() if number}
    return values | counted


def _is_profile(lines: list[str]) -> bool:
    firsts = [words[0] for line in lines if (words := line.split(";")[0].split())]
    return sum(map(_statement, firsts)) > 0 and not any(f.endswith(":") for f in firsts)


def _statement(word: str) -> bool:
    return word.upper() in _PLAIN | _NAMED


def _applied(status: str) -> str:
    return "applied" if {"APP", "ACC"} & set(status.split()) else "received only"


def _take_table(line: str, table: str, values: dict[str, str]) -> str:
    """The pairs of a line of NETSTAT CONFIG, and the table that they are in."""
    if heading := _TABLE.match(line.strip()):
        return heading[1]
    waiting = ""
    for cell in re.split(r"\s{2,}|(?<=:)\s", line.strip()):
        if cell.endswith(":"):
            waiting = cell.rstrip(":")
        elif waiting:
            values[f"{table} {waiting}".strip()] = cell
            waiting = ""
    return table


def _take_statement(words: list[str], statement: str, values: dict[str, str]) -> str:
    """What a line of a profile adds to the settings of its statement; the statement and
    the parameter that the next line goes on with, with a blank between."""
    if _statement(words[0]):
        statement, words = words[0].upper(), words[1:]
        if statement in _NAMED and words:
            statement, words = f"{statement} {words[0].upper()}", words[1:]
            values.setdefault(statement, "on")
    if not statement:
        return ""
    name, _, parameter = statement.partition("\t")
    for word in map(str.upper, words):
        bare = word.removeprefix("NO")
        if bare in _PARAMETERS or word in _PARAMETERS:
            parameter = word if word in _PARAMETERS else bare
            values[f"{name} {parameter}"] = "on" if word in _PARAMETERS else "off"
        else:
            key = f"{name} {parameter}".strip()
            before = values.get(key, "")
            values[key] = word if before in ("", "on") else f"{before} {word}"
    return f"{name}\t{parameter}"
