"""What a move's text does to the pieces. How draughts moves are written the protocol leaves open.

A text names squares by number or by letter and digit, with or without signs between (`c3e5`, `32x23`, `3228`), and
means either the squares where the piece came down, two of them at least, or its two ends and then what it took. So
few squares name a capture only together with what stands there and with how pieces capture: read is what the rules
make of it, the lawful readings first; then those of a player who takes less than he must; then a piece that went from
one square to another and took nothing. What is lawful is nobody's matter here: of several readings none is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import Geometry
from damas_board.rules.position import Move, Position
from damas_board.rules.routes import route_through, routes
from damas_board.rules.variant import Variant

Captures = Literal["auto", "path", "victims"]
"""What the squares between the ends, or behind them, are."""

MOST_READINGS = 8
_SIGNS = re.compile(r"[-x:*]")
_CROWNED = re.compile(r"(?<=\d)=?[kqd]$")
_LETTERS = re.compile(r"[a-l](?:1[0-2]|[1-9])")
LONGEST = 200


class MoveTextError(ValueError):
    """A text that names no squares of this board."""


@dataclass(frozen=True, slots=True)
class Written:
    """A move as it is written."""

    squares: tuple[int, ...]
    crowned: bool = False


def read_text(text: str, geometry: Geometry) -> Written:
    """The squares that `text` names in their order. MoveTextError where it is no move on this board."""
    bare = text.strip().lower()
    if len(bare) > LONGEST:
        raise MoveTextError(f"{bare[:20]!r}... is no move")
    crowned = _CROWNED.search(bare)
    if crowned:
        bare = bare[: crowned.start()]
    try:
        squares = tuple(geometry.square(name) for name in _names(bare))
    except KeyError as error:
        raise MoveTextError(f"there is no square {error.args[0]!r} on this board") from error
    if len(squares) < 2:
        raise MoveTextError(f"{text[:20]!r} is no move")
    return Written(squares, bool(crowned))


def _names(bare: str) -> list[str]:
    parts = _SIGNS.split(bare)
    if len(parts) > 1 and all(part.isdecimal() and len(part) < 3 for part in parts):
        return parts
    joined = "".join(parts)
    if joined.isdecimal() and len(joined) % 2 == 0:
        return [joined[begin : begin + 2] for begin in range(0, len(joined), 2)]
    names = _LETTERS.findall(joined)
    return names if "".join(names) == joined else []


def readings(position: Position, written: Written, captures: Captures = "auto") -> tuple[Position, ...]:
    """The positions that a move written so may have led to; none where no piece can have gone so.

    Whose turn it is in `position` is no matter: who moves is seen by the piece.
    """
    start, end = written.squares[0], written.squares[-1]
    side = position.side_at(start)
    if side is None:
        return ()
    position = position._replace(turn=side)
    for allowed in _allowances(position, 1 << start):
        found = _lawful(allowed, written, captures)
        if found:
            afters = (_named_crown(allowed.after(move), move, written) for move in found)
            distinct = dict.fromkeys(after._replace(variant=position.variant) for after in afters)
            return tuple(distinct)[:MOST_READINGS]
    if position.occupied >> end & 1:
        return ()
    move = Move(start, end, (), (start, end), bool(position.variant.last_rows[side] >> end & 1))
    return (_named_crown(position.after(move), move, written),)


def _named_crown(after: Position, move: Move, written: Written) -> Position:
    return after._replace(kings=after.kings | 1 << move.end) if written.crowned else after


def _allowances(position: Position, start: int) -> Iterator[Position]:
    """`position` as it is; where a crown was not seen or seen wrongly; and both for one who takes less than he must."""
    other = position._replace(kings=position.kings ^ start)
    lenient = _lenient(position.variant)
    yield position
    yield other
    yield position._replace(variant=lenient)
    yield other._replace(variant=lenient)


@cache
def _lenient(variant: Variant) -> Variant:
    return replace(variant, priority=(), capture_compulsory=False, capture_finished=False)


def _lawful(position: Position, written: Written, captures: Captures) -> list[Move]:
    squares = written.squares
    moves = [move for move in legal_moves(position) if move.start == squares[0]]
    found: list[Move] = []
    if captures != "victims":
        ending = [move for move in moves if move.end == squares[-1]]
        found = [move for move in ending if route_through(position, move, squares[1:-1]) is not None]
        if len(found) > 1:
            exact = [move for move in found if _comes_down_on(position, move, squares)]
            found = exact if exact and len(squares) > 2 else found
    if not found and captures != "path" and len(squares) > 2:
        found = _taking(moves, squares[1], squares[2:])
    if not found and captures == "victims" and len(squares) == 2:
        found = [move for move in moves if move.end == squares[1]]
    return found


def _comes_down_on(position: Position, move: Move, squares: tuple[int, ...]) -> bool:
    return any(route.path == squares for route in routes(position, move))


def _taking(moves: Sequence[Move], end: int, victims: Sequence[int]) -> list[Move]:
    return [move for move in moves if move.end == end and set(move.captured) == set(victims)]
