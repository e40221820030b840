"""A capture under way: the boards between lifting the capturing piece and taking off the last victim.

Victims come off when the player likes, in any order, and the piece may be put down on every turning square or on
none. So a capture under way is a set of readings: the capturing piece in the hand or on a square of its routes, any
subset of the victims gone, everything else untouched.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from damas_board.rules.position import Move, Position
from damas_board.rules.routes import Station, stations
from damas_board.tracking.chains import Chains
from damas_board.tracking.irregular import any_captures, odd_captures
from damas_board.tracking.sight import Sight, disagreement
from damas_board.tracking.touches import Handled


class UnderWay(NamedTuple):
    """What a board shows of captures that are not complete; squares in ascending order, `path` in time."""

    path: tuple[int, ...]
    removed: tuple[int, ...]
    remaining: tuple[int, ...]
    """Pieces still to be jumped or taken off, as far as all captures that fit agree."""


class CaptureReader:
    """The captures of one position, ready to be compared with readings."""

    def __init__(self, position: Position, moves: Sequence[Move], playable: int) -> None:
        self.position = position
        self.playable = playable
        self.plans: list[tuple[Move, int, int]] = []
        self.stations: frozenset[Station] = frozenset()
        for move in moves:
            if move.captured:
                on_way = stations(position, move)
                self.stations |= on_way
                squares = 1 << move.start | 1 << move.end
                for station in on_way:
                    squares |= 1 << station.square
                self.plans.append((move, squares, move.captured_mask))

    def read(self, sight: Sight, placements: Sequence[Handled]) -> UnderWay | None:
        """What of a capture the board shows, None if it shows none that has begun."""
        fitting = self._fitting(sight)
        if not fitting:
            return None
        all_victims = 0
        common = -1
        squares = 0
        for _, way, victims in fitting:
            all_victims |= victims
            common &= victims
            squares |= way
        removed = all_victims & ~sight.occupied
        starts = {move.start for move, _, _ in fitting}
        came_down = [t.square for t in placements if squares >> t.square & 1 and t.square not in starts]
        path = tuple(square for square, _ in groupby(came_down))
        from_ = (next(iter(starts)),) if len(starts) == 1 else ()
        return UnderWay((*from_, *path), _squares(removed), _squares(common & sight.occupied))

    def takes(self, sight: Sight, square: int) -> bool:
        """Whether a capture that the board shows takes the piece that stood on `square`."""
        return any(victims >> square & 1 for _, _, victims in self._fitting(sight))

    def _fitting(self, sight: Sight) -> list[tuple[Move, int, int]]:
        """The captures that have begun, and that what the board shows may be a part of."""
        off = disagreement(self.position, sight, self.playable)
        fitting = []
        for move, squares, victims in self.plans:
            if off & ~(squares | victims):
                continue
            mover = squares & ~victims & sight.occupied
            if mover & (mover - 1):
                continue
            begun = victims & ~sight.occupied or (mover and mover != 1 << move.start)
            if begun:
                fitting.append((move, squares, victims))
        return fitting

    def standing(self, sight: Sight) -> list[tuple[Move, int]]:
        """The captures whose piece has come to its end while some captured pieces, the set given, still stand."""
        off = disagreement(self.position, sight, self.playable)
        found = []
        for move, _, victims in self.plans:
            ends = 0 if move.start == move.end else 1 << move.start | 1 << move.end
            still = victims & sight.occupied & ~(1 << move.end)
            gone = victims & ~still
            if still and off == ends | gone and (ends or gone) and sight.occupied >> move.end & 1:
                found.append((move, still))
        return found


class CaptureReaders:
    """The readers of the positions that matter at the moment, each made when it is first asked for."""

    def __init__(self, chains: Chains) -> None:
        self._chains = chains
        self._legal: CaptureReader | None = None
        self._of_any_law: dict[Position, CaptureReader] = {}

    def legal(self, position: Position) -> CaptureReader:
        """Of the legal captures of the recorded position, `position` when it was first asked for."""
        if self._legal is None:
            moves = [move for move, _ in self._chains.followers(position)]
            self._legal = CaptureReader(position, moves, self._chains.playable)
        return self._legal

    def of_any_law(self, position: Position) -> CaptureReader:
        """Of the captures that the pieces could make, those that a law forbids or that stop on the way included."""
        if position not in self._of_any_law:
            self._of_any_law[position] = CaptureReader(position, any_captures(position), self._chains.playable)
        return self._of_any_law[position]

    def may_take(self, position: Position, sight: Sight, square: int) -> bool:
        """Whether the piece that stood on `square` is a victim of what the board shows, however odd a capture it is."""
        if self.of_any_law(position).takes(sight, square):
            return True
        odd = [move for move, _, _ in odd_captures(position)]
        return CaptureReader(position, odd, self._chains.playable).takes(sight, square)

    def forget(self) -> None:
        """Another position has been recorded."""
        self._legal = None
        self._of_any_law.clear()


def _squares(mask: int) -> tuple[int, ...]:
    return tuple(s for s in range(mask.bit_length()) if mask >> s & 1)
