"""Lines of text out of bytes that come in pieces."""

from __future__ import annotations

LONGEST = 600
"""Characters; the longest position has half of that. What goes on without an end is cut here."""
_ENDS = b"\r\n"


class LineReader:
    """A line ends with LF, CR, or both; empty ones are left out."""

    def __init__(self) -> None:
        self._line = bytearray()

    def feed(self, data: bytes) -> list[str]:
        """The lines that are whole now; what is not ASCII is a replacement character, so that it is no word."""
        lines = []
        for byte in data:
            if byte not in _ENDS:
                self._line.append(byte)
                if len(self._line) < LONGEST:
                    continue
            text = self._line.decode("ascii", "replace").strip()
            self._line.clear()
            if text:
                lines.append(text)
        return lines
