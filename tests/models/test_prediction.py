from analysis.declared.metrics import read_metrics
from models.prediction import UNITS


def test_units_are_those_of_the_declared_metrics():
    declared = read_metrics()
    assert {metric: declared[metric].unit for metric in UNITS} == UNITS
