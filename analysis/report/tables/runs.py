"""Tables of the runs: how many were used, which were excluded and why."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.facts.fact import RunCount
from analysis.facts.sentences import number_word
from analysis.report.pipe_table import Column, escape, table


def runs_table(runs: Iterable[RunCount]) -> str:
    """How many runs each workload has on each configuration, and what failed.

    Workloads of a configuration that have the same counts share a row, and so do
    configurations that have the same workloads. Where all have as many used ones, it
    is a sentence: :func:`excluded_table` has the others.
    """
    runs = list(runs)
    if len({run.used for run in runs}) == 1:
        used = runs[0].used
        each = "one used run" if used == 1 else f"{number_word(used)} used runs"
        return f"Each workload has {each} on each configuration."
    groups: dict[tuple[str, int, int], list[str]] = {}
    for run in runs:
        key = (run.configuration, run.used, run.excluded)
        groups.setdefault(key, []).append(run.workload)
    alike: dict[tuple[str, int, int], list[str]] = {}
    for (name, used, excluded), workloads in groups.items():
        alike.setdefault((", ".join(workloads), used, excluded), []).append(name)
    columns = [
        Column("Configurations", 40),
        Column("Workloads", 40),
        Column("Used, each", 14, number=True),
        Column("Excluded", 10, number=True),
    ]
    rows = [
        [escape("; ".join(dict.fromkeys(names))), workloads, str(used), str(excluded)]
        for (workloads, used, excluded), names in alike.items()
    ]
    return table(columns, rows, "Runs used and excluded.", "runs")


def excluded_table(runs: Iterable[RunCount]) -> str:
    """Every run that was excluded, and why; a sentence where there is none.

    Below it stands which repetitions the campaigns do not list, where that is so.
    """
    runs = list(runs)
    reasons = [reason for run in runs for reason in run.reasons]
    if not reasons:
        return f"No run was excluded.{_missing(runs)}"
    columns = [Column("Excluded run", 26), Column("Reason", 60)]
    rows = [[escape(run), escape(reason)] for run, reason in reasons]
    caption = "Excluded runs and the reason in their logs."
    return table(columns, rows, caption, "excluded") + _missing(runs)


def _missing(runs: Iterable[RunCount]) -> str:
    """A paragraph on gaps in the repetitions; studies may have the same ones."""
    gaps = dict.fromkeys(
        f"{' and '.join(run.missing)} of {escape(run.workload)} on "
        f"{escape(run.configuration)}"
        for run in runs
        if run.missing
    )
    if not gaps:
        return ""
    told = "; ".join(gaps)
    return f"\n\nMissing repetitions: {told}."
