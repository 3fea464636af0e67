"""Drafts against all editions: what is named, its sides, its unit and its origin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.ask.draft import check_draft
from analysis.ask.library import AskedBuilds

# A false sentence, why it is refused, a true one of its kind, and what that is of.
PAIRS = [
    (
        "With AES-128 the rate of ECI600(32kB) falls by 45%.",
        "beside 'AES-128'",
        "With AES-256 the rate of ECI600(32kB) falls by 45%.",
        "AES-256 against TCP, no SSL",
    ),
    (
        "With zHPF off the throughput of GET1(1B/200MB) rises by 36%.",
        "the words look at it from 'zHPF off'",
        "With zHPF the throughput of GET1(1B/200MB) is 36% higher than without it.",
        "zHPF on against zHPF off",
    ),
    (
        "HiperSockets has 38% lower latency than SMC-Dv2 for RR10(4kB).",
        "the words look at it from 'HiperSockets' and 'SMC-Dv2'",
        "SMC-Dv2 has 38% lower latency than HiperSockets for RR10(4kB).",
        "SMC-Dv2 against HiperSockets",
    ),
    (
        "The latency over EE rises from 62.5 µs on OSD to 139 µs on OSH.",
        "62.5 µs is of configuration ee-osh, beside 'OSD'",
        "The latency over EE falls from 139 µs on OSD to 62.5 µs on OSH.",
        "EE over OSD",
    ),
    (
        "In 2001 TN3270 reached 5,732.5 trans/s with 32,000 sessions.",
        "TN64000(100B/800B) has 64000",
        "In 2001 TN3270 reached 5,732.5 trans/s with 64,000 sessions.",
        "TN64000(100B/800B)",
    ),
    (
        "A machine between z16 and z17 will have a latency of 24.8 µs.",
        "no fact prints this",
        "A machine between z16 and z17 will have a latency of 24.8 to 32.9 µs.",
        "HiperSockets, machine in between",
    ),
    (
        "SMC-R saves 93% of CPU time for Db2.",
        "does not speak of ‘Db2’",
        "SMC-R saves the distributor 93% of its CPU time.",
        "SMC-R, accelerator on against TCP/IP, accelerator on",
    ),
    (
        "Measured on real hardware, OSH has 60% lower latency than OSD.",
        "it is synthetic",
        "In synthetic data OSH has 60% lower latency than OSD.",
        "Network Express OSH against OSA-Express7S OSD",
    ),
    (
        "TLSv1.3 raises the server's CPU cost of CRR40(64B/8kB) by 11%.",
        "CRR40(64B/8kB), TLSv1.3 (1302) against TLSv1.2 (C030); 11% is of role client",
        "TLSv1.3 raises the client's CPU cost of CRR40(64B/8kB) by 11%.",
        "TLSv1.3 (1302) against TLSv1.2 (C030)",
    ),
    (
        "A session takes 7.03 MB of storage.",
        "7.03 MB: no fact prints this",
        "A session takes 7.03 KB of storage.",
        "storage_per_user",
    ),
    (
        "TN3270 does 5,732 tps.",
        "5,732 tps: no fact prints this",
        "TN3270 does 5,732.5 tps with a message of 100 B.",
        "TN64000(100B/800B)",
    ),
    (
        "With offload off STR3(1B/20MB) falls from 2,178 MB/s to 3,476 MB/s.",
        "'falls' from 2,178 MB/s to 3,476 MB/s",
        "With offload off STR3(1B/20MB) falls from 3,476 MB/s to 2,178 MB/s.",
        "Offload on",
    ),
    (
        "With OSH the latency of EE rises from 62.5 µs to 139 µs.",
        "'OSH' is the side of 62.5 µs",
        "With OSH the latency of EE falls from 139 µs to 62.5 µs.",
        "EE over OSH",
    ),
    (
        "OSH over EE changes the latency of RR10(1kB) by +55%.",
        "no fact prints this",
        "OSH over EE changes the latency of RR10(1kB) by −55%.",
        "EE over OSH against EE over OSD",
    ),
]


def checked(built: AskedBuilds, text: str) -> dict[str, Any]:
    (sentence,) = check_draft(built, text)["sentences"]
    return sentence


@pytest.mark.parametrize("false, why, true, of", PAIRS)
def test_a_false_sentence_is_refused_for_its_fault_and_a_true_one_is_bound(
    built: AskedBuilds, false: str, why: str, true: str, of: str
) -> None:
    sentence = checked(built, false)
    assert sentence["is"] == "refused", sentence
    assert why in " ".join(sentence["refused"])
    sentence = checked(built, true)
    assert sentence["is"] == "bound", sentence
    assert of in " ".join(fact["of"] for fact in sentence["facts"])


def test_the_sides_stand_beside_a_fact_and_borrowed_ones_are_told_once(
    built: AskedBuilds,
) -> None:
    (fact,) = checked(built, "OSH has 60% lower latency than OSD for RR10(1kB).")[
        "facts"
    ]
    assert (fact["test"], fact["baseline"]) == (
        "Network Express OSH", "OSA-Express7S OSD"
    )  # fmt: skip
    assert "zos-cs-3.2" in str(Path(fact["facts"]).parent)


def test_of_the_answers_that_reports_print_averages_alone_are_refused(
    built: AskedBuilds,
) -> None:
    refused, all_of_them = [], 0
    for build in built.builds:
        texts = [s.finding for s in build.studies.values() if s.home == build.id]
        for text in filter(None, texts):
            sentences = check_draft(built, text, build.id)["sentences"]
            all_of_them += len(sentences)
            refused += [one["text"] for one in sentences if one["is"] == "refused"]
    assert all_of_them > 50
    # no fact is an average, and a message is no log message
    assert len([text for text in refused if "average" not in text]) <= 1, refused
