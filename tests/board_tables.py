"""Tables of time | hand | what the Session tells, played at several tick rates.

A row is `milliseconds | what happens | what is told then`; several things are separated by commas. Happenings: `lift
32`, `put 28` (the last lifted piece), `off 23`, `box 28 w` (a piece from the box), `hide 5` / `show 5` (the square
cannot be read), `drop 5` / `back 5` (the sensor reads empty though a piece stands there, and right again), `ghost 5` /
`gone 5`, `lever white`, `lost`, `link back`, `rewind 1`, `result 1-0`, `crown 5`. Told: `move 32-28`, `revised 46-23`,
`retracted 2`, `confirmed 1`, `over white no_pieces`, `claim repetition`, `progress 33/19`, `board mismatch`, `done x`,
`refused x`. Every event of the kinds that a table uses must be in it, at its time.
"""

from __future__ import annotations

from collections.abc import Callable

from event_contract import EventContract

from damas_board.regulations import shipped
from damas_board.rules.geometry import squares_of
from damas_board.session.events import (
    BoardChanged,
    CaptureProgress,
    Claim,
    CommandAnswered,
    Event,
    GameOver,
    MoveConfirmed,
    MoveMade,
    MoveRevised,
    MovesRetracted,
)
from damas_board.session.header import Header
from damas_board.session.inputs import Command, Input, Lever, Link, See, Tick
from damas_board.session.session import Session
from simulator.table import mark, rows, sensed

TICKS = (None, 0.007, 0.1, 1.7)
"""Seconds between ticks: none at all, fast, slow, and jumping."""


class TableBoard:
    def __init__(self, header: Header) -> None:
        self.regulation = shipped(header.regulation)
        self.session = Session(header, self.regulation)
        position = self.session._record.start
        self.geometry = position.variant.geometry
        self.senses = header.senses
        self.turn = header.turn
        self.pieces = {s: mark(position, s) for s in squares_of(position.occupied)}
        self.hand: list[str] = []
        self.wrong: dict[int, str] = {}
        self.commands = 0

    def see(self, at: float) -> See:
        marks = {s: sensed(p, self.senses) for s, p in self.pieces.items()} | self.wrong
        return See(at, rows(marks, self.geometry, self.turn))

    def happen(self, at: float, words: str) -> list[Input]:
        word, *rest = words.split()
        if word == "rewind":
            return [self._command(at, "rewind", ply=int(rest[0]))]
        if word == "result":
            return [self._command(at, "result", result=rest[0], reason=rest[1] if len(rest) > 1 else "decision")]
        if word == "lever":
            return [Lever(at, "white" if rest[0] == "white" else "black")]
        if word == "lost":
            return [Link(at, "lost")]
        if words == "link back":
            return [Link(at, "back"), self.see(at)]
        square = self.geometry.square(rest[0])
        self._do(word, square, rest)
        return [self.see(at)]

    def _do(self, word: str, square: int, rest: list[str]) -> None:
        match word:
            case "lift":
                self.hand.append(self.pieces.pop(square))
            case "put":
                self.pieces[square] = self.hand.pop()
            case "off":
                del self.pieces[square]
            case "box":
                self.pieces[square] = rest[1]
            case "crown":
                self.pieces[square] = self.pieces[square].upper()
            case "hide":
                self.wrong[square] = "?"
            case "drop":
                self.wrong[square] = "."
            case "ghost":
                self.wrong[square] = "o"
            case "show" | "back" | "gone":
                del self.wrong[square]
            case _:
                raise AssertionError(f"unknown happening {word}")

    def _command(self, at: float, do: str, **arguments: object) -> Command:
        self.commands += 1
        return Command(at, do, f"c{self.commands}", arguments)


def told(event: Event) -> str | None:
    match event:
        case MoveRevised():
            return f"revised {event.move}"
        case MoveMade():
            return f"move {event.move}"
        case MoveConfirmed():
            return f"confirmed {event.ply}"
        case MovesRetracted():
            return f"retracted {event.from_ply}"
        case GameOver():
            return f"over {event.winner} {event.reason}"
        case Claim():
            return f"claim {event.rule}"
        case CaptureProgress():
            return f"progress {'.'.join(event.removed)}/{'.'.join(event.remaining)}"
        case BoardChanged():
            return f"board {event.state}"
        case CommandAnswered():
            return f"{event.outcome} {event.do}"
        case _:
            return None


def play_table(
    table: str,
    regulation: str,
    *,
    tick: float | None = None,
    check: Callable[[Session], None] | None = None,
    **header: object,
) -> None:
    """Plays a table after one second of the start position; compares what is told with the third column."""
    board = TableBoard(Header("t", regulation, **header))  # type: ignore[arg-type]
    expected: list[tuple[int, str]] = []
    inputs: list[Input] = [board.see(0.0)]
    end = 0
    for line in filter(str.strip, table.strip().splitlines()):
        time, happenings, words = (cell.strip() for cell in line.split("|"))
        end = int(time)
        for happening in filter(None, map(str.strip, happenings.split(","))):
            inputs += board.happen(1 + end / 1000, happening)
        expected += [(end, word.strip()) for word in words.split(",") if word.strip()]
    inputs.append(Tick(1 + (end + 10_000) / 1000))
    if tick is not None:
        ticks = [Tick(round(n * tick, 6)) for n in range(1, int(inputs[-1].at / tick))]
        inputs = sorted(inputs + ticks, key=lambda item: item.at)  # type: ignore[arg-type]
    kinds = {word.split()[0] for _, word in expected}
    got: list[tuple[int, str]] = []
    contract = EventContract()
    for item in inputs:
        for event in board.session.feed(item):
            contract.check(event)
            text = told(event)
            if text is not None and text.split()[0] in kinds and event.at > 0:
                got.append((round((event.at - 1) * 1000), text))
    assert got == expected
    if check is not None:
        check(board.session)
