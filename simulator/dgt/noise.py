"""What a bad line does to bytes that have no checksum."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.faults import Fault


@dataclass
class GarbledBytes(Fault):
    """Bits turn over on the way."""

    name = "garbled-bytes"
    sentence = "Some bytes that the board sends arrive as others."
    share: float = 0.05
    """How many frames, of 1, are hit."""
    top_bit: bool = True
    """Whether the bit may be the one by which a frame's first byte is known."""

    def transmit(self, frame: bytes, at: float) -> tuple[float, bytes]:
        if self.random.random() >= self.share:
            return at, frame
        garbled = bytearray(frame)
        garbled[self.random.randrange(len(frame))] ^= 1 << self.random.randrange(8 if self.top_bit else 7)
        return at, bytes(garbled)
