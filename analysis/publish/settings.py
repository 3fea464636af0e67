"""``publish.yaml``: where and how this project publishes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from analysis.declared.base import Declared, check_declared, load_yaml

SETTINGS = Path("publish.yaml")


class Settings(Declared):
    """Options of ``publish``; those of the command line come before them.

    ``keep`` is how many releases of an edition stay, all of them if it is absent.
    ``wait`` is how many seconds to wait for another publisher, ``links`` whether the
    share has symbolic links, ``ssh`` the program with options for this host.
    """

    destination: str = ""
    keep: Annotated[int, Field(ge=1)] | None = None
    with_raw: bool = Field(default=False, alias="with-raw")
    links: bool = True
    ssh: str = "ssh"
    wait: Annotated[float, Field(ge=0)] = 60.0


def read_settings(path: Path) -> Settings:
    """The settings of the project, the defaults where the file is absent or empty."""
    if not path.is_file():
        return Settings()
    data, node = load_yaml(path)
    return Settings() if data is None else check_declared(data, node, Settings, path)
