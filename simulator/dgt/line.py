"""A serial line that takes its time: bytes one after another, handed over in bundles as a converter does."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from simulator.faults import Fault

BAUD = 9600
BITS = 10
"""Of a byte on the line, with start and stop."""


class Line:
    """What a board sends; `bundle` is the seconds for which a converter collects bytes, 0 where each comes by itself.

    The faults' `transmit` spoils what is sent, a frame at a time; what was sent first arrives first.
    """

    def __init__(self, faults: Sequence[Fault] = (), *, baud: int = BAUD, bundle: float = 0.016) -> None:
        self._faults = tuple(faults)
        self._byte = BITS / baud
        self._bundle = bundle
        self._bundles: deque[tuple[float, bytes]] = deque()
        self.free_at = 0.0
        """When the last byte has gone out."""

    @property
    def deadline(self) -> float:
        """When the next bytes arrive."""
        return self._bundles[0][0] if self._bundles else math.inf

    def send(self, data: bytes, at: float) -> None:
        """Put a frame on the line, behind what is still on it."""
        leaves = at
        for fault in self._faults:
            leaves, data = fault.transmit(data, leaves)
        self.put(data, at, leaves - at)

    def put(self, data: bytes, at: float, late: float = 0.0) -> None:
        """As `send`, without the faults; it arrives `late` after it has gone out."""
        begin = max(at, self.free_at)
        self.free_at = begin + len(data) * self._byte
        bundle, due = bytearray(), begin
        for number, byte in enumerate(data, 1):
            arrives = self._handed_over(begin + number * self._byte + late)
            if bundle and arrives != due:
                self._bundles.append((due, bytes(bundle)))
                bundle.clear()
            due = arrives
            bundle.append(byte)
        if bundle:
            self._bundles.append((due, bytes(bundle)))

    def arrived(self, now: float) -> bytes:
        """What has reached the host by `now`; each byte is given once."""
        data = bytearray()
        while self._bundles and self._bundles[0][0] <= now:
            data += self._bundles.popleft()[1]
        return bytes(data)

    def clear(self, at: float) -> None:
        """Forget what is on its way."""
        self._bundles.clear()
        self.free_at = at

    def _handed_over(self, at: float) -> float:
        return at if not self._bundle else math.ceil(at / self._bundle - 1e-9) * self._bundle
