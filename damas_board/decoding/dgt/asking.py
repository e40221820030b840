"""One order to a DGT board after another, for whoever only looks at it: what it is, and what it remembers; pure.

This is the one place from which an order may go out that writes to a board's lasting memory, and only where it is said
that it may. The order that leaves a board without its program never goes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from math import inf

from damas_board.decoding.dgt.frames import NEVER, WRITES_MEMORY, Command, FrameReader, Message
from damas_board.decoding.dgt.reports import Odd, Report, report

ANSWERS: Mapping[Command, Message] = {
    Command.CLOCK: Message.CLOCK,
    Command.DUMP: Message.DUMP,
    Command.SERIAL_NUMBER: Message.SERIAL_NUMBER,
    Command.BUS_ADDRESS: Message.BUS_ADDRESS,
    Command.LOG: Message.LOG,
    Command.BATTERY: Message.BATTERY,
    Command.VERSION: Message.VERSION,
    Command.DUMP_BLACK: Message.DUMP_BLACK,
    Command.DUMP_WHITE: Message.DUMP_WHITE,
    Command.LONG_SERIAL_NUMBER: Message.LONG_SERIAL_NUMBER,
}
"""What an order is answered by; others are not answered."""
QUIET, DRAINED = 0.3, 2.0
"""A line that was quiet for so long has no old bytes on it; after so long it is asked in any case."""
PATIENCE = 1.0
"""How long an answer is waited for, and an answer that has begun for its next byte."""
TRIES = 2
UNHEARD = 2
"""After so many orders that were not answered, and none that was, nobody is there."""
WRITING = 1.5
"""How long a board is left alone that writes to its memory."""


class Asking:
    """Sends `commands` one after the other, the next when the one before is answered, or is not."""

    def __init__(self, at: float, commands: Sequence[Command], *, may_write: bool = False) -> None:
        """ValueError for an order that must not go out; those that write to the memory may where `may_write`."""
        for command in commands:
            if command in NEVER or (command in WRITES_MEMORY and not may_write):
                raise ValueError(f"the order {command.name} must not be sent")
        self.answers: dict[Command, Report] = {}
        """What was answered to what, so far."""
        self.deadline = at + QUIET
        self._began = at
        self._next = deque([Command.RESET, *commands])
        self._asked: Command | None = None
        self._tries = self._unheard = 0
        self._reader = FrameReader()
        self._out = b""

    @property
    def done(self) -> bool:
        return not self._next and self._asked is None

    @property
    def progress(self) -> tuple[int, int] | None:
        """How much of a long answer is here, of how much; None where none is on its way."""
        partial = self._reader.partial
        return None if partial is None else (len(partial.payload), partial.length)

    def receive(self, data: bytes, at: float) -> None:
        """Bytes that have come in, split anywhere."""
        if not data:
            return
        if self._asked is None and not self.done:  # what was on the line before we asked
            self._reader.feed(data)
            self.deadline = min(at + QUIET, self._began + DRAINED)
            return
        for frame in self._reader.feed(data):
            said = report(frame)
            if self._asked is not None and frame.id == ANSWERS.get(self._asked) and not isinstance(said, Odd):
                self.answers[self._asked] = said
                self._ask_next(at)
        if self._reader.partial is not None:
            self.deadline = at + PATIENCE

    def tick(self, at: float) -> None:
        """Do what is due by `at`."""
        if at < self.deadline or self.done:
            return
        if self._asked is not None and self._asked in ANSWERS:
            if self._tries < TRIES:
                self._send(self._asked, at)
                return
            self._unheard += 1
            if self._unheard == UNHEARD and not self.answers:
                self._next.clear()
        self._ask_next(at)

    def data_to_send(self) -> bytes:
        """What is to be written now; each byte is given once."""
        out, self._out = self._out, b""
        return out

    def _ask_next(self, at: float) -> None:
        self._tries = 0
        self._asked = None
        self.deadline = inf
        if self._next:
            self._send(self._next.popleft(), at)

    def _send(self, command: Command, at: float) -> None:
        self._asked = command
        self._tries += 1
        self._out += bytes((command,))
        answered = command in ANSWERS
        self.deadline = at + (PATIENCE if answered else WRITING if command in WRITES_MEMORY else QUIET)
