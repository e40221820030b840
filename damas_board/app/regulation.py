"""Which regulation a game is played under, and whether a board can carry its game."""

from __future__ import annotations

from damas_board import regulations
from damas_board.regulations import Regulation
from damas_board.session.header import Header


def regulation_of(header: Header) -> Regulation:
    """The regulation that a header names, or brings along. ValueError where it cannot be used."""
    if header.regulation_text is not None:
        return regulations.parse(header.regulation_text, header.regulation)
    try:
        return regulations.shipped(header.regulation)
    except KeyError as error:
        raise ValueError(error.args[0]) from error


def misfit(game: Header, board: Header) -> str | None:
    """What keeps a board that is set up for the games of the header `board` from carrying `game`; None: nothing does.

    A board has squares, and says which of its corners are dark unless it senses all of them; what else it senses is no
    matter of the game.
    """
    wanted, had = (regulation_of(header).variant for header in (game, board))
    if wanted.size != had.size:
        return f"the game needs {wanted.size} x {wanted.size} squares, the board has {had.size} x {had.size}"
    if wanted.corner != had.corner and board.covers == "playable":
        return f"the game has its dark corner on the {wanted.corner}, the board on the {had.corner}"
    return None
