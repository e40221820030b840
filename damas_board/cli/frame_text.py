"""Frames of the wire as a person reads them: one line each, what stands there in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from damas_board.cli.words import known, word
from damas_board.decoding import wire

Name = Callable[[int], str | None]
"""What the square above a place is called, where that is known."""


class FrameText:
    """Says the frames of one board; HELLO has to come before a SNAPSHOT can be read."""

    def __init__(self, name: Name = lambda place: None) -> None:
        self.hello: wire.Hello | None = None
        self._name = name

    def of_board(self, frame: wire.BoardFrame) -> str:
        """A line: type, number of the newest event, the board's seconds, fields."""
        if isinstance(frame, wire.Hello):
            self.hello = frame
        kind = type(frame).__name__.upper().replace("FOREIGNHELLO", "HELLO")
        if isinstance(frame, wire.OtherFrame):
            kind = f"0x{frame.type:02X}"
        return f"{kind:<11} {frame.seq:>5} {frame.t / 1000:>10.3f}  {self._says(frame)}".rstrip()

    def of_host(self, frame: wire.HostFrame) -> str:
        """A line: the command, its tag, fields."""
        match frame:
            case wire.BadCommand(tag, command, code):
                name, says = _command(command), word("sniff.bad_command", reason=_nak(code))
            case wire.Resend(tag, first):
                name, says = _command(wire.CommandType.RESEND), word("sniff.resend", first=first)
            case wire.SetDebounce(tag, down, up):
                name, says = _command(wire.CommandType.DEBOUNCE), word("sniff.debounce", down=down, up=up)
            case wire.Light(tag, colour, places):
                colour_word = word(f"sniff.colour.{colour}")
                name, says = _command(wire.CommandType.LED), f"{colour_word}: {self._places(places)}"
            case wire.ReportRaw(tag, rate):
                name, says = _command(wire.CommandType.RAW), word("sniff.rate", rate=rate)
            case wire.ReadCalibration(tag, first):
                name, says = _command(wire.CommandType.CALIBRATE), word("sniff.calibrate.read", first=first)
            case wire.WriteCalibration(tag, first, squares):
                says = word("sniff.calibrate.write", squares=_thresholds(first, squares))
                name = _command(wire.CommandType.CALIBRATE)
            case wire.KeepCalibration(tag, flags, crc):
                says = word("sniff.calibrate.keep", flags=f"{flags:02X}", crc=f"{crc:04X}")
                name = _command(wire.CommandType.CALIBRATE)
            case wire.FactoryCalibration(tag):
                name, says = _command(wire.CommandType.CALIBRATE), word("sniff.calibrate.factory")
            case wire.AskHello(tag):
                name, says = _command(wire.CommandType.HELLO), ""
            case wire.AskSnapshot(tag):
                name, says = _command(wire.CommandType.SNAPSHOT), ""
        return f"{name:<11} {word('sniff.tag', tag=tag)}  {says}".rstrip()

    def _says(self, frame: wire.BoardFrame) -> str:
        match frame:
            case wire.Hello():
                return self._hello(frame)
            case wire.ForeignHello():
                return word("sniff.foreign", theirs=frame.protocol, ours=wire.PROTOCOL, firmware=_version(frame))
            case wire.Event(_, _, key, level):
                if key in wire.BUTTONS:
                    return f"{_button(wire.Key(key))}: {word('sniff.pressed' if level else 'sniff.released')}"
                return f"{self._place(key)}: {self._level(level)}"
            case wire.Snapshot():
                return f"{word('sniff.tag', tag=frame.tag)}; {self._snapshot(frame)}"
            case wire.Heartbeat():
                return self._heartbeat(frame)
            case wire.Nak(_, _, tag, command, code):
                return word("sniff.nak", tag=tag, command=_command(command), reason=_nak(code))
            case wire.Ack(_, _, tag, command):
                return word("sniff.ack", tag=tag, command=_command(command))
            case wire.Raw(_, _, first, readings):
                last = first + len(readings) - 1
                return f"{word('sniff.places', places=f'{first}-{last}')}: {' '.join(map(str, readings))}"
            case wire.Calibration(_, _, first, flags, squares):
                side = word("sniff.white_up" if flags & wire.WHITE_ABOVE else "sniff.white_down")
                return f"{side}; {_thresholds(first, squares)}"
            case wire.Log(_, _, text):
                return text
            case wire.OtherFrame(_, _, _, body):
                return body.hex(" ")

    def _hello(self, hello: wire.Hello) -> str:
        caps = [word(f"sniff.cap.{cap.value}") for cap in wire.Cap if hello.caps & cap]
        return word(
            "sniff.hello",
            tag=hello.tag,
            uid=hello.identity,
            firmware=_version(hello),
            boot=hello.boot_id,
            places=hello.places,
            size=hello.geometry & 0x0F,
            geometry=f"{hello.geometry:02X}",
            buttons=hello.buttons,
            levels=hello.levels,
            hardware=hello.hardware,
            scans=hello.scan_hz,
            down=hello.debounce_down,
            up=hello.debounce_up,
            caps=", ".join(caps) or "-",
        )

    def _snapshot(self, snapshot: wire.Snapshot) -> str:
        hello = self.hello
        if hello is None:
            return word("sniff.no_hello", hex=snapshot.packed.hex(" "))
        try:
            levels = wire.unpack_levels(snapshot.packed, hello.places + hello.buttons, hello.levels)
        except wire.MalformedError:
            return word("sniff.unfit", hex=snapshot.packed.hex(" "))
        places, buttons = levels[: hello.places], levels[hello.places :]
        found = [
            f"{self._level(level)}: {self._places(p for p, is_ in enumerate(places, 1) if is_ == level)}"
            for level in sorted(set(places) - {0})
        ]
        found += [
            f"{_button(button)}: {word('sniff.pressed')}"
            for button, held in zip(wire.BUTTONS, buttons, strict=False)
            if held
        ]
        return "; ".join(found) or word("sniff.nothing")

    def _heartbeat(self, beat: wire.Heartbeat) -> str:
        said = word("sniff.heartbeat", scans=beat.scans, bad=beat.received_bad, overrun=beat.overrun)
        if beat.supply_mv:
            said += f", {beat.supply_mv / 1000:.2f} V"
        return f"{said}; {word('sniff.unstable', keys=self._numbers(beat.unstable))}" if beat.unstable else said

    def _numbers(self, numbers: Iterable[int]) -> str:
        """Places, and behind them the buttons."""
        places = wire.MAX_PLACES if self.hello is None else self.hello.places
        said = [self._places(n for n in numbers if n <= places)]
        behind = [n - places - 1 for n in sorted(numbers) if n > places]
        said += [_button(wire.BUTTONS[n]) if n < len(wire.BUTTONS) else f"#{places + n + 1}" for n in behind]
        return ", ".join(filter(None, said))

    def _level(self, level: int) -> str:
        two = self.hello is None or self.hello.levels == 2
        key = "sniff.level.occupied" if level == 1 and two else f"sniff.level.{level}"
        return word(key) if known(key) else str(level)

    def _place(self, place: int) -> str:
        name = self._name(place)
        said = word("sniff.place", place=place)
        return said if name is None else f"{said} ({name})"

    def _places(self, places: Iterable[int]) -> str:
        """By the names of their squares, where they have some, else by their numbers."""
        numbers = sorted(places)
        names = [self._name(place) for place in numbers]
        if names and all(names):
            return " ".join(map(str, names))
        return " ".join(_runs(numbers))


def _runs(numbers: Sequence[int]) -> list[str]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def _thresholds(first: int, squares: Sequence[wire.Thresholds]) -> str:
    """`place:zero/man/king` of each."""
    return " ".join(f"{place}:{'/'.join(map(str, square))}" for place, square in enumerate(squares, first))


def _version(hello: wire.Hello | wire.ForeignHello) -> str:
    return ".".join(map(str, hello.firmware))


def _button(key: wire.Key) -> str:
    return word(f"sniff.button.{key.name.lower()}")


def _command(command: int) -> str:
    """As the protocol calls it."""
    return wire.CommandType(command).name if command in set(wire.CommandType) else f"0x{command:02X}"


def _nak(code: int) -> str:
    key = f"sniff.nak.{code}"
    return word(key) if known(key) else str(code)
