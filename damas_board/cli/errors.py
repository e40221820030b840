"""The errors that mean 'the input is wrong', and the one line that a person sees of each.

Any other exception is a fault of the program and is let through.
"""

from __future__ import annotations

from damas_board.broker.errors import BrokerStartError
from damas_board.cli.words import known, word
from damas_board.hub.archive_errors import ArchiveError
from damas_board.hub.errors import HubError
from damas_board.messages.recording import RecordingError
from damas_board.notation.errors import NotationError
from damas_board.regulations.tables import TableError
from damas_board.sinks.errors import SinkError
from damas_board.sources.errors import BoardError


class InputError(ValueError):
    """Input that a command cannot use; the message is the line to show, in the person's language."""


INPUT_ERRORS: tuple[type[Exception], ...] = (
    InputError,
    ArchiveError,
    BoardError,
    NotationError,
    TableError,
    RecordingError,
    OSError,
)


_KEYED = (ArchiveError, BoardError, SinkError, BrokerStartError, HubError)
"""Errors that have a key and facts, of which the catalogue makes the line."""


def line_for(error: Exception) -> str:
    """The error on one line; an operating system's error names its file first."""
    if isinstance(error, _KEYED):
        return word(f"error.{error.key}", **error.facts)
    cause = error.__cause__
    if isinstance(error, TableError) and isinstance(cause, _KEYED):
        text = str(error).replace(str(cause), line_for(cause))
    elif isinstance(error, RecordingError) and error.key is not None:
        text = word("line", line=error.line, message=word(f"recording.{error.key}", **error.facts))
    elif isinstance(error, OSError) and error.strerror:
        key = f"errno.{error.errno}"
        where = f"{error.filename}: " if error.filename is not None else ""
        text = f"{where}{word(key) if known(key) else error.strerror}"
    else:
        text = str(error)
    return " ".join(text.split())
