"""Squares in doubt: what a camera's likelihoods make of a game. Tables of time, reading, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from damas_board.regulations import shipped
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.session.events import AlertRaised, Event, MovesRetracted, PlayedMove
from damas_board.session.header import Header
from damas_board.session.inputs import Lever, See, Tick
from damas_board.session.session import Session
from damas_board.tracking.sight import SightError
from simulator.table import mark, rows

REGULATION = shipped("br-cbjd")
GEOMETRY = REGULATION.variant.geometry
START = initial(REGULATION.variant)

Row = tuple[float, str, str]
"""When; what changes then, the last word of a square standing until its next: `d4w` it reads white, `c3.` empty, `e5?`
unreadable, `d4?w97` in doubt, white at 97 of 100 and empty else, `d4?w50b30` black at 30 as well; `tick`, `lever`;
and what is told: moves, `-` and the number of the first ply that is retracted, and the kinds of alerts."""


def told(events: Iterable[Event]) -> str:
    words = []
    for event in events:
        match event:
            case PlayedMove():
                words.append(event.move)
            case MovesRetracted():
                words.append(f"-{event.from_ply}")
            case AlertRaised():
                words.append(event.kind)
            case _:
                pass
    return " ".join(words)


class Board:
    """What the camera says, square by square."""

    def __init__(self) -> None:
        self.marks = {square: mark(START, square) for square in squares_of(START.occupied)}
        self.doubt: dict[str, dict[str, float]] = {}

    def change(self, word: str) -> None:
        name, said = word[:2], word[2:]
        square = GEOMETRY.square(name)
        self.doubt.pop(name, None)
        self.marks[square] = said[0]
        if len(said) > 1:
            likely = {said[i]: int(said[i + 1 : i + 3]) / 100 for i in range(1, len(said), 3)}
            self.doubt[name] = {".": round(1 - sum(likely.values()), 6), **likely}

    def see(self, at: float) -> See:
        return See(at, rows({s: m for s, m in self.marks.items() if m != "."}, GEOMETRY), doubt=self.doubt or None)


def play(table: Iterable[Row]) -> list[Row]:
    """What was told at each row: with it, and between the row before and it."""
    session = Session(Header("t", "br-cbjd", senses="colour"), REGULATION)
    board = Board()
    session.feed(board.see(0.0))
    session.feed(Tick(2.0))
    found = []
    for at, what, _ in table:
        events = []
        if what == "tick":
            events += session.feed(Tick(at))
        elif what == "lever":
            events += session.feed(Lever(at, "white"))
        else:
            for word in what.split():
                board.change(word)
            events += session.feed(board.see(at))
        found.append((at, what, told(events)))
    return found


TABLES: dict[str, list[Row]] = {
    "where its end is all but plain a move is believed as soon as the board has settled": [
        (3.0, "c3. d4?", ""),
        (3.1, "c3. d4?w97", ""),
        (3.3, "tick", ""),
        (3.5, "tick", "c3-d4"),
        (60.0, "tick", ""),
    ],
    "whatever the mark of a square in doubt says": [
        (3.0, "c3. d4?w97", ""),
        (3.1, "d4?w97", ""),
        (3.2, "tick", ""),
        (4.0, "tick", "c3-d4"),
    ],
    "a near tie is not: the piece may be in the hand": [
        (3.0, "c3. d4?w90", ""),
        (60.0, "tick", ""),
    ],
    "not if the lever is pressed: then it is in no hand": [
        (3.0, "c3. d4?w90", ""),
        (5.0, "lever", ""),
        (6.0, "tick", "c3-d4"),
    ],
    "until a later reading tells": [
        (3.0, "c3. d4?w60", ""),
        (9.0, "tick", ""),
        (9.1, "d4w", ""),
        (10.0, "tick", "c3-d4"),
    ],
    "or the reply does": [
        (3.0, "c3. d4?w60", ""),
        (9.0, "b6.", ""),
        (9.5, "a5b", ""),
        (10.0, "tick", "c3-d4 b6-a5"),
        (60.0, "tick", ""),
    ],
    "which of two pieces moved": [
        (3.0, "d4w c3?w50 e3?w50", ""),
        (9.0, "tick", ""),
        (9.1, "c3?w04 e3?w93", ""),
        (9.2, "c3?w04 e3?w93", ""),
        (10.2, "c3?w04 e3?w93", "c3-d4"),
    ],
    "a lawful board is believed although a square is likelier to be otherwise": [
        (3.0, "d4w c3?w90", ""),
        (4.0, "tick", "c3-d4"),
    ],
    "but not where a board that nobody can have played is far likelier": [
        (3.0, "d4w c3?w98", ""),
        (60.0, "tick", ""),
    ],
    "several squares in doubt count together": [
        (3.0, "c3?w15 d4?w97", ""),
        (3.1, "c3?w15 d4?w97", ""),
        (4.0, "tick", "c3-d4"),
    ],
    "and two that contradict each other do not": [
        (3.0, "c3?w88 d4?w88", ""),
        (60.0, "tick", ""),
    ],
    "frames of one scene do not add up": [
        *[(3.0 + n / 10, "c3. d4?w90", "") for n in range(100)],
        (60.0, "tick", ""),
    ],
    "but their noise cancels": [
        (3.0, "c3. d4?w60", ""),
        *[(3.1 + n / 5, f"d4?w{(99, 96)[n % 2]}", "") for n in range(5)],
        (4.1, "d4?w99", "c3-d4"),
    ],
    "a square in doubt that has no part in a move does not hold it up": [
        (2.5, "h8?b50", ""),
        (3.0, "c3. d4w", ""),
        (4.0, "tick", "c3-d4"),
        (60.0, "tick", ""),
    ],
    "nor do squares on which the reply may already have been played": [
        (2.5, "b6?b50 a5?b50", ""),
        (3.0, "c3. d4w", ""),
        (4.0, "tick", "c3-d4"),
    ],
    "two plies, none of whose last squares is plain": [
        (3.0, "c3. d4?w97 b6. a5?b98", ""),
        (4.0, "tick", "c3-d4 b6-a5"),
    ],
    "what all but rules out a move leaves its square read": [
        (3.0, "c3. d4?w00", ""),
        (13.1, "tick", "held_piece"),
    ],
    "and a piece too many that is all but plain is told as one that was read": [
        (3.0, "c3. d4w a5?b99w01", ""),
        (7.0, "tick", "board_mismatch"),
    ],
    "a piece that came off where a capture may be is not told": [
        (3.0, "c3. d4w", ""),
        (4.0, "b6. c5b", "c3-d4"),
        (5.0, "tick", "b6-c5"),
        (6.0, "c5. d4?w50 b6?w50", ""),
        (60.0, "tick", ""),
        (61.0, "d4. b6w", ""),
        (62.0, "tick", "d4xb6"),
    ],
    "where none may be it is": [
        (3.0, "c3. d4w", ""),
        (4.0, "b6. c5b", "c3-d4"),
        (5.0, "tick", "b6-c5"),
        (6.0, "h8. h2?w50 g1?w50", ""),
        (60.0, "tick", "removed_wrongly"),
    ],
    "a captured piece of which it is not plain that it stands is not told to be left": [
        (3.0, "c3. d4w", ""),
        (4.0, "b6. c5b", "c3-d4"),
        (5.0, "tick", "b6-c5"),
        (6.0, "d4. b6w c5?b50", ""),
        (8.0, "lever", ""),
        (60.0, "tick", ""),
        (61.0, "c5.", ""),
        (62.0, "tick", "d4xb6"),
    ],
    "a move out of turn is told of squares that were read": [
        (3.0, "b6. a5b h8?b60", ""),
        (60.0, "tick", "b6-a5 wrong_side"),
    ],
    "what was believed by likelihood is put right, and nobody has taken back": [
        (3.0, "c3?w02 e3?w98 d4w", ""),
        (4.0, "tick", "c3-d4"),
        (5.0, "c3w e3.", ""),
        (7.0, "tick", "e3-d4"),
        (60.0, "tick", ""),
    ],
    "a move is taken back by squares in doubt as well": [
        (3.0, "c3. d4w", ""),
        (4.0, "tick", "c3-d4"),
        (5.0, "c3?w99 d4?w01", ""),
        (6.0, "tick", "-1"),
    ],
    "but not one that the lever has confirmed": [
        (3.0, "c3. d4w", ""),
        (4.0, "lever", "c3-d4"),
        (5.0, "c3?w99 d4?w01", ""),
        (60.0, "tick", ""),
    ],
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_game_is_followed_by_likelihoods(table: list[Row]) -> None:
    assert play(table) == table


@pytest.mark.parametrize("doubt", [{"z9": {"w": 1.0}}, {"c3": {"x": 1.0}}, {"c3": {"w": -1.0}}, {"a2": {"w": 1.0}}])
def test_likelihoods_that_are_none_of_this_board_are_refused(doubt: dict[str, dict[str, float]]) -> None:
    session = Session(Header("t", "br-cbjd", senses="colour"), REGULATION)
    with pytest.raises(SightError):
        session.feed(See(0.0, Board().see(0.0).rows, doubt=doubt))
