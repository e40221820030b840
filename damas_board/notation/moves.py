"""Moves as text: `32-28`, `e5xe1`, and the full path where the two ends do not name one capture."""

from __future__ import annotations

import re
from collections.abc import Sequence

from damas_board.notation.errors import AmbiguousMoveError, IllegalTextError, NotationError
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position
from damas_board.rules.routes import route_through, routes

_SQUARE = re.compile(r"[a-l]\d{1,2}|\d{1,3}|[a-l](?=[-x:*]?[a-l]\d)")
_SHAPE = re.compile(r"[a-l0-9:x*\-]+$")
LONGEST = 400
"""Letters of a move's text, marks and remarks included; the longest capture has a third of that."""


def write_move(position: Position, move: Move, legal: Sequence[Move] | None = None) -> str:
    """`move` in the variant's notation, as short as names it among the legal moves of `position`.

    An irregular move, which is not among them, is written by its ends.
    """
    geometry = position.variant.geometry
    sign = "x" if move.captured else "-"
    rivals = [
        m
        for m in (legal_moves(position) if legal is None else legal)
        if m.start == move.start and m.end == move.end and set(m.captured) != set(move.captured)
    ]
    path = move.path if rivals and move.captured else (move.start, move.end)
    return sign.join(geometry.name(s) for s in path)


def named_squares(text: str) -> list[str]:
    """The squares that a move's text names, in order, without signs, marks or leading zeros.

    A letter alone (`cd4`, `c:e5`) stands for the file that the move starts from. NotationError for other text.
    """
    if len(text) > LONGEST:
        raise NotationError(f"{text[:20]!r}... is no move: it is {len(text)} characters long")
    bare = re.sub(r"[\s!?+#]|\(.*?\)", "", text).rstrip("D").lower()
    if not _SHAPE.match(bare):
        raise NotationError(f"{text!r} is no move")
    names = _SQUARE.findall(bare)
    if len(names) < 2:
        raise NotationError(f"{text!r} is no move: two squares are needed")
    return names


def candidates(position: Position, text: str, legal: Sequence[Move] | None = None) -> list[Move]:
    """The legal moves that `text` may mean, each with the route that it names; empty if none.

    The rules decide, not the sign: a capture written with `-` is a capture. A move whose full path `text` is comes
    first, and alone where `text` names more than its ends. NotationError for text that is no move.
    """
    names = named_squares(text)
    geometry = position.variant.geometry
    moves = legal_moves(position) if legal is None else legal
    try:
        end = geometry.square(names[-1])
        between = tuple(geometry.square(name) for name in names[1:-1])
        start = None if names[0].isalpha() else geometry.square(names[0])
    except KeyError as error:
        raise NotationError(f"{text!r}: there is no square {error.args[0]!r} on this board") from error
    found = []
    for move in moves:
        if move.end != end or (start is not None and move.start != start):
            continue
        if start is None and geometry.algebraic(move.start)[0] != names[0]:
            continue
        route = route_through(position, move, between) if between else move
        if route is not None:
            found.append(route)
    if len(found) < 2:
        return found
    exact = [move for move in found if _goes_through(position, move, (move.start, *between, end))]
    rest = [] if between and exact else [move for move in found if move not in exact]
    return exact + rest


def _goes_through(position: Position, move: Move, path: tuple[int, ...]) -> bool:
    """Whether a route of `move` comes down on these squares and on no others."""
    return any(route.path == path for route in routes(position, move))


def illegal(position: Position, text: str, legal: Sequence[Move] | None = None) -> IllegalTextError:
    """The error for a move that is not legal in `position`; it lists what would be."""
    moves = legal_moves(position) if legal is None else legal
    could = ", ".join(write_move(position, m, moves) for m in moves[:12]) or "none"
    return IllegalTextError(f"{text!r} is not legal here; legal: {could}{' ...' if len(moves) > 12 else ''}")


def read_move(position: Position, text: str, legal: Sequence[Move] | None = None) -> Move:
    """The one legal move that `text` names; the full path of one capture is that one, also if it is part of another's.

    NotationError if it is no move, IllegalTextError if it is not legal (the message lists what would be),
    AmbiguousMoveError if it names several captures.
    """
    moves = legal_moves(position) if legal is None else legal
    found = candidates(position, text, moves)
    if not found:
        raise illegal(position, text, moves)
    if len(found) > 1 and len(found[0].captured) > 1:  # over one piece only, the ends are the full path
        raise AmbiguousMoveError(
            f"{text!r} names {len(found)} different captures: "
            + ", ".join(write_move(position, m, moves) for m in found)
        )
    return found[0]
