"""Boards of other makers in software, by the name of what they speak: made for a game, to be carried and played on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from damas_board.decoding.square_map import Corner
from damas_board.notation.time_control import TimeControl
from damas_board.rules.variant import Variant
from simulator import peripheral
from simulator.carrier import Carried
from simulator.clock import Clock
from simulator.dgt import boards
from simulator.dgt.bus import DgtBus
from simulator.faults import Fault
from simulator.player import Handled


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a board is made for."""

    variant: Variant
    corner: Corner = "black-left"
    number: int = 1
    """Its serial number, where it has one."""
    faults: Sequence[Fault] = ()
    seed: int = 0
    control: TimeControl | None = None
    """What a clock beside it keeps; None: there is none."""
    pieces: str | None = None
    """Of which set its pieces are; None: what is usual."""
    bluetooth: bool = False


class Made(NamedTuple):
    """A board: what is carried of it, and what hands find."""

    carried: Carried
    handled: Handled


def _dgt(wanted: Wanted, clock: Clock) -> Made:
    board = boards.board_for(
        wanted.variant,
        clock,
        corner=wanted.corner,
        pieces=wanted.pieces,
        bluetooth=wanted.bluetooth,
        control=wanted.control,
        serial=f"{wanted.number:05d}",
        faults=wanted.faults,
        seed=wanted.seed,
    )
    return Made(board, board)


def _dgt_bus(wanted: Wanted, clock: Clock) -> Made:
    variant = wanted.variant
    if variant.size not in boards.SIZES:
        raise ValueError(f"such boards have 8 or 10 squares a side; {variant.name} is played on {variant.size}")
    line = DgtBus(clock, seed=wanted.seed)
    board = line.add(
        variant.size,
        corner=wanted.corner,
        dark=variant.corner,
        pieces=wanted.pieces or ("draughts" if variant.size == 10 else "chess"),
        serial=f"{wanted.number:05d}",
        faults=wanted.faults,
        seed=wanted.seed,
    )
    return Made(line, board)


def _peripheral(wanted: Wanted, clock: Clock) -> Made:
    board = peripheral.PeripheralBoard(wanted.variant, clock, corner=wanted.corner, faults=wanted.faults)
    return Made(board, board)


SPEAKING: Mapping[str, Callable[[Wanted, Clock], Made]] = {
    "dgt": _dgt,
    "dgt-bus": _dgt_bus,
    "peripheral": _peripheral,
}
"""ValueError where there is no such board for that game."""
EXTRAS: Mapping[str, frozenset[str]] = {
    "dgt": frozenset({"control", "pieces", "bluetooth"}),
    "dgt-bus": frozenset({"pieces"}),
    "peripheral": frozenset(),
}
"""What of Wanted beyond the ordinary each of them heeds."""
