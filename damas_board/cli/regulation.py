"""`damas-board regulation`, and the regulation that a command was given: a shipped one by its name, or a TOML file."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from pathlib import Path

from damas_board.cli import DONE, WRONG_INPUT, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.regulations import Regulation, TableError, names, parse, shipped, source_text
from damas_board.session.header import Header

DEFAULT = "br-cbjd"


def register(commands: Commands) -> None:
    parser = commands.add_parser("regulation", help=word("help.regulation"), description=word("help.regulation"))
    actions = parser.add_subparsers(metavar=word("help.command"), required=True)
    check = actions.add_parser("check", help=word("help.regulation.check"), description=word("help.regulation.check"))
    check.add_argument("files", metavar="FILE", nargs="+", help=word("help.regulation.file"))
    check.set_defaults(call=call_check)
    every = actions.add_parser("list", help=word("help.regulation.list"), description=word("help.regulation.list"))
    every.set_defaults(call=call_list)
    show = actions.add_parser("show", help=word("help.regulation.show"), description=word("help.regulation.show"))
    show.add_argument("name", metavar="NAME", help=word("help.regulation.name"))
    show.set_defaults(call=call_show)


def call_check(chosen: argparse.Namespace) -> int:
    """One line a file: on stdout where it can be used, on stderr with line and key where it cannot."""
    status = DONE
    for file in chosen.files:
        try:
            rules = _from_file(file)
        except (InputError, TableError, OSError) as error:
            say(f"damas-board: {line_for(error)}")
            status = WRONG_INPUT
        else:
            laws = len(rules.counts) + (rules.repetition is not None)
            print(word("regulation.good", file=file, title=rules.title, variant=rules.variant.name, laws=laws))
    return status


def call_list(chosen: argparse.Namespace) -> int:
    width = max(map(len, names()))
    for name in names():
        print(f"{name:{width}}  {shipped(name).title}")
    return DONE


def call_show(chosen: argparse.Namespace) -> int:
    """Prints the file of a shipped regulation."""
    if chosen.name not in names():
        raise _unknown(chosen.name)
    print(source_text(chosen.name), end="")
    return DONE


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--regulation", "-r", default=DEFAULT, metavar="R", help=word("help.named_regulation", default=DEFAULT)
    )


def named(name: str) -> Regulation:
    """A shipped regulation, or the one in the TOML file of that path; InputError names the nearest otherwise."""
    if name in names():
        return shipped(name)
    if name.endswith(".toml") or Path(name).exists():
        return _from_file(name)
    raise _unknown(name)


def of(header: Header) -> Regulation:
    """The regulation that a recording's header names, or brings along."""
    if header.regulation_text is not None:
        return parse(header.regulation_text, header.regulation)
    return named(header.regulation)


def _from_file(name: str) -> Regulation:
    file = Path(name)
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(word("not_utf8", file=name, byte=error.start)) from error
    return parse(text, file.stem, name)


def _unknown(name: str) -> InputError:
    close = get_close_matches(name, names(), 1)
    nearest = word("nearest", name=close[0]) if close else ""
    return InputError(word("no_regulation", name=name, nearest=nearest, names=", ".join(names())))
