"""Layouts of the sections of type 70 subtype 1, RMF CPU activity.

Source: C mapping generated from IBM's ERBSMF70 and its field texts (D).
"""

from __future__ import annotations

from analysis.ingest.smf.columns import Layout, fields
from analysis.ingest.smf.validity import FLAGS

TRIPLETS = {
    "CPU control": 36,
    "CPU data": 44,
    "partition": 60,
    "logical processor": 68,
    "CPU name": 76,
    "logical core": 84,
}
CONTROL = Layout(
    "CPU control",
    "D",
    fields(
        ("MOD", 0, 2),
        ("INB", 4, 1),
        ("HHF", 94, 1),
        ("NRM", 188, 4),
        ("CAI", 216, 1),
    ),
)
CPU = Layout(
    "CPU data",
    "D",
    fields(
        ("WAT", 0, 8, "tod"),
        ("CID", 8, 2),
        ("CNF", 10, 1),
        ("TYP", 15, 1),
        ("PAT", 32, 8, "tod"),
    ),
    shortest=16,
)
PARTITION = Layout(
    "partition",
    "D",
    fields(("LPM", 0, 8, "text"), ("LPN", 8, 1), ("BDN", 10, 2), ("BDS", 12, 4)),
    shortest=16,
)
PROCESSOR = Layout(
    "logical processor",
    "D",
    fields(
        ("PDT", 0, 8),
        ("VPA", 8, 2),
        ("BPS", 10, 2),
        ("VPF", 12, 1),
        ("CIX", 14, 2),
        ("EDT", 16, 8),
        ("ONT", 40, 8),
    ),
    shortest=48,
)
NAME = Layout("CPU name", "D", fields(("CIN", 0, 16, "text")))
CORE = Layout(
    "logical core",
    "D",
    fields(
        ("Core_ID", 0, 2),
        ("Core_Flg", 2, 1),
        ("CPU_Skip", 4, 2),
        ("CPU_Num", 6, 2),
        ("LPAR_Busy", 12, 4),
    ),
    shortest=16,
)
REASSEMBLY = Layout("reassembly area", "D", fields(("RBR", 0, 2), ("RSQ", 2, 2)))
LAYOUTS = {
    "CPU control": CONTROL,
    "CPU data": CPU,
    "partition": PARTITION,
    "logical processor": PROCESSOR,
    "CPU name": NAME,
    "logical core": CORE,
}

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
