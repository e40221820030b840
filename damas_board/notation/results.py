"""Results as game files write them: `1-0`, `2-0`, `1/2-1/2`, `1-1`, `0-0`, `*`.

The first number is the first mover's: in a file of English draughts `1-0` says that Black, who begins, has won.
"""

from __future__ import annotations

import re
from typing import Literal

from damas_board.notation.pdn_tokens import plain_result
from damas_board.rules import variants as rows
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

Winner = Literal["white", "black", "draw"]

_FIRST_WINS = ("1-0", "2-0")
_SECOND_WINS = ("0-1", "0-2")
_DRAWS = ("1/2-1/2", "1-1", "1/2")
_POINTS = re.compile(r"\d{1,2}-\d{1,2}")
_TWO_POINTS = frozenset(
    row.pdn_type
    for row in (rows.BRAZILIAN, rows.CANADIAN, rows.FRISIAN, rows.INTERNATIONAL, rows.RUSSIAN, rows.TURKISH)
) | {98}
"""The GameTypes whose federations count a win as two points and a draw as one; 98 is giveaway."""


def winner(text: str, first: Side) -> Winner | None:
    """Who won by `text`, `first` being the side that begins; None where it does not say (`*`, `0-0`, `4-6`)."""
    plain = plain_result(text)
    if plain in _DRAWS:
        return "draw"
    if plain in _FIRST_WINS or plain in _SECOND_WINS:
        side = first if plain in _FIRST_WINS else first.other
        return "black" if side is Side.BLACK else "white"
    return None


def differ(one: str, other: str, first: Side) -> bool:
    """Whether two results contradict each other; `1-0` and `2-0` do not, nor does `*` any other."""
    said = {plain_result(one), plain_result(other)} - {"", "*"}
    return len(said) > 1 and (winner(one, first) is None or winner(one, first) != winner(other, first))


def in_form_of(variant: Variant, text: str) -> str:
    """The result as games of `variant` are scored, `2-0` or `1-0`; what is no result is `*`.

    `0-0` and other scorings (`4-6`) stay as they are.
    """
    who = winner(text, variant.first)
    two = variant.pdn_type in _TWO_POINTS
    if who is None:
        plain = plain_result(text)
        return plain if _POINTS.fullmatch(plain) else "*"
    if who == "draw":
        return "1-1" if two else "1/2-1/2"
    won = "2-0" if two else "1-0"
    return won if who == variant.first.label else won[::-1]
