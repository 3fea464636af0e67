import pytest

from analysis.declared.metrics import METRICS_FILE, read_metrics
from analysis.derive.values import check_expressions
from analysis.errors import UserError

METRICS = read_metrics()


def changed(**entries: object):
    return {"rate": METRICS["rate"].model_copy(update=entries)}


def test_the_declared_expressions_are_good():
    assert check_expressions(METRICS, METRICS_FILE) == []


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        ("transactions /", "cannot be read"),
        ("select 1", "cannot be read"),
        ("read_csv('other')", "unsupported function"),
        ("transactions / seconds", "the expression uses seconds"),
        ("net_seconds", "the expression uses net_seconds"),
    ],
)
def test_an_expression_that_will_not_do_is_named(expression, what):
    (issue,) = check_expressions(changed(expression=expression), METRICS_FILE)
    assert issue.what.startswith("rate: the expression")
    assert what in issue.what
    assert "bytes_per_second, clients" in issue.mend


@pytest.mark.parametrize(
    ("entries", "what"),
    [
        ("evidence: cpu\n  rule: x\n  expression: cps", "also has times"),
        ("evidence: benchmark\n  expression: rate", "also has rule"),
        ("expression: rate", "no evidence"),
    ],
)
def test_half_of_a_derivation_is_refused(tmp_path, entries, what):
    path = tmp_path / "metrics.yaml"
    path.write_text(
        "rate:\n  label: Rate\n  unit: 1/s\n  better: higher\n  roles: false\n"
        f"  shapes: [RR]\n  means: A rate.\n  {entries}\n"
    )
    with pytest.raises(UserError, match=what):
        read_metrics(path)
