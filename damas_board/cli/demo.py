"""`damas-board demo`: three simulated boards on pseudo-terminals, through the whole program, to a text view.

Nothing is short-circuited: the boards speak the wire protocol over ptys, the gateway reads them with pyserial and
publishes to the embedded broker, and what is shown here is what a reader of the broker knows. The same `serving` runs
it as `damas-board run` does, from a configuration that is left in the folder to look at.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from damas_board.app.service import START_ERRORS, serving
from damas_board.broker.client import client
from damas_board.cli import DONE, Commands
from damas_board.cli.alert_text import alert_text
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.options import seed_option, speed_option
from damas_board.cli.talk import say
from damas_board.cli.text_board import drawn
from damas_board.cli.words import word
from damas_board.config import BoardSettings, Config, read_config
from damas_board.hub.reader import Reader
from damas_board.messages.stream import Record
from damas_board.notation.fen import read_fen, write_fen
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import Position, initial
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.games import PlayedGame, shipped
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty, LinkError

SPEED = 6.0
LEVEL = "club"
ARBITER = "arbiter"
MEETING = "demo"
PATIENCE = 20.0
"""How long, seconds of real time, to wait for the record to be complete once the last piece has come down."""
REDRAW_SECONDS = 0.1

SLIPS = "table-2"
"""The table at which a piece goes too far at the beginning and is put back, so that there is an alert to see."""

TABLES = (
    ("table-1", "br-cbjd", ("brazilian-combination", "brazilian")),
    ("table-2", "pt-classicas", ("portuguese",)),
    ("table-3", "int-fmjd", ("international",)),
)
"""Board, regulation, and the shipped games that are played on it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    board: str
    title: str
    game: str
    plies: int
    right: int
    """Plies of the record that are as they were played, from the first."""

    @property
    def equal(self) -> bool:
        return self.right == self.plies


@dataclass(slots=True)
class Table:
    """A table while the demonstration runs."""

    settings: BoardSettings
    games: tuple[PlayedGame, ...]
    title: str = ""
    game: str | None = None
    outcomes: list[Outcome] = field(default_factory=list)


def register(commands: Commands) -> None:
    parser = commands.add_parser("demo", help=word("help.demo"), description=word("help.demo"))
    speed_option(parser, SPEED)
    parser.add_argument("--folder", type=Path, default=None, metavar="DIR", help=word("help.demo.folder"))
    parser.add_argument("--once", action="store_true", help=word("help.demo.once"))
    seed_option(parser)
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Plays the games and prints a summary; 1 if a record is not what was played."""
    log_to_stderr(logging.ERROR)
    folder = chosen.folder or Path("demo-games") / datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        outcomes = asyncio.run(_demo(folder.absolute(), chosen.speed, chosen.seed))
    except LinkError as error:
        raise InputError(word(f"simulate.{error.key}", **error.facts)) from error
    except START_ERRORS as error:
        raise InputError(line_for(error)) from error
    for outcome in outcomes:
        verdict = word("demo.equal") if outcome.equal else word("demo.differs", right=outcome.right)
        print(word("demo.outcome", board=outcome.board, title=outcome.title, plies=outcome.plies, verdict=verdict))
    plies = sum(outcome.plies for outcome in outcomes)
    equal = sum(outcome.equal for outcome in outcomes)
    print(word("demo.summary", games=len(outcomes), plies=plies, equal=equal))
    print(word("demo.files", folder=folder / "games", journal=folder / "journal.sqlite"))
    return DONE if all(outcome.equal for outcome in outcomes) else 1


def _configuration(folder: Path, password: str) -> Config:
    """Writes the configuration that the demonstration runs on, and reads it as any other."""
    lines = [
        f'meeting = "{MEETING}"',
        'gateway = "laptop"',
        "",
        "[broker]",
        'kind = "embedded"',
        "port = 0 # any free one",
        "",
        "[journal]",
        'path = "journal.sqlite"',
        "",
        "[pdn]",
        'folder = "games"',
    ]
    for name, regulation, _ in TABLES:
        port = folder / "ports" / name
        lines += ["", "[[board]]", f'id = "{name}"', f'port = "{port}"', f'regulation = "{regulation}"']
    lines += ["", "[[user]]", f'name = "{ARBITER}"', 'role = "arbiter"', f'password_file = "{ARBITER}.password"']
    secret = folder / f"{ARBITER}.password"
    secret.touch(mode=0o600)
    secret.write_text(f"{password}\n", encoding="utf-8")
    path = folder / "demo.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_config(path)


async def _demo(folder: Path, speed: float, seed: int) -> list[Outcome]:
    password = secrets.token_urlsafe(12)
    config = _configuration(folder, password)
    (folder / "ports").mkdir(exist_ok=True)
    clock = RunningClock(speed)
    tables = [
        Table(settings, tuple(map(shipped, games)))
        for settings, (_, _, games) in zip(config.boards, TABLES, strict=True)
    ]
    say(word("demo.begins", tables=len(tables), speed=f"{speed:g}"))
    async with contextlib.AsyncExitStack() as stack:
        boards = []
        for uid, table in enumerate(tables, 1):
            board = Board(table.settings.square_map, clock, uid=uid)
            await stack.enter_async_context(BoardPty(board, clock, Path(str(table.settings.port))))
            boards.append(board)
        service = await stack.enter_async_context(serving(config, begins=False, speed=speed))
        login = replace(service.address, user=ARBITER, password=password)
        reader = await stack.enter_async_context(Reader(lambda: client(login), ARBITER, MEETING))
        view = asyncio.create_task(_watch(reader, tables))
        async with asyncio.TaskGroup() as playing:
            for index, (table, board) in enumerate(zip(tables, boards, strict=True)):
                player = Player(board, clock, level(LEVEL), seed + index)
                slips = board if table.settings.header.board == SLIPS else None
                playing.create_task(_play(table, player, clock, reader, slips))
        await asyncio.sleep(2 * REDRAW_SECONDS)
        view.cancel()
        await asyncio.gather(view, return_exceptions=True)
    return [outcome for table in tables for outcome in table.outcomes]


async def _play(table: Table, player: Player, clock: RunningClock, reader: Reader, slips: Board | None = None) -> None:
    """The games of one table, one after the other; each is begun, and ended if it must be, by the arbiter's command.

    With the board `slips` each begins with an irregular move that is put right.
    """
    header = table.settings.header
    for game in table.games:
        player.set_up(game.start)
        fen = {} if game.start == initial(game.start.variant) else {"fen": write_fen(game.start)}
        names = {"white": {"name": word("demo.white")}, "black": {"name": word("demo.black")}}
        await reader.command(header.board, "new_game", regulation=header.regulation, players=names, **fen)
        table.title = table.settings.regulation.title
        record = await _record_of(reader, header.board, lambda record: record.start is not None)
        table.game = record.game
        await clock.sleep(2.0)
        if slips is not None:
            await _slip(slips, table.settings, game.start, clock)
        await player.play(game)
        wanted = [write_fen(position) for position in game.positions()][1:]
        await _record_of(reader, header.board, partial(_is_played, wanted))
        await clock.sleep(2 * table.settings.header.settings.rest_seconds)
        if reader.records[reader.boards[header.board]].over is None:
            await reader.command(header.board, "result", result="draw", reason="agreed")
        record = await _record_of(reader, header.board, lambda record: record.over is not None)
        right = next(
            (n for n, fen in enumerate(wanted) if n >= len(record.plies) or record.plies[n].fen != fen), len(wanted)
        )
        extra = len(record.plies) > len(wanted)
        table.outcomes.append(Outcome(header.board, table.title, str(record.game), len(wanted), right - extra))


async def _slip(board: Board, settings: BoardSettings, position: Position, clock: RunningClock) -> None:
    """A man goes as far as two moves would take it, stands there for a while, and is put back."""
    place = settings.square_map.place
    first = legal_moves(position)[0]
    again = next(m for m in legal_moves(position.after(first)._replace(turn=position.turn)) if m.start == first.end)
    for start, end in ((first.start, again.end), (again.end, first.start)):
        board.lift(place(start))
        await clock.sleep(0.6)
        board.place(place(end))
        await clock.sleep(3.0)


def _is_played(fens: Sequence[str], record: Record) -> bool:
    return [ply.fen for ply in record.plies] == fens


async def _record_of(reader: Reader, board: str, wanted: Callable[[Record], bool]) -> Record:
    """The record of the board's present game once it is as wanted, or as it is when patience ends."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while not (board in reader.boards and wanted(reader.records[reader.boards[board]])):
                reader.changed.clear()
                await reader.changed.wait()
    return reader.records[reader.boards[board]]


async def _watch(reader: Reader, tables: Sequence[Table]) -> None:
    """Shows what the reader knows: redrawn on a terminal, else a line a move."""
    show = _Screen(tables) if sys.stdout.isatty() else _Lines(tables)
    while True:
        show.show(reader)
        await asyncio.sleep(REDRAW_SECONDS)


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
