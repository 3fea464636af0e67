"""Mistakes of an author in campaign.yaml and in the files of a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.cli import main
from analysis.declared.campaign import (
    Campaign,
    Configuration,
    Cpu,
    Gates,
    Measured,
    System,
)
from analysis.errors import UserError
from analysis.ingest.campaign.check import read_checked
from analysis.ingest.campaign.runs import OPTIONAL, REQUIRED
from analysis.ingest.files import misplaced

LINUX_VETH = Path(__file__).parents[3] / "raw" / "linux-veth"
GUIDE = Path(__file__).parents[3] / "docs/campaigns.md"
LOG = "A/RR10(100B)/rep01/client.txt"
YAML = "campaign.yaml"
SUMS = "SHA256SUMS"


def line_of(folder, file: str, start: str) -> int:
    lines = (folder.path / file).read_text(encoding="utf-8").splitlines()
    return next(n for n, line in enumerate(lines, 1) if line.strip().startswith(start))


def test_a_sound_campaign_is_read(folder):
    checked = read_checked(folder.path)
    assert checked.name == "small"
    assert [run.run for run in checked.runs][:2] == [
        "A-RR10(100B)-01",
        "A-STR3(1B/20MB)-01",
    ]
    assert len(checked.files) == 20


@pytest.mark.parametrize(
    ("old", "new", "entry", "what"),
    [
        ("zone: UTC", "zone: Mars/Base", "zone", "'Mars/Base' is not a time zone"),
        ("origin: measured", "origin: guessed", "origin", "'guessed' is not known"),
        ("    cps: 2", "    cps: 0", "cps: 0", "0 is too small"),
        ("    cps: 2", "    cpus: 2", "cpus: 2", "there is no such entry"),
        ("control_of: A", "control_of: C", "control_of", "no configuration 'C'"),
        ("source: cgroup", "source: guess", "source", "'guess' is not known"),
        ("cpu:", "cpu:\n  idle: {SYSA: 1}", "idle", "there is no system 'SYSA'"),
        ("  to: 2026-11-21", "  to: 2026-11-20", "to:", "ends before it starts"),
        ("title:", "heading:", "heading", "there is no such entry"),
    ],
)
def test_a_wrong_entry_is_named_with_its_line(folder, old, new, entry, what):
    folder.edit(YAML, old, new)
    line = line_of(folder, YAML, entry)
    assert any(f"{YAML}:{line}: " in f and what in f for f in folder.found())


def test_a_control_that_differs_is_named_with_both_lines(folder):
    folder.edit("campaign.yaml", "    details: *default\n",
                "    details: {<<: *default, MTU: 9000}\n")  # fmt: skip
    assert folder.found() == [
        "campaign.yaml:42: MTU is 9000, but 1500 (line 34) in A, which A2 repeats "
        "unchanged"
    ]


def test_two_wrong_entries_are_named_at_once(folder):
    folder.edit(YAML, "zone: UTC", "zone: Mars/Base")
    folder.edit(YAML, "origin: measured", "origin: guessed")
    assert len(folder.found()) == 2


def test_both_hand_written_files_are_checked_at_once(folder):
    folder.edit(YAML, "zone: UTC", "zone: Mars/Base")
    folder.edit("runs.csv", "RR10(100B),1,", "RR10,1,")
    found = folder.found()
    assert any("Mars/Base" in text for text in found)
    assert any("runs.csv:2: workload" in text for text in found)


def test_clients_that_think_need_to_be_told_for_how_long(folder):
    folder.edit("runs.csv", "RR10(100B),1,", "ECI10(100B),1,")
    (told,) = folder.found()
    assert "runs.csv:2: clients of ECI10(100B) think, and nothing says how long" in told
    folder.edit(YAML, "  B:\n", "  B:\n    think: 200\n")
    assert len(folder.found()) == 1, "the think time of another configuration"
    folder.edit(YAML, "zone: UTC", "zone: UTC\nthink: 500")
    assert read_checked(folder.path).campaign.think == 500


def test_yaml_that_cannot_be_read_is_named_with_its_line(folder):
    folder.edit(YAML, "systems:", "systems: [")
    assert "not valid YAML" in folder.found()[0]


def line_of_sum(folder) -> int:
    """The line of the log's checksum."""
    lines = (folder.path / SUMS).read_text(encoding="utf-8").splitlines()
    return next(n for n, line in enumerate(lines, 1) if line.endswith(f"  {LOG}"))


def add_line(folder, line):
    """Let the checksums, which are twenty, have another line."""
    with (folder.path / SUMS).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def test_missing_checksums_are_named_once_with_the_command(folder):
    (folder.path / SUMS).unlink()
    assert folder.found() == [f"{SUMS}: this file is missing"]
    assert f"python -m analysis checksums {folder.path}" in folder.issues()[0].mend


def test_checksums_in_the_declaration_are_told_how_to_move(folder):
    with (folder.path / YAML).open("a", encoding="utf-8") as file:
        file.write(f"files:\n  {LOG}: {'f' * 64}\n")
    line = line_of(folder, YAML, "files:")
    assert folder.found() == [
        f"{YAML}:{line}: the checksums of the files stand in {SUMS}, no longer here"
    ]
    assert f"'python -m analysis checksums {folder.path}'" in folder.issues()[0].mend


def test_a_missing_declaration_is_named(folder):
    (folder.path / YAML).unlink()
    assert folder.found() == [f"{YAML}: this file is missing"]


def test_an_entry_listed_twice_is_named_with_both_lines(folder):
    folder.edit(YAML, "\n  B:\n", "\n  A:\n")
    first, line = (line_of(folder, YAML, "A:"), line_of(folder, YAML, "A2:") + 4)
    assert folder.found() == [
        f"{YAML}:{line}: 'A' is listed twice, first in line {first}"
    ]


def test_a_file_listed_twice_is_named_with_both_lines(folder):
    first = line_of_sum(folder)
    add_line(folder, f"{'f' * 64}  {LOG}")
    assert folder.found() == [
        f"{SUMS}:21: {LOG!r} is listed twice, first in line {first}"
    ]


def test_a_changed_file_is_named_with_the_line_of_its_checksum(folder):
    folder.edit(LOG, "profile:rr", "profile:xx")
    line = line_of_sum(folder)
    (issue,) = folder.issues()
    assert str(issue).startswith(f"{folder.path}/{SUMS}:{line}: the file {LOG!r}")
    assert "has changed: its sha256 is now" in issue.what
    assert f"python -m analysis checksums {folder.path}" in issue.mend


def test_a_checksum_that_is_none_is_named(folder):
    folder.edit(SUMS, f"  {LOG}", f"z  {LOG}")
    line = line_of_sum(folder)
    assert folder.found() == [
        f"{SUMS}:{line}: this is no sha256 with the name of a file"
    ]
    assert f"python -m analysis checksums {folder.path}" in folder.issues()[0].mend


def test_a_file_that_is_not_listed_is_named(folder):
    (folder.path / "A" / "notes.txt").write_text("new")
    path = folder.path / "A/notes.txt"
    [issue] = folder.issues()
    assert str(issue).startswith(f"{path}: this file has no line in {SUMS}\n")
    assert "or remove the file" in issue.mend


def test_a_line_that_was_deleted_is_told_by_its_file(folder):
    sums = folder.path / SUMS
    first, *others = sums.read_text().splitlines(keepends=True)
    sums.write_text("".join(others))
    [issue] = folder.issues()
    assert str(issue.where) == str(folder.path / first.split("  ")[1].strip())


def test_many_files_that_are_not_listed_are_counted(folder):
    for number in range(25):
        (folder.path / f"{number}.txt").write_text("new")
    found = folder.found()
    assert len(found) == 11
    assert found[-1].endswith(f"15 more files have no line in {SUMS}")


def test_hidden_files_are_no_part_of_a_campaign(folder):
    (folder.path / ".DS_Store").write_bytes(b"\0")
    assert read_checked(folder.path)


def test_a_listed_file_that_does_not_exist_is_named(folder):
    add_line(folder, f"{'f' * 64}  order.log")
    assert folder.found() == [f"{SUMS}:21: the file 'order.log' does not exist"]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("../secret.txt", "leads out of the campaign's folder"),
        ("/etc/hostname", "is an absolute path"),
        ("C:/notes.txt", "is an absolute path"),
        ("A\\notes.txt", "has backslashes"),
        ("A/./notes.txt", "is not a file of the campaign"),
        ("runs.csv", "is not a file of the campaign"),
        ("SHA256SUMS", "is not a file of the campaign"),
        (".hidden", "has a name that begins with a dot"),
        ("a" * 256, "has a name of more than 255 bytes (NAME_BYTES)"),
    ],
)
def test_a_listed_file_outside_of_the_folder_is_named(folder, name, what):
    (folder.path.parent / "secret.txt").write_text("secret")
    add_line(folder, f"{'f' * 64}  {name}")
    assert folder.found() == [f"{SUMS}:21: the file {name!r} {what}"]


def test_names_that_no_file_can_have_are_told(tmp_path):
    assert misplaced(tmp_path, "\0r1.log") == "has a NUL in it"
    assert "PATH_BYTES" in misplaced(tmp_path, "a/" * 1000 + "b")


def test_a_symbolic_link_out_of_the_folder_is_named(folder):
    (folder.path.parent / "secret.txt").write_text("secret")
    (folder.path / "link.txt").symlink_to("../secret.txt")
    assert "link.txt: is a symbolic link that leads out" in folder.found()[0]
    add_line(folder, f"{'f' * 64}  link.txt")
    assert "link.txt: is a symbolic link that leads out" in folder.found()[0]


def test_a_folder_that_is_no_campaign_is_named(tmp_path):
    with pytest.raises(UserError, match=r"there is no such campaign"):
        read_checked(tmp_path / "nothing")


def test_the_examples_of_the_guide_are_sound(tmp_path):
    guide = GUIDE.read_text(encoding="utf-8")
    blocks = [text.split("\n", 1)[1] for text in guide.split("```")[1::2]]
    declaration = next(text for text in blocks if text.startswith("title:"))
    table = next(text for text in blocks if text.startswith("run,"))
    (tmp_path / "rmf").mkdir()
    (tmp_path / "uperf").mkdir()
    for file in ("rmf/day1.xml", "uperf/osd-rr10-1.txt", "uperf/osd-rr10-2.txt"):
        (tmp_path / file).write_text("evidence")
    (tmp_path / YAML).write_text(declaration)
    (tmp_path / "runs.csv").write_text(table)
    assert main(["checksums", str(tmp_path)]) == 0
    assert len(read_checked(tmp_path).runs) == 2


def test_the_guide_names_every_column_and_entry():
    guide = GUIDE.read_text(encoding="utf-8")
    entries = [
        field.alias or name
        for model in (Campaign, Measured, System, Configuration, Cpu, Gates)
        for name, field in model.model_fields.items()
    ]
    reference = LINUX_VETH.parents[1] / "docs/reference/campaign.md"
    assert "(reference/campaign.md)" in guide
    listed = reference.read_text(encoding="utf-8")
    assert [name for name in entries if f"`{name}`" not in listed] == []
    assert [name for name in (*REQUIRED, *OPTIONAL) if f"`{name}`" not in guide] == []
