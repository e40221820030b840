"""What the demonstration shows in the terminal: a line a move, or all boards drawn again in place."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol

from damas_board.cli.alert_text import alert_text
from damas_board.cli.text_board import drawn
from damas_board.cli.words import word
from damas_board.config import BoardSettings
from damas_board.hub.reader import Reader
from damas_board.messages.stream import Record
from damas_board.notation.fen import read_fen
from damas_board.rules.position import initial


class Table(Protocol):
    """A table of the demonstration."""

    @property
    def settings(self) -> BoardSettings: ...


class View(Protocol):
    def show(self, reader: Reader) -> None: ...


def view(tables: Sequence[Table]) -> View:
    """What suits the place that standard output goes to."""
    return _Screen(tables) if sys.stdout.isatty() else _Lines(tables)


def _alerts(record: Record, table: Table) -> list[str]:
    """The open alerts that are more than a note, as the arbiter is told them."""
    words = table.settings.regulation.words
    return [alert_text(alert, words) for alert in record.open_alerts if alert["severity"] != "note"]


def _present(reader: Reader, table: Table) -> Record | None:
    game = reader.boards.get(table.settings.header.board)
    return None if game is None else reader.records.get(game)


class _Lines:
    """What is new since the last look, one line each."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._told: dict[str, tuple[str, ...]] = {}
        self._alerts: dict[str, list[str]] = {}

    def show(self, reader: Reader) -> None:
        for table in self._tables:
            record = _present(reader, table)
            if record is None or record.game is None:
                continue
            board = table.settings.header.board
            told = self._told.get(record.game, ())
            if record.moves[: len(told)] != told:
                moves = " ".join(record.moves[-3:]) or word("demo.no_moves")
                print(word("demo.revised", board=board, moves=moves), flush=True)
            else:
                for number, move in enumerate(record.moves[len(told) :], len(told) + 1):
                    print(f"{board}  {number:3}. {move}", flush=True)
            self._told[record.game] = record.moves
            known, alerts = self._alerts.get(record.game, []), _alerts(record, table)
            for key, news in (("alert", set(alerts) - set(known)), ("settled", set(known) - set(alerts))):
                for alert in sorted(news):
                    print(word(f"demo.{key}", board=board, alert=alert), flush=True)
            self._alerts[record.game] = alerts


class _Screen:
    """All boards side by side, drawn again in place."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._pretty = (sys.stdout.encoding or "").lower().startswith("utf")
        self._drawn = 0

    def show(self, reader: Reader) -> None:
        columns = [self._column(reader, table) for table in self._tables]
        height = max(map(len, columns))
        widths = [max(map(len, column)) for column in columns]
        lines = []
        for row in range(height):
            cells = [column[row] if row < len(column) else "" for column in columns]
            lines.append("   ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip())
        up = f"\x1b[{self._drawn}A" if self._drawn else ""
        sys.stdout.write(up + "".join(f"\x1b[2K{line}\n" for line in lines))
        sys.stdout.flush()
        self._drawn = height

    def _column(self, reader: Reader, table: Table) -> list[str]:
        variant = table.settings.regulation.variant
        board = table.settings.header.board
        link = reader.links.get(board)
        sign = word("demo.link.unknown" if link is None else "demo.link.up" if link else "demo.link.down")
        record = _present(reader, table)
        position = initial(variant)
        last: tuple[int, ...] = ()
        moves: list[str] = []
        status = ""
        if record is not None and record.fen is not None:
            position = read_fen(record.fen, variant)
            moves = [f"{n}. {move}" for n, move in enumerate(record.moves, 1)][-3:]
            status = str(record.over["result"]) if record.over is not None else ""
            status = "; ".join([*([status] if status else []), *_alerts(record, table)])
            if record.plies:
                body = record.plies[-1].body
                last = (variant.geometry.square(body["from"]), variant.geometry.square(body["to"]))
        width = 2 * variant.size + 1
        head = [f"{board} {sign}".ljust(width), table.settings.header.regulation.ljust(width)]
        tail = [move.ljust(width) for move in (*moves, *[""] * (3 - len(moves)))]
        boards = drawn(position, pretty=self._pretty, last=last)
        return [*head, *boards, *[""] * (10 - variant.size), *tail, status[:width].ljust(width)]
