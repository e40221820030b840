"""Plies that make no progress, for tests of what counts them: kings go to and fro where none is taken."""

from __future__ import annotations

from collections.abc import Callable

from damas_board.notation.fen import read_fen
from damas_board.notation.moves import read_move
from damas_board.rules.game import Game, verdict
from damas_board.rules.generation import captures, legal_moves
from damas_board.rules.position import Position
from damas_board.rules.variant import Variant


def to_and_fro(position: Position, plies: int, allowed: Callable[[Position], bool] = lambda position: True) -> Game:
    """A game of so many quiet plies by kings from `position`, every position behind it `allowed`."""
    game = Game(position)

    def go_on(left: int) -> bool:
        if not left:
            return verdict(game.position) is None
        now = game.position
        moves = [move for move in legal_moves(now) if now.kings >> move.start & 1 and not move.captured]
        turn = len(game.moves) // 2 % max(len(moves), 1)
        for move in moves[turn:] + moves[:turn]:
            after = now.after(move)
            if captures(after) or not allowed(after):
                continue
            game.record(move, after)
            if go_on(left - 1):
                return True
            game.rewind(len(game.moves) - 1)
        return False

    assert go_on(plies), "these kings cannot go on so long"
    return game


def played(variant: Variant, fen: str, text: str) -> Game:
    """The game of the moves in `text` from `fen`."""
    game = Game(read_fen(fen, variant))
    for move in text.split():
        game.play(read_move(game.position, move))
    return game
