import ast
import json
from pathlib import Path
from string import Formatter

import pytest

from analysis.facts.fact import read_facts
from analysis.facts.kinds import KINDS
from analysis.facts.remark import Refusal, Remark, read_remarks, refusal, remark

ANALYSIS = Path(__file__).parents[2] / "analysis"
MAKERS = ("Remark", "Flag", "_flag", "_beyond")
SEEN = {"n": 3, "least": 6}


def emitted() -> dict[str, str]:
    """Kinds that the code names where it makes a remark or a flag, with the place."""
    return {
        argument.value: f"{path}:{node.lineno}"
        for path in ANALYSIS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS
        for argument in node.args[:2]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def test_every_kind_that_is_emitted_has_words():
    assert len(emitted()) > 15
    assert {kind: at for kind, at in emitted().items() if kind not in KINDS} == {}


def test_a_kind_without_words_cannot_be_emitted():
    with pytest.raises(LookupError, match="kind surprise"):
        Remark("surprise")


def test_every_kind_tells_readers_one_sentence_without_numbers():
    warnings = [kind for kind in KINDS.values() if kind.name]
    assert len(warnings) > 20
    for kind in warnings:
        assert kind.note.endswith(".")
        assert not any(letter.isdigit() for letter in kind.note)
        assert "{" not in kind.note
        if isinstance(kind.words, str):
            assert list(Formatter().parse(kind.words))


def test_a_remark_says_kind_subject_runs_and_what_was_seen():
    assert str(Remark("few", values=SEEN)) == "few: n = 3; an interval needs n ≥ 6"
    seen = {"runs": 2, "of": 10, "reason": "3 {odd} lines"}
    assert str(Remark("degraded", "B", seen)) == (
        "degraded: B: 2 of 10 runs: 3 {odd} lines"
    )


def test_a_refusal_says_its_reasons_by_the_way_that_was_tried():
    told = Refusal(
        (
            Remark("beyond", "interpolation", text="it would extrapolate"),
            Remark("no_setup", "generation", text="no model is declared"),
            Remark("no_cpc", "generation", text="no other CPC was measured"),
        )
    )
    assert str(told) == (
        "interpolation: it would extrapolate; generation: no model is declared; "
        "no other CPC was measured"
    )
    assert str(refusal("no_model", "no model answers it")) == "no model answers it"


def test_remarks_come_back_from_json():
    remarks = (
        Remark("absent", values={"runs": 1, "of": 2, "parts": ("A", "B")}),
        Remark("few", "B", SEEN),
    )
    assert read_remarks(json.loads(json.dumps(remarks, default=vars))) == remarks


def test_facts_of_a_release_whose_warnings_are_texts_can_be_read(tmp_path):
    path = tmp_path / "facts.json"
    path.write_text('{"schema": 1, "facts": [], "runs": [], "gaps": []}')
    assert read_facts(path).facts == ()
    assert read_remarks(["noisy: x"]) == ()


def test_remarks_of_other_releases_keep_words_that_are_known():
    values = {"runs": 1, "of": 2, "parts": ["A", "B"]}
    gone = {"kind": "beyond", "subject": "", "values": {"workloads": "RR1(1kB)"}}
    written = {"kind": "absent", "subject": "", "values": values, "text": "old words"}
    (remark,) = read_remarks([gone, written])
    assert remark == Remark("absent", values=values | {"parts": ("A", "B")})


def test_eight_folders_are_named_and_only_those_beyond_are_counted():
    eight = remark("left_out", files=9, folders=list("abcdefgh")).words
    nine = remark("left_out", files=9, folders=list("abcdefghi")).words
    assert eight.endswith("in a, b, c, d, e, f, g, h")
    assert nine.endswith("in a, b, c, d, e, f, g, h and 1 more folders")
