"""Keys that a person presses while a command goes on: single ones at a terminal, else a line of standard input each."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Self

ENTER = "enter"

if sys.platform == "win32":
    import msvcrt
else:
    import select
    import termios
    import tty


class Keys:
    """`with Keys() as keys:` `keys.pressed()` gives what was pressed since: ENTER, or a small letter."""

    def __init__(self) -> None:
        self._line = b""
        self._open = sys.stdin is not None and not sys.stdin.closed
        self._single = self._open and sys.stdin.isatty()

    def __enter__(self) -> Self:
        if sys.platform != "win32" and self._single:
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform != "win32" and self._single:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def pressed(self) -> list[str]:
        text = self._read()
        if self._single:
            return [ENTER if key in "\r\n" else key.lower() for key in text if key in "\r\n" or key.isprintable()]
        *lines, rest = text.split("\n")
        self._line = rest.encode()
        return [line.strip().lower()[:1] or ENTER for line in lines]

    def _read(self) -> str:
        """What has come in, without waiting; a line that is not ended yet comes again."""
        data, self._line = self._line, b""
        if sys.platform == "win32":
            while self._single and msvcrt.kbhit():
                data += msvcrt.getch()
        else:
            while self._open and select.select([sys.stdin], [], [], 0)[0]:
                piece = os.read(sys.stdin.fileno(), 1024)
                self._open = bool(piece)
                data += piece
        return data.decode(errors="replace")
