"""A line of simulated boards and a BusTalk joined in virtual time."""

from __future__ import annotations

from damas_board.decoding.dgt.bus import BusTalk, BusTiming, Heard, address_of
from damas_board.decoding.dgt.bus_frames import Ask
from damas_board.decoding.dgt.codes import marks_of
from damas_board.decoding.dgt.fields import rows
from damas_board.decoding.dgt.reading import Setting
from damas_board.decoding.square_map import Dark, SquareMap
from damas_board.decoding.talk import Missed, Shown, Told
from simulator.clock import VirtualClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.bus import DgtBus, Habits


class BusCable:
    """Carries bytes both ways without delay of its own."""

    def __init__(
        self, *, bundle: float = 0.016, seed: int = 0, timing: BusTiming | None = None, watches: bool = False
    ) -> None:
        """`watches`: it notes all that stands on the boards."""
        self.clock = VirtualClock()
        self.bus = DgtBus(self.clock, bundle=bundle, seed=seed)
        self.talk = BusTalk(0.0, timing)
        self.heard: list[Heard] = []
        self.sent: list[tuple[float, bytes]] = []
        self._watches = watches
        self.boards: list[DgtBoard] = []
        self.stood: dict[int, set[str]] = {}
        """By address all that any board has ever known to stand on it."""

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
        set_out(board, setting.dark)
        self.boards.append(board)
        if join:
            self.talk.join(address_of(serial), setting, self.clock.now(), known)
        return board

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
                self.sent.append((at, out))
                self.bus.receive(out)
                continue
            at = min(self.bus.deadline, self.talk.deadline)
            if at > until:
                break
            self.clock.set(max(at, self.clock.now()))
            self.bus.advance()
            for board in self.boards if self._watches else ():
                self.stood.setdefault(board.bus_address, set()).add(known_rows(board))
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
                case Shown(rows=seen):
                    shown.append(seen)
                case Missed(shown=missed):
                    shown += [one.rows for one in missed]
        return shown

    def requests(self) -> list[tuple[float, Ask, int]]:
        """When what was asked of whom; AssertionError where anything else went over the line."""
        (_, first), *others = self.sent
        assert first == b"\x4a"
        for _, data in others:
            assert len(data) == 4
            assert sum(data[:3]) & 0x7F == data[3]
        return [(at, Ask(data[0]), data[1] << 7 | data[2]) for at, data in others]


def set_out(board: DgtBoard, dark: Dark = "left") -> None:
    """Put the men of a start position on it."""
    size = board.square_map.size
    filled = size // 2 - 1
    for square in SquareMap(size, dark).squares:
        row = square // size
        if row < filled or row >= size - filled:
            board.place(board.square_map.place(square), 1 if row < filled else 2)


def stands(board: DgtBoard) -> str:
    """What a `see` text of it should be."""
    return board.square_map.rows(board.pieces, board.levels)


def known_rows(board: DgtBoard) -> str:
    """What it has found to stand there, of a set of draughts pieces."""
    return rows(board.square_map, marks_of(board.known, "current"))
