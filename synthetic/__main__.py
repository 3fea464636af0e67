"""Write the synthetic campaign: ``python -m synthetic [--out raw/zos-cs-3.2]``."""

from __future__ import annotations

import argparse
from pathlib import Path

from synthetic.campaign import write


def main() -> None:
    """Write all files of the campaign and print how many there are."""
    parser = argparse.ArgumentParser(prog="synthetic", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("raw/zos-cs-3.2"))
    out = parser.parse_args().out
    print(f"{out}: {write(out)} files")


if __name__ == "__main__":
    main()
