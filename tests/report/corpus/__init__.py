"""Statements and changes against which the checks of the reports' words are held.

``false/`` and ``true/`` hold statements, ``changes.yaml`` changes of declarations and
data. ``python -m tests.report.corpus`` prints what is noticed of them.
"""
