"""What a campaign declares and has no runs of, or too few, or no CPU time of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from analysis.declared.campaign import Campaign
from analysis.facts.sentences import listed
from analysis.facts.units import gaps
from analysis.statistics.median import STATISTIC

_NAMED = 3  # of what there is more of, only so many are named


class CountedRun(NamedTuple):
    """A run as the catalogue counts it; ``with_cpu`` where its CPU time is known."""

    run: str
    configuration: str
    workload: str
    repetition: int
    usable: bool
    with_cpu: bool


def find_gaps(campaign: Campaign, runs: Iterable[CountedRun]) -> Iterator[str]:
    """The gaps of a campaign that was read, in words."""
    samples: dict[tuple[str, str], list[CountedRun]] = {}
    for run in runs:
        samples.setdefault((run.configuration, run.workload), []).append(run)
    ran = {configuration for configuration, _ in samples}
    if absent := [id for id in campaign.configurations if id not in ran]:
        yield f"no runs of {_some(absent)}"
    yield from _few(samples)
    yield from _without_cpu(samples)


def _few(samples: Mapping[tuple[str, str], list[CountedRun]]) -> Iterator[str]:
    """Samples that lack runs: by the numbers of repetitions, or all that failed."""
    usable = {
        name: sum(run.usable for run in sample) for name, sample in samples.items()
    }
    none = [_name(name) for name, count in usable.items() if not count]
    if none:
        yield f"no usable run of {_some(none)}"
    counts = Counter(count for count in usable.values() if count)
    few = sum(n for count, n in counts.items() if count < STATISTIC.smallest)
    if few:
        fewest = min(counts)
        yield (
            f"{few} of {len(samples)} samples have fewer than {STATISTIC.smallest} "
            f"usable runs (the fewest {fewest}): their medians have no interval"
        )
    missing = {
        name: told
        for name, sample in samples.items()
        if (told := list(gaps(run.repetition for run in sample)))
    }
    if missing:
        words = [f"{_name(name)} ({listed(told)})" for name, told in missing.items()]
        yield f"missing repetitions: {_some(words)}"


def _without_cpu(samples: Mapping[tuple[str, str], list[CountedRun]]) -> Iterator[str]:
    usable = [run for sample in samples.values() for run in sample if run.usable]
    bare = [run for run in usable if not run.with_cpu]
    if bare:
        which = Counter((run.configuration, run.workload) for run in bare)
        words = [f"{_name(sample)}: {count}" for sample, count in which.items()]
        share = f"{len(bare)} of {len(usable)} usable runs"
        yield f"no CPU time in {share} ({_some(words)})"


def _name(sample: tuple[str, str]) -> str:
    return " ".join(sample)


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return listed(names[:_NAMED] + ([f"{more} more"] if more > 0 else []))
