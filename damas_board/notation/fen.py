"""Positions as PDN FEN text: `W:Wd4,Kb2:Ba7` - whose turn, then each side's men and kings."""

from __future__ import annotations

import re

from damas_board.notation.errors import NotationError
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

_ITEM = re.compile(r"(?P<king>[Kk]?)(?P<first>[a-lA-L]?\d{1,3})(?:-(?P<last>\d{1,3}))?$")
_SIDES = {"W": Side.WHITE, "B": Side.BLACK}


def write_fen(position: Position) -> str:
    """The position as FEN: numbers in their order, letters by row, kings with K, no trailing dot."""
    geometry = position.variant.geometry
    key = (lambda s: s) if geometry.numbering == "algebraic" else (lambda s: int(geometry.name(s)))
    blocks = []
    for side in Side:
        squares = sorted(squares_of(position.pieces(side)), key=key)
        names = ("K" * (position.kings >> s & 1) + geometry.name(s) for s in squares)
        blocks.append(f"{side.letter}{','.join(names)}")
    return f"{position.turn.letter}:{':'.join(blocks)}"


def read_fen(text: str, variant: Variant) -> Position:
    """The position that `text` writes; `start` is the initial position.

    Reads what files contain: a trailing dot, either order of the blocks, an empty side, ranges (`W31-50`), lower-case
    letters, and blocks of other programs behind the two. NotationError names the item that is wrong: an unknown
    square, a square named twice, a man on the row where it would have been crowned.
    """
    if text.strip() == "start":
        return initial(variant)
    blocks = [block.strip() for block in text.strip().rstrip(".").split(":")]
    if len(blocks) < 3 or blocks[0].upper() not in _SIDES:
        raise NotationError(
            f"{text.strip()[:60]!r} is no position; a FEN is like W:W31,32,K5:B1,2 (turn, White, Black)"
        )
    pieces = {Side.WHITE: 0, Side.BLACK: 0}
    kings = 0
    told: set[Side] = set()
    for block in blocks[1:]:
        side = _SIDES.get(block[:1].upper())
        if side is None:
            if block[:1].upper() in ("H", "F"):  # counters that one server adds behind the pieces
                continue
            raise NotationError(f"{block[:40]!r} does not begin with W or B")
        if side in told:
            raise NotationError(f"the pieces of {side.label} are given twice")
        told.add(side)
        for item in filter(None, (part.strip() for part in block[1:].split(","))):
            for square, king in _squares(item, variant):
                bit = 1 << square
                if (pieces[Side.WHITE] | pieces[Side.BLACK]) & bit:
                    raise NotationError(f"square {variant.geometry.name(square)} is named twice")
                if not king and variant.last_rows[side] & bit:
                    raise NotationError(
                        f"a man of {side.label} cannot stand on {variant.geometry.name(square)}, its last row; "
                        f"write K{variant.geometry.name(square)} for a king"
                    )
                pieces[side] |= bit
                kings |= bit * king
    if len(told) < 2:
        raise NotationError(f"{text.strip()[:60]!r} names the pieces of one side only")
    return Position(variant, _SIDES[blocks[0].upper()], pieces[Side.WHITE], pieces[Side.BLACK], kings)


def _squares(item: str, variant: Variant) -> list[tuple[int, bool]]:
    match = _ITEM.match(item)
    if match is None:
        raise NotationError(f"{item!r} is no square")
    names = [match["first"]]
    if match["last"]:
        if not match["first"].isdigit() or int(match["last"]) < int(match["first"]):
            raise NotationError(f"{item!r} is no range of squares")
        names = [str(n) for n in range(int(match["first"]), int(match["last"]) + 1)]
    found = []
    for name in names:
        try:
            found.append((variant.geometry.square(name), bool(match["king"])))
        except KeyError as error:
            raise NotationError(f"there is no square {name!r} on this board") from error
    return found
