"""Generate a campaign from its declaration: ``python -m synthetic zos-cs-3.2``.

The declaration is a folder of ``synthetic/campaigns``: campaign.yaml, README.md and
targets.csv. Equal declarations give equal bytes.
"""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path

from analysis.declared.campaign import GENERATED
from analysis.errors import UserError, as_user_error
from synthetic.campaign import write


def main() -> int:
    """Write all files of the campaign and print how many there are; 2 for a mistake."""
    parser = argparse.ArgumentParser(prog="python -m synthetic", description=__doc__)
    parser.add_argument("campaign", help="folder name below synthetic/campaigns/")
    parser.add_argument("--out", type=Path, help=f"{GENERATED}/<campaign>")
    args = parser.parse_args()
    gc.set_threshold(100_000)  # of what is made, nothing is freed before the end
    out = args.out or GENERATED / args.campaign
    try:
        print(f"{out}: {write(args.campaign, out)} files")
    except (UserError, OSError) as error:
        print(f"error: {as_user_error(error)}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
