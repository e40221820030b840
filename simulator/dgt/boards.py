"""The board of that maker on which a game of some variant would be played, ready to be carried and played on."""

from __future__ import annotations

from collections.abc import Sequence

from damas_board.decoding.square_map import Corner
from damas_board.notation.time_control import TimeControl
from damas_board.rules.variant import Variant
from simulator.clock import Clock
from simulator.dgt.board import DgtBoard
from simulator.dgt.clock import DgtClock
from simulator.faults import Fault

SIZES = (8, 10)


def board_for(
    variant: Variant,
    clock: Clock,
    *,
    corner: Corner = "black-left",
    pieces: str | None = None,
    bluetooth: bool = False,
    control: TimeControl | None = None,
    serial: str = "01025",
    faults: Sequence[Fault] = (),
    seed: int = 0,
) -> DgtBoard:
    """A board for `variant`, with draughts pieces on 100 fields and a chess set on 64 unless `pieces` names another.

    With `control` a clock stands beside it. ValueError where there are no such boards.
    """
    if variant.size not in SIZES:
        raise ValueError(f"such boards have 8 or 10 squares a side; {variant.name} is played on {variant.size}")
    return DgtBoard(
        variant.size,
        clock,
        corner=corner,
        dark=variant.corner,
        pieces=pieces or ("draughts" if variant.size == 10 else "chess"),
        bluetooth=bluetooth,
        dgt_clock=None
        if control is None
        else DgtClock(control, first="black" if variant.first else "white", seed=seed),
        serial=serial,
        long_serial=serial.zfill(10),
        garbage=True,
        faults=faults,
        seed=seed,
    )
