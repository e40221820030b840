"""The command line: one module a command, loaded only when that command is asked for.

Ctrl-C may come at any time, also while modules are loaded. So this one imports next to nothing by itself; all else is
imported under the guard of `main`. SIGTERM ends a command as Ctrl-C does: with everything cleaned up, and quietly.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import argparse
    from types import FrameType

COMMANDS = (
    "demo",
    "run",
    "boards",
    "check-board",
    "calibrate",
    "camera",
    "hub",
    "preflight",
    "simulate",
    "sniff",
    "flash",
    "dgt",
    "replay",
    "legal",
    "pdn",
    "regulation",
    "draw",
    "evidence",
    "register",
    "archive",
    "restore",
    "tell",
    "mosquitto",
    "round",
    "service",
)
"""The commands, in the order of the help. `damas_board.cli.NAME` (`_` for `-`) has `register(commands)`; its one-line
help is the word `help.NAME`."""

DONE, WRONG_INPUT, WRONG_USAGE = 0, 1, 2
INTERRUPTED = 130
ENDED_BY_HAND = ("run", "hub", "simulate", "sniff")
"""Commands that go on until somebody ends them: for these Ctrl-C is no failure."""


class Commands(Protocol):
    """What a command's `register` is given: the place where parsers are added."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser: ...


Call = Callable[["argparse.Namespace"], int]
"""What a command sets as its parser's default `call`: it gets the arguments and returns the exit status."""


def main(argv: list[str] | None = None) -> int:
    """Runs one command. 0 done, 1 the input is wrong (one line on stderr), 2 wrong usage, 130 interrupted."""
    arguments = sys.argv[1:] if argv is None else argv
    try:
        with _terminated_as_interrupted():
            return _main(arguments)
    except KeyboardInterrupt:
        return DONE if _asked(arguments) in ENDED_BY_HAND else INTERRUPTED


def _main(arguments: list[str]) -> int:
    try:
        chosen = _parser(arguments).parse_args(arguments)
    except SystemExit as end:  # argparse has said what is wrong, or printed the help
        return end.code if isinstance(end.code, int) else WRONG_USAGE
    return _guarded(chosen.call, chosen)


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Within the block SIGTERM is what Ctrl-C is at that moment, to asyncio as well."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        present = signal.getsignal(signal.SIGINT)
        if callable(present):
            present(signal.SIGINT, frame)
        else:  # ignored, as by the shell for what it starts in the background
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _asked(arguments: list[str]) -> str | None:
    """The name of the command, where one is given."""
    return next((a for a in arguments if not a.startswith("-")), None)


def _parser(arguments: list[str]) -> argparse.ArgumentParser:
    import argparse
    from importlib import import_module

    from damas_board.cli.words import word

    parser = argparse.ArgumentParser(prog="damas-board", description=word("help.program"))
    commands = parser.add_subparsers(metavar=word("help.command"), required=True)
    asked = _asked(arguments)
    for name in COMMANDS:
        if name == asked:
            import_module(f"damas_board.cli.{name.replace('-', '_')}").register(commands)
        else:  # named in the help; its module, and what that imports, stays unloaded
            commands.add_parser(name, help=word(f"help.{name}"))
    return parser


def _guarded(call: Call, chosen: argparse.Namespace) -> int:
    """The one place where an error becomes a line on stderr and an exit status."""
    from damas_board.cli.errors import INPUT_ERRORS, line_for
    from damas_board.messages.names import escaped

    try:
        status = call(chosen)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: nothing is wrong, nothing can be said
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except INPUT_ERRORS as error:
        sys.stdout.flush()
        print(escaped(f"damas-board: {line_for(error)}"), file=sys.stderr)
        return WRONG_INPUT
    return status
