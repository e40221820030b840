"""What begins a game that was set up and waits for it: a command, the clock, or the first move.

How it works. Until then the board is looked at, so that all can see whether it is set up; nothing on it is a move or a
touch. Each way of beginning is open to the ones before it as well: the organiser's command begins every game; `lever`
also the lever of the side that does not move first, which starts the opponent's time (or a clock that tells so by
itself), and the other side's lever once its move stands on the board: nobody had started the clock, and the move
counts; `move` also the first legal move from the position that was set up, which is ply 1.

Before the command the lever of the side that does not move first begins nothing where only the command does, but a
lever stays where it is: if it is down on that side, time runs from the command on.
"""

from __future__ import annotations

from damas_board.session.header import Starts
from damas_board.session.inputs import ClockReading, SideName

BY_CLOCK: tuple[Starts, ...] = ("lever", "move")
BY_MOVE: tuple[Starts, ...] = ("move",)


class Beginning:
    """What happens to the clock of a game that has not begun."""

    def __init__(self, starts: Starts, first: SideName) -> None:
        """`first` is the side that moves first."""
        self._by_clock = starts in BY_CLOCK
        self._first = first
        self._pressed: SideName | None = None
        self._stood_still = False
        """The clock has told that nobody's time runs."""

    def pressed(self, side: SideName, *, moved: bool) -> bool:
        """`side` has pressed its lever, `moved`: with its first move on the board; whether that begins the game."""
        self._pressed = side
        return self._by_clock and (side != self._first or moved)

    def read(self, reading: ClockReading) -> bool:
        """A clock's own reading; whether it begins the game: the clock stood still, and runs for who moves first."""
        begins = self._by_clock and self._stood_still and reading.running == self._first
        self._stood_still = self._stood_still or reading.running is None
        return begins

    @property
    def lever(self) -> SideName | None:
        """The lever that is down when a command begins the game, if time runs by it from then on."""
        return self._pressed if self._pressed != self._first else None
