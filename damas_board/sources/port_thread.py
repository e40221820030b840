"""What sources of a board at a serial port have in common: the port is kept to, tried again, and owned by one thread.

After the first conversation nothing that the hardware does is an exception: the link is told as lost, and the port is
tried again. A cable that is plugged in again is seen at once, because a wait ends when a local port comes that was not
there; only what opens and does not answer, or is elsewhere, is tried with long waits.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Literal

import serial

from damas_board.session.inputs import Input, Link
from damas_board.sources.device_thread import DeviceThread
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import (
    SOON,
    Backoff,
    Foreign,
    Present,
    UsbNeighbours,
    is_local,
    none_foreign,
    present,
)
from damas_board.sources.serial_port import BAUD_RATE, PORT_FAULTS, open_port, stop_waiting

FLOOD = 5000
"""So many inputs that were not taken are more than can ever be read."""

_log = logging.getLogger(__name__)


class PortThread(DeviceThread):
    """A Source at a serial port; `_talk` says what is said there while it is open."""

    def __init__(
        self,
        port: str | None,
        now: Callable[[], float],
        *,
        candidates: Callable[[], Sequence[str]] | None = None,
        backoff: Backoff | None = None,
        baud: int = BAUD_RATE,
        by: str | None = None,
        foreign: Foreign = none_foreign,
        exact: bool = False,
    ) -> None:
        """`now` gives the inputs' `at`; it is called from the thread. `candidates`: where a lost board may be.

        By default that is where its USB converter is plugged in: one of the kind, or `exact`ly that one. `foreign`
        ports are never opened. `by` as in See.
        """
        super().__init__()
        self.port = port or ""
        """Where the board is, or was last."""
        self._now = now
        self._by = by
        self._foreign = foreign
        self._neighbours = UsbNeighbours(self.port, foreign=foreign, exact=exact)
        self._candidates = candidates or self._neighbours
        self._backoff = backoff or Backoff()
        self._baud = baud
        self._tried: Present = frozenset()
        """The local ports that were there at the last try, and have been ever since."""
        self._linked = False
        self._why: str | None = None
        """Why it was not back at the last try."""
        self._open: serial.Serial | None = None
        """The port at which the board's thread waits for bytes."""

    @property
    def _place(self) -> str:
        return self.port

    def _wake(self) -> None:
        port = self._open
        if port is not None:
            stop_waiting(port)

    # From here on: the board's own thread.

    @abstractmethod
    def _talk(self, port: serial.Serial, path: str) -> None:
        """Talk until `_leaving` is set. BoardError, or one of PORT_FAULTS, says what went wrong."""

    def _work(self) -> None:
        self._keep_to_port()

    def _keep_to_port(self) -> None:
        slow = self._first_conversation()
        while not self._left_while_waiting(self._backoff.next(local=not slow)):
            slow = self._try_again()

    def _left_while_waiting(self, seconds: float) -> bool:
        """Wait `seconds`, or until a local port has come that was not tried; True where we are to leave."""
        while seconds > 0:
            if self._leaving.wait(min(seconds, self._backoff.look)):
                return True
            there = present(self._candidates())
            if there - self._tried:
                self._backoff.reset()
                return False
            self._tried &= there
            seconds -= self._backoff.look
        return False

    def _first_conversation(self) -> bool:
        """As `_try_again`, but BoardError where there is no board to begin with."""
        try:
            if self._foreign([self.port]):
                raise BoardError("port_foreign", port=self.port)
            with open_port(self.port, self._baud) as port:
                self._neighbours.remember()
                self._converse(port, self.port)
        except BoardError as error:
            if not self._begun:
                raise
            _log.info("board lost: %s", error)
        return False

    def _try_again(self) -> bool:
        """Talk with the board, if it is at one of the candidates; True if the next try should not come soon."""
        slow = False
        self._tried = present(self._candidates())
        for path in self._candidates():
            slow = slow or not is_local(path)
            try:
                with open_port(path, self._baud) as port:
                    self._converse(port, path)
            except BoardError as error:
                slow = slow or error.key not in SOON
                self._not_back(error)
        return slow

    def _not_back(self, error: BoardError) -> None:
        """What stands there is another board, or does not answer: somebody has to be told, once for each reason."""
        new = error.key not in SOON and error.key != self._why
        _log.log(logging.WARNING if new else logging.INFO, "board not back yet: %s", error)
        self._why = error.key

    def _converse(self, port: serial.Serial, path: str) -> None:
        """Talk until the port fails or we leave. BoardError says what went wrong; the loss has been told by then."""
        self._open = port
        try:
            self._talk(port, path)
        except BoardError as error:
            self._set_link("lost", self._now(), error.key)
            raise
        except PORT_FAULTS as error:
            _log.info("%s: %s", path, error)
            self._tried = frozenset()  # it may be back before the first look
            lost = BoardError("port_lost", port=path)
            self._set_link("lost", self._now(), lost.key)
            raise lost from error
        finally:
            self._open = None

    def _not_flooded(self, path: str) -> None:
        """BoardError where more is told than is taken."""
        waiting = self._inputs.qsize()
        if waiting > FLOOD:
            raise BoardError("flooding", port=path, inputs=waiting)

    def _set_link(self, state: Literal["lost", "back"], at: float, reason: str | None) -> None:
        linked = state == "back"
        if self._linked is not linked:
            self._linked, self._why = linked, None
            if self._begun:
                self._tell(Link(at, state, reason, by=self._by))

    def _tell_missed(self, at: float, missed: Sequence[Input]) -> None:
        """The board is back and has told all that was missed."""
        self._linked = True
        self._tell(Link(at, "back", whole=True, by=self._by), *missed)
