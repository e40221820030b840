"""The command line: one module a command, loaded only when that command is asked for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from damas_board.cli.words import word

COMMANDS = (
    "demo",
    "run",
    "simulate",
    "replay",
    "legal",
    "pdn",
)
"""The commands, in the order of the help. `damas_board.cli.NAME` has `register(commands)`; its one-line help is the
word `help.NAME`."""

DONE, WRONG_INPUT, WRONG_USAGE = 0, 1, 2
INTERRUPTED = 130


class Commands(Protocol):
    """What a command's `register` is given: the place where parsers are added."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser: ...


Call = Callable[[argparse.Namespace], int]
"""What a command sets as its parser's default `call`: it gets the arguments and returns the exit status."""


def main(argv: list[str] | None = None) -> int:
    """Runs one command. 0 done, 1 the input is wrong (one line on stderr), 2 wrong usage."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        chosen = _parser(arguments).parse_args(arguments)
    except SystemExit as end:  # argparse has said what is wrong, or printed the help
        return end.code if isinstance(end.code, int) else WRONG_USAGE
    return _guarded(chosen.call, chosen)


def _parser(arguments: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="damas-board", description=word("help.program"))
    commands = parser.add_subparsers(metavar=word("help.command"), required=True)
    asked = next((a for a in arguments if not a.startswith("-")), None)
    for name in COMMANDS:
        if name == asked:
            import_module(f"damas_board.cli.{name}").register(commands)
        else:  # named in the help; its module, and what that imports, stays unloaded
            commands.add_parser(name, help=word(f"help.{name}"))
    return parser


def _guarded(call: Call, chosen: argparse.Namespace) -> int:
    """The one place where an error becomes a line on stderr and an exit status."""
    from damas_board.cli.errors import INPUT_ERRORS, line_for

    try:
        status = call(chosen)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: nothing is wrong, nothing can be said
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except INPUT_ERRORS as error:
        sys.stdout.flush()
        print(f"damas-board: {line_for(error)}", file=sys.stderr)
        return WRONG_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    return status
