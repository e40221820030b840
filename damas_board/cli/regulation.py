"""The regulation that a command was given: a shipped one by its name, or a TOML file."""

from __future__ import annotations

import argparse
from difflib import get_close_matches
from pathlib import Path

from damas_board.cli.errors import InputError
from damas_board.cli.words import word
from damas_board.regulations import Regulation, names, parse, shipped

DEFAULT = "br-cbjd"


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--regulation", "-r", default=DEFAULT, metavar="R", help=word("help.regulation", default=DEFAULT)
    )


def named(name: str) -> Regulation:
    """A shipped regulation, or the one in the TOML file of that path; InputError names the nearest otherwise."""
    if name in names():
        return shipped(name)
    file = Path(name)
    if file.suffix == ".toml" or file.exists():
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(word("not_utf8", file=name, byte=error.start)) from error
        return parse(text, file.stem, name)
    close = get_close_matches(name, names(), 1)
    nearest = word("nearest", name=close[0]) if close else ""
    raise InputError(word("no_regulation", name=name, nearest=nearest, names=", ".join(names())))
