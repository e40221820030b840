"""From the table [board.adapter] to settings: which adapter it is, its options, and whether the table fits it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damas_board.config.settings import BoardSettings, ConfigError, TableAdapter
from damas_board.config.shapes import ANY_PORT, AdapterTable, BoardTable
from damas_board.regulations.tables import Path as KeyPath
from damas_board.regulations.tables import TableError, check_part, suggestion
from damas_board.session.header import Senses
from damas_board.sources.adapter import Adapter, Options
from damas_board.sources.adapter_file import SUFFIX, AdapterFileError, adapter_in, fault
from damas_board.sources.adapters import ADAPTERS
from damas_board.sources.reconnection import is_local

if TYPE_CHECKING:
    from damas_board.config.reading import Reading

SPEAKS = "speaks"
A_SOURCE = ("__aenter__", "__aexit__", "__aiter__", "info", "health")
"""What an AdaptedSource has."""


class AdapterReading:
    """What of [board.adapter] other tables and files decide; each file of one's own is run once."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.wrong = reading.wrong
        self._own: dict[Path, Adapter[Any]] = {}

    def adapter(self, index: int, board: BoardTable, table: AdapterTable) -> TableAdapter:
        """The adapter and its options. ConfigError where they cannot be used, or the table says what does not fit."""
        here: KeyPath = ("board", index)
        path: KeyPath = (*here, "adapter")
        adapter, file = self._named((*path, SPEAKS), table.speaks)
        given = dict(table.model_extra or {})
        file_name, lines = str(self.reading.path), self.reading.lines
        try:
            options: Options = check_part(given, lines, file_name, adapter.options, path, beside=SPEAKS)
        except TableError as error:
            raise ConfigError(file_name, error.line, error.message, key=error.key, allowed=error.allowed) from error
        self._located(here, board)
        if board.senses is not None and board.senses not in adapter.senses:
            message = f'senses is "{board.senses}", but a board that speaks "{table.speaks}" can tell'
            raise self.wrong((*here, "senses"), f"{message} {' or '.join(adapter.senses)}", allowed=adapter.senses)
        return TableAdapter(table.speaks, adapter, options, file)

    def senses(self, board: BoardTable, adapter: TableAdapter | None) -> Senses:
        """What is told of a piece: what the sensor board tells, or the camera where it is alone."""
        if board.senses is not None:
            return board.senses
        if adapter is not None:
            return adapter.adapter.senses[0]
        return "occupancy" if board.camera is None or board.port is not None or board.uid is not None else "colour"

    def fits(self, index: int, board: BoardSettings) -> None:
        """ConfigError where the adapter cannot make a source for this table."""
        if board.adapter is None or board.port is None:
            return
        adapter, options = board.adapter.adapter, board.adapter.options

        def made() -> None:
            source = adapter.make(board.place(), options, lambda: 0.0)
            missing = [name for name in A_SOURCE if not hasattr(source, name)]
            if missing:
                raise TypeError(f"make gives {type(source).__name__}, which has no {missing[0]}")

        self._tried(index, board.adapter, made)

    def different_ports(self, boards: Sequence[BoardSettings]) -> None:
        """ConfigError where tables have one port that cannot share it."""
        at: dict[str, list[int]] = defaultdict(list)
        for index, board in enumerate(boards):
            if board.port is not None:
                at[os.path.realpath(board.port) if is_local(board.port) else board.port].append(index)
        for indices in at.values():
            if len(indices) > 1:
                self._together(str(boards[indices[1]].port), indices, boards)

    def _together(self, port: str, indices: Sequence[int], boards: Sequence[BoardSettings]) -> None:
        spoken = [boards[index].adapter for index in indices]
        sharing = next((one for one in spoken if one is not None and one.adapter.shares_port), None)
        if sharing is None:
            message = f'port "{port}" stands in {len(indices)} tables; it must be in one'
            raise self.wrong(("board", indices[1], "port"), message)
        for index, one in zip(indices, spoken, strict=True):
            if one is None or one.adapter is not sharing.adapter:
                message = f'port "{port}" stands in {len(indices)} tables; all must speak "{sharing.speaks}"'
                raise self.wrong(("board", index, "port"), message)
        check = sharing.adapter.together
        if check is not None:
            tables = [(boards[index].place(), one.options) for index, one in zip(indices, spoken, strict=True) if one]
            self._tried(indices[-1], sharing, lambda: check(tables))

    def _tried(self, index: int, adapter: TableAdapter, call: Callable[[], object]) -> None:
        """What the adapter says against the table, at the line of the option that it begins with."""
        path: KeyPath = ("board", index, "adapter")
        try:
            call()
        except ValueError as error:
            text = " ".join(str(error).split())
            key = text.partition(" ")[0].rstrip(":")
            if key in type(adapter.options).model_fields:
                raise self.wrong((*path, key), text) from error
            raise self.wrong(path, text, key=SPEAKS) from error
        except Exception as error:
            if adapter.file is None:
                raise
            where, what = fault(error, adapter.file)
            raise self.wrong((*path, SPEAKS), f"{SPEAKS}: {where} does not work ({what})") from error

    def _named(self, path: KeyPath, speaks: str) -> tuple[Adapter[Any], Path | None]:
        if not speaks.endswith(SUFFIX):
            if speaks not in ADAPTERS:
                known = tuple(ADAPTERS)
                message = f'speaks is "{speaks}"{suggestion(speaks, known)} (a {SUFFIX} file may be given too)'
                raise self.wrong(path, message, allowed=known)
            return ADAPTERS[speaks], None
        file = self.reading.located(speaks)
        if file not in self._own:
            try:
                self._own[file] = adapter_in(file)
            except AdapterFileError as error:
                raise self.wrong(path, f"{SPEAKS}: {error}") from error
        return self._own[file], file

    def _located(self, here: KeyPath, board: BoardTable) -> None:
        if not board.sensors:
            raise self.wrong((*here, "adapter"), "an adapter is of no use with sensors = false: there is no board")
        if board.port == ANY_PORT:
            message = f'port is "{ANY_PORT}", but only boards of this program\'s own kind are looked for; name the port'
            raise self.wrong((*here, "port"), message)
        if board.port is None and not self.reading.finding:
            message = 'where is it? A board with an adapter needs "port", as "/dev/serial/by-id/..."'
            raise self.wrong(here, message, key="port")
