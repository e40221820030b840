"""The log as whoever sits at the boards reads it: on stderr, one line an entry, the common lines in their language."""

from __future__ import annotations

import copy
import logging
from typing import Any

from damas_board.app.board import Told
from damas_board.app.gateway import regulation_of
from damas_board.cli.alert_text import alert_text, closing_text
from damas_board.cli.errors import line_for
from damas_board.cli.words import known, log_line, word
from damas_board.messages.encoding import event_object
from damas_board.messages.names import escaped
from damas_board.session.events import AlertRaised

LONGEST = 2000
"""Characters of one entry."""


def log_to_stderr(level: int) -> None:
    """One line an entry: time, level, what."""
    logging.basicConfig(level=level)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(Worded("%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S"))


class Worded(logging.Formatter):
    """Says entries whose text the catalogue knows, errors that have a key, alerts, and codes of reasons, in words."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """One entry is one line, whatever stands in what was received."""
        record.message = escaped(" ".join(record.message.splitlines()))[:LONGEST]
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:
        return escaped(super().formatException(ei))

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record.msg, str) and isinstance(record.args, tuple):
            record = copy.copy(record)
            record.msg = log_line(record.msg)
            record.args = tuple(_worded(argument) for argument in record.args or ())
        return super().format(record)


def _worded(argument: object) -> object:
    if isinstance(argument, Exception):
        return line_for(argument)
    if isinstance(argument, Told):
        text = alert_text if isinstance(argument.event, AlertRaised) else closing_text
        return text(event_object(argument.event), regulation_of(argument.header).words)
    if isinstance(argument, str) and known(f"reason.{argument}"):
        return word(f"reason.{argument}")
    return argument
