"""Type 119, TCP/IP: the documented name of each subtype, and why some are not read.

Names: IBM's z/OS Communications Server, "SMF 119 record subtypes", and of 94 to 98
z/OS OpenSSH User's Guide. A layout is used that has a named public source. Of the SMC
records there was none with offsets but code that names no source, and contradicts
IBM's description of 41: its sections of links do not say of which link group they are.
"""

from __future__ import annotations

NAMES = {
    1: "TCP connection initiation",
    2: "TCP connection termination",
    3: "FTP client transfer completion",
    4: "TCP/IP profile event",
    5: "TCP/IP statistics",
    6: "interface statistics",
    7: "server port statistics",
    8: "TCP/IP stack start and stop",
    10: "UDP socket close",
    11: "zERT connection detail",
    12: "zERT summary",
    20: "TN3270E session initiation",
    21: "TN3270E session termination",
    22: "TSO Telnet client initiation",
    23: "TSO Telnet client termination",
    24: "TN3270E profile event",
    32: "DVIPA status change",
    33: "DVIPA removed",
    34: "DVIPA target added",
    35: "DVIPA target removed",
    36: "DVIPA target server started",
    37: "DVIPA target server ended",
    38: "SMC-D link statistics",
    39: "SMC-D link state start",
    40: "SMC-D link state end",
    41: "SMC-R link group statistics",
    42: "SMC-R link state start",
    43: "SMC-R link state end",
    44: "RNIC interface statistics",
    45: "ISM interface statistics",
    48: "CSSMTP configuration",
    49: "CSSMTP connection",
    50: "CSSMTP mail",
    51: "CSSMTP spool file",
    52: "CSSMTP statistics",
    70: "FTP server transfer completion",
    71: "FTP daemon configuration",
    72: "FTP server logon failure",
    73: "IKE tunnel activation and refresh",
    74: "IKE tunnel deactivation and expiry",
    75: "dynamic tunnel activation and refresh",
    76: "dynamic tunnel deactivation",
    77: "dynamic tunnel added",
    78: "dynamic tunnel removed",
    79: "manual tunnel activation",
    80: "manual tunnel deactivation",
    81: "VTAM 3270 intrusion detection event",
    94: "OpenSSH client connection started",
    95: "OpenSSH server connection started",
    96: "OpenSSH server transfer completion",
    97: "OpenSSH client transfer completion",
    98: "OpenSSH login failure",
}

_SMC = (
    "no named public source that could be had tells where its fields are; whether a "
    "connection used SMC shows in smc_status of tcp_connection"
)
_CARDS = (
    "no named public source that could be had tells where its fields are; the bytes of "
    "PCIe functions such as RoCE and ISM are in 74-9"
)
OTHERS = "events and settings of which no table is made"
WHY_NOT = {
    1: "the begin of a connection; 119-2 says it again when the connection ends",
    38: _SMC,
    39: _SMC,
    40: _SMC,
    41: _SMC,
    42: _SMC,
    43: _SMC,
    44: _CARDS,
    45: _CARDS,
}
