"""Displays of z/OS by the console of z/OSMF, and what reads their answers."""

from __future__ import annotations

import json

import pytest

from analysis.cli import main
from analysis.collect import zosmf
from analysis.declared.snapshots import read_snapshot
from analysis.ingest.detect import read_file
from tests.collect.servers import PASSWORD, Host, http_server
from tests.collect.test_collect import declare, left
from tests.declared.test_zos_settings import MACHINE
from tests.ingest.logs import GOLDEN

CONSOLE = "/zosmf/restconsoles/consoles/defcn"
CPUS, IPL = MACHINE.split("IEE254I")
NETSTAT = (GOLDEN / "netstat_zos/conn.txt").read_text().partition("EZZ2350I")[0]
DISPLAYS = {
    "D M=CPU": [" " + CPUS.replace("\n", "\r")],
    "D IPLINFO": ["", " IEE254I" + IPL.replace("\n", "\r")],  # slower than it waits
    "D TCPIP,,NETSTAT,CONN,MAX=*": [
        "\r".join(NETSTAT.splitlines()[:5]),
        "\r".join(NETSTAT.splitlines()[5:]),
    ],
}
ASKED = {"commands": [*DISPLAYS][:2], "to": "environment/osd-SYSA.txt"}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(zosmf, "_PAUSE", 0)


def test_displays_are_settings_and_snapshots(folder, capsys):
    host = Host(displays=DISPLAYS)
    connections = {"commands": [*DISPLAYS][2:], "to": "netstat.txt", "system": "SYSA"}
    with http_server(host):
        declare(folder, host, ASKED, connections, kind="zosmf")
        assert main(["collect", str(folder)]) == 0
    settings = read_snapshot(folder / "environment/osd-SYSA.txt")
    assert (settings["CPs online"], settings["z/OS"]) == ("2", "z/OS 03.01.00")
    reading = read_file(folder / "netstat.txt")
    assert (reading.status, reading.tables["connection_snapshot"].height) == ("ok", 2)
    sent = [one.removeprefix(CONSOLE) for one in host.asked]
    assert json.loads(sent[0]) == {"cmd": "D M=CPU"}
    assert json.loads(sent[-3]) == {
        "cmd": "D TCPIP,,NETSTAT,CONN,MAX=*",
        "system": "SYSA",
    }
    assert sent[-2:] == ["/solmsgs/C12345"] * 2
    notes = (folder / "collected.csv").read_text()
    assert f"{CONSOLE}: D M=CPU; D IPLINFO" in notes
    told = capsys.readouterr()
    assert PASSWORD not in notes + told.out + told.err + "".join(host.asked)


@pytest.mark.parametrize(
    ("displays", "fault", "said"),
    [
        ({}, "", "400 Bad Request: no authority"),
        ({"D M=CPU": ["", ""]}, "", "D M=CPU: the console has no answer"),
        ({"D M=CPU": [CPUS]}, "", "400 Bad Request"),  # the second command
        (DISPLAYS, "half", "the answer broke off after"),
    ],
)
def test_nothing_is_left_of_half_an_answer(folder, capsys, displays, fault, said):
    host = Host(displays=displays, fault=fault)
    with http_server(host):
        declare(folder, host, ASKED, kind="zosmf")
        assert main(["collect", str(folder)]) == 2
    assert said in capsys.readouterr().err
    assert left(folder) == set()


def test_an_answer_of_no_console(folder, capsys, monkeypatch):
    monkeypatch.setattr(zosmf.Web, "text", lambda *_: b'["an answer"]')
    host = Host(address="http://127.0.0.1:1")
    declare(folder, host, ASKED, kind="zosmf")
    assert main(["collect", str(folder)]) == 2
    assert "D M=CPU: the answer is none of a console" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["V 0A00,OFFLINE", "D T;V 0A00", "D T\nZ EOD", "d t"]
)
def test_no_other_command_is_sent(folder, capsys, command):
    host = Host(displays={command: ["done"]})
    with http_server(host):
        declare(folder, host, ASKED | {"commands": [command]}, kind="zosmf")
        assert main(["collect", str(folder)]) == 2
    assert "a DISPLAY command in capitals" in capsys.readouterr().err
    assert host.asked == []


def test_a_dry_run_sends_none(folder, capsys):
    host = Host(displays=DISPLAYS)
    with http_server(host):
        declare(folder, host, ASKED, kind="zosmf")
        assert main(["collect", str(folder), "--dry-run"]) == 0
    assert host.asked == []
    assert "D M=CPU; D IPLINFO" in capsys.readouterr().out
