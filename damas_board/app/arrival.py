"""A game on its way to another board, with the command that sends it there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from damas_board.app.play import SessionLike
from damas_board.app.telling import Objection
from damas_board.session.header import Header
from damas_board.session.inputs import Command


@dataclass(slots=True)
class Arrival:
    """Is `answered` when the game is the other board's, or `refused`; what is `withdrawn` is not taken any more."""

    command: Command
    game: str
    header: Header
    session: SessionLike
    was: str
    """The board that gives it away."""
    linked: frozenset[str | None]
    """What watched that board, and was connected, by what its inputs say in `by`."""
    last_at: float
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    refused: Objection | None = None
    withdrawn: bool = False
