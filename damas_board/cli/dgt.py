"""`damas-board dgt`: looks at a DGT board, reads its own log, reports on it, and sets which squares it scans.

`look`, `log` and `report` change nothing in the board. `scan` is the one place of the program from which a board is
told to write something into its lasting memory, and only where the operator has typed the board's serial number for it,
or has said `--write-memory`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from damas_board.app.inventory import NO_GAME
from damas_board.cli import DONE, WRONG_INPUT, Commands, regulation
from damas_board.cli.board_picture import can_show
from damas_board.cli.dgt_log import entry_lines, recording_lines
from damas_board.cli.errors import InputError
from damas_board.cli.real_board import utc_now
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding.dgt.bus import address_text
from damas_board.decoding.dgt.bus_frames import WRITES_BUS_MEMORY, Ask, request
from damas_board.decoding.dgt.clock import ClockTimes, NoClock
from damas_board.decoding.dgt.codes import EMPTY, Codes, table_of
from damas_board.decoding.dgt.fields import Colour, playing_colour
from damas_board.decoding.dgt.frames import NEVER, WRITES_MEMORY, Command
from damas_board.decoding.dgt.reading import BoardReading, Setting
from damas_board.decoding.dgt.reports import (
    Battery,
    BusAddress,
    ClockSaid,
    Dump,
    Log,
    LongSerialNumber,
    Report,
    SerialNumber,
    Version,
)
from damas_board.decoding.square_map import CORNERS, Corner
from damas_board.messages.names import escaped
from damas_board.regulations import Regulation, shipped
from damas_board.sources.dgt_port import DgtPort, Trace
from damas_board.sources.foreign_ports import usb_name

NAMING = (Command.SERIAL_NUMBER, Command.LONG_SERIAL_NUMBER, Command.VERSION, Command.BUS_ADDRESS)
HALVES = (Command.DUMP_BLACK, Command.DUMP_WHITE)
"""A board for chess has none."""
ASKED_ON_A_BUS = tuple(ask for ask in Ask if ask not in WRITES_BUS_MEMORY)
SCANS: Mapping[str, Command] = {
    "all": Command.SCAN_ALL,
    "black": Command.SCAN_BLACK,
    "white": Command.SCAN_WHITE,
}
"""The orders that set which squares are scanned, in the board's lasting memory."""
USUAL: Mapping[int, str] = {8: "br-cbjd", 10: "int-fmjd"}
"""The regulation where none is named, by the size of the board."""
WATCH_SECONDS = 30.0
"""How long a report watches what is played."""
REPORT_FORMAT = 1
_PRETTY = {"w": "○", "W": "◎", "b": "●", "B": "◉", ".": "·"}


def register(commands: Commands) -> None:
    parser = commands.add_parser("dgt", help=word("help.dgt"), description=word("help.dgt"))
    actions = parser.add_subparsers(metavar=word("help.command"), required=True)
    look = _action(actions, "look", call_look)
    look.add_argument("--json", action="store_true", help=word("help.dgt.json"))
    log = _action(actions, "log", call_log)
    log.add_argument("--recording", metavar="FILE", help=word("help.dgt.recording"))
    log.add_argument("--game", type=int, metavar="N", help=word("help.dgt.game"))
    log.add_argument("--log-fields", type=int, choices=(6, 7), default=7, help=word("help.dgt.log_fields"))
    for one in (look, log):
        one.add_argument("--corner", choices=CORNERS, default=CORNERS[0], help=word("help.dgt.corner"))
        one.add_argument("--regulation", "-r", metavar="R", help=word("help.dgt.regulation"))
    _action(actions, "bus", call_bus)
    report = actions.add_parser("report", help=word("help.dgt.report"), description=word("help.dgt.report"))
    report.add_argument("port", metavar="PORT", help=word("help.dgt.port"))
    report.add_argument("--output", metavar="FILE", default="dgt-report.txt", help=word("help.dgt.output"))
    report.add_argument("--watch", type=float, default=WATCH_SECONDS, metavar="S", help=word("help.dgt.watch"))
    report.set_defaults(call=call_report)
    scan = actions.add_parser("scan", help=word("help.dgt.scan"), description=word("help.dgt.scan"))
    scan.add_argument("which", choices=("playable", "all"), help=word("help.dgt.which"))
    scan.add_argument("port", metavar="PORT", help=word("help.dgt.port"))
    scan.add_argument("--squares", choices=("black", "white"), help=word("help.dgt.squares"))
    scan.add_argument("--write-memory", action="store_true", help=word("help.dgt.write_memory"))
    scan.add_argument("--bytes", action="store_true", help=word("help.dgt.bytes"))
    scan.set_defaults(call=call_scan)


def _action(actions: Any, name: str, call: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=word(f"help.dgt.{name}"), description=word(f"help.dgt.{name}")
    )
    parser.add_argument("port", metavar="PORT", help=word("help.dgt.port"))
    parser.add_argument("--bytes", action="store_true", help=word("help.dgt.bytes"))
    parser.set_defaults(call=call)
    return parser


def _trace(chosen: argparse.Namespace) -> Trace | None:
    return _show_bytes if chosen.bytes else None


def _show_bytes(ours: bool, data: bytes) -> None:
    text = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in data)
    say(f"{'>' if ours else '<'} {data.hex(' ')}  {text}")


# what a board says of itself


@dataclass(frozen=True)
class Facts:
    """What a board has answered."""

    port: str
    answers: Mapping[Command, Report]

    @property
    def serial(self) -> str | None:
        said = self.answers.get(Command.SERIAL_NUMBER)
        return said.text if isinstance(said, SerialNumber) else None

    @property
    def dump(self) -> Dump | None:
        return self._dump(Command.DUMP)

    @property
    def size(self) -> int | None:
        return None if self.dump is None else 8 if self.dump.fields == "all64" else 10

    @property
    def halves(self) -> dict[Colour, Dump]:
        """The dumps of the squares that the board calls black, and of its white ones."""
        found: dict[Colour, Dump] = {}
        for colour, command in (("black", Command.DUMP_BLACK), ("white", Command.DUMP_WHITE)):
            if (dump := self._dump(command)) is not None:
                found["black" if colour == "black" else "white"] = dump
        return found

    @property
    def playing(self) -> Colour | None:
        """Which squares are played on, by where pieces stand."""
        halves = self.halves
        return playing_colour(halves["black"].codes, halves["white"].codes) if len(halves) == 2 else None

    def _dump(self, command: Command) -> Dump | None:
        said = self.answers.get(command)
        return said if isinstance(said, Dump) else None

    def told(self) -> dict[str, Any]:
        """As a JSON object."""
        body: dict[str, Any] = {"port": self.port}
        for said in self.answers.values():
            match said:
                case SerialNumber(text):
                    body["serial_number"] = text
                case LongSerialNumber(text):
                    body["long_serial_number"] = text
                case Version():
                    body["version"] = said.text
                case BusAddress(number):
                    body["bus_address"] = number
                case Battery(percent, left, on, standby, charging, discharging):
                    keys = ("percent", "left_minutes", "on_minutes", "standby_minutes", "charging", "discharging")
                    values = (percent, left, on, standby, charging, discharging)
                    body["battery"] = {k: v for k, v in zip(keys, values, strict=True) if v is not None}
                case ClockSaid(ClockTimes() as times):
                    body["clock"] = {"left": times.left.seconds, "right": times.right.seconds, "high": times.high}
                    body["clock"] |= {"running": times.running, "battery_low": times.battery_low}
                case Dump(fields, codes):
                    body.setdefault("fields", {})[fields] = list(codes)
                case _:
                    pass
        return body


def _facts(port: DgtPort, *, whole: bool = True) -> Facts:
    extra = (Command.BATTERY, Command.CLOCK) if whole else ()
    facts = Facts(port.path, port.ask((*NAMING, *extra, Command.DUMP)))
    return facts if facts.size == 8 else Facts(port.path, {**facts.answers, **port.ask((*HALVES, Command.VERSION))})


def _rules(name: str | None, size: int, port: str) -> Regulation:
    """The regulation that names the squares. InputError where it is not of a board of this size."""
    rules = shipped(USUAL[size]) if name is None else regulation.named(name)
    if rules.variant.size != size:
        facts = {"fields": size**2, "regulation": rules.name, "size": rules.variant.size}
        raise InputError(word("dgt.log.size", port=port, **facts))
    return rules


def reading(rules: Regulation, corner: Corner) -> BoardReading:
    """What the codes of a board mean, with its connector at `corner`."""
    return BoardReading(Setting(size=rules.variant.size, dark=rules.variant.corner, corner=corner))


# look


def call_look(chosen: argparse.Namespace) -> int:
    """Prints what the board says of itself, and the board from White's side; with --json an object."""
    if not chosen.json:
        say(word("dgt.asking", port=chosen.port))
    with DgtPort(chosen.port, _trace(chosen)) as port:
        facts = _facts(port)
    rules = None if facts.size is None else _rules(chosen.regulation, facts.size, chosen.port)
    rows = None
    if rules is not None and facts.dump is not None:
        rows = reading(rules, chosen.corner).rows(facts.dump.fields, facts.dump.codes)
    if chosen.json:
        print(json.dumps(facts.told() | ({} if rows is None else {"see": rows}), ensure_ascii=False))
        return DONE
    lines = list(_lines(facts).items())
    width = max(len(name) for name, _ in lines)
    for name, text in lines:
        print(escaped(f"{name:{width}}  {text}"))
    if rows is not None:
        print("\n".join(_drawn(rows)))
    if facts.serial is not None and rules is not None:
        print()
        print(word("dgt.lines"))
        print("\n".join(_table(facts, rules, chosen.corner)))
    return DONE


def _lines(facts: Facts) -> dict[str, str]:
    """What is told, by its name."""
    body = facts.told()
    lines = {word("dgt.port"): facts.port}
    for key in ("serial_number", "long_serial_number", "bus_address", "version"):
        lines[word(f"dgt.{key}")] = str(body.get(key, word("dgt.not_said")))
    lines[word("dgt.battery")] = _battery(facts.answers.get(Command.BATTERY))
    lines[word("dgt.clock")] = _clock(facts.answers.get(Command.CLOCK))
    lines |= _squares(facts)
    return lines


def _squares(facts: Facts) -> dict[str, str]:
    dump = facts.dump
    if dump is None:
        return {word("dgt.fields"): word("dgt.no_dump")}
    parts = [word("dgt.fields_all", count=len(dump.codes), pieces=_pieces(dump))]
    if len(halves := facts.halves) == 2:
        parts.append(word("dgt.fields_halves", black=_pieces(halves["black"]), white=_pieces(halves["white"])))
    table: Codes | None = table_of(dump.codes)
    return {word("dgt.fields"): "; ".join(parts), word("dgt.pieces"): word(f"dgt.codes.{table or 'unclear'}")}


def _pieces(dump: Dump) -> int:
    return sum(code != EMPTY for code in dump.codes)


def _battery(said: Report | None) -> str:
    if not isinstance(said, Battery) or said.percent is None:
        return word("dgt.no_battery")
    parts = [word("dgt.percent", percent=said.percent)]
    if said.left_minutes is not None:
        parts.append(word("dgt.minutes_left", minutes=said.left_minutes))
    if said.charging:
        parts.append(word("dgt.charging"))
    return ", ".join(parts)


def _clock(said: Report | None) -> str:
    if not isinstance(said, ClockSaid):
        return word("dgt.not_said")
    times = said.said
    if isinstance(times, NoClock):
        return word("dgt.no_clock")
    if not isinstance(times, ClockTimes):
        return word("dgt.no_times")
    parts = [word("dgt.times", left=shown(times.left.seconds), right=shown(times.right.seconds))]
    runs = "right" if times.high == "left" else "left"
    parts.append(word("dgt.runs", side=word(f"dgt.{runs}")) if times.running else word("dgt.stands"))
    if times.battery_low:
        parts.append(word("dgt.clock_battery"))
    return ", ".join(parts)


def shown(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _drawn(rows: str) -> list[str]:
    """The board from White's side, two characters a square."""
    signs = _PRETTY if can_show(sys.stdout)[0] else {}
    return ["".join(f" {signs.get(mark, mark)}" for mark in row) for row in rows.split("/")]


def _table(facts: Facts, rules: Regulation, corner: Corner) -> list[str]:
    """The lines of a configuration for this board."""
    lines = ["[[board]]", 'id = "table-1"', f'port = "{facts.port}"', f'uid = "{facts.serial}"']
    lines += [f'regulation = "{rules.name}"', *([f'corner = "{corner}"'] if corner != CORNERS[0] else [])]
    return [*lines, "[board.adapter]", 'speaks = "dgt"']


# log


def call_log(chosen: argparse.Namespace) -> int:
    """Prints the entries of the board's own log, or writes the moves since the start position as a recording."""
    if chosen.game is not None and chosen.recording is None:
        raise InputError(word("dgt.log.game_alone"))
    with DgtPort(chosen.port, _trace(chosen)) as port:
        say(word("dgt.asking", port=chosen.port))
        facts = _facts(port, whole=False)
        if facts.dump is None or facts.size is None:
            raise InputError(word("dgt.log.no_dump", port=chosen.port))
        rules = _rules(chosen.regulation, facts.size, chosen.port)
        say(word("dgt.log.wait", port=chosen.port))
        answers = port.ask((Command.LOG, Command.DUMP))
    log, now = answers.get(Command.LOG), Facts(chosen.port, answers).dump or facts.dump
    if not isinstance(log, Log):
        raise InputError(word("dgt.log.none", port=chosen.port))
    board = reading(rules, chosen.corner)
    rows = board.rows(now.fields, now.codes)
    squares = board.squares(now.fields)
    if chosen.recording is None:
        for line in entry_lines(log.data, squares, rules, board.mark, chosen.log_fields):
            print(escaped(line))
        return DONE
    lines = recording_lines(log.data, squares, rules, board.mark, rows, chosen.log_fields, facts.serial, chosen.game)
    if lines is None:
        key = "dgt.log.no_game" if chosen.game is None else "dgt.log.not_so_many"
        raise InputError(word(key, port=chosen.port, regulation=rules.name, game=chosen.game))
    text = "".join(f"{line}\n" for line in lines)
    if chosen.recording == "-":
        print(text, end="")
    else:
        Path(chosen.recording).write_text(text, "utf-8")
    say(word("dgt.log.written", count=len(lines) - 1))
    return DONE


# report


def call_report(chosen: argparse.Namespace) -> int:
    """Writes all that a board says, and all bytes with their times, into one file for whoever knows the protocol."""
    file = None if chosen.output == "-" else Path(chosen.output)
    if file is not None:
        file.open("a", encoding="utf-8").close()  # whether it can be written shows before anybody has waited
    began, lines = time.monotonic(), list[str]()

    def trace(ours: bool, data: bytes) -> None:
        lines.append(f"{time.monotonic() - began:8.3f} {'>' if ours else '<'} {data.hex(' ')}")

    with DgtPort(chosen.port, trace) as port:
        say(word("dgt.asking", port=chosen.port))
        facts = _facts(port)
        say(word("dgt.log.wait", port=chosen.port))
        log = Command.LOG in port.ask((Command.LOG, Command.DUMP))
        if chosen.watch > 0:
            say(word("dgt.report.watch", port=chosen.port, seconds=chosen.watch))
            port.watch(chosen.watch)
            port.ask((Command.DUMP, Command.CLOCK))
    head = {"report": REPORT_FORMAT, "program": version("damas_board"), "utc": utc_now(), "usb": usb_name(chosen.port)}
    told = head | facts.told() | {"log": log, "lines": len(lines)}
    text = "\n".join([json.dumps(told, ensure_ascii=False), *lines]) + "\n"
    if file is None:
        print(text, end="")
    else:
        file.write_text(text, "utf-8")
        say(word("dgt.report.written", file=file))
    return DONE


# bus


def call_bus(chosen: argparse.Namespace) -> int:
    """Prints the addresses of the boards on a line of several, and the tables of a configuration for them."""
    say(word("dgt.bus.asking", port=chosen.port))
    with DgtPort(chosen.port, _trace(chosen)) as port:
        numbers = port.search()
    found = [address_text(address) for address in numbers]
    if not found:
        raise InputError(word("dgt.bus.nobody", port=chosen.port))
    print(word("dgt.bus.found", port=chosen.port, count=len(found)))
    for number, address in enumerate(found, 1):
        lines = ["[[board]]", f'id = "table-{number}"', f'port = "{chosen.port}"', NO_GAME]
        print("\n".join(["", *lines, "[board.adapter]", 'speaks = "dgt-bus"', f'address = "{address}"']))
    risky = [address_text(address) for address in numbers if _is_risky(address)]
    if risky:
        say(word("dgt.bus.risky", addresses=", ".join(risky)))
    return DONE


def _is_risky(address: int) -> bool:
    """Whether a request to it has a byte that a board in single mode takes for an order that lasts."""
    return any({*NEVER, *WRITES_MEMORY} & set(request(ask, address)) for ask in ASKED_ON_A_BUS)


# scan


def call_scan(chosen: argparse.Namespace) -> int:
    """Sets which squares are scanned, once the operator has said so; tells what the board says behind it."""
    with DgtPort(chosen.port, _trace(chosen)) as port:
        say(word("dgt.asking", port=chosen.port))
        facts = _facts(port, whole=False)
        which = _to_scan(facts, chosen)
        order = SCANS[which]
        say(word(f"dgt.scan.explained.{which}", serial=facts.serial))
        say(word("dgt.scan.lasting", order=int(order)))
        if not chosen.write_memory and not _agreed(str(facts.serial)):
            say(word("dgt.scan.left"))
            return WRONG_INPUT
        found = Facts(chosen.port, port.ask((Command.SERIAL_NUMBER,))).serial
        if found != facts.serial:
            raise InputError(word("dgt.scan.other_board", port=chosen.port, found=found, serial=facts.serial))
        after = Facts(chosen.port, port.ask((order, Command.DUMP, *HALVES), may_write=True))
    say(word("dgt.scan.sent"))
    for name, text in _squares(after).items():
        print(escaped(f"{name}  {text}"))
    return DONE


def _to_scan(facts: Facts, chosen: argparse.Namespace) -> str:
    """Which order is meant. InputError for a board that must be left alone."""
    if facts.serial is None:
        raise InputError(word("dgt.scan.unnamed", port=facts.port))
    if facts.size != 10:
        count = 0 if facts.dump is None else len(facts.dump.codes)
        raise InputError(word("dgt.scan.chess", port=facts.port, serial=facts.serial, count=count))
    if chosen.which == "all":
        return "all"
    which = chosen.squares or facts.playing
    if which is None:
        on = {colour: _pieces(dump) for colour, dump in facts.halves.items()}
        raise InputError(
            word("dgt.scan.which", port=facts.port, black=on.get("black", "?"), white=on.get("white", "?"))
        )
    return str(which)


def _agreed(serial: str) -> bool:
    """Whether the operator types the board's serial number. InputError where nobody can."""
    if not sys.stdin.isatty():
        raise InputError(word("dgt.scan.needs_consent"))
    print(word("dgt.scan.consent"), end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() == serial
