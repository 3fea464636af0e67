"""What Snakemake records of jobs is in files, and so it needs no database.

It imports SQLAlchemy and SQLModel all the same, which takes a third of its start, for
a class of records and one of databases: the first does without both, and the second
nobody makes.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import pydantic

IN_FILES = "builds here record jobs in files: take persistence-backend out of profiles/"
_RECORDS = "snakemake.persistence"


class NoDatabase:
    """Stands where the records of a database would be."""

    def __init__(self, **_: Any) -> None:
        raise importlib.import_module("snakemake.exceptions").WorkflowError(IN_FILES)


def without_database() -> None:
    """Import what records jobs, with stand-ins for the libraries of databases.

    A release that asks them for more is left to import the libraries themselves.
    """
    stand_ins = {
        "sqlalchemy": _module(Column=lambda of: of, JSON=None),
        "sqlmodel": _module(SQLModel=pydantic.BaseModel, Field=_field),
    }
    if any(name in sys.modules for name in (*stand_ins, _RECORDS)):
        return
    sys.modules.update(stand_ins)
    try:
        importlib.import_module(_RECORDS)
        sys.modules[f"{_RECORDS}.db"] = _module(DbPersistence=NoDatabase)
    except ImportError:
        pass
    finally:
        for name in stand_ins:
            del sys.modules[name]


def _module(**names: Any) -> ModuleType:
    module = ModuleType("stand-in")
    vars(module).update(names)
    return module


def _field(**settings: Any) -> Any:
    settings.pop("sa_column", None)  # of its table
    return pydantic.Field(**settings)
