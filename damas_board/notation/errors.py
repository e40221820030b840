"""What notation says of text that it cannot read."""

from __future__ import annotations


class NotationError(ValueError):
    """Text that is no position, move or game; `line` and `column` count from 1 where they are known."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        where = "" if line is None else f"line {line}: " if column is None else f"line {line}, column {column}: "
        super().__init__(where + message)
        self.message = message
        self.line = line
        self.column = column


class IllegalTextError(NotationError):
    """A move that can be read but is not legal in its position."""


class AmbiguousMoveError(NotationError):
    """A move that names several different captures."""
