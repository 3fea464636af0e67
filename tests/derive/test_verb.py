import io
import json
from contextlib import redirect_stdout

import duckdb
import pytest

from analysis.cli import main
from analysis.derive.runs import open_database
from analysis.errors import UserError
from analysis.facts.evidence import FileState, Passage, SystemRole, read_evidence
from analysis.facts.fact import evidence_of, read_facts


def fill(world):
    world.runs("A", [100.0, 101, 102, 103, 104, 105])
    world.runs("B", [100.0, 101, 102, 103, 104, 106])
    world.study()
    world.write()
    return world


@pytest.fixture
def ready(world):
    return fill(world)


@pytest.fixture(scope="module")
def twice(new_world, tmp_path_factory):
    """The same facts derived two times, and what was printed."""
    world = new_world(tmp_path_factory.mktemp("twice"))
    world.campaign()
    fill(world)
    one, two = world.root / "one.json", world.root / "two.json"
    with redirect_stdout(io.StringIO()) as said:
        for path in (one, two):
            assert main(world.arguments(path)) == 0
    return one, two, said.getvalue()


def test_equal_input_gives_equal_bytes(twice):
    one, two, _ = twice
    first = one.read_bytes()
    assert first == two.read_bytes()
    assert str(one.parent).encode() not in first


def test_the_verb_counts_what_it_derived(twice):
    one, two, said = twice
    count = len(read_facts(one).facts)
    assert said == "".join(f"{count} facts of 1 study: {out}\n" for out in (one, two))


def test_facts_are_plain_json(twice):
    data = json.loads(twice[0].read_text())
    assert data["schema"] == 2
    assert {r["configuration"] for r in data["runs"]} == {"A", "B"}


def test_facts_of_all_editions_are_sorted_by_edition_and_key(ready):
    ready.study("another", edition="atlas")
    assert main(ready.arguments()) == 0
    facts = read_facts(ready.root / "facts.json").facts
    assert {f.edition for f in facts} == {"atlas", "paper"}
    keys = [(f.edition, f.key) for f in facts]
    assert keys == sorted(keys)


def test_what_facts_rest_on_lies_beside_them(ready):
    ready.rows["benchmark"][0]["position"] = 31
    ready.write()
    tables = ready.root / "ingest" / "lab"
    tables.mkdir(parents=True)
    (tables / "run.parquet").write_bytes(b"PAR1")
    (tables / ".draft.parquet").touch()
    assert main([*ready.arguments(), "--tables", str(tables.parent)]) == 0
    facts = ready.root / "facts.json"
    found = read_evidence(evidence_of(facts), ["lab"])["lab"]
    assert ("lab", found.digest) in read_facts(facts).digests
    run = ready.rows["benchmark"][0]["run"]
    assert found.passages == (Passage(run, run, (31,)),)
    assert found.files[run] == FileState(f"sha-{run}", 1)
    assert SystemRole("A", "RR10(100B)", "client", "cli") in found.roles
    assert set(found.tables) == {"run.parquet"}
    first = evidence_of(facts).read_bytes()
    assert main([*ready.arguments(), "--tables", str(tables.parent)]) == 0
    assert evidence_of(facts).read_bytes() == first


def test_an_interval_of_no_run_is_evidence_of_the_runs_that_it_overlaps(world):
    for number, start in enumerate((0, 40, 100)):
        world.run(f"A-{number}", "A", window=(start, start + 10))
    world.run("B-0", "B", window=(0, 10))
    world.study()
    smf = world.file("smf")
    for start, position in ((0, 8), (30, 300), (60, 600)):
        world.interval("cli", start, 30, 50.0, source=smf, position=position)
    world.write()
    assert main(world.arguments()) == 0
    evidence = read_evidence(evidence_of(world.root / "facts.json"), ["lab"])["lab"]
    assert {p for p in evidence.passages if p.file == "smf"} == {
        Passage("A-0", "smf", (8,)),
        Passage("A-1", "smf", (300,)),
        Passage("B-0", "smf", (8,)),
    }


def failure(world, capsys) -> str:
    assert main(world.arguments()) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert "Traceback" not in said
    return said


def test_a_missing_database_is_named(ready, capsys):
    ready.database.unlink()
    assert "there is no database yet" in failure(ready, capsys)


def test_not_a_database(ready, capsys):
    ready.database.write_bytes(b"nothing of the kind" * 100)
    assert "not a database that can be read" in failure(ready, capsys)


def test_a_view_whose_file_cannot_be_read(ready, capsys):
    file = ready.root / "benchmark.parquet"
    with duckdb.connect(str(ready.database)) as con:
        con.execute(f"COPY benchmark TO '{file}' (FORMAT parquet)")
        con.execute("DROP TABLE benchmark")
        con.execute(f"CREATE VIEW benchmark AS FROM read_parquet('{file}')")
    assert main(ready.arguments()) == 0
    file.unlink()
    capsys.readouterr()
    assert "a table of it cannot be read" in failure(ready, capsys)
    file.write_bytes(b"nothing of the kind" * 100)
    assert "a table of it cannot be read" in failure(ready, capsys)


@pytest.mark.parametrize(
    "change",
    ["DROP TABLE cpu_interval", "ALTER TABLE run DROP COLUMN idle_before"],
)
def test_a_database_of_another_version(ready, capsys, change):
    with duckdb.connect(str(ready.database)) as con:
        con.execute(change)
    assert "tables of another version" in failure(ready, capsys)


def test_a_missing_edition_is_named(ready, capsys):
    (ready.report / "paper" / "edition.yaml").unlink()
    assert "there is no edition" in failure(ready, capsys)


def test_an_earlier_result_survives_a_failure(ready, capsys):
    assert main(ready.arguments()) == 0
    before = (ready.root / "facts.json").read_bytes()
    ready.study(metrics=["speed"])
    failure(ready, capsys)
    assert (ready.root / "facts.json").read_bytes() == before


def test_a_study_that_will_not_do_stops_its_own_edition_alone(ready, capsys):
    for change, told in (
        ({"tests": ["C"]}, "there is no configuration 'C'"),
        ({"workloads": ["STR*"]}, "there is no workload 'STR*'"),
        ({"campaigns": ["lost"]}, "there is no campaign 'lost'"),
    ):
        ready.study("wrong", edition="atlas", **change)
        assert told in failure(ready, capsys)
    assert main([*ready.arguments(), "--edition", "paper"]) == 0


def test_a_campaign_that_is_not_generated_yet(ready, capsys):
    (ready.root / "synthetic/campaigns/later").mkdir(parents=True)
    ready.study(campaigns=["later"])
    said = failure(ready, capsys)
    assert "the campaign 'later' is not generated yet" in said
    assert "run 'make report'" in said
    assert "configuration" not in said


@pytest.mark.parametrize(
    ("made", "said", "mend"),
    [
        (lambda path: None, "there is no database yet", "run 'make report' first"),
        (lambda path: path.mkdir(), "there is no database yet", "make report"),
        (lambda path: path.write_bytes(b"x" * 9000), "not a database", "rebuild it"),
        (
            lambda path: duckdb.connect(str(path)).close(),
            "of another version",
            "delete",
        ),
    ],
)
def test_a_database_that_will_not_do_is_told_when_it_is_opened(
    tmp_path, made, said, mend
):
    # DuckDB knows a file by its path as long as it was open: each has its own name.
    path = tmp_path / f"{mend.replace(' ', '-')}.duckdb"
    made(path)
    with pytest.raises(UserError, match=said) as caught:
        open_database(path)
    (issue,) = caught.value.issues
    assert mend in issue.mend and str(path) in str(issue)
