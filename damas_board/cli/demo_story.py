"""What happens at the tables of the demonstration beside play: a touched piece, a missed capture, a pulled cable."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Move, Position
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.games import PlayedGame
from simulator.player import Player

LOOKING_SECONDS = 20.0
"""So long an alert stands before play goes on: whoever looks at it the first time needs that."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Whoever sits at one board, or comes near its cable."""

    board: Board
    player: Player
    clock: RunningClock

    async def lift(self, square: int, seconds: float) -> None:
        self.board.lift(self.board.square_map.place(square))
        await self.clock.sleep(seconds)

    async def put(self, square: int, seconds: float) -> None:
        self.board.place(self.board.square_map.place(square))
        await self.clock.sleep(seconds)

    async def play(self, start: Position, moves: Sequence[Move]) -> None:
        if moves:
            await self.player.play(PlayedGame(start, tuple(moves)))


Episode = Callable[[Hands, Position, Sequence[Move]], Awaitable[int]]
"""Done where a position stands and these moves will be played; says how many of them it has played itself."""


async def play(hands: Hands, game: PlayedGame, plies: int, episode: Episode) -> None:
    """Plays a game to its end, with an episode after so many plies or as soon behind them as it can be."""
    positions = list(game.positions())
    ply = plies
    while ply < len(game.moves) and not fits(episode, positions[ply], game.moves[ply]):
        ply += 1
    await hands.play(game.start, game.moves[:ply])
    ply += await episode(hands, positions[ply], game.moves[ply:])
    await hands.play(positions[ply], game.moves[ply:])


def fits(episode: Episode, position: Position, move: Move) -> bool:
    """Whether an episode can happen where `move` is going to be played."""
    if episode is touched:
        return _other(position, move) is not None
    return episode is not missed or _instead(position, move) is not None


async def touched(hands: Hands, position: Position, moves: Sequence[Move]) -> int:
    """A player lifts a piece that could move, puts it back, and plays another one; then both look up for a while."""
    other = _other(position, moves[0])
    if other is not None:
        await hands.lift(other.start, 1.2)
        await hands.put(other.start, 0.8)
    await hands.play(position, moves[:1])
    await hands.clock.sleep(LOOKING_SECONDS)
    return 1


async def missed(hands: Hands, position: Position, moves: Sequence[Move]) -> int:
    """A player moves without capturing, is told so, and puts it right."""
    instead = _instead(position, moves[0])
    if instead is not None:
        for start, end, seconds in ((instead.start, instead.end, LOOKING_SECONDS), (instead.end, instead.start, 2.0)):
            await hands.lift(start, 0.6)
            await hands.put(end, seconds)
    return 0


async def unplugged(hands: Hands, position: Position, moves: Sequence[Move]) -> int:
    """The board's cable comes out for two plies and a while."""
    hands.board.unplug()
    await hands.play(position, moves[:2])
    await hands.clock.sleep(4.0)
    hands.board.plug()
    await hands.clock.sleep(4.0)
    return len(moves[:2])


def _other(position: Position, move: Move) -> Move | None:
    """A move of another piece than the one that is going to be played."""
    return next((one for one in legal_moves(position) if one.start != move.start), None)


def _instead(position: Position, move: Move) -> Move | None:
    """A quiet move where a capture is going to be played."""
    if not move.captured:
        return None
    free = position._replace(variant=replace(position.variant, capture_compulsory=False))
    return next((one for one in legal_moves(free) if not one.captured and one.start != move.start), None)
