"""Whatever a board, a cable and an arbiter do, in any order: no Session raises, and its events keep their contract."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from event_contract import EventContract
from hypothesis import given, settings
from hypothesis import strategies as st

from damas_board.notation.fen import write_fen
from damas_board.regulations import names, shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position, initial
from damas_board.session.events import Event
from damas_board.session.header import Header
from damas_board.session.inputs import ClockReading, Command, Input, Lever, Link, See, Tick
from damas_board.session.session import Session
from damas_board.tracking.sight import SightError
from simulator.table import mark, rows, sensed

PAUSES = (0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.3, 0.5, 1.0, 1.2, 4.0)


class Chaos:
    """A table where people play, go back, wipe, pull cables and press what there is; seeded."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        regulation = self.random.choice(names())
        self.position = initial(shipped(regulation).variant)
        for _ in range(self.random.randrange(80)):
            moves = legal_moves(self.position)
            if not moves:
                break
            self.position = self.position.after(self.random.choice(moves))
        senses: Any = self.random.choice(["occupancy", "colour", "kind"])
        turn: Any = self.random.choice([0, 0, 90, 180, 270])
        self.header = Header("t", regulation, senses=senses, turn=turn, start=write_fen(self.position))
        self.history = [self.position]
        self.wrong: dict[int, str] = {}
        self.at = 0.0
        self.items: list[Input] = []
        self.stand(self.position)

    def stand(self, position: Position) -> None:
        self.pieces = {s: mark(position, s) for s in squares_of(position.occupied)}
        self.see()

    def see(self) -> None:
        marks = {s: sensed(p, self.header.senses) for s, p in self.pieces.items()} | self.wrong
        self.items.append(See(round(self.at, 3), rows(marks, self.position.variant.geometry, self.header.turn)))

    def wait(self) -> None:
        self.at += self.random.choice(PAUSES)

    def play(self) -> None:
        moves = legal_moves(self.position)
        if not moves:
            return
        move = self.random.choice(moves)
        after = self.position.after(move)
        self.pieces.pop(move.start, None)
        self.see()
        self.wait()
        self.pieces[move.end] = mark(after, move.end)
        self.see()
        for square in move.captured:
            self.wait()
            if square != move.end:
                self.pieces.pop(square, None)
            self.see()
        self.position = after
        self.history.append(after)
        self.stand(after)

    def go_back(self) -> None:
        if len(self.history) > 1:
            del self.history[-self.random.randint(1, min(3, len(self.history) - 1)) :]
            self.position = self.history[-1]
            if self.random.random() < 0.5:
                self.command("rewind", ply=self.random.choice([0, 1, 2, len(self.history) - 1, -1, None]))
            self.stand(self.position)

    def misread(self) -> None:
        square = self.random.choice(self.position.variant.geometry.playable)
        if self.wrong.pop(square, None) is None:
            self.wrong[square] = self.random.choice(".ow?bWB")
        self.see()

    def cable(self) -> None:
        self.items.append(Link(self.at, self.random.choice(["lost", "back"])))
        if self.random.random() < 0.5:
            self.see()

    def press(self) -> None:
        self.items.append(Lever(self.at, self.random.choice(["white", "black"])))

    def result(self) -> None:
        if self.random.random() < 0.2:
            self.command("result", result=self.random.choice(["white", "1-1", "zz", None]), reason="agreed")

    def clock(self) -> None:
        self.items.append(ClockReading(self.at, 10.0, 20.0, "white"))

    def carry_off(self) -> None:
        if self.pieces:
            piece = self.pieces.pop(self.random.choice(list(self.pieces)))
            self.see()
            self.wait()
            self.pieces[self.random.choice(self.position.variant.geometry.playable)] = piece
            self.see()

    def command(self, do: str, **arguments: Any) -> None:
        self.items.append(Command(self.at, do, f"c{len(self.items)}", arguments))

    def run(self, steps: int) -> list[Input]:
        doings = [self.play] * 9 + [self.go_back] * 2 + [self.misread] * 2 + [self.cable] * 2
        doings += [self.press, self.result, self.clock, self.carry_off, self.see]
        for _ in range(steps):
            self.wait()
            self.random.choice(doings)()
        self.items.append(Tick(self.at + 12))
        return [replace(item, at=round(item.at, 3)) for item in self.items]


def told(header: Header, items: list[Input]) -> list[Event]:
    session = Session(header, shipped(header.regulation))
    contract = EventContract()
    events = []
    for item in items:
        for event in session.feed(item):
            contract.check(event)
            events.append(event)
    assert len(session.plies) == len(contract.plies)
    assert [ply.text for ply in session.plies] == [ply.move for ply in contract.plies]
    return events


@settings(deadline=None, max_examples=250)
@given(st.integers(0, 10**9), st.integers(1, 60))
def test_no_session_raises_and_the_events_keep_their_contract_with_any_ticks(seed: int, steps: int) -> None:
    chaos = Chaos(seed)
    items = chaos.run(steps)
    random = Random(seed)
    ticks: list[Input] = []
    at = 0.0
    while at < items[-1].at:
        at += random.uniform(0, 0.9)
        ticks.append(Tick(at))
    more = sorted([*items, *(t for t in ticks if t.at < items[-1].at)], key=lambda item: item.at)
    assert told(chaos.header, items) == told(chaos.header, more)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10**9), st.integers(1, 40))
def test_after_anything_a_board_put_right_is_followed_again(seed: int, steps: int) -> None:
    chaos = Chaos(seed)
    chaos.result = lambda: None  # type: ignore[method-assign]  # a finished game is not followed
    items = chaos.run(steps)
    session = Session(chaos.header, shipped(chaos.header.regulation))
    for item in items:
        session.feed(item)
    if session.state.over is not None:
        return
    plies = session.plies
    position = plies[-1].after if plies else chaos.history[0]
    moves = legal_moves(position)
    if not moves:
        return
    at = items[-1].at + 1
    geometry = position.variant.geometry
    session.feed(Link(at, "back"))

    def show(now: Position) -> None:
        marks = {s: sensed(mark(now, s), chaos.header.senses) for s in squares_of(now.occupied)}
        session.feed(See(at, rows(marks, geometry, chaos.header.turn)))

    show(position)
    at += 2
    session.feed(Tick(at))
    move = moves[0]
    show(position.after(move))
    session.feed(Tick(at + 2))
    assert session.plies[-1].after == position.after(move)


def test_rows_of_another_size_are_refused_and_nothing_that_was_due_is_lost() -> None:
    session = Session(Header("t", "br-cbjd"), shipped("br-cbjd"))
    start = initial(shipped("br-cbjd").variant)
    geometry = start.variant.geometry
    after = start.after(legal_moves(start)[0])
    for at, position in ((0.0, start), (1.0, after)):
        session.feed(See(at, rows({s: "o" for s in squares_of(position.occupied)}, geometry)))
    with pytest.raises(SightError, match="8 x 8"):
        session.feed(See(5.0, "ooo"))
    assert [event.event for event in session.feed(Tick(6.0))].count("move") == 1


@pytest.mark.parametrize("at", [1.0, float("nan")])
def test_time_that_goes_back_or_is_none_is_refused(at: float) -> None:
    session = Session(Header("t", "br-cbjd"), shipped("br-cbjd"))
    session.feed(Tick(2.0))
    with pytest.raises(ValueError, match="goes back"):
        session.feed(Tick(at))
