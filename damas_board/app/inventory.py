"""Which boards are at the ports of this machine, and to which tables of a configuration they belong."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from damas_board.app.fitting import first_fit, sees_colours
from damas_board.config import BoardSettings, Config
from damas_board.decoding import wire
from damas_board.decoding.square_map import CORNERS
from damas_board.regulations import names, shipped
from damas_board.sources.adapters import ADAPTERS
from damas_board.sources.camera_places import CameraPlace, node
from damas_board.sources.finder import Asked
from damas_board.sources.foreign_ports import links_by_id, usb_name
from damas_board.sources.reconnection import is_local

USUAL = ("br-cbjd", "int-fmjd")
"""The regulations of a new table where the configuration has none for such a board, if one fits."""
NO_GAME = "# regulation = ?"
"""Stands in the lines where no regulation that is known here fits the board."""

State = Literal[
    "free", "in_use", "no_board", "refused", "unknown", "unfit", "missing", "entered", "watched", "adapted", "foreign"
]


@dataclass(frozen=True, slots=True)
class Entry:
    """A port and who is there; or a board of the configuration that is at none."""

    state: State
    """`unknown`: a board that no table has; `unfit`: of another geometry than its table says; `missing`: at no port;
    `entered`: a table without a sensor board; `watched`: one that a camera alone watches; `adapted`: one whose board an
    adapter reads, at a port that is there and is not asked; `foreign`: such a port that no table has."""
    asked: Asked | None = None
    board: BoardSettings | None = None
    port: str | None = None
    """Where that is; None where it is nowhere."""

    @property
    def squares(self) -> tuple[int, int] | None:
        """How many places are sensed, of a board of how many squares a side."""
        hello = None if self.asked is None else self.asked.hello
        return None if hello is None else (hello.places, hello.geometry & 0x0F)


def inventory(config: Config | None, asked: Sequence[Asked], left_alone: Collection[str] = ()) -> list[Entry]:
    """Every port, in the order of their names, then the boards of the configuration that are at none.

    `left_alone`: ports that were not asked, since boards of other makers are there.
    """
    boards = () if config is None else config.boards
    own = [board for board in boards if board.adapter is None]
    entries = [_entry(port, own, config is not None) for port in asked]
    adapted = [board for board in boards if board.adapter is not None and board.port is not None]
    entries += [Entry("adapted", board=board, port=board.port) for board in adapted if _is_there(str(board.port))]
    taken = [str(board.port) for board in adapted]
    for port in sorted(left_alone):
        if not any(_same(port, other) for other in taken):
            entries.append(Entry("foreign", port=port))
            taken.append(port)
    found = {entry.board.header.board for entry in entries if entry.board is not None}
    absent = [board for board in boards if board.header.board not in found]
    return entries + [Entry(_absent(board), board=board) for board in absent]


def _is_there(port: str) -> bool:
    return not is_local(port) or os.path.exists(port)


def _absent(board: BoardSettings) -> State:
    if board.sensors:
        return "missing"
    return "entered" if board.camera is None else "watched"


def table_of(camera: CameraPlace, config: Config | None) -> BoardSettings | None:
    """The table that a camera of this machine watches, by the configuration."""
    for board in () if config is None else config.boards:
        settings = None if board.camera is None else board.camera.settings
        if settings is not None and settings.kind == "device" and _same(node(settings.device), camera.path):
            return board
    return None


def _entry(port: Asked, boards: Sequence[BoardSettings], configured: bool) -> Entry:
    board = next((board for board in boards if board.uid is not None and board.uid == port.uid), None)
    if board is None:
        board = next((board for board in boards if board.port is not None and _same(board.port, port.port)), None)
        if board is not None and port.uid is not None and board.uid is not None:
            board = None  # another board than the one that should be there
    if port.hello is None:
        states: dict[str, State] = {"in_use": "in_use", "no_board": "no_board"}
        return Entry(states.get(port.state, "refused"), port, board, port.port)
    if board is None:
        return Entry("unknown" if configured else "free", port, port=port.port)
    fits = (port.hello.geometry, port.hello.places) == (board.square_map.geometry, board.square_map.places)
    return Entry("free" if fits else "unfit", port, board, port.port)


def _same(one: str, other: str) -> bool:
    return one == other or os.path.realpath(one) == os.path.realpath(other)


def lines_to_add(config: Config | None, entry: Entry, taken: set[str]) -> Iterator[str]:
    """The lines of a configuration that give an unknown board a table; `taken` are the ids in use, and grows."""
    hello = None if entry.asked is None else entry.asked.hello
    if hello is None and entry.state != "foreign":
        return
    boards = () if config is None else config.boards
    number = next(n for n in range(1, len(taken) + 2) if f"table-{n}" not in taken)
    taken.add(f"table-{number}")
    yield "[[board]]"
    yield f'id = "table-{number}"'
    port = str(entry.port)
    if hello is not None:
        yield f'uid = "{hello.identity}"'
        yield from _game_of(hello, boards)
    else:
        yield f'port = "{next(iter(links_by_id(port)), port)}"'
        yield NO_GAME
    yield f'table = "{number}"'
    if hello is None:
        yield "[board.adapter]"
        yield f'speaks = "{_speaks(port)}"'


def _speaks(port: str) -> str:
    """The adapter of the program to which the USB name of a port fits first; ? where none does."""
    said = usb_name(port)
    fits = (name for name, adapter in ADAPTERS.items() if any(word in said for word in adapter.usb_names))
    return next(fits, "?")


def _game_of(hello: wire.Hello, boards: Sequence[BoardSettings]) -> Iterator[str]:
    """The regulation that fits the board, and how it is made and lies where that is not what is usual.

    The regulation of a board of the configuration that is made alike, else the first that is known here.
    """
    own = [board.regulation for board in boards if board.square_map.geometry == hello.geometry]
    fit = first_fit(hello, (*own, *map(shipped, (*USUAL, *names()))))
    if fit is None:
        yield NO_GAME
        return
    yield f'regulation = "{fit.regulation.name}"'
    if fit.square_map.dark == "all":
        yield 'covers = "all"'
    if fit.square_map.connector != CORNERS[0]:
        yield f'corner = "{fit.square_map.connector}"'
    if sees_colours(hello):
        yield 'senses = "colour"'
