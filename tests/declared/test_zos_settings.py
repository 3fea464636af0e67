"""Settings of z/OS out of displays and a profile; what differs, and nothing lost."""

from __future__ import annotations

from pathlib import Path

from analysis.declared.snapshots import captured_differences, read_snapshot
from analysis.declared.zos_settings import zos_settings

MACHINE = """\
IEE174I 14.32.11 DISPLAY M 123
CORE STATUS: HD=Y   MT=1  MT_MODE: CP=1  zIIP=2
PROCESSOR STATUS
ID  CPU                  SERIAL
00  +                     0D991E3906
01  +                     0D991E3906
02  -
04  +I                    0D991E3906
CPC ND = 003906.M05.IBM.02.00000000991E
CPC SI = 3906.7E9.IBM.02.000000000000991E
LP NAME = SYSA       LP ID = 1
IEE254I  11.11.35 IPLINFO DISPLAY 906
 SYSTEM IPLED AT 10.53.04 ON 01/12/2026
 RELEASE z/OS 03.01.00    LICENSE = z/OS
 USED LOAD08 IN SYS0.IPLPARM ON 1C07
 ARCHLVL = 2   MTLSHARE = N
 IEASYS LIST = (ST,LN) (OP)
 IPL DEVICE: ORIGINAL(0980) CURRENT(0980) VOLUME(RSBH9A)
"""
PROFILE = """\
; the stack of the lab
GLOBALCONFIG SMCD NOZIIP ; off for now
   SYSPLEXMONITOR RECOVERY
TCPCONFIG TCPRCVBUFRSIZE 65535 TCPSENDBFRSIZE 65535
          NODELAYACKS
INTERFACE OSA1 DEFINE IPAQENET PORTNAME OSAP1 MTU 8992
   INBPERF DYNAMIC WORKLOADQ
PORT
   20 TCP OMVS NOAUTOLOG
   21 TCP OMVS
START OSA1
"""


def test_the_machine_and_the_release() -> None:
    assert zos_settings(MACHINE) == {
        "CPC model": "3906.7E9.IBM.02.000000000000991E",
        "CPC": "003906.M05.IBM.02.00000000991E",
        "LPAR": "SYSA",
        "HiperDispatch": "Y",
        "MT mode": "CP=1  zIIP=2",
        "z/OS": "z/OS 03.01.00",
        "ARCHLVL": "2",
        "Load member": "LOAD08",
        "IEASYS": "(ST,LN) (OP)",
        "System volume": "RSBH9A",
        "CPs online": "2",
        "zIIPs online": "1",
    }


def test_each_parameter_of_a_profile_is_a_setting() -> None:
    assert zos_settings(PROFILE) == {
        "GLOBALCONFIG SMCD": "on",
        "GLOBALCONFIG ZIIP": "off",
        "GLOBALCONFIG SYSPLEXMONITOR": "RECOVERY",
        "TCPCONFIG TCPRCVBUFRSIZE": "65535",
        "TCPCONFIG TCPSENDBFRSIZE": "65535",
        "TCPCONFIG DELAYACKS": "off",
        "INTERFACE OSA1": "on",
        "INTERFACE OSA1 DEFINE": "IPAQENET",
        "INTERFACE OSA1 PORTNAME": "OSAP1",
        "INTERFACE OSA1 MTU": "8992",
        "INTERFACE OSA1 INBPERF": "DYNAMIC",
        "INTERFACE OSA1 WORKLOADQ": "on",
        "PORT": "20 TCP OMVS NOAUTOLOG 21 TCP OMVS",
        "START OSA1": "on",
    }


def test_displays_and_profile_may_lie_in_one_text() -> None:
    config = (
        "MVS TCP/IP NETSTAT CS V2R5       TCPIP Name: TCPCS           17:40:36\n"
        "TCP Configuration Table:\n"
        "DefaultRcvBufSize:  00065536  DefaultSndBufSize: 00065536\n"
        "Global Configuration Information:\n"
        "  SMCR: No\n"
        "UI12345\nUI12346   TYPE            = PTF\n"
        "          STATUS          = REC  APP\n"
        "UI12347   TYPE            = PTF\n          STATUS          = REC\n"
    )
    both = zos_settings(MACHINE + PROFILE + config)
    assert both.items() >= (zos_settings(MACHINE) | zos_settings(PROFILE)).items()
    assert both["TCP DefaultRcvBufSize"] == "00065536"
    assert both["TCP DefaultSndBufSize"] == "00065536"
    assert both["Global SMCR"] == "No"
    patches = {name: value for name, value in both.items() if name.startswith("PTF")}
    assert patches == {
        "PTF UI12345": "applied",
        "PTF UI12346": "applied",
        "PTF UI12347": "received only",
    }


def test_lines_of_names_and_values_are_none_of_it() -> None:
    assert zos_settings("Kernel: 6.1\nPORT: 5\nMTU of eth0: 1500\n") == {}


def test_only_what_differs_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(MACHINE + PROFILE)
    (tmp_path / "b.txt").write_text(MACHINE + PROFILE.replace(" SMCD", " NOSMCD"))
    unlike = captured_differences(
        {"A": {"SYSA": "a.txt"}, "B": {"SYSA": "b.txt"}}, tmp_path
    )
    name = "GLOBALCONFIG SMCD (SYSA)"
    assert unlike == {"A": {name: "on"}, "B": {name: "off"}}


def test_what_differs_far_behind_in_a_long_value_is_told(tmp_path: Path) -> None:
    ports = "PORT\n" + "".join(f" {n} TCP JOB{n}\n" for n in range(1000, 1050))
    (tmp_path / "a.txt").write_text(ports)
    (tmp_path / "b.txt").write_text(ports.replace("JOB1049", "JOBX"))
    a, b = (read_snapshot(tmp_path / f"{one}.txt")["PORT"] for one in "ab")
    assert a != b and len(a) <= 140 and "checksum" in a


def test_many_ptfs_are_one_setting(tmp_path: Path) -> None:
    some = "PORT 21 TCP OMVS\n" + "".join(f"UI{n}\n" for n in range(10_000, 10_009))
    (tmp_path / "a.txt").write_text(some)
    (tmp_path / "b.txt").write_text("PORT 21 TCP OMVS\nUI10000\nUI20000\n")
    unlike = captured_differences({"A": {"S": "a.txt"}, "B": {"S": "b.txt"}}, tmp_path)
    told = "UI10001, UI10002, UI10003, UI10004, UI10005 and 3 more"
    assert unlike == {"A": {"PTFs (S)": told}, "B": {"PTFs (S)": "UI20000"}}
