"""Runs, with their benchmark, out of ``perf.duckdb``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import polars as pl

from analysis.declared.campaign import (
    CAMPAIGN_FILE,
    GENERATORS,
    Campaign,
    campaign_folder,
    read_campaign,
)
from analysis.derive.cpu_time import create_views
from analysis.derive.values import OF_ONE, SUMMED
from analysis.errors import Issue, Place, UserError, raise_if, user_error
from analysis.files.limits import DATABASE_BYTES
from analysis.ingest.tables.load import find_files, load
from analysis.ingest.tables.store import file_name

_READ = file_name("campaign")  # whose table each campaign has
USABLE = ("ok", "degraded")
_TAILS = [
    *(
        f"CASE WHEN count({name}) = count(*) THEN sum({name}) END::BIGINT AS {name}"
        for name in SUMMED
    ),
    "max(latency_max_us) AS latency_max_us",
    "max(latency_max_us_resolution) AS latency_max_us_resolution",
    *(
        f"CASE WHEN count(*) = 1 THEN max({name}) END AS {name}"
        for column in OF_ONE
        for name in (column, f"{column}_resolution")
    ),
    "CASE WHEN count(*) = 1 THEN max(figures) END AS figures",
]
# Several rows of one run are instances of the tool that ran side by side: together
# they are the load. A latency counts as often as it was seen.
# Both ends of a window are known to the last digit that a time of the campaign has.
_RUNS = """
WITH measured AS (
    SELECT campaign, run, sum(clients)::BIGINT AS clients, min(source) AS source,
        list_sort(list_distinct(list(tool))) AS tools,
        max(request_bytes) AS request_bytes, max(response_bytes) AS response_bytes,
        sum(transactions)::BIGINT AS transactions, sum(rate) AS rate,
        sum(bytes_per_second) AS bytes_per_second,
        sum(coalesce(bytes_moved, bytes_per_second * seconds)) AS bytes_moved,
        CASE WHEN count(*) = 1 THEN max(latency_mean_us)
            ELSE sum(latency_mean_us * transactions) / sum(transactions)
        END AS latency_mean_us,
        {tails},
        sqrt(sum(pow(rate_resolution, 2))) AS rate_resolution,
        sqrt(sum(pow(bytes_per_second_resolution, 2))) AS bytes_per_second_resolution,
        CASE WHEN count(*) = 1 THEN max(latency_mean_us_resolution)
            ELSE sqrt(sum(pow(latency_mean_us_resolution * transactions, 2)))
                / sum(transactions)
        END AS latency_mean_us_resolution
    FROM benchmark GROUP BY campaign, run
)
SELECT concat_ws('/', r.campaign, r.run) AS id, r.run, r.campaign, r.configuration,
    r.workload, r.repetition, r.origin, r.status, coalesce(r.reason, '') AS reason,
    CASE WHEN r.session IS NOT NULL THEN concat_ws('/', r.campaign, r.session) END
        AS session,
    r.idle_before, r.tick_coverage,
    epoch(r.start_utc::TIMESTAMP) AS started,
    epoch(r.end_utc::TIMESTAMP - r.start_utc::TIMESTAMP) AS window_seconds,
    m.* EXCLUDE (campaign, run, request_bytes, response_bytes),
    m.request_bytes + m.response_bytes AS tran_bytes,
    1 AS transactions_resolution, sqrt(2) * pow(10, -max(greatest(
        length(rtrim(split_part(r.start_utc, '.', 2), '0Z')),
        length(rtrim(split_part(r.end_utc, '.', 2), '0Z'))
    )) OVER (PARTITION BY r.campaign)) AS window_seconds_resolution
FROM run r LEFT JOIN measured m USING (campaign, run)
ORDER BY r.campaign, r.configuration, r.workload, r.repetition, r.run
""".replace("{tails}", ", ".join(_TAILS))


def open_database(path: Path) -> duckdb.DuckDBPyConnection:
    """The database, for reading; a :class:`UserError` where it is absent or broken."""
    if not path.is_file():
        raise user_error(
            "there is no database yet", path, mend="run 'make report' first"
        )
    try:
        # Several threads add the same numbers in another order each time, and the last
        # digit of a sum would change.
        within: dict[str, Any] = {"memory_limit": f"{DATABASE_BYTES}B", "threads": 1}
        con = duckdb.connect(str(path), read_only=True, config=within)
        find_files(con, path)
        create_views(con)
    except (duckdb.BinderException, duckdb.CatalogException) as error:
        raise other_version(path, error) from None
    except duckdb.Error as error:
        raise user_error(
            f"not a database that can be read: {error}", path, mend="rebuild it"
        ) from None
    return con


@contextmanager
def newest_database(database: Path, tables: Path) -> Iterator[Path]:
    """The database, or for as long as the block lasts one of all folders of ``tables``
    where it lacks one of them or is older: a build of one edition reads the tables of
    its campaigns, and only that of all makes the database."""
    read = [folder / _READ for folder in sorted(tables.glob("*"))]
    read = [file for file in read if file.is_file()]
    known, made = set[str](), 0.0
    if database.is_file():
        made = database.stat().st_mtime
        try:
            with open_database(database) as con:
                rows = con.sql("SELECT campaign FROM campaign").fetchall()
        except UserError:  # whoever reads it tells that
            read = []
        else:
            known = {name for (name,) in rows}
    if all(f.parent.name in known and f.stat().st_mtime <= made for f in read):
        yield database
        return
    with TemporaryDirectory(prefix="tables-") as name:
        newest = Path(name) / database.name
        load([file.parent for file in read], newest)
        yield newest


def other_version(path: Path, error: duckdb.Error) -> UserError:
    """What to say of a database whose tables lack a column or a table."""
    what = f"tables of another version: {str(error).splitlines()[0]}"
    return user_error(what, path, mend="delete it and run 'make report'")


def unreadable(path: Path, error: duckdb.Error) -> UserError:
    """What to say of a view whose file is gone, or is none of tables."""
    what = f"a table of it cannot be read: {str(error).splitlines()[0]}"
    return user_error(what, path, mend="run 'make report', which makes it again")


def read_campaigns(names: set[str], raw: Path) -> dict[str, Campaign]:
    """The declarations of the named campaigns that exist below ``raw``.

    One that a build is yet to generate is a :class:`UserError`.
    """
    raise_if(_not_generated(names, raw))
    folders = {name: campaign_folder(raw, name) for name in sorted(names)}
    return {
        name: read_campaign(folder)
        for name, folder in folders.items()
        if (folder / CAMPAIGN_FILE).is_file()
    }


def _not_generated(names: Iterable[str], raw: Path) -> list[Issue]:
    """Campaigns that a build generates, and has not generated yet."""
    return [
        Issue(
            f"the campaign {name!r} is not generated yet",
            Place(str(GENERATORS / name)),
            "run 'make report', which generates it",
        )
        for name in sorted(names)
        if (raw.parent / GENERATORS / name).is_dir()
        and not campaign_folder(raw, name).is_dir()
    ]


def read_runs(con: duckdb.DuckDBPyConnection) -> pl.DataFrame:
    """One row a run, failed ones too; ``id`` is unique over all campaigns."""
    return con.sql(_RUNS).pl()
