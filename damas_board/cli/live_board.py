"""A sensor board at an open port, for commands that look at a board themselves: what is observed, as it comes in."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from damas_board.decoding import wire
from damas_board.decoding.conversation import Conversation, Ended, Greeted, Observation, Refused, Seen, Timing
from damas_board.sources.adapters import USB_NAMES
from damas_board.sources.errors import BoardError
from damas_board.sources.foreign_ports import check_ours
from damas_board.sources.serial_port import PORT_FAULTS, open_port, read_available


class LiveBoard:
    """`with LiveBoard(port) as board:` greets it; `listen` again and again gives what is observed.

    BoardError where the port cannot be used, no board of ours answers there, or it falls silent later.
    """

    def __init__(self, port: str, timing: Timing | None = None) -> None:
        self.port = port
        self._timing = timing or Timing()
        self._early: list[Observation] = []

    def __enter__(self) -> Self:
        check_ours(self.port, USB_NAMES)
        self._serial = open_port(self.port)
        try:
            self.conversation = Conversation(self.now(), self._timing)
            self.hello = self._greet()
        except BaseException:
            self._serial.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._serial.close()

    @staticmethod
    def now() -> float:
        """The scale of the times of what is observed, seconds."""
        return time.monotonic()

    def listen(self) -> Sequence[Observation]:
        """What has been observed since; waits a moment for it."""
        if self._early:
            early, self._early = self._early, []
            return early
        return self._talk()

    def _greet(self) -> wire.Hello:
        """Who the board is, once it has also said what stands on it."""
        hello = None
        while True:
            heard = self._talk()
            self._early += heard
            for item in heard:
                if isinstance(item, Greeted):
                    hello = item.hello
                elif isinstance(item, Seen) and hello is not None:
                    return hello

    def _talk(self) -> list[Observation]:
        try:
            data = read_available(self._serial)
            at = self.now()
            heard = [*self.conversation.receive(data, at), *self.conversation.tick(at)]
            if out := self.conversation.data_to_send():
                self._serial.write(out)
        except PORT_FAULTS as error:
            raise BoardError("port_lost", port=self.port) from error
        for item in heard:
            match item:
                case Refused(_, theirs, ours, firmware):
                    version = ".".join(map(str, firmware))
                    raise BoardError("version_refused", port=self.port, theirs=theirs, ours=ours, firmware=version)
                case Ended(_, why, seconds):
                    raise BoardError(why, port=self.port, seconds=seconds)
                case _:
                    pass
        return heard
