"""Areas of storage, which facts have in place of a role, and what pages call them.

Readers need them at once: this module imports nothing that takes long.
"""

from __future__ import annotations

from typing import Literal

Area = Literal[
    "tcpip-below", "tcpip-above", "lsqa-below", "lsqa-above", "csm", "csa-below",
    "csa-above", "sqa-below", "sqa-above", "total-below", "total-above", "total",
]  # fmt: skip
TOTAL: Area = "total"
AREAS: dict[Area, str] = {
    "tcpip-below": "TCP/IP below 16 MB",
    "tcpip-above": "TCP/IP above 16 MB",
    "lsqa-below": "TCP/IP LSQA/SWA/229/230 below 16 MB",
    "lsqa-above": "TCP/IP LSQA/SWA/229/230 above 16 MB",
    "csm": "CSM data space",
    "csa-below": "CSA below 16 MB",
    "csa-above": "CSA above 16 MB",
    "sqa-below": "SQA below 16 MB",
    "sqa-above": "SQA above 16 MB",
    "total-below": "Total below 16 MB",
    "total-above": "Total above 16 MB",
    "total": "Total",
}
