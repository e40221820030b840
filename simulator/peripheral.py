"""A board in software that speaks the chess-peripheral text protocol: pieces on squares, lines of text; no I/O.

How it works. A hand puts pieces down and lifts them, the faults decide what the sensors make of it. Before a host has
begun a round the board only answers questions. In a round it knows the position that the host and it agree on: when
the sensors have rested on what a legal move leads to it says the move, when they rest on what nothing explains it says
`unsync` and then each `state` until they agree again. What else it can do, how it writes, and what it does not know is
given: with its streams it says every change, without its moves it is sensors only, `deaf` it believes what it is told.
Its way to read and write positions is its own.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import Literal

from damas_board.decoding.square_map import KIND_MARKS, Corner, Dark, SquareMap
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.rules.generation import legal_moves
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import Move, Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant
from simulator.clock import Clock
from simulator.faults import Fault, Flicker
from simulator.handled_board import NEVER, SensedBoard
from simulator.table import mark

STREAM = "state_stream"
GET_STATE = "get_state"
ALL_FEATURES = frozenset({STREAM, GET_STATE, "undo", "resign", "draw_offer", "time", "side", "msg"})
REST_SECONDS = 0.25
"""So long the sensors have to be still on what a move leads to."""
MISMATCH_SECONDS = 1.5
BITS = 10
"""On the line for each byte."""

Tells = Literal["occupancy", "colour", "kind"]
Captures = Literal["ends", "path", "victims"]


class PeripheralBoard(SensedBoard):
    """A board for `variant`; places are its playable squares from `corner`, `levels` is 5: colours and kings."""

    def __init__(
        self,
        variant: Variant,
        clock: Clock,
        *,
        features: frozenset[str] = ALL_FEATURES,
        variants: frozenset[str] | None = None,
        tells: Tells = "kind",
        says_moves: bool = True,
        says_mismatch: bool = True,
        deaf: bool = False,
        answers: bool = True,
        fen: Literal["pdn", "rows"] = "pdn",
        numbers: bool | None = None,
        sign: str = "",
        captures: Captures = "ends",
        promotes: str = "",
        ending: str = "\n",
        baud: int = 115200,
        banner: str = "",
        corner: Corner = "black-left",
        faults: Sequence[Fault] = (),
    ) -> None:
        """`variants`: the names that it takes; None is any. `numbers`: how it names squares; None as the variant does.

        `answers`: questions, else it only knows `begin`. `promotes`: a letter behind the move of a man that is
        crowned. `banner`: what it says when it starts.
        """
        dark: Dark = variant.corner
        super().__init__(SquareMap(variant.size, dark, corner), clock, faults)
        self.features = features
        self.heard: list[str] = []
        """What the host has said."""
        self.refused: list[str] = []
        """What the host has said `nok` to."""
        self.hung = False
        """The port is there, and the board says nothing."""
        self._variant = variant
        self._variants = variants
        self._tells = tells
        self._says_moves, self._says_mismatch = says_moves, says_mismatch
        self._deaf, self._answers = deaf, answers
        self._fen, self._numbers, self._sign, self._captures = fen, numbers, sign, captures
        self._promotes, self._ending, self._baud, self._banner = promotes, ending, baud, banner
        self._sensed = list(self._pieces)
        self._position: Position | None = None
        self._half = b""
        self._rests_at = self._mismatch_at = NEVER
        self._boot(clock.now())

    # The hand's side.

    @property
    def position(self) -> Position | None:
        """What host and board agree on; None before a round."""
        return self._position

    def stand(self, position: Position) -> None:
        """Make `position` stand on the board."""
        levels = [0] * len(self._pieces)
        for square in squares_of(position.occupied):
            levels[self.square_map.place(square) - 1] = KIND_MARKS.index(mark(position, square))
        self.set_up(levels)

    def play(self, move: Move) -> None:
        """Make `move` with what stands there in one go, and say it at once, before the sensors have rested."""
        stands = self._standing()
        side = stands.side_at(move.start)
        before = stands if side is None else stands._replace(turn=side)
        self._quiet = True
        self.stand(before.after(move))
        self._quiet = False
        self._made(before, move, self._clock.now())
        self._carry()

    def press(self, button: str) -> None:
        """It has no clock, but a button: `clock-a` and `clock-b` do nothing."""

    def say(self, text: str) -> None:
        """Send a line, whatever it is."""
        self.advance()
        self._say(text, self._clock.now())
        self._carry()

    def take_back(self) -> None:
        """Put the last move back on the board, and say so."""
        before, move = self._made_last
        self._position = before
        self._quiet = True
        self.stand(before)
        self._quiet = False
        self.say(f"undo {self._written(before, move)}")

    def rows(self) -> str:
        """What a `see` text of the board is, as far as it tells it without kinds."""
        text = self.square_map.rows(self._sensed, self.levels).lower()
        return re.sub("[wb]", "o", text) if self._tells == "occupancy" else text

    def _standing(self) -> Position:
        marks = {self.square_map.square(place): level for place, level in enumerate(self._pieces, 1)}
        of = [sum(1 << square for square, mark in marks.items() if mark == level) for level in range(self.levels)]
        return Position(self._variant, self._variant.first, of[1] | of[3], of[2] | of[4], of[3] | of[4])

    # The cable's side.

    def receive(self, data: bytes) -> None:
        """Bytes from the host."""
        self.advance()
        if self.plugged:
            *lines, self._half = (self._half + data).split(b"\n")
            for line in lines:
                text = line.decode("ascii", "replace").strip()
                self.heard.append(text)
                self._answer(text, self._clock.now())
        self._carry()

    # The firmware.

    @property
    def _own_deadline(self) -> float:
        return min(self._rests_at, self._mismatch_at)

    def _do_own(self, at: float) -> None:
        if at == self._rests_at:
            self._rests_at = NEVER
            self._recognise(at)
        else:
            self._mismatch_at = NEVER
            self._compare(at)

    def _boot(self, at: float) -> None:
        self._half = b""
        self._line.clear()
        self._position = None
        self._made_last: tuple[Position, Move] = (initial(self._variant), legal_moves(initial(self._variant))[0])
        self._asked: set[str] = set()
        self._synchronised = False
        self._quiet = False
        self._awaited: deque[str] = deque()
        """What the host is to say `ok` or `nok` to."""
        self._rests_at = self._mismatch_at = NEVER
        for place in range(1, len(self._pieces) + 1):
            self._sense(Flicker(at, place, None))
        if self._banner:
            self._say(self._banner, at)

    def _sense(self, reading: Flicker) -> None:
        at, place, level = reading
        if level is None:
            level = self._pieces[place - 1]
        for fault in self._faults:
            level = fault.reading(place, level, at)
        if level != self._sensed[place - 1]:
            self._sensed[place - 1] = level
            self._changed(at)

    def _changed(self, at: float) -> None:
        if self._position is None or not self.plugged or self._quiet:
            return
        if STREAM in self._asked:
            self._say(f"state {self._state()}", at)
        elif not self._synchronised:
            agreed = self._shows(self._position)
            self._synchronised = agreed
            self._say(f"{'sync' if agreed else 'state'} {self._state()}", at)
        self._rests_at = at + REST_SECONDS
        self._mismatch_at = at + MISMATCH_SECONDS if self._says_mismatch else NEVER

    def _recognise(self, at: float) -> None:
        if self._position is None or not self._says_moves or self._shows(self._position):
            return
        for move in legal_moves(self._position):
            if self._shows(self._position.after(move)):
                self._made(self._position, move, at)
                return

    def _made(self, before: Position, move: Move, at: float) -> None:
        self._made_last = before, move
        self._position = before.after(move)
        self._synchronised = True
        self._say(f"move {self._written(before, move)}", at)

    def _compare(self, at: float) -> None:
        if self._position is None or self._deaf:
            return
        if self._shows(self._position):
            if not self._synchronised:
                self._synchronised = True
                self._say(f"sync {self._state()}", at)
        elif self._synchronised:
            self._synchronised = False
            self._say(f"unsync {self._state()}", at)

    def _answer(self, line: str, at: float) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "feature" if self._answers:
                known = rest in self.features
                if known:
                    self._asked.add(rest)
                self._say("ok" if known else "nok", at)
            case "variant" if self._answers:
                self._say("ok" if self._variants is None or rest in self._variants else "nok", at)
            case "begin":
                self._begin(rest, at)
            case "get_state" if GET_STATE in self.features:
                self._say(f"state {self._state()}", at)
            case "ok" | "nok" | "promote" if self._awaited:
                said = self._awaited.popleft()
                if word == "nok":
                    self.refused.append(said)
                if word == "nok" and said.startswith("move"):
                    self._position = self._made_last[0]
                    self._rests_at = NEVER
            case "ok" | "nok" | "promote" | "set_variant" | "side" | "end":
                pass
            case _:
                if self._answers:
                    self._say("err Unknown command", at)

    def _begin(self, fen: str, at: float) -> None:
        try:
            self._position = self._read(fen)
        except (NotationError, KeyError, ValueError):
            self._say("err Unsupported position", at)
            return
        if self._deaf:
            self._synchronised = True
            self._say(f"sync {fen}", at)
            return
        self._synchronised = self._shows(self._position)
        self._say(f"{'sync' if self._synchronised else 'unsync'} {self._state()}", at)

    def _read(self, fen: str) -> Position:
        if self._fen == "rows":
            return _read_rows(fen, self._variant)
        geometry = self._variant.geometry
        own = re.sub(r"[a-l]\d+", lambda name: geometry.name(geometry.square(name[0])), fen)
        return read_fen(own, self._variant)

    def _shows(self, position: Position) -> bool:
        """Whether the sensors, as far as they tell, show `position`."""
        for place, level in enumerate(self._sensed, 1):
            square = self.square_map.square(place)
            stands = position.occupied >> square & 1
            if bool(level) != bool(stands):
                return False
            if level and self._tells != "occupancy" and (level in (2, 4)) != bool(position.black >> square & 1):
                return False
        return True

    def _state(self) -> str:
        """What the sensors say, as a position in this board's way to write it, with whose turn it is thought to be."""
        turn = self._variant.first if self._position is None else self._position.turn
        marks = {self.square_map.square(place): KIND_MARKS[level] for place, level in enumerate(self._sensed, 1)}
        marks = {square: mark for square, mark in marks.items() if mark != "."}
        if self._fen == "rows":
            return _rows(marks, self._variant.size, self._tells, turn)
        if self._tells == "occupancy":
            return "?" + ",".join(self._name(square) for square in sorted(marks))
        masks = {letter: sum(1 << s for s, m in marks.items() if m.upper() == letter) for letter in "WB"}
        kings = sum(1 << s for s, m in marks.items() if m.isupper()) if self._tells == "kind" else 0
        position = Position(self._variant, turn, masks["W"], masks["B"], kings)
        return self._blocks(position)

    def _blocks(self, position: Position) -> str:
        if self._numbers is None:
            return write_fen(position)
        blocks = [position.turn.letter]
        for side in Side:
            kings = {s: "K" if position.kings >> s & 1 else "" for s in squares_of(position.pieces(side))}
            blocks.append(side.letter + ",".join(king + self._name(s) for s, king in kings.items()))
        return ":".join(blocks)

    def _name(self, square: int) -> str:
        geometry = self._variant.geometry
        if self._numbers is None:
            return geometry.name(square)
        return str(geometry.from_top.index(square) + 1) if self._numbers else geometry.algebraic(square)

    def _written(self, before: Position, move: Move) -> str:
        squares: Sequence[int] = (move.start, move.end)
        if self._captures == "path":
            squares = move.path
        elif self._captures == "victims":
            squares = (*squares, *move.captured)
        names = [self._name(square) for square in squares]
        if not self._sign:
            names = [name.zfill(2) if name.isdecimal() else name for name in names]
        return self._sign.join(names) + (self._promotes if move.promotes else "")

    def _say(self, text: str, at: float) -> None:
        if not self.plugged or self.hung:
            return
        if text.partition(" ")[0] in ("move", "undo", "draw_offer"):
            self._awaited.append(text)
        data = f"{text}{self._ending}".encode("latin-1", "replace")
        begins = max([at, *(when for when, _ in list(self._line)[-1:])])
        arrives = begins + len(data) * BITS / self._baud
        for fault in self._faults:
            arrives, data = fault.transmit(data, arrives)
        self._line.append((arrives, data))


def _rows(marks: dict[int, str], size: int, tells: Tells, turn: Side) -> str:
    letters = {
        "kind": {"w": "M", "b": "m", "W": "K", "B": "k"},
        "colour": {"w": "w", "b": "b", "W": "w", "B": "b"},
        "occupancy": dict.fromkeys("wbWB", "?"),
    }[tells]
    rows = []
    for row in reversed(range(size)):
        cells = (letters[marks[s]] if s in marks else " " for s in range(row * size, row * size + size))
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), "".join(cells)))
    return f"{'/'.join(rows)} {turn.letter.lower()}"


def _read_rows(text: str, variant: Variant) -> Position:
    """A position of men `M` `m` and kings `K` `k`; ValueError where it is none."""
    rows, _, turn = text.partition(" ")
    cells = [re.sub(r"\d+", lambda gap: " " * int(gap[0]), row) for row in rows.split("/")]
    if [len(row) for row in cells] != [variant.size] * variant.size or set("".join(cells)) - set(" MmKk"):
        raise ValueError(f"no position: {text!r}")
    at = {letter: 0 for letter in "MmKk "}
    for square, letter in enumerate("".join(reversed(cells))):
        at[letter] |= 1 << square
    side = Side.BLACK if turn == "b" else Side.WHITE
    return Position(variant, side, at["M"] | at["K"], at["m"] | at["k"], at["K"] | at["k"])
