"""The real firmware in an emulated chip (firmware/emulator, run by node): a board in lock-step, or one on a pty.

Lock-step: `Emulator` lets its board's time go by only when told to, so that the same commands give the same bytes at
the same times, whatever the machine has to do beside; `EmulatedCable` joins it with a host's conversation, as `Cable`
does with the board in software. With real time: `EmulatedBoard` runs by itself behind a pseudo-terminal.

Both have the hand's side of `simulator.board.Board` (`pieces`, `place`, `lift`, `set_up`, `press`), and below it what
the sensors do (`contact`, `bounce`, `volts`). Times are seconds, from the emulator's start.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from damas_board.decoding import wire
from damas_board.decoding.conversation import Conversation, Observation, Timing
from simulator.clock import RunningClock, VirtualClock
from simulator.pty import BoardPty

FIRMWARE = Path(__file__).resolve().parents[1] / "firmware"
HERTZ = 16_000_000
_CYCLE = 1 / HERTZ
_ENDED = "the emulator has ended; if it never began: make -C firmware emulator"
LINES = {32: (8, 4), 50: (10, 5), 64: (8, 8)}
"""Lines of squares and sensed squares in each, by the number of places."""
BUTTONS = ("clock-a", "clock-b", "adjust")
HELD = 0.06
"""Seconds that a button is held down."""
REST = 2.5
"""Volts of a Hall sensor with nothing above it."""
LEVEL_VOLTS = (0.0, -0.4, 0.4, -1.0, 1.0)
"""By how much pieces move a Hall sensor: none, a white and a black man, a white and a black king."""
KNOWS_KINGS = wire.Thresholds(128, 8, 36)
"""Of a place that tells these apart; the factory's knows no kings."""
_CALIBRATION_AT = 0x010


class EmulatorError(RuntimeError):
    """The emulator is not there, did not take a command, or has ended."""


class Piece(NamedTuple):
    """Bytes that reached the host, the last of them at `at`: a whole frame, or what there is of it."""

    at: float
    data: bytes


class _Answer(NamedTuple):
    at: float
    pieces: list[Piece]
    asked: str


def image(build: str) -> Path:
    """The shipped image of a build (`matrix-50`, `hall-64-lights`, ...)."""
    return FIRMWARE / "images" / f"{build}.hex"


def _pieces(words: Sequence[str]) -> list[Piece]:
    split = [word.split(":") for word in words]
    return [Piece(int(cycles) / HERTZ, bytes.fromhex(data)) for cycles, data in split]


def _answer(line: str) -> _Answer:
    head, _, asked = line.strip().partition(" = ")
    outcome, *words = head.split()
    if outcome != "ok":
        raise EmulatorError(line.strip())
    return _Answer(int(words[0]) / HERTZ, _pieces(words[1:]), asked)


class Bench(ABC):
    """An emulated board on the bench: what can be done to it from outside."""

    def __init__(self, build: str, *, diodes: bool = True, image_path: Path | None = None) -> None:
        """`build`: what the firmware was built for; `image_path`: another image of it than the shipped one."""
        kind, places, *_ = build.split("-")
        self.build = build
        self.hall = kind == "hall"
        self.levels = 5 if self.hall else 2
        self.pieces = [0] * int(places)
        self._lines, self._per_line = LINES[int(places)]
        self._program = [
            "node",
            str(FIRMWARE / "emulator" / "board.mjs"),
            str(image_path or image(build)),
            "--places",
            places,
            *(["--hall"] if self.hall else []),
            *([] if diodes else ["--no-diodes"]),
        ]

    @abstractmethod
    def _do(self, command: str) -> None: ...

    # Pieces and buttons.

    def place(self, place: int, level: int = 1) -> None:
        """Put a piece of `level` on `place`: 1 any or a white man, 2 a black man, 3 and 4 the kings."""
        if not 0 <= level < self.levels:
            raise ValueError(f"a piece on this board has a level below {self.levels}, not {level}")
        self.pieces[place - 1] = level
        if self.hall:
            self.volts(place, REST + LEVEL_VOLTS[level])
        else:
            self.contact(place, level > 0)

    def lift(self, place: int) -> None:
        """Take the piece off `place`."""
        self.place(place, 0)

    def set_up(self, levels: Sequence[int]) -> None:
        """Make `levels` stand on places 1, 2, ..., changing what differs."""
        if len(levels) != len(self.pieces):
            raise ValueError(f"{len(self.pieces)} levels are expected, not {len(levels)}")
        for place, level in enumerate(levels, 1):
            if level != self.pieces[place - 1]:
                self.place(place, level)

    def press(self, button: str, held: float = HELD) -> None:
        """Press a button (`clock-a`, `clock-b`, `adjust`) now, and let it go `held` seconds later."""
        self.hold(button, True)
        self.hold(button, False, after=held)

    def hold(self, button: str, down: bool, after: float = 0.0) -> None:
        """A button's contact, `after` seconds from now."""
        self._do(f"s {self._lines} {BUTTONS.index(button)} {int(down)} {after * 1e6:.3f}")

    # Sensors.

    def contact(self, place: int, closed: bool, after: float = 0.0) -> None:
        """Close or open a contact, `after` seconds from now."""
        self._do(f"s {self._at(place)} {int(closed)} {after * 1e6:.3f}")

    def bounce(self, place: int, times: int = 9, apart: float = 0.0005, after: float = 0.0) -> None:
        """Turn a contact over `times` times; an odd number leaves it changed."""
        self._do(f"b {self._at(place)} {times} {apart * 1e6:.3f} {after * 1e6:.3f}")

    def volts(self, place: int, volts: float, within: float = 0.0, after: float = 0.0) -> None:
        """What a Hall sensor gives (at a supply of 5 V), reached evenly within so many seconds."""
        self._do(f"v {place} {volts:.6f} {within * 1e6:.3f} {after * 1e6:.3f}")

    def noise_volts(self, volts: float) -> None:
        """Every reading of a Hall sensor is off by up to so much."""
        self._do(f"noise_v {volts:.6f}")

    def supply(self, volts: float) -> None:
        self._do(f"supply {volts:.6f}")

    # Chip and line.

    def reset(self) -> None:
        """Start the firmware again; the EEPROM stays."""
        self._do("reset")

    def clear(self) -> None:
        """Nothing on the board, nothing planned, a supply of 5 V; and a new start."""
        self.pieces = [0] * len(self.pieces)
        self._do("clear")

    def unplug(self) -> None:
        """Pull the cable, which also takes the supply away."""
        self._do("off")

    def plug(self) -> None:
        self._do("on")

    def drop(self, count: int) -> None:
        """The next bytes to the host are lost."""
        self._do(f"drop {count}")

    def garble(self, count: int) -> None:
        """The next bytes to the host are changed."""
        self._do(f"garble {count}")

    def noise(self, data: bytes) -> None:
        """Bytes that reach the host without having been sent."""
        self._do(f"noise {data.hex()}")

    def send(self, data: bytes) -> None:
        """Bytes from the host, at the line's speed."""
        if data:
            self._do(f"tx {data.hex()}")

    def calibrate(self, thresholds: wire.Thresholds = KNOWS_KINGS) -> None:
        """Keep a table with these for every place, and start the firmware again."""
        squares = [thresholds] * len(self.pieces)
        table = bytes([0, *(value for square in squares for value in square)])
        self.write_eeprom(_CALIBRATION_AT, table + wire.calibration_crc(0, squares).to_bytes(2, "little"))
        self.reset()

    def write_eeprom(self, address: int, data: bytes) -> None:
        self._do(f"eeprom {address} {data.hex()}")

    def _at(self, place: int) -> str:
        if not 1 <= place <= len(self.pieces):
            raise ValueError(f"the places are 1 to {len(self.pieces)}, not {place}")
        row, column = divmod(place - 1, self._per_line)
        return f"{row} {column}"


def _colours(asked: str) -> list[tuple[int, int, int]]:
    colours = [bytes.fromhex(light) for light in asked.split(",") if light]
    return [(light[0], light[1], light[2]) for light in colours]


class Emulator(Bench):
    """A board whose time goes by only in `run` and `until`. `with Emulator("matrix-50") as board:`"""

    def __init__(self, build: str = "matrix-50", *, diodes: bool = True, image_path: Path | None = None) -> None:
        super().__init__(build, diodes=diodes, image_path=image_path)
        self.time = 0.0
        self._node: subprocess.Popen[str] | None = None
        self._heard: list[Piece] = []

    def __enter__(self) -> Self:
        try:
            self._node = subprocess.Popen(self._program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except FileNotFoundError as error:
            raise EmulatorError("node is not installed") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._node is not None:
            self._node.kill()
            self._node.communicate()
            self._node = None

    def run(self, seconds: float) -> list[Piece]:
        """Let time go by; what the host heard since the last call."""
        self._ask(f"run {seconds * 1000:.6f}")
        return self._take()

    def until(self, seconds: float) -> list[Piece]:
        """The same, but time stops behind the first frame that reaches the host."""
        if not any(piece.data.endswith(b"\0") for piece in self._heard):
            self._ask(f"until {seconds * 1000:.6f}")
        return self._take()

    def lights(self) -> list[tuple[int, int, int]]:
        """Red, green and blue of each light, as the chain shows them; empty before the first were sent."""
        return _colours(self._ask("lights"))

    def eeprom(self, address: int) -> bytes:
        """Sixteen bytes."""
        return bytes.fromhex(self._ask(f"eeprom {address}"))

    def figures(self) -> dict[str, Any]:
        """What was measured: see firmware/emulator/board.mjs."""
        figures: dict[str, Any] = json.loads(self._ask("?"))
        return figures

    def _do(self, command: str) -> None:
        self._ask(command)

    def _ask(self, command: str) -> str:
        stdin, stdout = self._pipes()
        stdin.write(command + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise EmulatorError(_ENDED)
        answer = _answer(line)
        self.time = answer.at
        self._heard += answer.pieces
        return answer.asked

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        if self._node is None or self._node.stdin is None or self._node.stdout is None:
            raise EmulatorError("the emulator is not running: use it in a with statement")
        return self._node.stdin, self._node.stdout

    def _take(self) -> list[Piece]:
        heard, self._heard = self._heard, []
        return heard


class EmulatedCable:
    """An emulator and a host's conversation joined in lock-step; the host answers at the time at which it heard.

    A conversation that ended begins anew, as a host that reopens its port.
    """

    def __init__(self, board: Emulator, clock: VirtualClock | None = None, timing: Timing | None = None) -> None:
        """`clock` goes along with the board's time."""
        self._board = board
        self._clock = VirtualClock(board.time) if clock is None else clock
        self._ahead = self._clock.now() - board.time
        self._timing = timing
        self.heard: list[Piece] = []
        """Every piece so far, with the board's times."""
        self.conversation = Conversation(self._clock.now(), timing)

    def run(self, until: float) -> list[Observation]:
        """Let board and host do what is due up to `until` of the clock, and send the clock there; what was observed."""
        told: list[Observation] = []
        while True:
            if self.conversation.deadline is None:
                self.conversation = Conversation(self._clock.now(), self._timing)
            self._board.send(self.conversation.data_to_send())
            deadline = self.conversation.deadline
            at = until if deadline is None else min(deadline, until)
            told += self._hear(self._board.until(max(at - self._ahead - self._board.time, 0.0)), until)
            stopped = self._board.time + self._ahead
            # The board counts cycles: it is at `at`, or next to it, or behind a frame that came before.
            early = stopped < at - _CYCLE
            self._clock.set(max(stopped if early else at, self._clock.now()))
            if early:
                continue
            if deadline is not None and deadline <= at:
                told += self.conversation.tick(self._clock.now())
            else:
                return told

    def _hear(self, pieces: list[Piece], until: float) -> list[Observation]:
        self.heard += pieces
        told: list[Observation] = []
        for at, data in pieces:
            told += self.conversation.receive(data, min(at + self._ahead, until))
        return told


class EmulatedBoard(Bench):
    """A board that runs `speed` times as fast as time behind a pty: `async with EmulatedBoard("matrix-50") as board:`

    What is done to it happens when the emulator hears of it, without waiting. A command that it does not take raises
    EmulatorError at the end.
    """

    def __init__(
        self,
        build: str = "matrix-50",
        *,
        diodes: bool = True,
        image_path: Path | None = None,
        speed: float = 1.0,
        link: Path | None = None,
    ) -> None:
        super().__init__(build, diodes=diodes, image_path=image_path)
        self.plugged = True
        self._speed = speed
        self._pty = BoardPty(self, RunningClock(), link)
        self._node: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._asked: deque[asyncio.Future[_Answer] | None] = deque()
        self._errors: list[str] = []
        self._to_host = bytearray()
        self._wake: Callable[[], None] | None = None

    @property
    def path(self) -> str:
        """The port as a host opens it."""
        return self._pty.path

    async def __aenter__(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        try:
            self._node = await asyncio.create_subprocess_exec(*self._program, stdin=pipe, stdout=pipe)
        except FileNotFoundError as error:
            raise EmulatorError("node is not installed") from error
        self._reader = asyncio.create_task(self._read(), name=f"emulated {self.build}")
        await self._pty.__aenter__()
        self._do(f"x {self._speed}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._pty.__aexit__(kind, error, trace)
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError):
                await self._reader
        if self._node is not None:
            with suppress(ProcessLookupError):
                self._node.kill()
            await self._node.communicate()
        if self._errors and kind is None:
            raise EmulatorError(self._errors[0])

    async def run(self, seconds: float) -> None:
        """With `speed` -1: let so much time go by."""
        await self._ask(f"run {seconds * 1000:.6f}")

    async def lights(self) -> list[tuple[int, int, int]]:
        """Red, green and blue of each light, as the chain shows them; empty before the first were sent."""
        return _colours((await self._ask("lights")).asked)

    async def time(self) -> float:
        """The board's, in seconds since its emulator began."""
        return (await self._ask("?")).at

    async def figures(self) -> dict[str, Any]:
        """What was measured: see firmware/emulator/board.mjs."""
        figures: dict[str, Any] = json.loads((await self._ask("?")).asked)
        return figures

    def unplug(self) -> None:
        super().unplug()
        self.plugged = False
        self._to_host.clear()
        self._carry()

    def plug(self) -> None:
        super().plug()
        self.plugged = True
        self._carry()

    # What the pty needs.

    @property
    def deadline(self) -> float:
        return float("inf")

    def attach(self, wake: Callable[[], None]) -> None:
        self._wake = wake

    def advance(self) -> None:
        """Its time goes by in the emulator."""

    def receive(self, data: bytes) -> None:
        """Bytes from the host."""
        self.send(data)

    def data_to_send(self) -> bytes:
        data = bytes(self._to_host)
        self._to_host.clear()
        return data

    def _carry(self) -> None:
        if self._wake is not None:
            self._wake()

    def _do(self, command: str) -> None:
        self._write(command, None)

    async def _ask(self, command: str) -> _Answer:
        answered: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
        self._write(command, answered)
        return await answered

    def _write(self, command: str, answered: asyncio.Future[_Answer] | None) -> None:
        if self._node is None or self._node.stdin is None:
            raise EmulatorError("the emulator is not running: use it in an async with statement")
        if self._reader is None or self._reader.done():
            raise EmulatorError(_ENDED)
        self._asked.append(answered)
        self._node.stdin.write(f"{command}\n".encode())

    async def _read(self) -> None:
        if self._node is None or self._node.stdout is None:
            return
        async for raw in self._node.stdout:
            line = raw.decode()
            if line.startswith(">"):
                self._hear(_pieces(line[1:].split()))
                continue
            asked = self._asked.popleft()
            try:
                answer = _answer(line)
            except EmulatorError as error:
                self._fail(asked, error)
                continue
            if asked is not None and not asked.done():
                asked.set_result(answer)
            self._hear(answer.pieces)
        for asked in self._asked or [None]:
            self._fail(asked, EmulatorError(_ENDED))

    def _fail(self, asked: asyncio.Future[_Answer] | None, error: EmulatorError) -> None:
        if asked is None:
            self._errors.append(str(error))
        elif not asked.done():
            asked.set_exception(error)

    def _hear(self, pieces: list[Piece]) -> None:
        if pieces and self.plugged:
            for piece in pieces:
                self._to_host += piece.data
            self._carry()
