"""Where the commands about alerts find the games: a journal, the journal of a configuration, or one recording."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path

from damas_board.cli import regulation
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.words import word
from damas_board.config import read_config
from damas_board.messages.course import Course
from damas_board.messages.encoding import event_object
from damas_board.messages.recording import RecordingError, read_header, read_inputs
from damas_board.notation.errors import NotationError
from damas_board.session.events import Event
from damas_board.session.inputs import Input
from damas_board.session.session import Session
from damas_board.sinks.errors import JournalError
from damas_board.sinks.journal import JournalReader
from damas_board.tracking.sight import SightError


def journal_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--journal", metavar="FILE", type=Path, help=word("help.journal"))
    parser.add_argument("--config", metavar="CONFIG.toml", type=Path, help=word("help.config"))


def journal_of(chosen: argparse.Namespace) -> JournalReader | None:
    """The journal that the options name, which may be in use; None where they name none. InputError if it is none."""
    path = chosen.journal
    if chosen.config is not None:
        path = read_config(chosen.config).journal
    if path is None:
        return None
    try:
        return JournalReader.read(path)
    except JournalError as error:
        raise InputError(line_for(error)) from error


def recorded(file: str) -> Course:
    """The game of a recording, replayed. InputError names file and place where it cannot be followed."""
    source = word("stdin") if file == "-" else file
    with nullcontext(sys.stdin) if file == "-" else Path(file).open(encoding="utf-8") as opened:
        lines = iter(opened)
        try:
            header = read_header(lines)
            session = Session(header, regulation.of(header))
            inputs = list(read_inputs(lines))
            return Course(header, inputs, [event_object(e) for e in _events(session, inputs, source)])
        except UnicodeDecodeError as error:
            raise InputError(word("not_utf8", file=source, byte=error.start)) from error
        except (RecordingError, NotationError) as error:
            raise InputError(f"{source}: {line_for(error)}") from error


def _events(session: Session, inputs: Iterable[Input], source: str) -> Iterator[Event]:
    for item in inputs:
        try:
            yield from session.feed(item)
        except SightError as error:
            raise InputError(f"{source}: {word('at', at=f'{item.at:g}', message=error)}") from error
