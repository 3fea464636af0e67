"""Segments of the Workload Activity report (WLMGL) in XML."""

from __future__ import annotations

from synthetic.ddsml import table, variables
from synthetic.emitters.rmf_report import ClassReport, RmfReport


def class_segment(it: ClassReport, of: RmfReport) -> str:
    """A service or report class; CPU time has zIIP and zAAP time in it, normalised."""
    goals = table(
        ["Period", "Importance", "Performance Index"],
        [(["1", str(it.importance), "0.5"], False)],
    )
    kind = it.kind.capitalize()
    said = {"Policy": of.plex, "Workload": it.workload, f"{kind} Class": it.name}
    ended = {"Average": "1.00", "Ended": str(it.ended)}
    parts = [part("", variables(said)), part("Transactions", variables(ended))]
    if it.response_ms is not None:
        actual = variables({"Actual": elapsed(it.response_ms)})
        parts.append(part("Transaction Time (HHH.MM.SS.FFFFFF)", actual))
    parts += [
        part("Service Time", variables(_times(it, of))),
        part("Application Time %", variables(_shares(it, of.seconds))),
        part("Goals/Actuals Summary", goals),
    ]
    return segment(f"{kind} Class {it.name}", *parts)


def elapsed(millis: float) -> str:
    """HHH.MM.SS.FFFFFF."""
    whole, part = divmod(round(millis * 1000), 1_000_000)
    hours, rest = divmod(whole, 3600)
    return f"{hours:03d}.{rest // 60:02d}.{rest % 60:02d}.{part:06d}"


def _times(it: ClassReport, of: RmfReport) -> dict[str, str]:
    normalised = (it.ziip_seconds or 0.0) * of.ziip_factor
    normalised += (it.zaap_seconds or 0.0) * of.zaap_factor
    times = {
        "CPU": f"{it.cp_seconds * it.tcb_share + normalised:.3f}",
        "SRB": f"{it.cp_seconds * (1 - it.tcb_share):.3f}",
    }
    times |= dict.fromkeys(("RCT", "I/O Interrupt", "Hiperspace"), "0.000")
    return times | {
        "zIIP": _seconds(it.ziip_seconds),
        "zAAP": _seconds(it.zaap_seconds),
    }


def _seconds(value: float | None) -> str:
    return "N/A" if value is None else f"{value:.3f}"


def _shares(it: ClassReport, seconds: float) -> dict[str, str]:
    def share(value: float | None) -> str:
        return "N/A" if value is None else f"{100 * value / seconds:.2f}"

    shares = {
        "CP": share(it.cp_seconds),
        "zIIP on CP": share(it.ziip_on_cp_seconds),
        "zIIP": share(it.ziip_seconds),
    }
    if it.zaap_seconds is None:
        return shares
    zaap = {"zAAP on CP": share(it.zaap_on_cp_seconds), "zAAP": share(it.zaap_seconds)}
    return shares | zaap


def policy(of: RmfReport) -> str:
    """Normalisation factors, and the system that the report covers."""
    factors = {
        "zAAP Normalization Factor": f"{of.zaap_factor:.4f}",
        "zIIP Normalization Factor": f"{of.ziip_factor:.4f}",
    }
    heads = ["System ID", "IEAOPTxx Member", "SU/sec", "Capacity %"]
    rows = [([of.system, "00", "85106.4", "100"], False)]
    return segment(
        "Service Policy Section",
        part("Normalization Factors", variables(factors)),
        part("Systems", table(heads, rows)),
    )


def segment(name: str, *parts: str) -> str:
    """A segment with its parts."""
    return f'<segment id="1"><name>{name}</name>{"".join(parts)}</segment>'


def part(name: str, inner: str) -> str:
    """A part, which may have no name."""
    title = f"<name>{name}</name>" if name else ""
    return f'<part id="2">{title}{inner}</part>'
