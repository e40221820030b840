"""A DGT board on a line of its own, by cable or by Bluetooth; what it says is a matter of `decoding.dgt`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from damas_board.decoding.dgt.conversation import DgtTalk, Timing
from damas_board.decoding.dgt.frames import BAUD
from damas_board.decoding.dgt.reading import Found
from damas_board.decoding.talk import Shown, Talk
from damas_board.sources.adapter import Adapter, Place
from damas_board.sources.dgt_options import LogOptions, setting_of
from damas_board.sources.reconnection import Backoff
from damas_board.sources.spoken_board import SpokenBoard

SETTINGS: Mapping[str, float] = {
    "overlap_seconds": 0.6,
    "touch_seconds": 0.7,
    "settle_seconds": 0.4,
    "rest_seconds": 1.5,
}
"""A scan, and the dump that confirms it, are long: a piece on its way is read on both its squares, and what was passed
over, or not read for a moment, looks touched: a contact that opens for 0.4 s may read empty for 0.65 s."""


class DgtOptions(LogOptions):
    """What [board.adapter] may say of such a board."""


def make(place: Place, options: DgtOptions, now: Callable[[], float]) -> SpokenBoard:
    """A source of the board at `place`. ValueError where no DGT board can be the table's."""
    setting, timing, found = setting_of(place, options), Timing().scaled(place.speed), Found()

    def talk(at: float, known: Shown | None) -> Talk:
        return DgtTalk(at, setting, known, timing, found)

    backoff = Backoff.scaled(place.speed)
    return SpokenBoard(place.port, talk, now, baud=BAUD, size=place.size, uid=place.uid, backoff=backoff)


DGT = Adapter(
    "dgt",
    DgtOptions,
    make,
    senses=("colour", "kind", "occupancy"),
    settings=SETTINGS,
    usb_names=("dgt",),
)
