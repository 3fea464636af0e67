"""What was captured, differs, and is not what is compared is warned of."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from analysis.declared.campaign import read_campaign
from analysis.derive.scope import unnamed_differences
from tests.declared.test_snapshots import campaign


@pytest.mark.parametrize(
    ("question", "warned"),
    [
        ("Does offload pay?", ["Kernel (client)"]),
        ("Is a new kernel faster, with offload?", []),
        ("What does it take?", ["Kernel (client)", "offload of eth0 (client)"]),
    ],
)
def test_what_differs_and_is_not_compared_is_warned_of(
    tmp_path: Path, question: str, warned: list[str]
) -> None:
    folder = tmp_path / "raw/lab"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("Kernel: 6.1\noffload of eth0: on\nSMT: on\n")
    (folder / "b.txt").write_text("Kernel: 6.2\noffload of eth0: off\nSMT: on\n")
    lab = read_campaign(campaign(folder, A={"client": "a.txt"}, B={"client": "b.txt"}))
    study = SimpleNamespace(
        title="T", question=question, campaigns=["lab"], tests=["B"], baseline="A",
        baselines={},
    )  # fmt: skip
    said = list(unnamed_differences(study, {"lab": lab}, tmp_path / "raw"))
    captured = [one for one in said if "not what is compared" in one]
    assert [one.partition(" is ")[0] for one in captured] == warned
    assert all(f"{folder / 'a.txt'}" in one for one in captured)
