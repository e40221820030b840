"""A process that is many sensor boards: it answers the handshake and writes prepared frames to ptys at their times.

    python tests/benchmarks/board_feeder.py SCRIPTS FOLDER SPEED OUT

Prints `ready` once the ports `FOLDER/{board}` are there. A line on stdin begins the games: the frames are made, then
written; all other frames are a heartbeat a second a board. At the end of stdin the times of the writes (monotonic) go
to OUT, as JSON: for each board one for each change.
"""

from __future__ import annotations

import heapq
import json
import os
import selectors
import sys
import time
import tty
from pathlib import Path
from typing import Any

from damas_board.decoding import wire

HEARTBEAT_SECONDS = 1.0
BEGIN_SECONDS = 0.5
"""From the word to begin to the first change."""
SCANS = 1000


class FedBoard:
    """One board: its pty, and how far its script is."""

    def __init__(self, script: dict[str, Any], uid: int, folder: Path, speed: float) -> None:
        self.written: list[float] = []
        self._script = script
        self._uid = uid
        self._speed = speed
        self._levels = list(script["levels"])
        self._frames: list[tuple[float, bytes]] = []
        self._events: list[wire.Event] = []
        self._decoder = wire.command_decoder()
        self._booted = time.monotonic()
        self.master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        (folder / script["name"]).symlink_to(os.ttyname(slave))

    def prepare(self, begins: float) -> None:
        """Make all frames; the first moment of the script is `begins`."""
        for number, (at, place, level) in enumerate(self._script["changes"], 1):
            due = begins + at / self._speed
            event = wire.Event(number, self._t(due), place, level)
            self._events.append(event)
            self._frames.append((due, wire.encode_frame(event)))

    @property
    def due(self) -> float | None:
        """When the next change is to be written."""
        return self._frames[len(self.written)][0] if len(self.written) < len(self._frames) else None

    def change(self) -> None:
        """Write the next change."""
        number = len(self.written)
        _, place, level = self._script["changes"][number]
        self._levels[place - 1] = level
        self.written.append(time.monotonic())
        os.write(self.master, self._frames[number][1])

    def beat(self) -> None:
        self._send(wire.Heartbeat(*self._head(), SCANS, 0, 0))

    def hear(self) -> None:
        """Answer what the host asks."""
        for command in self._decoder.feed(os.read(self.master, 4096)):
            match command:
                case wire.AskHello(tag):
                    self._hello(tag)
                case wire.AskSnapshot(tag):
                    packed = wire.pack_levels((*self._levels, *(0 for _ in wire.BUTTONS)), 2)
                    self._send(wire.Snapshot(*self._head(), tag, packed))
                case wire.Resend(tag, first):
                    for event in self._events[first - 1 : len(self.written)]:
                        self._send(event)
                    self._send(wire.Ack(*self._head(), tag, wire.CommandType.RESEND))
                case _:
                    raise SystemExit(f"{self._script['name']}: nobody should send {command}")

    def _hello(self, tag: int) -> None:
        seq, t = self._head()
        places = len(self._levels)
        geometry = self._script["geometry"]
        self._send(
            wire.Hello(seq, t, tag, (1, 0), 1, places, len(wire.BUTTONS), 0, geometry, 2, 0, SCANS, 10, 10, self._uid)
        )

    def _head(self) -> tuple[int, int]:
        return len(self.written), self._t(time.monotonic())

    def _t(self, moment: float) -> int:
        return round((moment - self._booted) * self._speed * 1000)

    def _send(self, item: wire.BoardFrame) -> None:
        os.write(self.master, wire.encode_frame(item))


def feed(path: Path, folder: Path, speed: float, out: Path) -> None:
    boards = [
        FedBoard(script, uid, folder, speed)
        for uid, script in enumerate(json.loads(path.read_text(encoding="utf-8")), 1)
    ]
    due: list[tuple[float, int, bool]] = []
    """When, which board, whether a change (else a heartbeat)."""
    now = time.monotonic()
    for index in range(len(boards)):
        heapq.heappush(due, (now + HEARTBEAT_SECONDS * index / len(boards), index, False))
    with selectors.DefaultSelector() as selector:
        for board in boards:
            selector.register(board.master, selectors.EVENT_READ, board)
        selector.register(sys.stdin, selectors.EVENT_READ)
        print("ready", flush=True)
        while True:
            for key, _ in selector.select(max(0.0, due[0][0] - time.monotonic())):
                if key.data is not None:
                    key.data.hear()
                elif not sys.stdin.readline():
                    out.write_text(json.dumps([board.written for board in boards]), encoding="utf-8")
                    return
                else:
                    begins = time.monotonic() + BEGIN_SECONDS
                    for index, board in enumerate(boards):
                        board.prepare(begins)
                        if board.due is not None:
                            heapq.heappush(due, (board.due, index, True))
            while due[0][0] <= time.monotonic():
                at, index, is_change = heapq.heappop(due)
                if not is_change:
                    boards[index].beat()
                    heapq.heappush(due, (at + HEARTBEAT_SECONDS, index, False))
                    continue
                boards[index].change()
                following = boards[index].due
                if following is not None:
                    heapq.heappush(due, (following, index, True))


if __name__ == "__main__":
    feed(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
