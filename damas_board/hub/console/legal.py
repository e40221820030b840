"""The legal moves of a position, for a page that has no rules of its own."""

from __future__ import annotations

from typing import Any

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import write_move
from damas_board.regulations import Regulation
from damas_board.rules.generation import legal_moves

MOST_MOVES = 2000
LONGEST_FEN = 1000


def legal(regulation: Regulation, fen: str) -> dict[str, Any]:
    """`{turn, moves: [{move, from, to, path, captured, fen}]}`; NotationError where the FEN is none."""
    position = read_fen(fen[:LONGEST_FEN], regulation.variant)
    names = regulation.variant.geometry.names
    moves = legal_moves(position)
    told = [
        {
            "move": write_move(position, move, moves),
            "from": names((move.start,))[0],
            "to": names((move.end,))[0],
            "path": names(move.path),
            "captured": names(move.captured),
            "fen": write_fen(position.after(move)),
        }
        for move in moves[:MOST_MOVES]
    ]
    return {"turn": position.turn.label, "moves": told}
