"""What a kind of board is to the rest of the program: its name, its settings, and how a source of it is made.

An adapter is one value, `Adapter`, in one file: those that belong to the program are in `sources.adapters`, one's own
stands in a file that the configuration names. docs/add-a-board.md shows how.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from damas_board.decoding.square_map import Corner, Dark, SquareMap
from damas_board.rules.variant import Variant
from damas_board.session.header import Senses
from damas_board.session.inputs import SideName
from damas_board.sources.source import Source


class Options(BaseModel):
    """An adapter's own settings in [board.adapter]: subclass it with a field for each, defaults included."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Chosen = TypeVar("Chosen", bound=Options)


@dataclass(frozen=True, slots=True)
class Place:
    """What an adapter is told of the table whose board it reads."""

    port: str
    """A device's path, or a pyserial URL."""
    size: int
    """Squares a side."""
    dark: Dark
    """Which corner at each player's hand is played on."""
    corner: Corner
    """Where the board's connector is, as seen from White."""
    senses: Senses
    uid: str | None = None
    """The only board that is accepted."""
    clock_a: SideName = "white"
    """Whose lever is the first of the board's clock: its left one, or the one that is called A."""
    speed: float = 1.0
    """How many times faster than time everything runs."""
    variant: Variant | None = None
    """What is played there; None where a board is only looked at."""

    def every_square(self) -> SquareMap:
        """Of a board that senses all squares, in reading order from the connector's corner."""
        return SquareMap(self.size, "all", self.corner)

    def playable_squares(self) -> SquareMap:
        """Of a board that senses the squares that are played on only."""
        return SquareMap(self.size, self.dark, self.corner)


class AdaptedSource(Source, Protocol):
    """A Source that says what is known of its board, and how it is."""

    def info(self) -> Mapping[str, str | int]: ...

    def health(self) -> Mapping[str, str | int | float]: ...


@dataclass(frozen=True, slots=True)
class Adapter(Generic[Chosen]):
    """`make` gets the table's place, the options as read, and what gives `at`; it opens nothing.

    `make` raises ValueError with one line where place and options do not fit each other; one that begins with an
    option's name is told at that option's line. It is called once when the configuration is read, to see that.
    """

    name: str
    options: type[Chosen]
    make: Callable[[Place, Chosen, Callable[[], float]], AdaptedSource]
    senses: tuple[Senses, ...] = ("occupancy",)
    """What it can tell, the usual one first."""
    shares_port: bool = False
    """Whether several tables may have the same port."""
    together: Callable[[Sequence[tuple[Place, Chosen]]], None] | None = None
    """Raises ValueError, as `make` does, where tables at one port do not fit each other; in the order of the file."""
    settings: Mapping[str, float] = field(default_factory=dict)
    """Times of [board.settings] that are usual for such boards; what is written there goes before."""
    usb_names: tuple[str, ...] = ()
    """What the USB names of such boards have in them, in small letters: no board of our own is looked for there."""
