"""Positions and moves of a regulation in letters and digits, whatever its own notation."""

from __future__ import annotations

from damas_board.notation.fen import read_fen
from damas_board.regulations import shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position


def position(regulation: str, fen: str) -> Position:
    return read_fen(fen, shipped(regulation).variant)


def text(regulation: str, move: Move) -> str:
    name = shipped(regulation).variant.geometry.algebraic
    return f"{name(move.start)}{'x' if move.captured else '-'}{name(move.end)}"


def moves(regulation: str, fen: str) -> list[str]:
    return sorted({text(regulation, move) for move in legal_moves(position(regulation, fen))})


def move(regulation: str, fen: str, wanted: str) -> Move:
    (found,) = (m for m in legal_moves(position(regulation, fen)) if text(regulation, m) == wanted)
    return found


def captured(regulation: str, fen: str, wanted: str) -> set[str]:
    name = shipped(regulation).variant.geometry.algebraic
    return {name(square) for square in move(regulation, fen, wanted).captured}


def after(regulation: str, fen: str, wanted: str) -> tuple[str, str, str, str]:
    """The side to move, the squares of White, of Black, and of kings."""
    found = position(regulation, fen).after(move(regulation, fen, wanted))
    name = found.variant.geometry.algebraic
    masks = (found.white, found.black, found.kings)
    white, black, kings = (" ".join(name(s) for s in range(64) if mask >> s & 1) for mask in masks)
    return found.turn.label, white, black, kings
