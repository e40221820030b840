"""Results as game files write them: `1-0`, `2-0`, `1/2-1/2`, `1-1`, `0-0`, `*`.

The first number is the first mover's: in a file of English draughts `1-0` says that Black, who begins, has won.
"""

from __future__ import annotations

from typing import Literal

from damas_board.notation.pdn_tokens import plain_result
from damas_board.rules.side import Side

Winner = Literal["white", "black", "draw"]

_FIRST_WINS = ("1-0", "2-0")
_SECOND_WINS = ("0-1", "0-2")
_DRAWS = ("1/2-1/2", "1-1", "1/2")


def winner(text: str, first: Side) -> Winner | None:
    """Who won by `text`, `first` being the side that begins; None where it does not say (`*`, `0-0`, `4-6`)."""
    plain = plain_result(text)
    if plain in _DRAWS:
        return "draw"
    if plain in _FIRST_WINS or plain in _SECOND_WINS:
        side = first if plain in _FIRST_WINS else first.other
        return "black" if side is Side.BLACK else "white"
    return None
