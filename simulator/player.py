"""Plays games on a simulated board: what the hands do in virtual time, done on the board at the clock's time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from damas_board.decoding.square_map import KIND_MARKS, SquareMap
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from simulator.clock import Clock
from simulator.games import PlayedGame
from simulator.hand import Act, Action, Crown, Hand, Lift, Place, Press, PutBack, TakeOff
from simulator.levels import Level
from simulator.table import Table, mark


class Handled(Protocol):
    """A board in software as a hand sees it; squares are the places of `square_map`."""

    @property
    def square_map(self) -> SquareMap: ...

    @property
    def levels(self) -> int:
        """How many levels it tells apart: 2, or 5 with colour and king."""
        ...

    @property
    def pieces(self) -> Sequence[int]:
        """The levels of what really stands on places 1, 2, ..."""
        ...

    def place(self, place: int, level: int = 1) -> None:
        """Put a piece of `level` on `place`."""
        ...

    def lift(self, place: int) -> None:
        """Take the piece off `place`."""
        ...

    def set_up(self, levels: Sequence[int]) -> None:
        """Make `levels` stand on places 1, 2, ..."""
        ...

    def press(self, button: str) -> None:
        """Press and release a button: `clock-a`, `clock-b`."""
        ...


class Player:
    """Both players at `board`; what its sensors make of it is the board's matter and its faults'."""

    def __init__(self, board: Handled, clock: Clock, level: Level, seed: int = 0, *, levers: bool = False) -> None:
        """`levers`: press the clock after every move; lever `clock-a` is White's."""
        self._board = board
        self._clock = clock
        self._level = level
        self._seed = seed
        self._levers = levers

    def set_up(self, position: Position) -> None:
        """Makes `position` stand on the board, at once."""
        board = self._board
        levels = [0] * len(board.pieces)
        for square in squares_of(position.occupied):
            levels[board.square_map.place(square) - 1] = self._sensed(mark(position, square))
        board.set_up(levels)

    async def play(self, game: PlayedGame) -> None:
        """Plays `game` to its end on a board where its start position stands, and returns when the last hand is off."""
        for at in self.steps(game):
            await self._clock.sleep(max(at - self._clock.now(), 0.0))

    def steps(self, game: PlayedGame) -> Iterator[float]:
        """When the hands do something; each is done as the next is asked for, and the clock is there by then."""
        hand = Hand(game.start, self._level, self._seed, now=self._clock.now(), clock=self._levers)
        table = Table(game.start)
        for act in acts(hand, game):
            yield act.at
            self._do(table, act.action)

    def _do(self, table: Table, action: Action) -> None:
        table.do(action)
        match action:
            case Press(by):
                self._board.press("clock-b" if by else "clock-a")
            case Lift(square) | TakeOff(square):
                self._board.lift(self._board.square_map.place(square))
            case Place(square) | PutBack(square) | Crown(square):
                self._board.place(self._board.square_map.place(square), self._sensed(table.pieces[square]))

    def _sensed(self, piece: str) -> int:
        return 1 if self._board.levels == 2 else KIND_MARKS.index(piece)


def acts(hand: Hand, game: PlayedGame) -> Iterator[Act]:
    """What `hand` does to play the whole game."""
    for move in game.moves:
        yield from hand.play(move)
