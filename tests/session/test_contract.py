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
from damas_board.notation.moves import write_move
from damas_board.regulations import names, shipped
from damas_board.rules.generation import captures, legal_moves, quiet_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position, initial
from damas_board.rules.side import Side
from damas_board.session.events import Event
from damas_board.session.header import Header
from damas_board.session.inputs import Button, ClockReading, Command, Input, Lever, Link, See, Tick
from damas_board.session.session import Session
from damas_board.tracking.sight import SightError
from simulator.table import mark, rows, sensed

PAUSES = (0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.3, 0.5, 1.0, 1.2, 4.0, 11.0)


class Chaos:
    """A table where people play, cheat, touch, go back, wipe, pull cables and press what there is; seeded."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        regulation = self.random.choice(names())
        variant = shipped(regulation).variant
        self.position = initial(variant)
        for _ in range(self.random.randrange(80)):
            moves = legal_moves(self.position)
            if not moves:
                break
            self.position = self.position.after(self.random.choice(moves))
        moves = legal_moves(self.position)
        self.header = Header(
            "t",
            regulation,
            senses=self.random.choice(["occupancy", "colour", "kind"]),
            turn=self.random.choice([0, 0, 90, 180, 270]),
            start=None if self.position == initial(variant) else write_fen(self.position),
            covers=self.random.choice(["playable", "all"]),
            recorded=self.random.choice([True, False]),
            clock=self.random.choice([None, "60", "5+2", "2/30:20+3", "*40"]),
            opening=None if not moves else write_move(self.position, self.random.choice(moves)),
        )
        self.geometry = variant.geometry
        self.light: dict[int, str] = {}
        self.history = [self.position]
        self.wrong: dict[int, str] = {}
        self.at = self.seen = 0.0
        self.items: list[Input] = []
        self.stand(self.position)

    def stand(self, position: Position) -> None:
        self.pieces = {s: mark(position, s) for s in squares_of(position.occupied)}
        self.see()

    def see(self) -> None:
        marks = {s: sensed(p, self.header.senses) for s, p in (self.pieces | self.light).items()} | self.wrong
        was = None
        if self.random.random() < 0.05:
            was = self.seen = max(self.seen, round(self.at - self.random.random(), 3))
        else:
            self.seen = round(self.at, 3)
        self.items.append(See(round(self.at, 3), rows(marks, self.geometry, self.header.turn), was=was))

    def wait(self) -> None:
        self.at += self.random.choice(PAUSES)

    def carry(self, start: int, end: int) -> None:
        """A hand takes what stands on `start` to `end`."""
        piece = self.pieces.pop(start, None)
        self.see()
        self.wait()
        if piece is not None:
            self.pieces[end] = piece
        self.see()

    def play(self) -> None:
        """A legal move; a victim may be forgotten."""
        moves = legal_moves(self.position)
        if not moves:
            return
        move = self.random.choice(moves)
        after = self.position.after(move)
        self.carry(move.start, move.end)
        self.pieces[move.end] = mark(after, move.end)
        self.see()
        forgotten = self.random.choice(move.captured) if move.captured and self.random.random() < 0.2 else None
        for square in move.captured:
            self.wait()
            if square not in (move.end, forgotten):
                self.pieces.pop(square, None)
            self.see()
        self.position = after
        self.history.append(after)
        if forgotten is None and self.random.random() < 0.5:
            self.stand(after)

    def cheat(self) -> None:
        """A move that is none, after which the other side is to move; or one by the other side."""
        position = self.position
        if self.random.random() < 0.4:
            position = position._replace(turn=position.turn.other)
        moves = [*quiet_moves(position), *captures(position), *legal_moves(position)]
        free = [s for s in self.geometry.playable if not position.occupied >> s & 1]
        if moves and self.random.random() < 0.7:
            move = self.random.choice(moves)
        elif position.occupied and free:
            start = self.random.choice(list(squares_of(position.occupied)))
            move = Move(start, self.random.choice(free), (), (), False)
            move = move._replace(path=move[:2])
            position = position._replace(turn=Side.BLACK if position.black >> start & 1 else Side.WHITE)
        else:
            return
        after = position.after(move)
        self.carry(move.start, move.end)
        for square in move.captured:
            self.wait()
            if square != move.end:
                self.pieces.pop(square, None)
            self.see()
        self.position = after
        self.history.append(after)

    def take(self) -> None:
        """A piece is taken off, perhaps put back; the game may go on without it."""
        if not self.pieces:
            return
        square = self.random.choice(list(self.pieces))
        piece = self.pieces.pop(square)
        self.see()
        self.wait()
        if self.random.random() < 0.6:
            self.pieces[square] = piece
            self.see()
            return
        bit = ~(1 << square)
        white, black, kings = self.position[2:5]
        self.position = self.position._replace(white=white & bit, black=black & bit, kings=kings & bit)

    def touch(self) -> None:
        """One or two pieces are lifted and put back."""
        squares = self.random.sample(list(self.pieces), k=min(len(self.pieces), self.random.choice([1, 1, 2])))
        gone = {square: self.pieces.pop(square) for square in squares}
        self.see()
        for square, piece in gone.items():
            self.wait()
            self.pieces[square] = piece
            self.see()

    def stray(self) -> None:
        """A piece is put on a square that is not played on, or those that stand there are taken away."""
        light = [s for s in range(self.geometry.size**2) if s not in self.geometry.playable]
        if self.light or not light or not self.pieces:
            self.light.clear()
        else:
            self.light[self.random.choice(light)] = self.pieces.pop(self.random.choice(list(self.pieces)))
        self.see()

    def flicker(self) -> None:
        square = self.random.choice(self.geometry.playable)
        said = "." if square in self.pieces else "o"
        for _ in range(self.random.randrange(1, 7)):
            self.wrong[square] = said
            self.see()
            self.at += self.random.choice([0.01, 0.05, 0.15])
            self.wrong.pop(square)
            self.see()
            self.at += self.random.choice([0.05, 0.15, 0.5])

    def go_back(self) -> None:
        if len(self.history) > 1:
            del self.history[-self.random.randint(1, min(3, len(self.history) - 1)) :]
            self.position = self.history[-1]
            if self.random.random() < 0.5:
                self.command("rewind", ply=self.random.choice([0, 1, 2, len(self.history) - 1, -1, None]))
            self.stand(self.position)

    def misread(self) -> None:
        square = self.random.choice(self.geometry.playable)
        if self.wrong.pop(square, None) is None:
            self.wrong[square] = self.random.choice(".ow?bWB")
        self.see()

    def cable(self) -> None:
        self.items.append(Link(self.at, self.random.choice(["lost", "back"])))
        if self.random.random() < 0.5:
            self.see()

    def press(self) -> None:
        self.items.append(Lever(self.at, self.random.choice(["white", "black"])))

    def button(self) -> None:
        self.items.append(Button(self.at, "adjust", self.random.choice(["white", "black", "arbiter", "nobody"])))

    def clock(self) -> None:
        seconds = [self.random.choice([0.0, 3.0, 10.0, 290.5]) for _ in "wb"]
        self.items.append(ClockReading(self.at, *seconds, self.random.choice(["white", "black", None])))

    def arbiter(self) -> None:
        choice = self.random.choice
        square = choice([self.geometry.name(choice(self.geometry.playable)), "z99", None])
        alert = choice([f"a{choice(range(1, 12))}", f"t-1-a{choice(range(1, 12))}", "x"])
        position = choice(self.history)
        moves = legal_moves(self.position)
        commands: dict[str, dict[str, Any]] = {
            "start": {},
            "adjust": choice([{}, {"side": "white"}, {"side": "black", "seconds": 3}, {"side": "red"}]),
            "stands": {"alert": alert},
            "rectify": {"alert": alert},
            "dismiss": {"alert": alert},
            "rewind": {"ply": choice([0, 1, 2, len(self.history) - 1, -1, None])},
            "set_position": {"fen": choice([write_fen(position), write_fen(self.position), "W:Wzz", None])},
            "move": {"move": choice([write_move(self.position, choice(moves)) if moves else "1", "zz", None])},
            "mask": {"square": square},
            "unmask": {"square": square},
            "orient": {"turn": choice([0, 90, 180, 270, 45])},
            "result": {"result": choice(["white", "1-1", "zz", None]), "reason": choice(["agreed", "time", "rain"])},
            "reopen": {},
            "abort": {},
            "count": {"law": choice(["kings_only", "main_road", "zz"]), "from_ply": choice([0, 1, 99])},
            "pause": {},
            "resume": {},
            "set_clock": choice([{"white": 20, "black": 3.5}, {"white": -1}, {}]),
            "hold": {},
            "release": {},
            "new_game": {},
            "move_to": {},
        }
        often = ["stands", "rectify", "dismiss", "reopen", "resume"] * 2
        rarely = ["result", "abort", "pause", "orient"]
        do = choice([*commands, *often])
        if do in rarely and self.random.random() < 0.5:
            return
        self.command(do, **commands[do])
        if do == "set_position" and commands[do]["fen"] == write_fen(position) and self.random.random() < 0.7:
            self.position = position
            self.wait()
            self.stand(position)

    def command(self, do: str, **arguments: Any) -> None:
        self.items.append(Command(self.at, do, f"c{len(self.items)}", arguments))

    def run(self, steps: int) -> list[Input]:
        doings = [self.play] * 12 + [self.cheat] * 3 + [self.arbiter] * 3 + [self.go_back] * 2 + [self.misread] * 2
        doings += [self.cable, self.press, self.press, self.button, self.clock, self.touch, self.take, self.flicker]
        doings += [self.stray]
        doings += [self.see]
        for _ in range(steps):
            self.wait()
            self.random.choice(doings)()
        self.items.append(Tick(self.at + 12))
        return [replace(item, at=round(item.at, 3)) for item in self.items]


def told(header: Header, items: list[Input]) -> list[Event]:
    session = Session(header, shipped(header.regulation))
    contract = EventContract(session.regulation)
    events = []
    for item in items:
        for event in session.feed(item):
            contract.check(event)
            events.append(event)
        contract.end_of_instant()
        state = session.state
        assert state.moves == tuple(ply.move for ply in contract.plies)
        assert (state.fen, state.revision) == (contract.fen, contract.revision)
        assert [alert["id"] for alert in state.alerts] == list(contract.alerts)
        assert (state.over is not None) is contract.over
        assert [ply.irregular for ply in session.plies] == [ply.irregular for ply in contract.plies]
        assert session.deadline is None or session.deadline >= item.at
    return events


@settings(deadline=None, max_examples=250)
@given(st.integers(0, 10**9), st.integers(1, 60), st.sampled_from([0.05, 0.9, 3.0]))
def test_no_session_raises_and_the_events_keep_their_contract_with_any_ticks(
    seed: int, steps: int, spacing: float
) -> None:
    chaos = Chaos(seed)
    items = chaos.run(steps)
    random = Random(seed)
    ticks: list[Input] = []
    at = 0.0
    while at < items[-1].at:
        at += random.uniform(0, spacing)
        ticks.append(Tick(at))
    more = sorted([*items, *(t for t in ticks if t.at < items[-1].at)], key=lambda item: item.at)
    assert told(chaos.header, items) == told(chaos.header, more)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10**9), st.integers(1, 40), st.floats(0, 1))
def test_whatever_happens_a_recording_cut_short_gives_a_beginning_of_the_same_events(
    seed: int, steps: int, part: float
) -> None:
    chaos = Chaos(seed)
    items = chaos.run(steps)
    cut = items[: round(part * len(items))]
    whole = told(chaos.header, items)
    early = told(chaos.header, cut)
    assert whole[: len(early)] == early


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
    session.feed(Command(items[-1].at, "resume", "resume"))
    for square in chaos.geometry.playable:
        session.feed(Command(items[-1].at, "unmask", f"unmask {square}", {"square": chaos.geometry.name(square)}))
    position = session._record.position
    moves = legal_moves(position)
    if not moves:
        return
    at = items[-1].at + 1
    session.feed(Link(at, "back"))

    def show(now: Position) -> None:
        marks = {s: sensed(mark(now, s), chaos.header.senses) for s in squares_of(now.occupied)}
        turn: Any = session._witness.eyes.turn
        session.feed(See(at, rows(marks, chaos.geometry, turn)))

    show(position)
    at += 8
    session.feed(Tick(at))
    assert session._record.position == position
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
