"""Reads the golden frames of tests/wire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from damas_board.decoding import wire

WIRE = Path(__file__).parents[1] / "wire"


class Golden(NamedTuple):
    name: str
    sender: str
    data: bytes
    says: str


def _lines(name: str) -> Iterator[list[str]]:
    for line in (WIRE / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield [field.strip() for field in line.split(" | ")]


def golden_frames() -> list[Golden]:
    return [Golden(name, sender, bytes.fromhex(data), says) for name, sender, data, says in _lines("frames.txt")]


def bad_frames() -> list[tuple[str, bytes, str]]:
    return [(name, bytes.fromhex(data), reason) for name, data, reason in _lines("bad.txt")]


def value_of(says: str) -> wire.BoardFrame | wire.HostFrame:
    """The frame that the text of a golden frame describes."""
    kind, _, rest = says.partition(" ")
    if kind == "LOG":
        head, _, text = rest.partition(" text=")
        seq, t = (int(field.partition("=")[2]) for field in head.split())
        return wire.Log(seq, t, text)
    fields = dict(field.split("=") for field in rest.split())
    firmware = fields.pop("firmware", None)
    texts = ("of", "levels", "readings", "body", "places", "unstable", "squares")
    special = {name: fields.pop(name) for name in texts if name in fields}
    numbers = {name: int(text) for name, text in fields.items()}
    version = tuple(map(int, firmware.split("."))) if firmware else (0, 0)
    match kind:
        case "HELLO":
            levels, places = int(special["levels"]), int(special["places"])
            return wire.Hello(**numbers, levels=levels, places=places, firmware=version)
        case "FOREIGN":
            return wire.ForeignHello(**numbers, firmware=version)
        case "EVENT":
            return wire.Event(**numbers)
        case "SNAPSHOT":
            levels = tuple(map(int, special["of"]))
            return wire.Snapshot(**numbers, packed=wire.pack_levels(levels, int(special["levels"])))
        case "HEARTBEAT":
            return wire.Heartbeat(**numbers, unstable=_set(special.get("unstable", "")))
        case "NAK":
            return wire.Nak(**numbers)
        case "ACK":
            return wire.Ack(**numbers)
        case "RAW":
            return wire.Raw(**numbers, readings=bytes.fromhex(special["readings"]))
        case "CALIBRATION":
            return wire.Calibration(**numbers, squares=_squares(special["squares"]))
        case "OTHER":
            return wire.OtherFrame(**numbers, body=bytes.fromhex(special["body"]))
        case "ASK-HELLO":
            return wire.AskHello(**numbers)
        case "ASK-SNAPSHOT":
            return wire.AskSnapshot(**numbers)
        case "RESEND":
            return wire.Resend(**numbers)
        case "DEBOUNCE":
            return wire.SetDebounce(**numbers)
        case "LED":
            return wire.Light(**numbers, places=_set(special["places"]))
        case "RAW-RATE":
            return wire.ReportRaw(**numbers)
        case "CALIBRATE-READ":
            return wire.ReadCalibration(**numbers)
        case "CALIBRATE-WRITE":
            return wire.WriteCalibration(**numbers, squares=_squares(special["squares"]))
        case "CALIBRATE-KEEP":
            return wire.KeepCalibration(**numbers)
        case "CALIBRATE-FACTORY":
            return wire.FactoryCalibration(**numbers)
        case "BAD":
            return wire.BadCommand(numbers["tag"], numbers["command"], wire.NakCode(numbers["code"]))
    raise ValueError(f"{kind} is no kind of golden frame")


def _set(text: str) -> frozenset[int]:
    return frozenset(map(int, filter(None, text.split(","))))


def _squares(text: str) -> tuple[wire.Thresholds, ...]:
    return tuple(wire.Thresholds(*bytes.fromhex(square)) for square in text.split(","))
