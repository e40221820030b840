"""The settings of a DGT board, whatever line it is on: what is inferred about such boards, and nobody could try."""

from __future__ import annotations

from pydantic import Field

from damas_board.decoding.dgt.clock import TurnBy
from damas_board.decoding.dgt.reading import SIZES, ChessPiece, Pieces, Setting, WhichFields
from damas_board.sources.adapter import Options, Place


class BoardOptions(Options):
    """What a dump and the clock's messages mean."""

    pieces: Pieces = "auto"
    """Which codes a black man and a white king have: as since 2011, as before, or those of chess pieces; `auto` sees it
    at a start position."""
    fields: WhichFields = "auto"
    """Which fields are asked for: all, or those that the board calls its black or white ones; `auto` finds out."""
    kings: tuple[ChessPiece, ...] = ()
    """Chess pieces that stand for kings."""
    clock: bool = True
    """Whether the clock at the board is listened to."""
    levers: bool = False
    """Whether its levers end turns; they are told once the board has stood still, since both come late."""
    turn_by: TurnBy = "lever"
    """Whose time runs: by the clock's lever, or by what it says itself."""


class LogOptions(BoardOptions):
    """Those of a board whose own log can be read."""

    log: bool = True
    """Whether the board is asked for what was played while nobody listened."""
    log_fields: int = Field(7, ge=6, le=7)
    """How many bits the number of a field has there."""


def setting_of(place: Place, options: BoardOptions) -> Setting:
    """The table as the decoding wants it. ValueError, one line, for a table that is none of DGT's."""
    if place.size not in SIZES:
        raise ValueError(
            f"a DGT board has 8 or 10 squares a side, not {place.size}; the regulation is of another board"
        )
    if options.fields in ("black", "white") and place.size != 10:
        raise ValueError(f'fields: "{options.fields}" is for boards of 100 fields; leave it out')
    if (options.kings or options.pieces == "chess") and place.size != 8:
        named = "kings" if options.kings else "pieces"
        raise ValueError(f"{named}: chess pieces are for boards of 64 fields; leave it out")
    if place.senses == "kind" and options.pieces == "chess" and not options.kings:
        raise ValueError('kings: a table with senses = "kind" needs to know which chess pieces are kings; name them')
    log = options if isinstance(options, LogOptions) else None
    return Setting(
        size=place.size,
        dark=place.dark,
        corner=place.corner,
        senses=place.senses,
        pieces=options.pieces,
        fields=options.fields,
        kings=frozenset(options.kings),
        clock=options.clock,
        clock_left=place.clock_a,
        levers=options.levers,
        turn_by=options.turn_by,
        log=log is not None and log.log,
        log_bits=6 if log is not None and log.log_fields == 6 else 7,
    )
