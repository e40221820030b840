"""Places that the board calls unstable: what a game becomes of it, over the wire in virtual time, and what is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache

import pytest
from sources.bench import listening
from sources.simulated import MAP, SimulatedBench
from sources.test_serial_board import eventually

from damas_board.decoding import wire
from damas_board.decoding.conversation import UNREADABLE, Back, Lost, Seen
from damas_board.regulations import shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.session.events import AlertRaised, Event
from damas_board.session.header import Header
from damas_board.session.inputs import Link, See, Tick
from damas_board.session.session import Session
from simulator.board import Board
from simulator.cable import Cable
from simulator.clock import VirtualClock
from simulator.games import PlayedGame, invented

HEADER = Header("t", "br-cbjd")
REGULATION = shipped("br-cbjd")
GEOMETRY = REGULATION.variant.geometry
BEGIN, PLY = 3.0, 2.0
"""Seconds: when the first piece is lifted, and from one move to the next."""


@cache
def game() -> PlayedGame:
    return invented(REGULATION.variant, 3, 16)


def levels(position: Position) -> list[int]:
    return [position.occupied >> square & 1 for square in MAP.squares]


class Wired:
    """A Session behind a conversation with a board in software."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.board = Board(MAP, self.clock)
        self.board.set_up(levels(game().start))
        self.session = Session(HEADER, REGULATION)
        self.told: list[Event] = []
        self._cable = Cable(self.board, self.clock)

    def play(self, *meanwhile: tuple[float, Callable[[Board], None]]) -> None:
        """The game, and what happens to the board at which times; then it stands still."""
        acts = [*meanwhile]
        for number, move in enumerate(game().moves):
            at = BEGIN + PLY * number
            start, end = MAP.place(move.start), MAP.place(move.end)
            acts.append((at, lambda board, place=start: board.lift(place)))
            acts.append((at + 0.5, lambda board, place=end: board.place(place)))
            for n, place in enumerate(map(MAP.place, squares_of(move.captured_mask))):
                acts.append((at + 0.6 + 0.1 * n, lambda board, place=place: board.lift(place)))
        for at, act in sorted(acts, key=lambda planned: planned[0]):
            self._carry(at)
            act(self.board)
        self._carry(BEGIN + PLY * len(game().moves) + 16.0)

    def _carry(self, until: float) -> None:
        for item in self._cable.run(until):
            match item:
                case Seen(at, shown, was):
                    see = See(at, MAP.rows(shown, 2), None, was, unstable=UNREADABLE in shown)
                    self.told += self.session.feed(see)
                case Lost(at, reason):
                    self.told += self.session.feed(Link(at, "lost", reason))
                case Back(at):
                    self.told += self.session.feed(Link(at, "back"))
                case _:
                    pass
        self.told += self.session.feed(Tick(until))

    @property
    def alerts(self) -> list[tuple[str, tuple[str, ...]]]:
        return [(event.kind, event.squares) for event in self.told if isinstance(event, AlertRaised)]


@cache
def as_played() -> tuple[str, ...]:
    wired = Wired()
    wired.play()
    assert wired.alerts == []
    assert len(wired.session.state.moves) == len(game().moves) == 16
    return wired.session.state.moves


def as_played_to_the_end() -> Position:
    position = game().start
    for move in game().moves:
        position = position.after(move)
    return position


HANDLED = [
    (number, square)
    for number, move in enumerate(game().moves)
    for square in (move.start, move.end, *squares_of(move.captured_mask))
]


@pytest.mark.parametrize("seconds_before", [0.5, 2.5, 4.6])
def test_a_place_that_is_unstable_for_five_seconds_costs_no_ply_and_accuses_nobody(seconds_before: float) -> None:
    for number, square in HANDLED:
        at = max(BEGIN + PLY * number - seconds_before, 0.5)
        place = MAP.place(square)
        wired = Wired()
        wired.play(
            (at, lambda board, place=place: board.make_restless([place])),
            (at + 5.0, lambda board: board.make_restless()),
        )
        told = (number, GEOMETRY.name(square), wired.alerts, wired.session.state.moves)
        assert told == (number, GEOMETRY.name(square), [("sensor_suspect", (GEOMETRY.name(square),))], as_played())


def test_a_board_that_starts_again_while_a_place_is_unstable_costs_no_ply_and_accuses_nobody() -> None:
    for number, square in HANDLED[::3]:
        at, place = BEGIN + PLY * number, MAP.place(square)
        wired = Wired()
        wired.play(
            (at - 2.0, lambda board, place=place: board.make_restless([place])),
            (at - 0.5, lambda board: board.reset()),
            (at + 3.0, lambda board: board.make_restless()),
        )
        assert wired.session.state.moves == as_played()
        assert {kind for kind, _ in wired.alerts} <= {"sensor_suspect", "board_lost"}


@pytest.mark.parametrize("ply", [0, 15])
def test_what_stands_on_a_place_that_is_unstable_to_the_end_is_held_by_nobody_and_the_rest_is_followed(
    ply: int,
) -> None:
    wired = Wired()
    place = MAP.place(game().moves[ply].end)
    wired.play((BEGIN + PLY * ply - 1.0, lambda board: board.make_restless([place])))
    assert wired.session.state.moves[:15] == as_played()[:15]
    assert wired.alerts == [("sensor_suspect", (GEOMETRY.name(game().moves[ply].end),))]


def test_reeds_that_stick_after_their_unrest_are_no_move_and_accuse_nobody() -> None:
    end = BEGIN + PLY * len(game().moves)
    for move in legal_moves(as_played_to_the_end()):
        start, to = MAP.place(move.start), MAP.place(move.end)
        wired = Wired()
        wired.play(
            (end, lambda board, places=(start, to): board.make_restless(places)),
            (end + 3.0, lambda board, place=start: board.lift(place)),
            (end + 3.1, lambda board, place=to: board.place(place)),
            (end + 4.0, lambda board: board.make_restless()),
        )
        names = {(GEOMETRY.name(move.start),), (GEOMETRY.name(move.end),)}
        assert wired.session.state.moves == as_played()
        assert {(kind, squares) for kind, squares in wired.alerts} == {("sensor_suspect", name) for name in names}


async def test_an_unstable_place_is_unreadable_in_what_the_source_tells_until_it_is_still_again() -> None:
    bench = SimulatedBench()
    async with bench.carrier, listening(bench) as listener:
        await listener.until(lambda: listener.sights)
        bench.board.make_restless([22], ["clock-b"])
        shown = [*bench.board.pieces]
        shown[21] = UNREADABLE
        unreadable = await listener.until_seen(MAP.rows(shown, 2))
        assert "?" in unreadable.rows
        assert unreadable.unstable
        bench.lift(22)
        bench.lift(9)
        await listener.until(lambda: len(listener.sights) == 3)
        bench.board.make_restless()
        seen = await listener.until_seen(bench.rows())
        assert not seen.unstable
        assert [sight.rows.count("?") for sight in listener.sights[:3]] == [0, 1, 1]


async def test_the_source_knows_which_places_and_buttons_are_unstable() -> None:
    bench = SimulatedBench()
    async with bench.carrier, bench.source() as source, asyncio.timeout(30):
        bench.board.make_restless([22], ["clock-b"])
        await eventually(lambda: source.health is not None and source.health.unstable_places)
        assert source.health is not None
        assert source.health.unstable_places == {22}
        assert source.health.unstable_buttons == {wire.Key.CLOCK_B}
