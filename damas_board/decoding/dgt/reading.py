"""What a DGT board's dumps and its clock's messages mean at one table; the same on a line of its own and on a bus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from damas_board.decoding.dgt.clock import ClockMessage, ClockWatch, HeldLever, TurnBy
from damas_board.decoding.dgt.codes import BLACK_KING, Codes, marks_of, table_of
from damas_board.decoding.dgt.fields import Colour, marks_at, rows, square_map
from damas_board.decoding.dgt.reports import FIELDS, Fields
from damas_board.decoding.square_map import Corner, Dark, SquareMap
from damas_board.decoding.talk import ClockShown, LeverPressed, SideName

Pieces = Literal["auto", "current", "before_2011", "chess"]
WhichFields = Literal["auto", "all", "black", "white"]
ChessPiece = Literal["pawn", "rook", "knight", "bishop", "king", "queen"]
Sensed = Literal["occupancy", "colour", "kind"]

SIZES = (8, 10)
"""How many squares a side a DGT board may have."""
_CHESS: Mapping[ChessPiece, int] = {"pawn": 1, "rook": 2, "knight": 3, "bishop": 4, "king": 5, "queen": 6}
_BLACK = 6
"""A black chess piece's code is so much more than the white one's."""
_LIKELY_KINGS = frozenset(_CHESS[piece] + more for piece in ("king", "queen") for more in (0, _BLACK))
_SAID: Mapping[Sensed, Mapping[int, int]] = {
    "occupancy": str.maketrans("wbWB", "oooo"),
    "colour": str.maketrans("WB", "wb"),
    "kind": {},
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a table and its board; every inference about DGT boards is a value here."""

    size: int = 10
    dark: Dark = "left"
    corner: Corner = "black-left"
    senses: Sensed = "kind"
    """What is told of the pieces."""
    pieces: Pieces = "auto"
    """Which table the piece codes are in."""
    fields: WhichFields = "auto"
    """Which dumps are asked for; `black` and `white` are what the board calls the squares that are played on."""
    kings: frozenset[ChessPiece] = frozenset()
    """On a board for chess: which pieces stand for kings."""
    clock: bool = True
    clock_left: SideName = "white"
    """Who sits at the left side of the clock, as its readers see it."""
    levers: bool = False
    """Whether the clock's levers are told, once the board has stood still."""
    turn_by: TurnBy = "lever"
    log: bool = True
    """Whether the board is asked for what happened while nobody listened."""
    log_bits: Literal[6, 7] = 7
    """Of a field's number in the board's log."""


@dataclass(slots=True)
class Found:
    """What has been found out about a board, and stays true when its port is opened again."""

    table: Codes | None = None
    """Which table its piece codes are in; None until that shows."""
    battery: bool = False
    """Whether it has one, and so goes on where the port is gone."""
    noise_at: float = float("-inf")
    """When something last came that was not whole, or meant nothing, while the board was played on."""


class BoardReading:
    """Reads the dumps and the clock of one board, one message after the other."""

    def __init__(self, setting: Setting, known: str | None = None, found: Found | None = None) -> None:
        """`known`: the rows that were told of this board before; `found`: what is known of it, and is added to."""
        self.clock_watch = ClockWatch(setting.clock_left, levers=setting.levers, turn_by=setting.turn_by)
        self.lever = HeldLever()
        self._setting = setting
        self._known = known
        self._found = found or Found()
        if setting.pieces != "auto":
            self._found.table = setting.pieces
        elif setting.kings:
            self._found.table = "chess"
        self._kings = frozenset(_CHESS[piece] + more for piece in setting.kings for more in (0, _BLACK))

    def fits(self, fields: Fields) -> bool:
        """Whether a dump of these fields is of a board of the table's size."""
        return (fields == "all64") == (self._setting.size == 8)

    def squares(self, fields: Fields, playing: Colour = "black") -> SquareMap:
        """Where the fields of such a dump are; `playing` as in `fields.square_map`."""
        return square_map(fields, self._setting.dark, self._setting.corner, playing)

    def rows(self, fields: Fields, codes: Sequence[int], playing: Colour = "black") -> str:
        """The `see` text of a dump that fits."""
        if len(codes) != FIELDS[fields]:
            raise ValueError(f"{FIELDS[fields]} codes are expected, not {len(codes)}")
        squares = self.squares(fields, playing)
        if self._setting.pieces == "auto" and not self._setting.kings:
            self._found.table = table_of(codes) or self._found.table or table_of(codes, self._known_at(squares))
        return rows(squares, self._marks(codes))

    def mark(self, code: int) -> str:
        """The mark of one piece, as in `rows`."""
        return self._marks((code,))

    def full_mark(self, code: int) -> str:
        """The mark of one piece as far as the board can tell, whatever the table's senses are."""
        return self._full_marks((code,))

    @property
    def said(self) -> Mapping[int, int]:
        """What is told of such marks, for `str.translate`."""
        return _SAID[self._setting.senses]

    def clock(self, message: ClockMessage, at: float) -> list[ClockShown]:
        """What the clock's message tells; a lever is kept in `lever`."""
        shown = []
        for item in self.clock_watch.hear(message, at) if self._setting.clock else []:
            if isinstance(item, LeverPressed):
                self.lever.pressed(item)
            else:
                shown.append(item)
        return shown

    def _marks(self, codes: Sequence[int]) -> str:
        return self._full_marks(codes).translate(self.said)

    def _full_marks(self, codes: Sequence[int]) -> str:
        marks = marks_of(codes, self._found.table, self._kings, chess_board=self._setting.size == 8)
        if self._found.table is None and self._setting.size == 8 and self._setting.senses == "kind":
            # A bishop that stands for a man, or a king among discs.
            marks = "".join("o" if code == BLACK_KING else mark for code, mark in zip(codes, marks, strict=True))
        elif self._found.table == "chess" and not self._kings and self._setting.senses == "kind":
            # They are the likeliest to be kings; whoever knows says so.
            marks = "".join("o" if code in _LIKELY_KINGS else mark for code, mark in zip(codes, marks, strict=True))
        return marks

    def _known_at(self, squares: SquareMap) -> str:
        if self._known is None or len(self._known.replace("/", "")) != squares.size**2:
            return ""
        return marks_at(squares, self._known)
