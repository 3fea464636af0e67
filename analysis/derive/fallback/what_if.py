"""What-if questions: another setup or load than the declared and measured ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from analysis.declared.campaign import ModelSetup
from analysis.declared.vocabulary import ROLES
from analysis.declared.workload import Workload, parse_size, parse_workload
from analysis.derive.fallback.knowledge import Knowledge
from analysis.derive.fallback.point import Point, Quantity
from analysis.derive.fallback.question import FLOWS
from analysis.derive.fallback.sources import check_setup
from analysis.errors import Issue, raise_if, user_error

CLIENTS, PAYLOAD = "clients", "payload"
ENTRIES = (*ModelSetup.model_fields, CLIENTS, PAYLOAD)
# Beyond these no model says anything of use; the models mark their own, closer ends.
RANGES = {"cps": (1, 16), "mtu": (576, 9216), CLIENTS: (1, 600)}
_BY_ROLE = ("cpu_cost", "utilisation")


@dataclass(frozen=True)
class WhatIf:
    """Entries of a setup that are to be others, and loads instead of the study's."""

    changes: dict[str, Any]
    workloads: tuple[Workload, ...] = ()
    clients: int | None = None
    payload: tuple[int, int] | None = None  # bytes of request and response

    def __bool__(self) -> bool:
        return bool(self.changes or self.workloads or self.clients or self.payload)

    def setup_of(self, arm: str, declared: ModelSetup | None) -> ModelSetup | None:
        """The setup of an arm; a ``UserError`` where it cannot be."""
        if not self.changes:
            return declared
        if declared is None:
            raise user_error(
                f"{arm} declares no model, so its setup cannot be another one",
                mend="add model: {cpc: …, interface: …, cps: …} in campaign.yaml",
            )
        found = declared.model_copy(update=self.changes)
        raise_if(
            [Issue(f"{arm}: {what}", None, m) for _, what, m in check_setup(found)]
        )
        return found

    def loads_of(self, arm: str, known: Knowledge) -> list[Workload]:
        """The loads asked for, else those of the study's arm or of its partners."""
        found = list(self.workloads)
        if not found:
            arms = {arm, *known.partners(arm)}
            names = {c.workload for c in known.samples if c.configuration in arms}
            found = sorted(map(parse_workload, names), key=lambda w: w.order)
            if self.payload and self.payload[0] == self.payload[1]:
                found = [work for work in found if work.shape != "STR"]
        if self.clients is not None:
            found = [replace(work, clients=self.clients) for work in found]
        if self.payload is not None:
            sent, received = self.payload
            found = [
                replace(work, request_bytes=sent, response_bytes=received)
                for work in found
            ]
        return list(dict.fromkeys(found))


def read_what_if(
    settings: Sequence[str], workloads: Sequence[str], cpc: str | None
) -> WhatIf:
    """``entry=value`` settings and workload names; a ``UserError`` for each mistake."""
    changes: dict[str, Any] = {} if cpc is None else {"cpc": cpc}
    for setting in settings:
        entry, sign, value = setting.partition("=")
        if not sign or entry not in ENTRIES:
            mend = f"write ENTRY=VALUE with one of {', '.join(ENTRIES)}"
            raise user_error(f"{setting!r} sets nothing that is known", mend=mend)
        if changes.get(entry, value) != value:
            raise user_error(f"{entry} is set twice", mend="set it once")
        changes[entry] = value
    changes = {entry: _checked(entry, value) for entry, value in changes.items()}
    clients, payload = changes.pop(CLIENTS, None), changes.pop(PAYLOAD, None)
    return WhatIf(changes, tuple(map(_load, workloads)), clients, payload)


def quantities(point: Point, known: Knowledge) -> list[Quantity]:
    """What can be asked of a point: its flow, and CPU of roles that were measured."""
    shape = point.workload.shape
    arms = {point.configuration, *known.partners(point.configuration)}
    roles = {
        cell.role
        for cell in known.samples
        if cell.configuration in arms
        and cell.metric == "cpu_cost"
        and parse_workload(cell.workload).shape == shape
    }
    flows: list[Quantity] = [(metric, None) for metric in FLOWS.get(shape, ())]
    ordered = [role for role in ROLES if role in roles]
    return flows + [(metric, role) for role in ordered for metric in _BY_ROLE]


def _checked(entry: str, text: str) -> Any:
    """The value of an entry, in its range."""
    value: Any = text
    if entry in RANGES:
        low, high = RANGES[entry]
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            what = f"{entry}={text} is out of range"
            raise user_error(what, mend=f"give a whole number from {low} to {high}")
        value = int(text)
    if entry == CLIENTS:
        return value
    if entry == PAYLOAD:
        return _payload(text)
    example = {"cpc": "z17", "interface": "osh", "cps": 1}
    try:
        return getattr(ModelSetup.model_validate(example | {entry: value}), entry)
    except ValidationError as error:
        what = f"{entry}={text}: {error.errors()[0]['msg']}"
        raise user_error(what, mend="see raw/README.md, model") from None


def _payload(text: str) -> tuple[int, int]:
    """Bytes of request and response of ``4kB`` or ``64B/8kB``."""
    sent, sign, received = text.partition("/")
    try:
        sizes = parse_size(sent), parse_size(received if sign else sent)
    except ValueError as error:
        what = f"payload={text}: {error}"
        raise user_error(what, mend="such as 4kB, or 64B/8kB") from None
    if not all(sizes):
        mend = "give at least 1B each way"
        raise user_error(f"payload={text} moves nothing one way", mend=mend)
    return sizes


def _load(name: str) -> Workload:
    try:
        return parse_workload(name)
    except ValueError as error:
        raise user_error(str(error), mend="such as RR20(4kB)") from None
