"""DIRECT ACCESS DEVICE ACTIVITY of RMF in text: headings in three lines, as z/OS V2R4
prints them, and a line a device. Times have three digits."""

from __future__ import annotations

HEADS = (
    "                                                    DEVICE  AVG  AVG  AVG  AVG  "
    "AVG  AVG  AVG  AVG    %      %      %",
    "STORAGE   DEV  DEVICE  NUMBER  VOLUME PAV  LCU    ACTIVITY RESP IOSQ CMR  DB   "
    "INT  PEND DISC CONN  DEV    DEV    DEV",
    " GROUP    NUM  TYPE    OF CYL  SERIAL                 RATE TIME TIME DLY  DLY  "
    "DLY  TIME TIME TIME  CONN   UTIL   RESV",
)
_NONE = ".000"


def device_head(samples: int) -> str:
    """The line above the headings."""
    return (
        f"  TOTAL SAMPLES = {samples}    IODF = 01    CR-DATE: 01/02/2026    "
        "CR-TIME: 10.00.00    ACT: POR"
    )


def device_line(
    device: str,
    volume: str,
    lcu: int,
    rate: float,
    times: tuple[float, float, float],
    shares: tuple[float, float],
    exposures: int = 1,
) -> str:
    """The line of a device: pending, disconnect and connect time in milliseconds, and
    the shares of the interval, in percent, in which it was connected and in use."""
    pending, apart, connected = map(three_digits, times)
    response = three_digits(sum(times))
    alias = f"{exposures}" if exposures == 1 else f"{exposures}.0H"
    in_use = "  ".join(f"{share:5.2f}" for share in (*shares, 0.0))
    return (
        f"{'':8} 0{device}  33909  {3339:>6}  {volume:<6} {alias:<5}{lcu:04X} "
        f"{rate:10.3f} {response:>4} {_NONE} {_NONE} {_NONE} {_NONE} "
        f"{pending:>4} {apart:>4} {connected:>4} {in_use}"
    )


def three_digits(milliseconds: float) -> str:
    """A time as RMF prints it: ``.512``, ``1.07``, ``12.3``, ``128``."""
    for digits in (3, 2, 1):
        text = f"{milliseconds:.{digits}f}"
        if len(text.lstrip("0").replace(".", "")) <= 3:
            return text.lstrip("0")
    return f"{milliseconds:.0f}"
