"""What several dumps of one campaign tell alike counts once.

Dumps overlap where an installation writes a day's file and a week's. Within a file the
reader of SMF drops what is repeated; this drops it between files, with a count.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from analysis.ingest.reading import Problem, Reading

# Tables of records that one system writes once; reports in text or XML have none.
RECORDED = (
    "address_space_interval", "address_space_total", "tcp_connection",
    "tcpip_interval", "interface_interval", "ftp_transfer", "tn3270_session",
    "counter_interval", "crypto_interval", "gateway_interval",
    "mq_interval", "mq_pool_interval", "mq_task_interval", "mq_queue_interval",
    "mq_channel_interval", "udp_socket", "tcpip_profile",
)  # fmt: skip
_ORIGIN = {"source", "position", "run"}


def drop_repeated(
    tables: Mapping[str, pl.DataFrame],
    readings: Mapping[str, Reading],
    files: Mapping[str, str],
) -> dict[str, pl.DataFrame]:
    """The tables with each record once, that of the first file by name.

    ``files`` gives the sha256 of each file. What is dropped becomes a problem of the
    readings of the other files.
    """
    kept = dict(tables)
    names = {sha256: file for file, sha256 in sorted(files.items(), reverse=True)}
    for table in RECORDED:
        if table in tables and tables[table].height:
            kept[table] = _once(table, tables[table], names, readings)
    return kept


def _once(
    name: str,
    table: pl.DataFrame,
    names: Mapping[str, str],
    readings: Mapping[str, Reading],
) -> pl.DataFrame:
    columns = [column for column in table.columns if column not in _ORIGIN]
    file = pl.col("source").replace_strict(names, default="")
    ordered = table.with_row_index("_row").with_columns(_file=file)
    ordered = ordered.sort("_file", "_row")
    once = ordered.unique(columns, keep="first", maintain_order=True)
    dropped = ordered.join(once.select("_row"), on="_row", how="anti")
    for where, count in dropped["_file"].value_counts(sort=True).sort("_file").rows():
        if where in readings:
            what = f"{count} rows of {name} are in an earlier file too; they count once"
            readings[where].problems.append(Problem(what))
    return once.sort("_row").drop("_row", "_file")
