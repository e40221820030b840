"""A board's own lights: which pieces to put where and which squares to clear, while nobody plays; else it is dark.

A board goes dark by itself some time after it was told its lights last, so that none stays lit whose host has gone
away. Lights that are still wanted are therefore told again from time to time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from damas_board.decoding.wire import Colour
from damas_board.rules.geometry import Geometry
from damas_board.session.events import BoardChanged

AGAIN_SECONDS = 20.0
"""After this the lights are told again: a third of the time that a board leaves them on."""
LIT_STATES = ("setting_up", "resyncing")
"""When a board may be lit: it is being set up, or put back at the arbiter's word. All else is play, or our fault."""
PUT_COLOURS: Mapping[str, Colour] = {"w": Colour.WHITE, "b": Colour.BLUE}
CLEAR_COLOUR = Colour.RED

Light = Callable[[Colour, Sequence[int]], None]
"""Gives squares of the game, as its geometry counts them, a colour; forgotten where the board is not there."""


class Lights:
    """Keeps the lights of one board as its game's state wants them; times are seconds on any one scale."""

    def __init__(self, light: Light) -> None:
        self._light = light
        self._wanted: dict[int, Colour] = {}
        self._told_at: float | None = None
        """When the wanted lights were told; None where the board may not have them."""

    def show(self, state: BoardChanged | None, geometry: Callable[[], Geometry], now: float) -> None:
        """The board's state may have changed, or there is no game on it; `geometry` is its game's, where needed."""
        wanted = {} if state is None or state.state not in LIT_STATES else _wanted(state, geometry())
        if wanted == self._wanted:
            return
        dark = sorted(self._wanted.keys() - wanted.keys())
        self._wanted = wanted
        if dark:
            self._light(Colour.OFF, dark)
        self._tell(now)

    def keep(self, now: float) -> None:
        """Time passed: tell the board again what is wanted, if it is time."""
        if self._wanted and (self._told_at is None or now - self._told_at >= AGAIN_SECONDS):
            self._tell(now)

    def forget(self) -> None:
        """The link has been lost: a board that comes back is dark."""
        self._told_at = None

    def _tell(self, now: float) -> None:
        for colour in sorted(set(self._wanted.values())):
            self._light(colour, sorted(square for square, wants in self._wanted.items() if wants is colour))
        self._told_at = now


def _wanted(state: BoardChanged, geometry: Geometry) -> dict[int, Colour]:
    put = {geometry.square(name): PUT_COLOURS[mark.lower()] for name, mark in (state.put or {}).items()}
    return put | {geometry.square(name): CLEAR_COLOUR for name in state.clear or ()}
