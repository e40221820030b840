"""A DGT board at its port, asked by a person at the command line: not read for a game, only looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

import serial

from damas_board.decoding.dgt.asking import Asking
from damas_board.decoding.dgt.bus import BusSearch
from damas_board.decoding.dgt.frames import BAUD, Command
from damas_board.decoding.dgt.reports import Report
from damas_board.sources.errors import BoardError
from damas_board.sources.serial_port import PORT_FAULTS, open_port, read_available

Trace = Callable[[bool, bytes], None]
"""Gets all bytes on the line; whether they are ours."""


class DgtPort:
    """`with DgtPort(path) as port:` opens it; BoardError where that cannot be."""

    def __init__(self, path: str, trace: Trace | None = None) -> None:
        self.path = path
        self._trace = trace
        self._port: serial.Serial | None = None

    def __enter__(self) -> Self:
        self._port = open_port(self.path, BAUD)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._port is not None:
            self._port.close()

    def ask(
        self,
        commands: Sequence[Command],
        *,
        may_write: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Mapping[Command, Report]:
        """What the board answers to what, as Asking says. BoardError where it answers nothing, or the line breaks."""
        assert self._port is not None
        began = time.monotonic()
        asking = Asking(began, commands, may_write=may_write)
        try:
            while not asking.done:
                data = read_available(self._port)
                at = time.monotonic()
                self._seen(False, data)
                asking.receive(data, at)
                asking.tick(at)
                if progress is not None and asking.progress is not None:
                    progress(*asking.progress)
                if out := asking.data_to_send():
                    self._seen(True, out)
                    self._port.write(out)
        except PORT_FAULTS as error:
            raise BoardError("port_lost", port=self.path) from error
        if not asking.answers:
            raise BoardError("no_dgt_board", port=self.path, seconds=round(time.monotonic() - began, 1))
        return asking.answers

    def watch(self, seconds: float) -> None:
        """Have the board tell what changes for so long, and then be quiet again; whatever comes goes to the trace."""
        assert self._port is not None
        until = time.monotonic() + seconds
        try:
            self._write(Command.NICE_UPDATES)
            while time.monotonic() < until:
                self._seen(False, read_available(self._port))
            self._write(Command.RESET)
        except PORT_FAULTS as error:
            raise BoardError("port_lost", port=self.path) from error

    def search(self) -> list[int]:
        """The addresses of all boards on a line of several, in their order; takes several seconds."""
        assert self._port is not None
        with suppress(*PORT_FAULTS):  # not every port has these lines; on RS232 they may feed what is there
            self._port.dtr = self._port.rts = False
        search = BusSearch(time.monotonic())
        try:
            while not search.over:
                data = read_available(self._port)
                at = time.monotonic()
                self._seen(False, data)
                search.receive(data, at)
                search.tick(at)
                if out := search.data_to_send():
                    self._seen(True, out)
                    self._port.write(out)
        except PORT_FAULTS as error:
            raise BoardError("port_lost", port=self.path) from error
        return sorted(search.found)

    def _write(self, command: Command) -> None:
        assert self._port is not None
        out = bytes((command,))
        self._seen(True, out)
        self._port.write(out)

    def _seen(self, ours: bool, data: bytes) -> None:
        if data and self._trace is not None:
            self._trace(ours, data)
