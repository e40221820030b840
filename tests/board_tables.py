"""Tables of time | hand | what the Session tells, played at several tick rates.

A row is `milliseconds | what happens | what is told then`; several things are separated by a comma and a space.

On the board: `lift 32`, `put 28` (the last lifted piece), `off 23`, `box 28 w` (a piece from the box), `crown 5` /
`uncrown 5`, `stand W:W31:B6` (everything is put as in that position), `light e4` / `clear e4` (a piece on a light
square). Sensors: `hide 5` / `show 5` (the square cannot be read), `drop 5` / `back 5` (it reads empty though a piece
stands there, and right again), `ghost 5` / `gone 5`, `lost`, `link back`. Time: `tick`, `lever white`, `reading 300
295.5 white` (`-` where none runs). Players: `button white`. The arbiter's commands: `stands a1`, `rectify a1`, `dismiss
a1`, `start`, `adjust`, `adjust white 3`, `rewind 1`, `set W:W31:B6`, `move 32-28`, `mask 26`, `unmask 26`, `orient
180`, `result 1-0 resigned`, `reopen`, `abort`, `pause`, `resume`, `clock 300 295`, `hold`, `release`.

Told: `started`, `move 32-28`, `revised 46-23`, `retracted 2`, `confirmed 1`, `over white no_pieces`, `reopened`,
`position 2`, `claim repetition`, `progress 33/19`, `lifted 32 white` / `placed 28 -`, `board mismatch`, `clock 300
295.5 white`, `held` / `released`, `done x`, `refused x reason`; `alert touch_move white 31.37` (whose mistake, and the
squares), `closed touch_move stands`. Every event of the kinds that a table uses must be in it, at its time.
"""

from __future__ import annotations

from collections.abc import Callable

from event_contract import EventContract

from damas_board.notation.fen import read_fen
from damas_board.regulations import shipped
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.session.events import (
    AlertClosed,
    AlertRaised,
    BoardChanged,
    CaptureProgress,
    Claim,
    ClockChanged,
    CommandAnswered,
    Event,
    GameOver,
    GameReopened,
    GameStarted,
    MoveConfirmed,
    MoveMade,
    MoveRevised,
    MovesRetracted,
    PieceLifted,
    PiecePlaced,
    PositionSet,
    Publication,
)
from damas_board.session.header import Header
from damas_board.session.inputs import Button, ClockReading, Command, Input, Lever, Link, See, SideName, Tick
from damas_board.session.session import Session
from simulator.table import Turn, mark, rows, sensed

TICKS = (None, 0.007, 0.1, 1.7)
"""Seconds between ticks: none at all, fast, slow, and jumping."""


class TableBoard:
    def __init__(self, header: Header, lies: Turn | None = None) -> None:
        """`lies`: how the board's frame really lies, where that is not what the header says."""
        self.regulation = shipped(header.regulation)
        self.session = Session(header, self.regulation)
        self.start = read_fen(header.start or "start", self.regulation.variant)
        self.geometry = self.start.variant.geometry
        self.senses = header.senses
        self.turn: Turn = header.turn if lies is None else lies
        self.light: dict[int, str] = {}
        self.hand: list[str] = []
        self.wrong: dict[int, str] = {}
        self.commands = 0
        self.stand(self.start)

    def stand(self, position: Position) -> None:
        self.pieces = {s: mark(position, s) for s in squares_of(position.occupied)}

    def see(self, at: float) -> See:
        marks = {s: sensed(p, self.senses) for s, p in (self.pieces | self.light).items()} | self.wrong
        return See(at, rows(marks, self.geometry, self.turn))

    def happen(self, at: float, words: str) -> list[Input]:
        word, *rest = words.split()
        if words == "link back":
            return [Link(at, "back"), self.see(at)]
        match word:
            case "lever":
                return [Lever(at, _side(rest[0]))]
            case "lost":
                return [Link(at, "lost")]
            case "tick":
                return [Tick(at)]
            case "reading":
                running = None if rest[2] == "-" else _side(rest[2])
                return [ClockReading(at, float(rest[0]), float(rest[1]), running)]
            case "button":
                return [Button(at, "adjust", rest[0])]
            case "stand":
                self.stand(read_fen(rest[0], self.regulation.variant))
                return [self.see(at)]
            case "light" | "clear":
                self._light(word, rest[0])
                return [self.see(at)]
        arguments = _arguments(word, rest)
        if arguments is not None:
            return [self._command(at, WORDS_OF_COMMANDS.get(word, word), **arguments)]
        self._do(word, self.geometry.square(rest[0]), rest)
        return [self.see(at)]

    def _light(self, word: str, name: str) -> None:
        square = next(s for s in range(self.geometry.size**2) if self.geometry.algebraic(s) == name)
        assert square not in self.geometry.playable
        if word == "light":
            self.light[square] = self.hand.pop() if self.hand else "w"
        else:
            self.hand.append(self.light.pop(square))

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
            case "uncrown":
                self.pieces[square] = self.pieces[square].lower()
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
        return Command(at, do, f"c{self.commands}", arguments, by="ana")


WORDS_OF_COMMANDS = {"set": "set_position", "clock": "set_clock"}
"""Commands that a table calls otherwise."""


def _arguments(word: str, rest: list[str]) -> dict[str, object] | None:
    """What the command `word` is given; None if it is no command."""
    match word:
        case "stands" | "rectify" | "dismiss":
            return {"alert": rest[0]}
        case "adjust":
            return dict(zip(("side", "seconds"), [*rest[:1], *map(float, rest[1:])], strict=False))
        case "rewind":
            return {"ply": int(rest[0])}
        case "set":
            return {"fen": rest[0]}
        case "move":
            return {"move": rest[0]}
        case "mask" | "unmask":
            return {"square": rest[0]}
        case "orient":
            return {"turn": int(rest[0])}
        case "result":
            return {"result": rest[0], "reason": rest[1] if len(rest) > 1 else "decision"}
        case "clock":
            return {"white": float(rest[0]), "black": float(rest[1])}
        case "start" | "reopen" | "abort" | "pause" | "resume" | "hold" | "release":
            return {}
        case _:
            return None


def _side(word: str) -> SideName:
    return "white" if word == "white" else "black"


class Teller:
    """Events as a table writes them."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        """The kinds of alerts by their ids."""

    def told(self, event: Event) -> str | None:
        match event:
            case GameStarted():
                return "started"
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
            case GameReopened():
                return "reopened"
            case PositionSet():
                return f"position {event.ply}"
            case Claim():
                return f"claim {event.rule}"
            case CaptureProgress():
                return f"progress {'.'.join(event.removed)}/{'.'.join(event.remaining)}"
            case PieceLifted():
                return f"lifted {event.square} {event.side or '-'}"
            case PiecePlaced():
                return f"placed {event.square} {event.side or '-'}"
            case BoardChanged():
                return f"board {event.state}"
            case ClockChanged():
                stale = " stale" if event.stale else ""
                return f"clock {event.white:g} {event.black:g} {event.running or '-'}{stale}"
            case Publication():
                return "held" if event.held else "released"
            case AlertRaised():
                self._kinds[event.id] = event.kind
                return f"alert {event.kind} {event.side or '-'} {'.'.join(event.squares)}".rstrip()
            case AlertClosed():
                return f"closed {self._kinds[event.id]} {event.how}"
            case CommandAnswered():
                return " ".join(filter(None, (event.outcome, event.do, event.reason)))
            case _:
                return None


def play_table(
    table: str,
    regulation: str,
    *,
    tick: float | None = None,
    check: Callable[[Session], None] | None = None,
    shows: str | None = None,
    lies: Turn | None = None,
    always: tuple[str, ...] = (),
    **header: object,
) -> list[Event]:
    """Plays a table after one second of the start position; compares what is told with the third column.

    `shows`: what stands on the board in that second instead. `always`: kinds of events that are compared even where
    the table has none. Returns all events.
    """
    board = TableBoard(Header("t", regulation, **header), lies)  # type: ignore[arg-type]
    if shows is not None:
        board.stand(read_fen(shows, board.regulation.variant))
    expected: list[tuple[int, str]] = []
    inputs: list[Input] = [board.see(0.0)]
    end = 0
    for line in filter(str.strip, table.strip().splitlines()):
        time, happenings, words = (cell.strip() for cell in line.split("|"))
        end = int(time)
        for happening in filter(None, happenings.split(", ")):
            inputs += board.happen(1 + end / 1000, happening)
        expected += [(end, word) for word in words.split(", ") if word]
    inputs.append(Tick(1 + (end + 10_000) / 1000))
    if tick is not None:
        ticks = [Tick(round(n * tick, 6)) for n in range(1, int(inputs[-1].at / tick))]
        inputs = sorted(inputs + ticks, key=lambda item: item.at)  # type: ignore[arg-type]
    kinds = {word.split()[0] for _, word in expected} | set(always)
    got: list[tuple[int, str]] = []
    contract = EventContract(board.regulation)
    teller = Teller()
    events: list[Event] = []
    for item in inputs:
        for event in board.session.feed(item):
            contract.check(event)
            events.append(event)
            text = teller.told(event)
            if text is not None and text.split()[0] in kinds and event.at > 0:
                got.append((round((event.at - 1) * 1000), text))
    contract.end_of_instant()
    assert got == expected
    if check is not None:
        check(board.session)
    return events
