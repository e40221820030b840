"""`damas-board sniff`: what a board says on its port, or said in captured bytes, one readable line a frame."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Generic, TypeVar

import serial

from damas_board.cli import DONE, Commands, regulation
from damas_board.cli.errors import InputError
from damas_board.cli.frame_text import FrameText, Name
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding import wire
from damas_board.decoding.conversation import Timing
from damas_board.decoding.square_map import CORNERS, Corner, SquareMap
from damas_board.messages.names import escaped
from damas_board.regulations import Regulation
from damas_board.sources.adapters import USB_NAMES
from damas_board.sources.errors import BoardError
from damas_board.sources.foreign_ports import check_ours
from damas_board.sources.serial_port import PORT_FAULTS, open_port, read_available

CAPTURED_TIME = "-"
Frame = TypeVar("Frame")
_NOT_HEX = re.compile(rb"0[xX]|[\s,;:]+")


def register(commands: Commands) -> None:
    parser = commands.add_parser("sniff", help=word("help.sniff"), description=word("help.sniff"))
    parser.add_argument("port", metavar="PORT", help=word("help.sniff.port"))
    parser.add_argument("--listen", action="store_true", help=word("help.sniff.listen"))
    parser.add_argument("--map", metavar="R", help=word("help.sniff.map"))
    parser.add_argument("--corner", choices=CORNERS, default="black-left", help=word("help.sniff.corner"))
    parser.add_argument("--hex", action="store_true", help=word("help.sniff.hex"))
    parser.add_argument("--host", action="store_true", help=word("help.sniff.host"))
    parser.add_argument("--raw", type=int, metavar="BAUD", help=word("help.sniff.raw"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Prints a line a frame: of captured bytes to their end, of a port until Ctrl-C."""
    places = None if chosen.map is None else Places(regulation.named(chosen.map), chosen.map, chosen.corner)
    lines = Lines(places, with_bytes=chosen.hex)
    if chosen.raw is not None:
        _show_bytes(chosen.port, chosen.raw)
    elif chosen.port == "-":
        _read_captured(sys.stdin.buffer.read(), word("stdin"), lines, of_host=chosen.host)
    elif os.path.isfile(chosen.port):
        _read_captured(Path(chosen.port).read_bytes(), chosen.port, lines, of_host=chosen.host)
    elif chosen.host:
        raise InputError(word("sniff.host_port"))
    else:
        if not chosen.listen:
            check_ours(chosen.port, USB_NAMES)
        with open_port(chosen.port) as port:
            _listen(port, chosen.port, lines, ask=not chosen.listen)
    return DONE


class Places:
    """What the squares above a board's places are called in a game."""

    def __init__(self, game: Regulation, name: str, corner: Corner) -> None:
        variant = game.variant
        self._geometry = variant.geometry
        self._regulation = name
        self._map: SquareMap | None = SquareMap(variant.size, variant.corner, corner)

    def fit(self, hello: wire.Hello) -> None:
        """Take the places for those of this board; where they are not, places have no names from now on."""
        if self._map is not None and (hello.places, hello.geometry) != (self._map.places, self._map.geometry):
            asked = {"regulation": self._regulation, "corner": self._map.connector}
            found = {"places": hello.places, "size": hello.geometry & 0x0F, "geometry": f"{hello.geometry:#04x}"}
            self._map = None
            say(word("sniff.unfit_map", **asked, **found))

    def name(self, place: int) -> str | None:
        if self._map is None or not 1 <= place <= self._map.places:
            return None
        return self._geometry.name(self._map.square(place))


@dataclass(frozen=True, slots=True)
class Heard(Generic[Frame]):
    """A frame, and the payload that it is."""

    frame: Frame
    payload: bytes


class Lines:
    """Prints a line for each thing that a decoder finds."""

    def __init__(self, places: Places | None, *, with_bytes: bool) -> None:
        name: Name = (lambda place: None) if places is None else places.name
        self._text = FrameText(name)
        self._places = places
        self._with_bytes = with_bytes

    def of_board(self, item: Heard[wire.BoardFrame] | wire.Bad, at: str) -> None:
        if isinstance(item, wire.Bad):
            self._bad(item, at)
            return
        if isinstance(item.frame, wire.Hello) and self._places is not None:
            self._places.fit(item.frame)
        self._print(at, "<", self._text.of_board(item.frame), item.payload)

    def of_host(self, item: Heard[wire.HostFrame] | wire.Bad, at: str) -> None:
        if isinstance(item, wire.Bad):
            self._bad(item, at)
        else:
            self._print(at, ">", self._text.of_host(item.frame), item.payload)

    def rest(self, data: bytes) -> None:
        """Captured bytes end in the middle of a frame."""
        if data:
            self._print(CAPTURED_TIME, "!", word("sniff.rest", hex=data.hex(" ")))

    def _bad(self, bad: wire.Bad, at: str) -> None:
        self._print(at, "!", f"{word(f'sniff.bad.{bad.reason}')}: {bad.data.hex(' ')}")

    def _print(self, at: str, mark: str, text: str, payload: bytes = b"") -> None:
        shown = f"  [{payload.hex(' ')}]" if payload and self._with_bytes else ""
        print(f"{at} {mark} {escaped(' '.join(text.splitlines()))}{shown}", flush=True)


def _board_decoder() -> wire.Decoder[Heard[wire.BoardFrame]]:
    return wire.Decoder(lambda payload: Heard(wire.read_board_payload(payload), payload))


def _host_decoder() -> wire.Decoder[Heard[wire.HostFrame]]:
    return wire.Decoder(lambda payload: Heard(wire.read_host_payload(payload), payload))


# captured bytes


def _read_captured(data: bytes, file: str, lines: Lines, *, of_host: bool) -> None:
    captured = _bytes(data, file)
    if of_host:
        commands = _host_decoder()
        for command in commands.inspect(captured):
            lines.of_host(command, CAPTURED_TIME)
        lines.rest(commands.pending)
    else:
        frames = _board_decoder()
        for frame in frames.inspect(captured):
            lines.of_board(frame, CAPTURED_TIME)
        lines.rest(frames.pending)


def _bytes(data: bytes, file: str) -> bytes:
    """Captured bytes as they are, which have a zero behind each frame, or the bytes of hexadecimal text."""
    if b"\0" in data:
        return data
    found = bytearray()
    for number, line in enumerate(data.splitlines(), 1):
        digits = _NOT_HEX.sub(b"", line.partition(b"#")[0])
        try:
            found += bytes.fromhex(digits.decode("ascii"))
        except ValueError as error:
            raise InputError(word("sniff.no_bytes", file=file, line=number)) from error
    return bytes(found)


# a port


def _show_bytes(path: str, baud: int) -> None:
    """Tells bytes as they come until Ctrl-C, whatever they mean. BoardError where the connection breaks off."""
    with open_port(path, baud) as port:
        say(word("sniff.raw_on", port=path, baud=baud))
        try:
            while True:
                data = read_available(port)
                text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in data)
                at = datetime.now().astimezone().strftime("%H:%M:%S.%f")[:-3]
                if data:
                    print(f"{at} < {data.hex(' ')}  {text}", flush=True)
        except PORT_FAULTS as error:
            raise BoardError("port_lost", port=path) from error


def _listen(port: serial.Serial, path: str, lines: Lines, *, ask: bool) -> None:
    """Tells what comes until Ctrl-C. BoardError where the connection breaks off."""
    say(word("sniff.on", port=path))
    decoder = _board_decoder()
    timing = Timing()
    asking = _Asking(timing) if ask else None
    heard_at: float | None = time.monotonic()
    try:
        while True:
            data = read_available(port)
            now = time.monotonic()
            at = datetime.now().astimezone().strftime("%H:%M:%S.%f")[:-3]
            found = decoder.inspect(data)
            for item in found:
                lines.of_board(item, at)
            if found:
                heard_at = now
            elif heard_at is not None and now - heard_at >= timing.silent_after:
                say(word("sniff.quiet", port=path, seconds=timing.silent_after))
                heard_at = None
            for command in () if asking is None else asking.next(found, now):
                lines.of_host(Heard(command, wire.host_payload(command)), at)
                port.write(b"\0" + wire.encode_command(command))
    except PORT_FAULTS as error:
        raise BoardError("port_lost", port=path) from error


class _Asking:
    """Asks HELLO until it is answered (a board that restarts as its port is opened hears nothing at first), then the
    SNAPSHOT, once."""

    def __init__(self, timing: Timing) -> None:
        self._every = timing.hello_every
        self._until = time.monotonic() + timing.hello_for
        self._at = 0.0
        self._done = False

    def next(self, heard: Iterable[Heard[wire.BoardFrame] | wire.Bad], now: float) -> list[wire.HostCommand]:
        """What is to be asked now."""
        if self._done:
            return []
        frames = [item.frame for item in heard if isinstance(item, Heard)]
        if any(isinstance(frame, wire.Hello | wire.ForeignHello) and frame.tag for frame in frames):
            self._done = True
            return [wire.AskSnapshot(2)]
        if now < self._at or now >= self._until:
            return []
        self._at = now + self._every
        return [wire.AskHello(1)]
