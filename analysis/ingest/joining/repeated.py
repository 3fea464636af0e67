"""Records that several files of a campaign hold count once: those of the first file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import polars as pl

from analysis.facts.remark import remark
from analysis.ingest.reading import Problem, Problems

# Tables of records that one system writes once; reports in text or XML have none.
RECORDED = (
    "address_space_interval", "address_space_total", "tcp_connection",
    "tcpip_interval", "interface_interval", "ftp_transfer", "tn3270_session",
    "counter_interval", "crypto_interval", "gateway_interval",
    "mq_interval", "mq_pool_interval", "mq_task_interval", "mq_queue_interval",
    "mq_channel_interval", "udp_socket", "tcpip_profile", "server_port_interval",
    "zert_connection", "zert_interval", "cf_interval", "cf_structure_interval",
    "cf_processor_interval", "lcu_interval", "crypto_request", "cics_transaction",
    "zosconnect_request", "storage_snapshot", "smf_loss",
)  # fmt: skip
ORIGIN = {"source", "position", "run"}


def drop_repeated(
    tables: Mapping[str, pl.DataFrame], names: Mapping[str, str]
) -> tuple[dict[str, pl.DataFrame], Problems]:
    """The tables with each record once, that of the first file by name.

    ``names`` gives the file of each sha256. What is dropped is a problem of the file
    that it was in.
    """
    kept, dropped = dict(tables), dict[str, Counter[str]]()
    for table in tables:
        kept[table], dropped[table] = recorded_once(table, tables[table], names)
    return kept, tell_repeated(dropped)


def recorded_once(
    name: str, table: pl.DataFrame, names: Mapping[str, str]
) -> tuple[pl.DataFrame, Counter[str]]:
    """A table with each record once, and of how many rows each file was relieved."""
    if name not in RECORDED or not table.height:
        return table, Counter()
    columns = [column for column in table.columns if column not in ORIGIN]
    if table.select(columns).hash_rows().is_unique().all():
        return table, Counter()  # as a rule, and without a copy of a large table
    ordered = table.with_row_index("_row").with_columns(_file=file_of(names))
    ordered = ordered.sort("_file", "_row")
    once = ordered.unique(columns, keep="first", maintain_order=True)
    dropped = ordered.join(once.select("_row"), on="_row", how="anti")
    counts = Counter(dropped["_file"].to_list())
    return once.sort("_row").drop("_row", "_file"), counts


def tell_repeated(dropped: Mapping[str, Counter[str]]) -> Problems:
    """What is to be said of rows that were dropped, by table and file."""
    return [
        (
            file,
            Problem(
                remark(
                    "repeated",
                    f"{dropped[table][file]} rows of {table} are in an earlier file "
                    "too; they count once",
                )
            ),
        )
        for table in RECORDED
        for file in sorted(dropped.get(table, ()))
        if file
    ]


def file_of(names: Mapping[str, str]) -> pl.Expr:
    """The name of the file of each row's ``source``; empty where it has none."""
    return pl.col("source").replace_strict(names, default="", return_dtype=pl.String)
