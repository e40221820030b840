"""The self-test and the calibration with the firmware itself, in an emulated chip whose time goes in lock-step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from self_tests import Person, Rig

from calibration.analogue import Table, table
from calibration.findings import Finding
from calibration.placing import Placing, Question
from damas_board.cli import calibrate
from damas_board.cli.real_board import Table as Lies
from damas_board.decoding import wire
from damas_board.decoding.conversation import Calibrated, Measured, Observation, Pressed, Seen
from damas_board.decoding.square_map import SquareMap
from simulator.clock import VirtualClock
from simulator.emulated import REST, EmulatedCable, Emulator

pytestmark = pytest.mark.slow

MAP_32 = SquareMap(8, "left")


class EmulatedRig(Rig):
    """A person's board whose contacts are the emulated chip's; `wired` says which contact lies under which square."""

    def __init__(
        self, board: Emulator, order: Sequence[int], wired: Callable[[int], int] = lambda place: place, **more: Any
    ) -> None:
        self._board = board
        self._wired = wired
        self._cable = EmulatedCable(board, VirtualClock())
        self._cable.run(0.5)
        self._down: set[int] = set()
        super().__init__(square_map=MAP_32, order=order, now=0.5, **more)

    def read(self, but: Sequence[int] = ()) -> None:
        """What stands where goes to the contacts; what the board makes of it comes with time."""
        closed = {self._wired(place) for place in self.pieces} - set(but)
        for contact in closed ^ self._down:
            self._board.contact(contact, contact in closed)
        self._down = closed
        self.wait(0.0)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        for item in self._cable.run(self.now):
            match item:
                case Seen(at, levels):
                    self.check.see(at, levels)
                case Pressed(at, key):
                    self.check.press(at, key)
                case _:
                    pass
        self.check.tick(self.now)


def found(rig: EmulatedRig) -> list[tuple[object, ...]]:
    return [told(finding) for finding in Person(rig).run()]


def told(finding: Finding) -> tuple[object, ...]:
    return (finding.kind, finding.places, *(f"{one.kind} {one.number} {one.pin}" for one in finding.wires))


SQUARES = (1, 2, 5, 6)


def test_a_sound_board_is_well(start: Callable[..., Any]) -> None:
    assert found(EmulatedRig(start("matrix-32").board, SQUARES, buttons=())) == []


def test_missing_diodes_are_found(start: Callable[..., Any]) -> None:
    rig = EmulatedRig(start("matrix-32", diodes=False).board, SQUARES, buttons=())
    assert found(rig) == [("no_diodes", (1, 2))]


def swapped_lines(place: int) -> int:
    return {0: 4, 1: -4}.get((place - 1) // 4, 0) + place


def mirrored_columns(place: int) -> int:
    line, column = divmod(place - 1, 4)
    return 4 * line + 3 - column + 1


@pytest.mark.parametrize(
    ("wired", "expected"),
    [
        (swapped_lines, ("swapped", (1, 2, 3, 4), "line 1 D2", "line 2 D3")),
        (mirrored_columns, ("reversed", (), "column 1 A0", "column 2 A1", "column 3 A2", "column 4 A3")),
    ],
)
def test_lines_and_columns_in_a_wrong_order_are_found(
    start: Callable[..., Any], wired: Callable[[int], int], expected: tuple[object, ...]
) -> None:
    assert found(EmulatedRig(start("matrix-32").board, range(1, 33), wired, buttons=())) == [expected]


VOLTS_A_LEVEL = {0: 0.0, 1: -1.1, 2: 1.1}


class EmulatedHall:
    """The emulated analogue board as an open one, and a person at it who does what is asked."""

    def __init__(self, board: Emulator, opening: Mapping[int, int], zeros: Mapping[int, float]) -> None:
        self._board = board
        self._zeros = {place: REST + zeros.get(place, 0.0) for place in range(1, 33)}
        self._opening = opening
        self._stand: dict[int, int] = {}
        self._now = 0.0
        self._acted = 0.0
        self._cable = EmulatedCable(board, VirtualClock())
        self.conversation = self._cable.conversation
        self.placing: Placing | None = None
        board.noise_volts(0.02)
        for place in range(1, 33):
            self.put(place, 0)
        self.levels: tuple[int, ...] = ()

    def put(self, place: int, level: int) -> None:
        gain = 1 + (place % 5 - 2) / 20
        self._board.volts(place, self._zeros[place] + gain * VOLTS_A_LEVEL[level], 0.1)
        self._stand = {**self._stand, place: level}

    def now(self) -> float:
        return self._now

    def listen(self) -> list[Observation]:
        if self.placing is not None:
            self._act(self.placing.question)
        self._now += 0.1
        heard = self._cable.run(self._now)
        for item in heard:
            if isinstance(item, Seen):
                self.levels = item.levels
        return heard

    def pressed(self) -> list[str]:
        return []

    def _act(self, question: Question) -> None:
        if self.placing is None or self._now < self._acted + 0.3:
            return
        wanted: Mapping[int, int] = {}
        match question.kind:
            case "empty":
                self.placing.stands(self._now)
            case "opening":
                wanted = self._opening
            case "man":
                wanted = {question.place: 1}
            case _:
                pass
        for place in range(1, 33):
            level = wanted.get(place, 0)
            if self._stand.get(place, 0) != level:
                self.put(place, level)
                self._acted = self._now


def test_the_analogue_board_is_calibrated_keeps_its_table_and_tells_both_colours(start: Callable[..., Any]) -> None:
    opening = {place: 2 if place <= 12 else 1 for place in range(1, 33) if place not in (13, 14)}
    board = start("hall-32").board
    bench = EmulatedHall(board, opening, {3: 0.2, 20: -0.2})
    bench.placing = Placing(32, range(1, 33), 0.0, {place: level == 1 for place, level in opening.items()})
    while bench.conversation.hello is None or not bench.levels:
        bench.listen()
    measured(bench, bench.placing)
    assert bench.placing.problems == []
    thresholds = table(bench.placing.zeros, bench.placing.men)
    lies = Lies.__new__(Lies)
    calibrate.keep(bench, thresholds, "PORT", lies)
    assert kept_by(bench) == thresholds
    board.reset()
    bench.placing = None
    for place, level in opening.items():
        bench.put(place, level)
    bench.put(13, 0)
    bench.put(14, 0)
    for _ in range(30):
        bench.listen()
    assert bench.levels == tuple(opening.get(place, 0) for place in range(1, 33))


def measured(bench: EmulatedHall, placing: Placing) -> None:
    bench.conversation.report_raw(calibrate.SCANS_A_SECOND)
    for _ in range(600):
        if placing.done:
            break
        for item in bench.listen():
            if isinstance(item, Measured):
                placing.measured(item.at, item.first, item.readings)
    assert placing.done, placing.question
    bench.conversation.report_raw(0)


def kept_by(bench: EmulatedHall) -> Table:
    squares: list[wire.Thresholds] = []
    flags = 0
    while len(squares) < 32:
        bench.conversation.read_calibration(len(squares) + 1)
        for item in bench.listen():
            if isinstance(item, Calibrated) and item.first == len(squares) + 1:
                squares += item.squares
                flags = item.flags
    return Table(flags, tuple(squares))
