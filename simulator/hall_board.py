"""A board with linear Hall sensors in software: magnets above sensors, readings, and the table of calibration.

What a sensor reads is worked out from the field of the magnets in the feet of the pieces: discs, magnetised along their
axis, in free air. Such a disc is two faces with opposite magnetic charge; the field beside its axis is summed over
small pieces of both. So a man that stands off the middle, and the neighbours of a man, read what they would; kings are
two magnets on top of each other. Then come the sensor's own gain, zero, noise and drift, and what is wrong with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from damas_board.decoding import wire
from damas_board.decoding.square_map import SquareMap
from simulator.board import Board
from simulator.clock import Clock
from simulator.faults import Fault, Flicker

FACTORY = wire.Thresholds(128, 8, 255)
"""No reading is a king: how far off zero a man is depends on the magnets."""
RAW_FOR = 60.0
"""Seconds that readings are told, unless they are asked for again."""
RAW_MOST = 52
TOP = 255
MIDDLE = 127.5
_RINGS, _SPOKES = 12, 24
_STAYS = 5 / 8
_KING_STAYS = 3


@dataclass(frozen=True)
class Magnet:
    """A disc; millimetres, tesla."""

    diameter: float = 15.0
    thickness: float = 3.0
    remanence: float = 1.2
    gap: float = 6.0
    """From the sensor to the magnet."""
    man: float = 8.0
    """A man's height: how much higher the second magnet of a king is."""


@lru_cache(maxsize=4096)
def field(magnet: Magnet, astray: float, lift: float = 0.0) -> float:
    """The field along the axis, millitesla, at a sensor that is `astray` from the axis of a magnet lifted by `lift`."""
    radius = magnet.diameter / 2
    total = 0.0
    for ring in range(_RINGS):
        inner, outer = radius * ring / _RINGS, radius * (ring + 1) / _RINGS
        middle, area = (inner + outer) / 2, math.pi * (outer**2 - inner**2) / _SPOKES
        for spoke in range(_SPOKES):
            angle = 2 * math.pi * (spoke + 0.5) / _SPOKES
            beside = (astray - middle * math.cos(angle)) ** 2 + (middle * math.sin(angle)) ** 2
            for height, charge in ((magnet.gap + lift, 1), (magnet.gap + lift + magnet.thickness, -1)):
                total += charge * area * height / (beside + height**2) ** 1.5
    return 1000 * magnet.remanence * total / (4 * math.pi)


class HallBoard(Board):
    """As `Board`, with colours, RAW and CALIBRATE.

    `counts`: how far a millitesla moves a reading; `white_above`: White's men move it up. `square`: millimetres of a
    side. `dead`, `backwards`: places whose sensor says nothing, or the contrary; `noise`: counts, of all or of some.
    """

    def __init__(
        self,
        square_map: SquareMap,
        clock: Clock,
        *,
        magnet: Magnet | None = None,
        counts: float = 0.64,
        square: float = 45.0,
        white_above: bool = False,
        noise: float = 0.4,
        noisy: Mapping[int, float] | None = None,
        dead: Sequence[int] = (),
        backwards: Sequence[int] = (),
        zeros: Mapping[int, float] | None = None,
        drift: float = 0.0,
        seed: int = 0,
        uid: int = 0x0DA3A5A1,
        faults: Sequence[Fault] = (),
    ) -> None:
        self.magnet = magnet or Magnet()
        self._counts = counts if white_above else -counts
        self._square = square
        self._random = Random(f"hall {seed}")
        places = range(1, square_map.places + 1)
        self._zeros = {place: MIDDLE + self._random.uniform(-4, 4) for place in places} | dict(zeros or {})
        self._gains = {place: self._random.uniform(0.9, 1.1) * (-1 if place in backwards else 1) for place in places}
        self._gains |= dict.fromkeys(dead, 0.0)
        self._noise = dict.fromkeys(places, noise) | dict(noisy or {})
        self._drift = drift
        self._astray: dict[int, tuple[float, float]] = {}
        self._kept: tuple[int, tuple[wire.Thresholds, ...]] | None = None
        self._factory = True
        self._flags = 0
        self._table = [FACTORY] * square_map.places
        self._raw_every: float | None = None
        self._raw_at = self._raw_until = math.inf
        self._born = clock.now()
        super().__init__(square_map, clock, levels=5, uid=uid, faults=faults)

    @property
    def table(self) -> tuple[int, tuple[wire.Thresholds, ...]]:
        """Flags and thresholds that hold now."""
        return self._flags, tuple(self._table)

    @property
    def kept(self) -> tuple[int, tuple[wire.Thresholds, ...]] | None:
        """Flags and thresholds that outlast the supply."""
        return self._kept

    def place_astray(self, place: int, level: int, across: float, along: float) -> None:
        """Put a piece so many millimetres off the middle of its square."""
        self._astray[place] = (across, along)
        self.place(place, level)

    def lift(self, place: int) -> None:
        super().lift(place)
        self._astray.pop(place, None)

    def reading(self, place: int) -> int:
        """What the converter gives now."""
        value = self._steady(place) + self._random.gauss(0, self._noise[place])
        return max(0, min(TOP, round(value)))

    def _steady(self, place: int) -> float:
        """The reading without noise."""
        drift = self._drift * (self._clock.now() - self._born) / 60
        field = sum(self._field_of(piece, place) for piece, level in enumerate(self.pieces, 1) if level)
        return self._zeros[place] + drift + self._counts * self._gains[place] * field

    def _field_of(self, piece: int, place: int) -> float:
        """What the piece on a place adds above the sensor of another one; White's is positive."""
        level = self.pieces[piece - 1]
        size = self.square_map.size
        (row, column), (other_row, other_column) = (divmod(self.square_map.square(p), size) for p in (piece, place))
        across, along = self._astray.get(piece, (0.0, 0.0))
        away = math.hypot((column - other_column) * self._square + across, (row - other_row) * self._square + along)
        one = field(self.magnet, round(away, 1))
        if level >= wire.Level.WHITE_KING:
            one += field(self.magnet, round(away, 1), self.magnet.man)
        return one if level % 2 else -one

    # The firmware.

    @property
    def deadline(self) -> float:
        return min(super().deadline, self._raw_at if self.plugged else math.inf)

    def advance(self) -> None:
        super().advance()
        now = self._clock.now()
        if self.plugged and self._raw_every is not None and self._raw_at <= now:
            readings = bytes(self.reading(place) for place in range(1, len(self.pieces) + 1))
            for first in range(0, len(readings), RAW_MOST):
                # Sent at the time it is, so that no frame's time goes back behind one that is out already.
                self._send(wire.Raw(self._seq, self._t(now), first + 1, readings[first : first + RAW_MOST]), now)
            self._raw_at = now + self._raw_every
            if self._raw_at >= self._raw_until:
                self._raw_every, self._raw_at = None, math.inf
            self._carry()

    def _boot(self, at: float) -> None:
        self._raw_every, self._raw_at = None, math.inf
        self._factory = self._kept is None
        self._flags, squares = self._kept or (0, (FACTORY,) * self.square_map.places)
        self._table = list(squares)
        self.caps = wire.Cap.RAW | wire.Cap.CALIBRATE | (wire.Cap.FACTORY_TABLE if self._factory else 0)
        super()._boot(at)

    def _sense(self, reading: Flicker) -> None:
        at, place, level = reading
        super()._sense(Flicker(at, place, self._level(place) if level is None else level))

    def _level(self, place: int) -> int:
        square, now = self._table[place - 1], self._contacts[place - 1]
        off = self._steady(place) - square.zero
        white = (off > 0) == bool(self._flags & wire.WHITE_ABOVE)
        same = now > 0 and now % 2 == int(white)
        if abs(off) < (int(square.man * _STAYS) if same else square.man):
            return 0
        king = square.king - (_KING_STAYS if same and now >= wire.Level.WHITE_KING else 0)
        return (1 if white else 2) + (2 if abs(off) >= king else 0)

    def _answer(self, command: wire.HostFrame, at: float) -> None:
        head = (self._seq, self._t(at))
        calibrate = wire.CommandType.CALIBRATE
        places = len(self._table)
        match command:
            case wire.ReportRaw(tag, rate):
                self._raw_every = 1 / rate if rate else None
                self._raw_at = at if rate else math.inf
                self._raw_until = at + RAW_FOR
                self._send(wire.Ack(*head, tag, wire.CommandType.RAW), at)
            case wire.ReadCalibration(tag, first) if 1 <= first <= places:
                squares = tuple(self._table[first - 1 : first - 1 + wire.CALIBRATION_MOST])
                self._send(wire.Calibration(*head, first, self._flags, squares), at)
            case wire.WriteCalibration(tag, first, squares) if 1 <= first <= places - len(squares) + 1:
                self._table[first - 1 : first - 1 + len(squares)] = squares
                self._send(wire.Ack(*head, tag, calibrate), at)
                self._read_all(at)
            case wire.KeepCalibration(tag, flags, crc) if crc == wire.calibration_crc(flags, self._table):
                self._flags, self._kept, self._factory = flags, (flags, tuple(self._table)), False
                self._send(wire.Ack(*head, tag, calibrate), at)
                self._read_all(at)
            case wire.FactoryCalibration(tag):
                self._flags, self._table, self._factory = 0, [FACTORY] * places, True
                self._send(wire.Ack(*head, tag, calibrate), at)
                self._read_all(at)
            case wire.ReadCalibration(tag) | wire.WriteCalibration(tag) | wire.KeepCalibration(tag):
                self._send(wire.Nak(*head, tag, calibrate, wire.NakCode.VALUE), at)
            case _:
                super()._answer(command, at)

    def _read_all(self, at: float) -> None:
        for place in range(1, len(self._table) + 1):
            self._sense(Flicker(at, place, None))
