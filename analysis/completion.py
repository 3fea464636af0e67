"""Print the completion of a shell, for verbs, their options, editions and campaigns.

bash and zsh: eval "$(netperf-report completion bash)" in ~/.bashrc, or zsh in ~/.zshrc.
fish: netperf-report completion fish > ~/.config/fish/completions/netperf-report.fish
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator

from analysis.cli import VERBS
from analysis.usage import COMMAND, Parser

SHELLS = ("bash", "zsh", "fish")
# What stands in the folders of a project, by the option that names it.
_FOLDERS = {"--edition": "report/*/edition.yaml", "--campaign": "raw/*/campaign.yaml"}
_BASH = """\
_{function}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} file
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{verbs}" -- "$cur")); return
  fi
  case "$prev" in
{folders}
  esac
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  [ "${{#COMPREPLY[@]}}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
}}
complete -o filenames -F _{function} {command}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the verb."""
    parser.add_argument("shell", choices=SHELLS)


def run(args: argparse.Namespace) -> int:
    """Print the completion."""
    if args.shell == "fish":
        print("\n".join(_fish()))
    else:
        zsh = "autoload -U +X bashcompinit && bashcompinit\n"
        print((zsh if args.shell == "zsh" else "") + _bash(), end="")
    return 0


def words_of(verb: str) -> list[str]:
    """The actions and options of a verb."""
    parser = Parser(prog=verb)
    importlib.import_module(VERBS[verb][0]).add_arguments(parser)
    words = []
    for action in parser._actions:
        positional = not action.option_strings and action.choices
        words += [str(c) for c in action.choices or ()] if positional else []
        words += [name for name in action.option_strings if name.startswith("--")]
    return words


def _bash() -> str:
    words = {verb: " ".join(words_of(verb)) for verb in VERBS}
    cases = "\n".join(
        f'    {verb}) COMPREPLY=($(compgen -W "{options}" -- "$cur")) ;;'
        for verb, options in words.items()
    )
    folders = "\n".join(
        f"    {option}) for file in {pattern}; do file=${{file%/*}}; "
        'COMPREPLY+=($(compgen -W "${file##*/}" -- "$cur")); done; return ;;'
        for option, pattern in _FOLDERS.items()
    )
    return _BASH.format(
        command=COMMAND,
        function=COMMAND.replace("-", "_"),
        verbs=" ".join(VERBS),
        cases=cases,
        folders=folders,
    )


def _fish() -> Iterator[str]:
    for verb, (_, meaning) in VERBS.items():
        about = meaning.replace("'", "\\'")
        yield f"complete -c {COMMAND} -n __fish_use_subcommand -a {verb} -d '{about}'"
        seen = f"'__fish_seen_subcommand_from {verb}'"
        for word in words_of(verb):
            if word.startswith("--"):
                folder = _FOLDERS.get(word, "")
                values = f" -x -a '({_LIST.format(folder=folder)})'" if folder else ""
                yield f"complete -c {COMMAND} -n {seen} -l {word[2:]}{values}"
            else:
                yield f"complete -c {COMMAND} -n {seen} -a {word}"


_LIST = "for f in {folder}; basename (dirname $f); end"
