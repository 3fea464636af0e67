from __future__ import annotations

import pytest

from analysis.report.material import Sources
from tests.report.lint.words.wording import WriteText, remarks_of, told, written

RR1 = 'delta("latency", "RR1(1kB)")'
RR10 = 'delta("latency", "RR10(4kB)")'
OLD = 'value("latency", "RR1(1kB)", configuration="old")'
NEW = 'value("latency", "RR1(1kB)", configuration="new")'
CLIENT = 'delta("cpu_cost", "STR3(1B/20MB)", role="client")'
SERVER = 'delta("cpu_cost", "STR3(1B/20MB)", role="server")'


def filled(sentence: str) -> str:
    known = {"RR1": RR1, "RR10": RR10, "OLD": OLD, "NEW": NEW, "CLIENT": CLIENT,
             "SERVER": SERVER}  # fmt: skip
    for name, call in known.items():
        sentence = sentence.replace(f"<{name}>", f"{{{{ {call} }}}}")
    return sentence


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("Latency changes by <RR1> for RR10(4kB).", "RR10(4kB)"),
        ("Latency changes by <RR10> for RR1(1kB) and by <RR1> for RR10(4kB).", "RR1"),
        ("The client's cost moves by <SERVER> and the server's by <CLIENT>.", "client"),
        ("Throughput changes by <RR1>.", "Throughput"),
        ("On z17 the latency of RR1(1kB) is <OLD>.", "z17"),
        ("Latency of RR1(1kB) goes from <NEW> to <OLD>.", "from … to …"),
        ("Latency of RR1(1kB) and RR10(4kB) changes by <RR10> and <RR1>, respectively.",
         "RR1(1kB)"),
        ("| Workload | Change |\n|---|---|\n| RR10(4kB) | <RR1> |", "RR10(4kB)"),
    ],
)  # fmt: skip
def test_a_value_of_another_thing_is_an_error(
    project: Sources, write_text: WriteText, sentence: str, named: str
) -> None:
    written(write_text, filled(sentence))
    found = [
        r for r in remarks_of(project) if "the words beside it name" in r.issue.what
    ]
    assert found
    assert all(r.sure for r in found)
    assert named in found[0].issue.what


@pytest.mark.parametrize(
    "sentence",
    [
        "Latency changes by <RR1> for RR1(1kB) and by <RR10> for RR10(4kB).",
        "For RR1(1kB) latency changes by <RR1>, and for RR10(4kB) by <RR10>.",
        "The client's cost changes by <CLIENT> and the server's by <SERVER>.",
        "On z17 the latency of RR1(1kB) goes from <OLD> to <NEW>.",
        "Latency of RR1(1kB) is <OLD> on z16 and <NEW> on z17.",
        "Latency of RR1(1kB) and RR10(4kB) changes by <RR1> and <RR10>, respectively.",
        "Streams need more CPU time: at the client it changes by <CLIENT>.",
        "| Workload | Change |\n|---|---|\n| RR1(1kB) | <RR1> |",
    ],
)
def test_a_value_with_its_names_passes(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, filled(sentence))
    assert [what for sure, what in told(project) if sure] == []


@pytest.mark.parametrize(
    "sentence",
    [
        'Latency of RR1(1kB) falls by {{ delta("latency", "RR1(1kB)") }}.',
        'Latency of RR1(1kB) rises by {{ delta("latency", "RR1(1kB)") | size }}.',
        'Latency of RR1(1kB) is {{ delta("latency", "RR1(1kB)") | size }} slower.',
        'Latency of RR1(1kB) never {{ moves("latency", "RR1(1kB)") }}.',
        'Latency falls to {{ delta("latency", "RR1(1kB)") | size }} of what it was.',
        'Latency changes by −{{ delta("latency", "RR1(1kB)") | size }}.',
        "Streams lose {{ limit() }} of their throughput.",
        'Of all, {{ verdicts("improved") | words }} regressed.',
        "There are {{ count_runs() }} comparisons.",
    ],
)
def test_words_against_a_printed_value_are_errors(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence)
    assert any(sure for sure, _ in told(project))


@pytest.mark.parametrize(
    "sentence",
    [
        'Latency of RR1(1kB) falls by {{ delta("latency", "RR1(1kB)") | size }}.',
        'Latency of RR1(1kB) changes by {{ delta("latency", "RR1(1kB)") }}.',
        'Latency of RR1(1kB) is {{ delta("latency", "RR1(1kB)") | size }} lower.',
        'RR1(1kB) is faster by {{ delta("latency", "RR1(1kB)") | size }} on z17.',
        'Of all, {{ verdicts("improved") | words }} improved.',
        "There are {{ count_runs() }} runs and {{ comparisons() }} comparisons.",
        "A change of less than {{ limit() }} does not count.",
    ],
)
def test_words_that_agree_with_a_printed_value_pass(
    project: Sources, write_text: WriteText, sentence: str
) -> None:
    written(write_text, sentence)
    assert told(project) == []


def test_a_change_within_noise_neither_falls_nor_rises(
    project: Sources, write_text: WriteText
) -> None:
    text = project.facts.read_text(encoding="utf-8")
    text = text.replace('"verdict": "improved"', '"verdict": "inconclusive"')
    project.facts.write_text(text, encoding="utf-8")
    written(write_text, f"Latency of RR1(1kB) falls by {{{{ {RR1} | size }}}}.")
    assert any("inconclusive" in what for sure, what in told(project) if sure)
