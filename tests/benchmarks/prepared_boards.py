"""Boards whose games are played beforehand: every change with its time, and which change completes which move.

A simulated hand plays real games (public ones, invented where there are none) at level `club`: slides, bounces,
dropouts, straightened pieces. A Session reads the same changes without any gateway; what it makes of them, and when it
decides it, is what the gateway is measured against.
"""

from __future__ import annotations

import bisect
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from real_games import game_of, playable, regulation_of, sources

from damas_board.decoding.square_map import SquareMap
from damas_board.regulations import shipped
from damas_board.session.events import MoveMade
from damas_board.session.header import Header
from damas_board.session.inputs import See, Tick
from damas_board.session.session import Session
from simulator.games import PlayedGame, invented
from simulator.levels import level
from simulator.recorded import inputs

KINDS = ("brazilian", "international", "russian")
"""The games that are played, one board after the other."""
LEVEL = "club"
SPREAD_SECONDS = 3.0
"""The boards begin within this time, each at another moment."""
REST_SECONDS = 3.0
"""How long the hands are still before the end, so that the last move is decided."""
LONGEST_PLY = 4.0
"""Seconds that a hand needs for a ply, at most, on the average of a game."""


Change = tuple[float, int, int]
"""Seconds from the start, place, level."""


@dataclass(frozen=True, slots=True)
class Decided:
    """`move` of `ply` is decided `wait` seconds after change number `change`."""

    ply: int
    move: str
    change: int
    wait: float


@dataclass(frozen=True, slots=True)
class Script:
    """One board, and `moves`, the record that comes of its changes."""

    name: str
    regulation: str
    geometry: int
    levels: tuple[int, ...]
    changes: tuple[Change, ...]
    decided: tuple[Decided, ...]
    moves: tuple[str, ...]


def scripts(boards: int, seconds: float, speed: float) -> list[Script]:
    """So many boards, played for `seconds` of real time where the clock runs `speed` times as fast."""
    games = [_games(kind, seconds * speed / LONGEST_PLY) for kind in KINDS]
    return [_script(index, *next(games[index % len(KINDS)]), seconds * speed) for index in range(boards)]


def _games(kind: str, plies: float) -> Iterator[tuple[str, PlayedGame]]:
    """Games of that kind with at least so many plies, without end."""
    regulation = regulation_of(kind)[0]
    for source in sources(kind):
        for index in playable(source):
            game = game_of(source, index)
            if len(game.moves) >= plies:
                yield regulation.name, game
    seed = 0
    while True:
        seed += 1
        yield regulation.name, invented(regulation.variant, seed, round(plies) + 10)


def _script(index: int, regulation: str, game: PlayedGame, seconds: float) -> Script:
    variant = game.start.variant
    squares = SquareMap(variant.size, variant.corner)
    header = Header(f"table-{index + 1}", regulation)
    levels, changes = _changes(game, squares, index)
    decided, _ = _read(header, squares, levels, changes)
    # Cut behind the last ply that is over in time: half a move would be read by when the end comes.
    plies = sum(changes[move.change][0] + move.wait < seconds - REST_SECONDS for move in decided)
    levels, changes = _changes(PlayedGame(game.start, game.moves[:plies]), squares, index)
    decided, moves = _read(header, squares, levels, changes)
    return Script(header.board, regulation, squares.geometry, levels, tuple(changes), tuple(decided), moves)


def _changes(game: PlayedGame, squares: SquareMap, seed: int) -> tuple[tuple[int, ...], list[Change]]:
    """What stands at first, and every change until the hands are still."""
    late = Random(seed).uniform(0.0, SPREAD_SECONDS)
    sees = [item for item in inputs(game, level(LEVEL), seed) if isinstance(item, See)]
    levels = squares.levels(sees[0].rows, 2)
    changes = []
    now = list(levels)
    for see in sees[1:]:
        for place, value in enumerate(squares.levels(see.rows, 2), 1):
            if value != now[place - 1]:
                now[place - 1] = value
                changes.append((round(see.at + late, 3), place, value))
    return levels, changes


def _read(
    header: Header, squares: SquareMap, levels: tuple[int, ...], changes: list[Change]
) -> tuple[list[Decided], tuple[str, ...]]:
    """What a Session makes of the changes: each `move` with the change that it was decided behind, and the record."""
    session = Session(header, shipped(header.regulation))
    events = session.feed(See(0.0, squares.rows(levels, 2)))
    now = list(levels)
    for at, place, value in changes:
        now[place - 1] = value
        events += session.feed(See(at, squares.rows(now, 2)))
    times = [at for at, _, _ in changes]
    events += session.feed(Tick(times[-1] + REST_SECONDS))
    decided = []
    for event in events:
        if isinstance(event, MoveMade):
            change = bisect.bisect_right(times, event.at) - 1
            decided.append(Decided(event.ply, event.move, change, event.at - times[change]))
    return decided, session.state.moves


def write(path: Path, prepared: list[Script]) -> None:
    path.write_text(json.dumps([asdict(script) for script in prepared]), encoding="utf-8")
