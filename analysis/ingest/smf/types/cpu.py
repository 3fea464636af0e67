"""Types 30, 70, 72 and 113: CPU time of systems, partitions, classes and address
spaces, work of crypto cards, and hardware counters.

Layouts. 30: adapya's smfrecordz, its offsets pinned on z/OS 3.1 by another project (D).
70-1: C mapping generated from IBM's ERBSMF70 and its field texts (D). 70-2: that
mapping and, of the accelerator, IBM's page "Cryptographic Accelerator Data Section";
names, order and formats are those of IBM's SMF Explorer as well (D). 72: the same
author's mapping, offsets of the period section summed from it (D; past R723CETS to be
confirmed by a real record). 113: IBM's SMF113Formatter (D).
"""

from __future__ import annotations

import polars as pl

from analysis.ingest.smf.columns import (
    SECONDS,
    START,
    B,
    F,
    Layout,
    RecordType,
    S,
    col,
    column,
    fields,
    table,
)
from analysis.ingest.smf.validity import FLAGS, any_of

DIAG_FAILED, ZVM_GUEST = FLAGS["SMF70INB", 0], FLAGS["SMF70INB", 5]
OTHER_HYPERVISOR = FLAGS["SMF70FLA", 6]
VARIED, ONLINE = FLAGS["SMF70CNF", 6], 0x01  # SMF70CNF bit 7
WAIT_CHANGED = FLAGS["SMF70VPF", 1]
BUSY_INVALID = FLAGS["SMF70_Core_Flg", 0]
HIPERDISPATCH = 0x40  # SMF70HHF bit 1
WAIT_COMPLETION = 0x80  # SMF70VPF bit 0
DEDICATED = 0xFFFF  # SMF70BPS
CPU_TYPES = {0: "CP", 1: "zAAP", 2: "zIIP"}  # SMF70TYP
CPU_NAMES = {"CP": "CP", "IIP": "zIIP", "IFA": "zAAP"}  # SMF70CIN; others as they are
CONTROL = Layout("CPU control", "D", fields(
    ("MOD", 0, 2), ("INB", 4, 1), ("HHF", 94, 1), ("NRM", 188, 4), ("CAI", 216, 1),
), at=36)  # fmt: skip
CPU = Layout("CPU data", "D", fields(
    ("WAT", 0, 8, "tod"), ("CID", 8, 2), ("CNF", 10, 1), ("TYP", 15, 1),
    ("PAT", 32, 8, "tod"),
), shortest=16, at=44)  # fmt: skip
PARTITION = Layout("partition", "D", fields(
    ("LPM", 0, 8, "text"), ("LPN", 8, 1), ("BDN", 10, 2), ("BDS", 12, 4),
), shortest=16, at=60)  # fmt: skip
PROCESSOR = Layout("logical processor", "D", fields(
    ("PDT", 0, 8), ("VPA", 8, 2), ("BPS", 10, 2), ("VPF", 12, 1), ("CIX", 14, 2),
    ("EDT", 16, 8), ("ONT", 40, 8),
), shortest=48, at=68)  # fmt: skip
NAME = Layout("CPU name", "D", fields(("CIN", 0, 16, "text")), at=76)
CORE = Layout("logical core", "D", fields(
    ("Core_ID", 0, 2), ("Core_Flg", 2, 1), ("CPU_Skip", 4, 2), ("CPU_Num", 6, 2),
    ("LPAR_Busy", 12, 4),
), shortest=16, at=84)  # fmt: skip
REASSEMBLY = Layout("reassembly area", "D", fields(("RBR", 0, 2), ("RSQ", 2, 2)))
ACTIVITY = (CONTROL, CPU, PARTITION, PROCESSOR, NAME, CORE)
CPU_TABLE = table(
    "cpu_interval",
    "CPU utilisation of a system over an interval",
    column("cpu_type", "CP, zIIP, …", S),
    START,
    SECONDS,
    column("online_cpus", "CPUs online, the mean over the interval", F),
    column("busy_pct",
           "busy share of the online CPUs [%]; the column basis says of what", F),
    column("busy_seconds", "CPU time that was busy [s]; on Linux without steal", F),
    column("busy_seconds_resolution", type=F),
    column("mvs_busy_pct",
           "MVS busy: share of the time that the CPUs were not waiting [%]", F),
    column("parked_pct", "share of the time that the CPUs were parked [%]", F),
    column("steal_pct", "part of busy_pct that the hypervisor gave to others [%]", F),
    column("coverage", "accounted clock ticks / (seconds x CPUs x HZ); null where the "
           "basis does not count ticks", F),
    column("basis", "what busy_pct is: mpstat or procstat (100 - idle - iowait), "
           "lpar_busy, …", S),
    column("scope",
           "whose CPU time it is: system, cgroup or process; null: of an LPAR", S),
    column("dispatch_seconds", "dispatch time with LPAR management [s]", F),
    column("dispatch_seconds_resolution", type=F),
    column("effective_seconds", "dispatch time without LPAR management [s]", F),
    column("normalisation", "factor that makes zIIP time comparable with CP time", F),
    column("capture_pct",
           "CP seconds of all service classes / busy CP seconds [%]", F),
    column("dedicated", "whether a CPU is dedicated; null where not told", B),
    column("wait_completion",
           "whether a CPU waits with wait completion; null where not told", B),
    column("hiperdispatch", "whether HiperDispatch is active; null where not told", B),
    column("smt", "whether cores run several threads (SMT); null where not told", B),
    column("varied", "whether a CPU was varied on or off; null where not told", B),
    column("monitor_3", "whether Monitor III wrote the record; null where not told", B),
    column("guest", "whether the system is a z/VM guest; null where not told", B),
    column("boost", "System Recovery Boost that was active, as it is told; null where "
           "none", S),
    column("boost_class", "class of the boost, as it is told; null where none", S),
    column("capacity_adjustment",
           "capacity adjustment of the CPC, where below full [%]"),
    column("capacity_change",
           "reason of a change of the capacity; null where none", S),
    column("release",
           "release of the system as it tells it, such as ZV030200 or V3R2", S),
    column("machine_type", "type of the CPC, such as 9175; null where not told", S),
    column("run", "run; null where a file serves many runs", S),
)  # fmt: skip
PARTITION_TABLE = table(
    "partition_interval",
    "Dispatch time of each partition of a CPC (70-1), as one system saw it: take each "
    "CPC from one system",
    column("partition", "LPAR; PHYSICAL is time of LPAR management of no LPAR", S),
    column("cpu_type", type=S),
    START,
    SECONDS,
    column("online_cpus", type=F),
    column("dispatch_seconds", type=F),
    column("dispatch_seconds_resolution", type=F),
    column("effective_seconds", type=F),
    column("dedicated", "whether its CPUs are dedicated", B),
    column("own", "whether it is the LPAR of the system that wrote the record", B),
)
CRYPTO_TABLE = table(
    "crypto_interval",
    "Operations of crypto cards (70-2), of the system and, apart, of its whole CPC: "
    "never add the two scopes",
    column("card", "index of the crypto card"),
    column("card_kind", "CCA coprocessor, accelerator or PKCS #11 coprocessor", S),
    column("model", "model of the card, as CEX6C", S),
    column("scope", "whose operations: those of the system, or those of its CPC", S),
    column("domain", "domain of the card, where the scope is the system"),
    column("engines", "engines of the card; 1 where it does not tell"),
    column("operation", "kind of operation; all of a CCA coprocessor has its key "
           "generations in it", S),
    START,
    SECONDS,
    column("operations", "operations in the interval", F),
    column("busy_seconds", "time that operations took, of all engines [s]", F),
    column("utilisation_pct", "busy_seconds / (seconds × engines) [%]", F),
)  # fmt: skip
CPU_TIMES = (
    column("cp_seconds", "time on CPs, with zIIP work that ran on them [s]", F),
    column("cp_seconds_resolution", "step in which the source tells the CPU times of "
           "the row [s]; null where it is negligible or not known", F),
    column("ziip_seconds", "time on zIIPs, not normalised [s]", F),
    column("ziip_on_cp_seconds",
           "part of cp_seconds that could have run on a zIIP [s]", F),
    column("normalisation", type=F),
    column("zaap_seconds", "time on zAAPs, not normalised [s]", F),
    column("zaap_on_cp_seconds",
           "part of cp_seconds that could have run on a zAAP [s]", F),
    column("zaap_normalisation", "speed of a zAAP ÷ speed of a CP", F),
)  # fmt: skip
CLASS_CONTROL = Layout("workload manager control", "D", fields(
    ("MSCF", 0, 1), ("MCPU", 52, 4), ("MSRB", 64, 4), ("MWNM", 80, 8, "text"),
    ("MCNM", 120, 8, "text"), ("MADJ", 172, 4), ("NFFI", 240, 4), ("NFFS", 244, 4),
), shortest=176, at=36)  # fmt: skip
SERVICE = {
    "CSRV": 24, "CCPU": 32, "CIOC": 40, "CMSO": 48, "CSRB": 56, "CRCT": 152,
    "CIIT": 160, "CHST": 168, "CSUP": 544, "CSUC": 552, "CIFA": 560, "CIFC": 568,
}  # fmt: skip
"""Service units and times of a class period, of eight bytes, and where they are."""
PERIOD = Layout("class period", "D", (
    *fields(("CPER", 8, 1), ("CIMP", 18, 2), ("CRCP", 184, 4)),
    *fields(*((name, at, 8, "bits") for name, at in SERVICE.items())),
), shortest=188, at=60)  # fmt: skip

JOB = Layout("identification", "D", fields(
    ("JBN", 0, 8, "text"), ("PGM", 8, 8, "text"), ("STM", 16, 8, "text"),
    ("STN", 40, 2), ("SIT", 56, 4), ("STD", 60, 4, "date"),
    ("ISS", 148, 8, "stck"), ("IET", 156, 8, "stck"), ("ASI", 184, 2),
), shortest=64, at=32)  # fmt: skip
CPU_USED = Layout("processor", "D", fields(
    ("TFL", 2, 2), ("CPT", 4, 4), ("CPS", 8, 4), ("ICU", 12, 4), ("ISB", 16, 4),
    ("IST", 36, 4), ("IDT", 40, 4, "date"), ("IIP", 44, 4), ("RCT", 48, 4),
    ("HPT", 52, 4), ("TF2", 84, 1), ("T32", 85, 1), ("TIME_ON_ZAAP", 88, 4),
    ("TIME_ZAAP_ON_CP", 100, 4), ("TIME_ON_ZIIP", 116, 4),
    ("TIME_ZIIP_ON_CP", 128, 4),
), shortest=56, at=56)  # fmt: skip
COMPLETION = Layout("completion", "D", fields(("STI", 2, 2)), at=48)
PERFORMANCE = Layout("performance", "D", fields(("SNF", 136, 4)), at=80)
CLASS_TABLE = table(
    "class_interval",
    "CPU time of service and report classes (72-3); they overlap, so never add one "
    "kind to the other",
    column("class", "name of the service or report class", S),
    column("class_kind", "service or report", S),
    column("period", "number of the period of the class"),
    START,
    SECONDS,
    CPU_TIMES,
    column("transactions", "transactions that ended"),
    column("workload", "workload of the service policy", S),
    column("importance",
           "importance of the goal, 1 is highest; 0 where there is none"),
    behind=(column("response_ms", "mean response time of ended transactions [ms]", F),),
)  # fmt: skip
_ADDRESS_SPACE = (
    column("job", type=S),
    START,
    SECONDS,
    *CPU_TIMES,
    column("kind", "what the record is of", S),
    column("step", "name of the step", S),
    column("program", "name of the program", S),
    column("asid", "number of the address space"),
)
INTERVAL_TABLE = table(
    "address_space_interval",
    "CPU time of address spaces in intervals (30-2, 30-3)",
    _ADDRESS_SPACE,
)
TOTAL_TABLE = table(
    "address_space_total",
    "CPU time of steps and jobs that ended (30-4, 30-5): sums of what "
    "address_space_interval has",
    _ADDRESS_SPACE,
)

_KEPT = ~any_of(FLAGS["SMF113_1_Flags", bit] for bit in (0, 1))
COUNTED = Layout("identification", "D", fields(
    ("start", 24, 8, "stck"), ("end", 32, 8, "stck"),
), shortest=40, at=36)  # fmt: skip
COUNTERS = Layout("data", "D", (
    col("cpu", 16, 2, comment="number of the CPU"),
    col("cpu_class", 18, 1,
        comment="class of the CPU as it is in the record; 0 is a CP"),
    START,
    column("seconds", "", F, value=(pl.col("end") - pl.col("start")) / 1e6),
    column("cycles", "cycles in the interval", when=_KEPT),
    column("instructions", "instructions in the interval", when=_KEPT),
    col("cycles_per_us", 20, comment="speed of the CPU [1/µs]"),
    *fields(("Flags", 50, 1)),
), shortest=60, at=44)  # fmt: skip
COUNTER_INTERVAL = RecordType(
    ((113, 1),),
    table(
        "counter_interval",
        "Cycles and instructions of a CPU (113-1)",
        COUNTERS.columns,
    ),
    COUNTERS,
    flags=(FLAGS["SMF113_1_Flags", 0], FLAGS["SMF113_1_Flags", 1]),
)
TABLES = (
    CPU_TABLE, PARTITION_TABLE, CRYPTO_TABLE, CLASS_TABLE, INTERVAL_TABLE, TOTAL_TABLE,
    COUNTER_INTERVAL.table,
)  # fmt: skip
