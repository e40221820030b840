"""`damas-board replay`: a recording to events, one JSON object a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path

from damas_board.cli import DONE, Commands, regulation
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.words import word
from damas_board.messages.encoding import event_object
from damas_board.messages.names import escaped
from damas_board.messages.recording import RecordingError, read_header, read_inputs
from damas_board.messages.score import game_text
from damas_board.notation.errors import NotationError
from damas_board.session.header import Header
from damas_board.session.inputs import Input
from damas_board.session.session import Session
from damas_board.tracking.sight import SightError


def register(commands: Commands) -> None:
    parser = commands.add_parser("replay", help=word("help.replay"), description=word("help.replay"))
    parser.add_argument("file", metavar="FILE", help=word("help.replay.file"))
    parser.add_argument("--pdn", action="store_true", help=word("help.replay.pdn"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints the events, with `--pdn` the game; InputError names file and line where it cannot be followed."""
    source = word("stdin") if chosen.file == "-" else chosen.file
    with nullcontext(sys.stdin) if chosen.file == "-" else Path(chosen.file).open(encoding="utf-8") as file:
        lines = _Counted(file)
        try:
            header = read_header(lines)
            session = Session(header, regulation.of(header))
            try:
                _play(session, read_inputs(lines), silent=chosen.pdn)
            finally:  # also of a recording that breaks off: what was played was played
                if chosen.pdn:
                    print(escaped(game_text(session.state, session.regulation, _tags(header))), end="")
        except UnicodeDecodeError as error:
            raise InputError(word("not_utf8", file=source, byte=error.start)) from error
        except RecordingError as error:
            raise InputError(f"{source}: {line_for(error)}") from error
        except (NotationError, SightError) as error:
            raise InputError(f"{source}: {word('line', line=lines.number, message=error)}") from error
    return DONE


def _play(session: Session, items: Iterable[Input], *, silent: bool) -> None:
    for item in items:
        for event in session.feed(item):
            if not silent:
                print(escaped(json.dumps(event_object(event), ensure_ascii=False)))


def _tags(header: Header) -> dict[str, str]:
    day = {"Date": header.utc[:10].replace("-", ".")} if header.utc else {}
    return {"Event": header.round or "?", "Site": header.board, **day}


class _Counted:
    """Lines, and the number of the last one that was taken."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        return line
