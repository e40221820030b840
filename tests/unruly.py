"""A game in which anything may happen: pieces anywhere, cables, levers, and an arbiter who gives every command.

The players know the record and mostly play on from it; what they do is drawn from a seed, the same for the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import write_move
from damas_board.regulations import Regulation
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Position
from damas_board.session.header import Header
from damas_board.session.inputs import Button, Command, Input, Lever, Link, See, Tick
from damas_board.session.session import Session
from simulator.table import mark, rows, sensed

RESULTS = ("white", "black", "draw", "none", "1-0")


class Unruly:
    """`for item in Unruly(...)`: feed each input to `session` before the next is asked for."""

    def __init__(self, session: Session, header: Header, regulation: Regulation, seed: int) -> None:
        self.session = session
        self.random = Random(seed)
        self.at = 0.0
        self._header = header
        self._geometry = regulation.variant.geometry
        self._variant = regulation.variant
        self._pieces: dict[int, str] = {}
        self._commands = 0
        self._masked = self._geometry.name(min(squares_of(self._geometry.playable_mask)))
        self._lost = False
        self._stands(self._position())

    def inputs(self, acts: int) -> Iterator[Input]:
        yield self._see()
        for _ in range(acts):
            doing = self.random.choices(
                (self._plays, self._meddles, self._repairs, self._commands_something, self._happens), (6, 3, 2, 4, 1)
            )[0]
            yield from doing()
            self.at += self.random.choice((0.1, 0.5, 1.2, 4.5))
            if self.random.random() < 0.3:
                yield Tick(self.at)
        yield Tick(self.at + 20.0)

    # what is done at the table

    def _plays(self) -> Iterator[Input]:
        """A legal move of the record, of either side."""
        position = self._position()
        if self.random.random() < 0.1:
            position = position._replace(turn=position.turn.other)
        moves = legal_moves(position)
        if not moves:
            return
        move = self.random.choice(moves)
        self._stands(position)
        piece = self._pieces.pop(move.start)
        yield self._see()
        for square in (*move.captured, None):
            self.at += self.random.choice((0.25, 0.6))
            self._pieces.pop(-1 if square is None else square, None)
            if square is None and self.random.random() < 0.9:
                self._pieces[move.end] = piece.upper() if move.promotes else piece
            elif square is not None and self.random.random() < 0.1:
                self._pieces[square] = mark(position, square)
            yield self._see()
        if self.random.random() < 0.3:
            self.at += 0.4
            yield Lever(self.at, "black" if position.turn else "white")

    def _meddles(self) -> Iterator[Input]:
        """Pieces go where nothing explains them, or are only touched."""
        for _ in range(self.random.randint(1, 3)):
            square = self.random.choice(list(squares_of(self._geometry.playable_mask)))
            held = self._pieces.pop(square, None)
            if held is None:
                continue
            yield self._see()
            self.at += self.random.choice((0.1, 0.4, 11.0))
            free = [s for s in squares_of(self._geometry.playable_mask) if s not in self._pieces]
            where = self.random.choice((square, square, self.random.choice(free), None))
            if where is not None:
                self._pieces[where] = held
            yield self._see()
            self.at += self.random.choice((0.3, 1.5))

    def _repairs(self) -> Iterator[Input]:
        """The board is made to agree with the record, or with how it was before the last ply."""
        self._stands(self._position(back=self.random.choice((0, 0, 1))))
        yield self._see()

    def _happens(self) -> Iterator[Input]:
        match self.random.randrange(3):
            case 0:
                self._lost = not self._lost
                yield Link(self.at, "lost" if self._lost else "back", "silent" if self._lost else None)
                if not self._lost:
                    yield self._see()
            case 1:
                yield Button(self.at, "adjust", self.random.choice(("white", "black", "arbiter")))
            case _:
                yield Lever(self.at, self.random.choice(("white", "black")))

    # what the arbiter does

    def _commands_something(self) -> Iterator[Input]:
        state, pick = self.session.state, self.random.choice
        alert = pick(state.alerts)["id"] if state.alerts else "a1"
        square = self._geometry.name(pick(list(squares_of(self._geometry.playable_mask))))
        moves = legal_moves(self._position())
        do, arguments = pick(
            (
                *[(do, {"alert": alert}) for do in ("stands", "rectify", "dismiss") for _ in range(3)],
                *[("rewind", {"ply": self.random.randint(0, len(state.moves))})] * 2,
                *[("set_position", {"fen": self._any_fen()})] * 2,
                ("move", {"move": write_move(self._position(), pick(moves)) if moves else "?"}),
                ("result", {"result": pick(RESULTS), "reason": pick(("agreed", "time"))}),
                *[("reopen", {})] * 3,
                ("adjust", {"side": pick(("white", "black", None))}),
                ("mask", {"square": square}),
                ("unmask", {"square": self._masked}),
                ("orient", {"turn": pick((0, 180))}),
                ("pause", {}),
                *[("resume", {})] * 2,
                ("set_clock", {"white": 60.0, "black": 45.5}),
                ("hold", {}),
                ("release", {}),
                ("abort", {}),
                ("start", {}),
                ("castle", {}),
            )
        )
        self._masked = square if do == "mask" else self._masked
        yield self._command(do, arguments)

    def _command(self, do: str, arguments: dict[str, Any]) -> Command:
        self._commands += 1
        return Command(self.at, do, f"c{self._commands}", arguments, "ana", "so it is decided")

    def _any_fen(self) -> str:
        """The position of the record, of the board, of an earlier ply; or of no game."""
        if self.random.random() < 0.1:
            return "W:Wz9:B"
        white, black, kings = (
            sum(1 << s for s, piece in self._pieces.items() if piece in marks) for marks in ("wW", "bB", "WB")
        )
        now = self._position()
        return write_fen(
            self.random.choice((now, self._position(back=1), now._replace(white=white, black=black, kings=kings)))
        )

    # how the board stands

    def _position(self, back: int = 0) -> Position:
        """After the record's last ply, or before it."""
        plies = self.session.plies
        if back and plies:
            return plies[-1].before
        return read_fen(self.session.state.fen, self._variant)

    def _stands(self, position: Position) -> None:
        self._pieces = {s: mark(position, s) for s in squares_of(position.occupied)}

    def _see(self) -> See:
        marks = {s: sensed(piece, self._header.senses) for s, piece in self._pieces.items()}
        return See(self.at, rows(marks, self._geometry, self._header.turn))
