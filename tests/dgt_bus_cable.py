"""A line of simulated boards and a BusTalk joined in virtual time."""

from __future__ import annotations

from damas_board.decoding.dgt.bus import BusTalk, BusTiming, Heard, address_of
from damas_board.decoding.dgt.reading import Setting
from damas_board.decoding.talk import Missed, Shown, Told
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.bus import DgtBus, Habits

START_100 = [2 if row < 4 else 1 if row > 5 else 0 for row in range(10) for _ in range(10)]
START_64 = [2 if row < 3 else 1 if row > 4 else 0 for row in range(8) for _ in range(8)]


class BusCable:
    """Carries bytes both ways without delay of its own."""

    def __init__(self, *, bundle: float = 0.0, seed: int = 0, timing: BusTiming | None = None) -> None:
        self.clock = VirtualClock()
        self.bus = DgtBus(self.clock, bundle=bundle, seed=seed)
        self.talk = BusTalk(0.0, timing)
        self.heard: list[Heard] = []
        self.sent = bytearray()

    def add(
        self,
        serial: str,
        setting: Setting | None = None,
        *,
        habits: Habits | None = None,
        known: Shown | None = None,
        join: bool = True,
        **options: object,
    ) -> DgtBoard:
        """A board in the start position, and looked after."""
        setting = setting or Setting(size=10)
        board = self.bus.add(setting.size, serial=serial, habits=habits, dark=setting.dark, **options)
        self.start(board)
        if join:
            self.talk.join(address_of(serial), setting, self.clock.now(), known)
        return board

    def start(self, board: DgtBoard) -> None:
        playable = set(board.square_map.__class__(board.square_map.size, "left", board.square_map.connector).squares)
        start = START_100 if board.square_map.size == 10 else START_64
        size = board.square_map.size
        for place, square in enumerate(board.square_map.squares, 1):
            row, column = size - 1 - square // size, square % size
            if square in playable and start[row * size + column]:
                board.place(place, start[row * size + column])

    def run(self, seconds: float) -> list[Heard]:
        """Let everything happen for so long; what was told."""
        until = self.clock.now() + seconds
        before = len(self.heard)
        for _ in range(1_000_000):
            at = self.clock.now()
            if data := self.bus.data_to_send():
                self.heard += self.talk.receive(data, at)
            self.heard += self.talk.tick(at)
            if out := self.talk.data_to_send():
                self.sent += out
                self.bus.receive(out)
                continue
            at = min(self.bus.deadline, self.talk.deadline)
            if at > until:
                break
            self.clock.set(max(at, self.clock.now()))
            self.bus.advance()
        else:
            raise RuntimeError("there is always something due")
        self.clock.set(until)
        return self.heard[before:]

    def told(self, board: DgtBoard) -> list[Told]:
        return [told for address, told in self.heard if address == board.bus_address]

    def rows(self, board: DgtBoard) -> list[str]:
        """What was shown of it, one after the other."""
        shown: list[str] = []
        for told in self.told(board):
            match told:
                case Shown(rows=rows):
                    shown.append(rows)
                case Missed(shown=missed):
                    shown += [one.rows for one in missed]
        return shown

    def stands(self, board: DgtBoard) -> str:
        """What a `see` text of it should be."""
        return board.square_map.rows(board.pieces, board.levels)
