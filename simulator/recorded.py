"""A whole game as a board would record it: played by a hand on a table, read by sensors, in virtual time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Literal

from damas_board.messages.recording import header_object, input_object
from damas_board.notation.fen import write_fen
from damas_board.rules.position import Position, initial
from damas_board.session.header import Header, Senses
from damas_board.session.inputs import Input, See, Tick
from damas_board.tracking.ghosts import Wiring
from simulator.games import PlayedGame
from simulator.hand import Hand
from simulator.levels import Level
from simulator.sensors import Sensors
from simulator.table import Table, Turn

FIRST_LOOK = 1.0
"""The board has stood still for this long, seconds, before the first player begins to think."""
LAST_LOOK = 12.0
"""And for this long after the last move: longer than any time that a Session waits for."""


def inputs(
    game: PlayedGame,
    level: Level,
    seed: int,
    *,
    senses: Senses = "occupancy",
    turn: Turn = 0,
    clock: bool = False,
) -> Iterator[Input]:
    """What the board tells while `game` is played: `See` on every change, from the start position to a last `Tick`.

    The same arguments give the same inputs. `clock`: `Lever` after every move.
    """
    table = Table(game.start)
    hand = Hand(game.start, level, seed, now=FIRST_LOOK, clock=clock)
    geometry = game.start.variant.geometry
    sensors = Sensors(table, geometry, level, seed + 1, senses=senses, turn=turn, plies=len(game.moves))
    last: Input = See(0.0, sensors.rows)
    yield last
    for move in game.moves:
        since = hand.now
        for item in sensors.see(hand.play(move), since):
            last = item
            yield item
    for item in sensors.rest():
        last = item
        yield item
    yield Tick(round(max(last.at, hand.now) + LAST_LOOK, 3))


def header(
    start: Position,
    regulation: str,
    *,
    board: str = "simulated",
    regulation_text: str | None = None,
    senses: Senses = "occupancy",
    turn: Turn = 0,
    wiring: Wiring | None = None,
    covers: Literal["playable", "all"] = "playable",
) -> Header:
    """The header of such a recording."""
    fen = None if start == initial(start.variant) else write_fen(start)
    return Header(
        board,
        regulation,
        senses=senses,
        regulation_text=regulation_text,
        start=fen,
        turn=turn,
        covers=covers,
        wiring=wiring,
    )


def lines(first: Header, items: Iterable[Input]) -> Iterator[str]:
    """The recording (format 1), line by line, without line ends."""
    yield json.dumps(header_object(first))
    for item in items:
        yield json.dumps(input_object(item))
