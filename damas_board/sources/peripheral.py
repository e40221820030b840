"""Boards that speak the chess-peripheral text protocol, as a source: one message a line, at a serial port."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import Field

from damas_board.decoding.peripheral.conversation import Manner, Memory, PeripheralTalk
from damas_board.decoding.peripheral.fens import Names, Style
from damas_board.decoding.peripheral.moves import Captures
from damas_board.decoding.talk import Shown, Talk
from damas_board.rules.variant import Variant
from damas_board.rules.variants import VARIANTS
from damas_board.sources.adapter import Adapter, Options, Place
from damas_board.sources.reconnection import Backoff
from damas_board.sources.spoken_board import SpokenBoard

BAUDS = Literal[9600, 19200, 38400, 57600, 115200, 230400]

NAMES: Mapping[tuple[str, bool], str] = {
    ("international", False): "draughts_standard",
    ("international", True): "anti_draughts",
    ("russian", False): "draughts_russian",
    ("brazilian", False): "draughts_brazilian",
    ("english", False): "draughts_english",
    ("frisian", False): "draughts_frisian",
}
"""What the protocol calls a variant; the second of the key is whether it is the giveaway."""
OTHERS = ("draughts_breakthrough", "draughts_frysk")
"""Names of the protocol for what is played by no regulation of this program's own."""


class PeripheralOptions(Options):
    """What the protocol leaves open of draughts, each with what is likeliest."""

    baud: BAUDS = 115200
    variant: str = Field(default="", pattern=r"^([a-z0-9_]+)?$", max_length=40)
    """What the board calls the variant; empty: the protocol's name for what is played at the table."""
    fen: Style = "pdn"
    """How positions are written to the board."""
    squares: Names = "own"
    """How squares are written to it: as the variant's own notation does, by number, or by letter and digit."""
    captures: Captures = "auto"
    """What a move's squares beyond the two ends are: those where the piece came down, or what it took."""
    promote: str = Field(default="", pattern=r"^[a-z]?$")
    """The letter with which a crowned man is answered by `promote`; empty: by `ok`, as any move."""
    clock: bool = False
    """Whether `time` of the board is its clock's reading; the protocol has it the other way only."""
    ask_seconds: float = Field(default=0.3, ge=0.1, le=60.0)
    """How often a board that can say what stands on it, and does not say each change by itself, is asked."""


def make(place: Place, options: PeripheralOptions, now: Callable[[], float]) -> SpokenBoard:
    """A source of the board at `place`. ValueError where the protocol has no name for what is played there."""
    variant = place.variant or _like(place)
    manner = Manner(
        variant=options.variant or _name(variant, looked_at=place.variant is None),
        fen=options.fen,
        squares=options.squares,
        captures=options.captures,
        promote=options.promote,
        clock=options.clock,
        ask_seconds=options.ask_seconds,
        colours=place.senses != "occupancy",
    )
    memory = Memory()

    def talk(at: float, known: Shown | None) -> Talk:
        return PeripheralTalk(at, variant, manner, known, memory)

    backoff = Backoff.scaled(place.speed)
    return SpokenBoard(place.port, talk, now, baud=options.baud, size=place.size, uid=place.uid, backoff=backoff)


def _name(variant: Variant, *, looked_at: bool) -> str:
    name = NAMES.get((variant.name, variant.giveaway))
    if name is None and not looked_at:
        known = ", ".join(sorted([*NAMES.values(), *OTHERS]))
        played = f"{'the giveaway of ' if variant.giveaway else ''}{variant.name} draughts"
        raise ValueError(
            f"variant: the protocol has no name for {played}; write what the board calls it, as one of {known}"
        )
    return name or ""


def _like(place: Place) -> Variant:
    """A variant with such a board, where it is only looked at."""
    corner = place.dark
    alike = (row for row in VARIANTS.values() if row.size == place.size and row.corner == corner)
    found = next(alike, None)
    if found is None:
        raise ValueError(f"no variant is played on a board of {place.size} squares a side with dark = {corner!r}")
    return found


PERIPHERAL = Adapter("peripheral", PeripheralOptions, make, senses=("colour", "occupancy"))
