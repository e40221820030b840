"""What a matrix of contacts reads: lines that are driven low one at a time, and wires across them that sense it.

Each contact joins its line with its wire, through a diode that lets current pass from the wire to the line only. A wire
reads as closed while a current from it reaches the driven line. Without diodes, current finds ways round through other
contacts, from the wire to some other line, back to another wire and so on: where three corners of a rectangle are
closed, the fourth reads closed as well.
"""

from __future__ import annotations

from collections.abc import Sequence


def read(down: Sequence[int], up: Sequence[int]) -> list[int]:
    """The wires (bits) that read as closed while line 0, 1, ... is driven low.

    `down`: for each line its closed contacts through which current passes from wire to line; `up`: those through which
    it passes from line to wire. With sound diodes there are none of these; a contact without a diode is in both, one
    whose diode is the wrong way round is in `up` alone.
    """
    found = []
    for driven in down:
        low, before = driven, -1
        while low != before:
            before = low
            for onward, back in zip(down, up, strict=True):
                if back & low:
                    low |= onward
        found.append(low)
    return found
