"""The record of a game: the plies as they were published, and how each is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.rules.game import Game
from damas_board.rules.position import Move, Position
from damas_board.rules.side import Side
from damas_board.session.events import Basis, MoveMade, MoveRevised
from damas_board.session.game_clock import Times
from damas_board.session.hands import NOTHING_TOUCHED, Touched
from damas_board.session.inputs import SideName
from damas_board.tracking.irregular import Irregularity


@dataclass(slots=True)
class Ply:
    """One turn in the record, with the positions before and after it."""

    side: Side
    before: Position
    move: Move
    after: Position
    text: str
    basis: Basis
    down: float | None
    broken: Irregularity | None = None
    """What is irregular about it."""
    told: float = 0.0
    """When it was published."""
    seen: float | None = None
    """When its complete board was first read: the last captured piece was off, too."""
    touched: Touched = NOTHING_TOUCHED
    """The playable pieces that its player had touched beside the one that moved."""
    taken_back: tuple[int, ...] = ()
    """Where the piece of a move stood that was undone before it, and where that had been put."""
    left: int = 0
    """The captured pieces of which it was told that they still stood."""
    clock: Times | None = None
    """What the clock showed when it was published."""
    hidden: float | None = None
    """Its piece may have come down earlier than was seen: the square could not be read from then on."""
    likely: bool = False
    """Squares of it were in doubt, so that it accuses nobody if it is read otherwise later."""
    unsure: bool = False
    """It was not seen, or sources differed on it: that it is undone says nothing about its player."""
    shown: bool = False
    """Each of several sources has shown it."""
    set_up: bool = False
    """The arbiter set up another position behind it: `after` does not follow from the move."""
    confirmed: bool = False
    sealed: bool = False
    """The opponent has completed a move after it: it is no longer open to revision."""

    @property
    def irregular(self) -> bool:
        """No legal move of the side on move leads from `before` to `after`."""
        return self.broken is not None or self.set_up

    @property
    def came_down(self) -> float:
        """When the piece had come to its last square, as far as that is known."""
        return self.told if self.down is None else self.down

    @property
    def complete(self) -> float:
        """When the move was over and the opponent's time to touch began, as far as that is known."""
        return self.came_down if self.seen is None else max(self.seen, self.came_down)


class Record:
    """The plies of one game. `revision` grows whenever a published ply changes or disappears."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.game = Game(start)
        self.plies: list[Ply] = []
        self.revision = 0
        self.began: float | None = None
        """When the first player's time began, for the first ply's `seconds`."""

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def open_before(self) -> Position | None:
        """The position before the last ply, while that ply may still be revised or taken back."""
        return self.plies[-1].before if self.plies and not self.plies[-1].sealed else None

    def add(self, ply: Ply) -> None:
        if self.plies:
            self.plies[-1].sealed = True
        self.plies.append(ply)
        self.game.record(ply.move, ply.after)

    def cut(self, plies: int) -> list[Ply]:
        """Leaves `plies` plies and returns the ones that are gone."""
        gone = self.plies[plies:]
        del self.plies[plies:]
        self.game.rewind(plies)
        self.revision += 1
        return gone

    def set_position(self, position: Position) -> str | None:
        """The arbiter has set up `position` behind the last ply; that ply's text, None where there is no ply yet."""
        if not self.plies:
            self.start = position
            self.game = Game(position)
            self.revision += 1
            return None
        ply = self.cut(len(self.plies) - 1)[0]
        ply.after, ply.set_up, ply.basis, ply.down = position, True, "entered", None
        ply.confirmed = True
        self.add(ply)
        ply.sealed = True
        return ply.text

    def unseal(self) -> None:
        """The ply behind the last one was taken back by its player: the last one is open again."""
        if self.plies:
            self.plies[-1].sealed = False

    def ply(
        self,
        before: Position,
        move: Move,
        after: Position,
        basis: Basis,
        down: float | None,
        broken: Irregularity | None = None,
    ) -> Ply:
        side = before.turn if broken is None else broken.side
        return Ply(side, before, move, after, write_move(before, move), basis, down, broken)

    def told(self, at: float) -> MoveMade:
        """The last ply as the event that publishes it."""
        return MoveMade(**self._fields(at))

    def told_again(self, at: float, was: str) -> MoveRevised:
        """The last ply as the event that replaces what was published as `was`."""
        return MoveRevised(**self._fields(at), was=was)

    def _fields(self, at: float) -> dict[str, Any]:
        ply = self.plies[-1]
        earlier = self.plies[-2].down if len(self.plies) > 1 else self.began
        seconds = None if ply.down is None or earlier is None else max(0.0, round(ply.down - earlier, 3))
        geometry = ply.before.variant.geometry
        side: SideName = "black" if ply.side else "white"
        return {
            "at": at,
            "ply": len(self.plies),
            "side": side,
            "move": ply.text,
            "from_": geometry.name(ply.move.start),
            "to": geometry.name(ply.move.end),
            "path": geometry.names(ply.move.path),
            "captured": geometry.names(ply.move.captured),
            "promoted": ply.move.promotes,
            "fen": write_fen(ply.after),
            "provisional": not ply.confirmed,
            "irregular": ply.irregular,
            "basis": ply.basis,
            "down": ply.down,
            "seconds": seconds,
            "revision": self.revision,
        }
