"""The settings of the published report are what the campaign declares.

The list is of all five documents; those of which no campaign is generated are counted.
"""

from __future__ import annotations

import csv
import re
from collections import Counter

import pytest

from analysis.declared.workload import parse_workload
from tests.synthetic.conftest import OF, ROOT

LIST = ROOT.parent / "shared" / "reference" / "published_facts.csv"
OURS = (
    "osh-osd", "shared-osh", "ee-osh", "gre-iwq", "router-queue", "smcr-neth",
    "one-feature", "linux-sharing", "tcp-smcr", "hipersockets-z17", "smcd-z17",
    "hipersockets-smcd", "tls-signature", "tls-cbc-gcm", "tls-versions", "icsf-audit",
    "release-3-2",
)  # fmt: skip
STUDIES = {f"S{n:02}": id for n, id in enumerate(OURS, 1)}
# A setting, and what the details of a study's configurations must hold; ``all``: each.
DETAILS = {
    r"dedicated CPs per LPAR": (r"\A{}, dedicated\Z", all),
    r"link (?P<name>\w+)": (r"(?:\b{name}\b.*\b{}GbE|\b{}GbE.*\b{name}\b)", any),
    r"MTU(?: OSH/OSD)?": (r"\A{} \(", any),
    r"HiperSockets maximum frame size": (r"\A{} KB\Z", any),
    r"(?:HiperSockets )?TCP/IP MTU": (r"\A{} KB\Z", any),
    r"System SSL version": (r"\A{}, service level", all),
}


@pytest.fixture(scope="module")
def settings() -> list[dict[str, str]]:
    if not LIST.is_file():
        pytest.skip("the list of published settings is not here")
    with LIST.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["metric"][:7] == "config:"]


def details(study: str) -> list[list[str]]:
    """What is declared of each configuration of a study."""
    ids = {id for t in OF.targets if t.study == study for id in (t.baseline, t.test)}
    known = OF.campaign.configurations
    return [[str(v) for v in known[id].details.values()] for id in ids if id]


def workloads(study: str) -> set[str]:
    return {target.load.name for target in OF.targets if target.study == study}


def holds(row: dict[str, str]) -> bool:
    """Whether a setting of the report is declared."""
    name, value = row["metric"].removeprefix("config: "), row["value"]
    if name.startswith("VTAM"):
        return f"QDIOSTG={value}" in str(OF.campaign.software["VTAM"])
    study = STUDIES[row["study"][:3]]
    if name == "workload clients":
        load = parse_workload(row["workload"])
        return load.name in workloads(study) and load.clients == int(value)
    for pattern, (words, how) in DETAILS.items():
        if found := re.fullmatch(pattern, name):
            link = found.groupdict().get("name", "")
            wanted = re.compile(words.replace("{name}", link).replace("{}", value))
            declared = details(study)
            return how(any(map(wanted.search, one)) for one in declared)
    return False


def test_every_setting_of_the_report_is_declared(settings):
    own = [row for row in settings if row["source_file"].startswith("000")]
    assert len(own) == 66
    assert [row["id"] for row in own if not holds(row)] == []


def test_a_setting_that_is_not_declared_is_found(settings):
    row = next(row for row in settings if row["metric"].endswith("CPs per LPAR"))
    assert holds(row)
    assert not holds(row | {"value": "6"})


def test_the_other_documents_have_no_campaign_yet(settings):
    count = Counter(row["source_file"][:3] for row in settings)
    assert sum(count.values()) == 204
    assert count == {"000": 66, "001": 17, "002": 54, "003": 51, "004": 16}
