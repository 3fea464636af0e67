"""Serve a release to an assistant, by the Model Context Protocol on standard input.

Tools list editions and studies, find and compare values, explain verdicts, quote
numbers with their addresses, and check drafts. Nothing is written, and nothing is asked
of the network. It needs the package ``mcp``: docs/how-to/ask.md.
"""

from __future__ import annotations

import argparse
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.ask.library import add_address, read_asked
from analysis.ask.tools import Told, Tools
from analysis.errors import UserError, user_error
from analysis.program import NAME, version

TOOLS = (
    "list_editions", "list_studies", "find", "compare", "explain", "quote", "check",
)  # fmt: skip
_ABOUT = (
    "Network performance reports. Every number comes from a tool: quote it as printed, "
    "with its interval, origin and address. Synthetic and modelled values were not "
    "measured. Put what you wrote through check, and do not show what it refuses."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``netperf-report mcp``."""
    help = "the folder of a release, of several, or of a published site"
    parser.add_argument("release", type=Path, help=help)
    add_address(parser)
    parser.add_argument("--templates", type=Path, default=Path("templates"))


def run(args: argparse.Namespace) -> int:
    """Serve until standard input ends; 0 then."""
    tools = Tools(read_asked(args.release, args.templates, args.address))
    server(tools).run("stdio")
    return 0


def server(tools: Tools) -> Any:
    """The server of the package ``mcp`` with the tools.

    A :class:`UserError` where the package is not installed.
    """
    try:
        made = import_module("mcp.server").MCPServer
        hints = import_module("mcp.types").ToolAnnotations
        mistake = import_module("mcp.server.mcpserver.exceptions").ToolError
    except (ImportError, AttributeError):
        mend = "uv sync --extra mcp, or with a wheel: pip install 'FILE.whl[mcp]'"
        raise user_error("the package mcp 2 is not installed", mend=mend) from None
    served = made(NAME, instructions=_ABOUT, version=version(), log_level="ERROR")
    read = hints(read_only_hint=True, open_world_hint=False)
    for name in TOOLS:
        served.tool(name=name, annotations=read)(_told(getattr(tools, name), mistake))
    return served


def _told(tool: Any, mistake: type[Exception]) -> Any:
    """A tool whose mistakes of input are errors to a client, with what would do."""

    @wraps(tool)
    def call(*given: Any, **named: Any) -> Told:
        try:
            told: Told = tool(*given, **named)
        except UserError as error:
            raise mistake(str(error)) from None
        return told

    return call
