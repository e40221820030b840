"""`damas-board demo`: a round on three simulated boards, through the whole program, to the live page and a text view.

Nothing is short-circuited: the boards speak the wire protocol over ptys, the gateway reads them with pyserial and
publishes to the embedded broker, the organiser publishes the round there and begins it, the hub makes the pages, and
what is shown here is what a reader of the broker knows. The same `serving` runs it as `damas-board run` does, from a
configuration that is left in the folder to look at.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from damas_board.app.organiser import Desk
from damas_board.app.service import START_ERRORS, Service, serving
from damas_board.broker.client import client
from damas_board.cli import DONE, Commands
from damas_board.cli.demo_story import Episode, Hands, missed, play, touched, unplugged
from damas_board.cli.demo_view import view
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.options import seed_option, speed_option
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import BoardSettings, Config, read_config
from damas_board.hub.reader import Reader
from damas_board.messages.rounds import Round, read_round
from damas_board.messages.stream import Record
from damas_board.notation.fen import write_fen
from simulator.board import Board
from simulator.clock import RunningClock
from simulator.games import PlayedGame, shipped
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty, LinkError

SPEED = 6.0
"""Where nobody looks; else it is as fast as time."""
LEVEL = "club"
ARBITER = "arbiter"
ORGANISER = "organiser"
MEETING = "demo"
JOURNAL = "journal.sqlite"
CLOCK = "900+5"
PAGES = 8080
"""The port of the pages, if nobody else has it."""
PATIENCE = 20.0
"""How long, seconds of real time, to wait for the record to be complete once the last piece has come down."""
REDRAW_SECONDS = 0.1

TABLES: tuple[tuple[str, str, str, int, Episode], ...] = (
    ("table-1", "br-cbjd", "brazilian", 4, touched),
    ("table-2", "pt-classicas", "portuguese", 6, missed),
    ("table-3", "int-fmjd", "international", 8, unplugged),
)
"""Board, regulation, the shipped game that is played on it, and what happens there after so many plies."""
CLUBS = ("Clube do Rio", "Damas da Serra")
PLAYERS = (
    ({"name": "Helena Marques", "title": "MN", "club": CLUBS[0]}, {"name": "Tiago Brandão", "club": CLUBS[1]}),
    ({"name": "Duarte Meireles", "club": CLUBS[1]}, {"name": "Inês Falcão", "title": "CM", "club": CLUBS[0]}),
    ({"name": "Rosa Antunes", "club": CLUBS[0]}, {"name": "Miguel Sardinha", "club": CLUBS[1]}),
)
"""By table, in the first round; nobody of that name is meant."""
BETWEEN = timedelta(hours=1)
"""From the first round to the next."""


@dataclass(frozen=True, slots=True)
class Outcome:
    board: str
    title: str
    plies: int
    right: int
    """Plies of the record that are as they were played, from the first."""

    @property
    def equal(self) -> bool:
        return self.right == self.plies


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the demonstration: the board, and who sits at it."""

    settings: BoardSettings
    game: PlayedGame
    plies: int
    episode: Episode


def register(commands: Commands) -> None:
    parser = commands.add_parser("demo", help=word("help.demo"), description=word("help.demo"))
    speed_option(parser, None, word("help.demo.speed", default=f"{SPEED:g}"))
    parser.add_argument("--folder", type=Path, default=None, metavar="DIR", help=word("help.demo.folder"))
    parser.add_argument("--once", action="store_true", help=word("help.demo.once"))
    parser.add_argument("--no-browser", action="store_true", help=word("help.demo.no_browser"))
    seed_option(parser)
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Plays the round and prints a summary; 1 if a record is not what was played and nobody could have seen to that."""
    log_to_stderr(logging.ERROR)
    folder = chosen.folder or Path("demo-games") / datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    if (folder / JOURNAL).exists():
        raise InputError(word("demo.folder", folder=folder))
    folder.mkdir(parents=True, exist_ok=True)
    stays = sys.stdout.isatty() and not chosen.once
    speed = chosen.speed or (1.0 if stays else SPEED)
    try:
        outcomes = asyncio.run(_demo(folder.absolute(), speed, chosen.seed, stays, browser=not chosen.no_browser))
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error
    except LinkError as error:
        raise InputError(word(f"simulate.{error.key}", **error.facts)) from error
    except START_ERRORS as error:
        raise InputError(line_for(error)) from error
    return DONE if stays or all(outcome.equal for outcome in outcomes) else 1


def _configuration(folder: Path, passwords: dict[str, str], port: int) -> Config:
    """Writes the configuration that the demonstration runs on, and reads it as any other."""
    lines = [f'meeting = "{MEETING}"', 'gateway = "laptop"', ""]
    lines += ["[broker]", 'kind = "embedded"', "port = 0 # any free one", ""]
    lines += ["[journal]", f'path = "{JOURNAL}"', "", "[pdn]", 'folder = "games"', ""]
    lines += ["[hub]", f"port = {port}"]
    for number, (name, regulation, *_) in enumerate(TABLES, 1):
        port_ = folder / "ports" / name
        lines += ["", "[[board]]", f'id = "{name}"', f'table = "{number}"', f'port = "{port_}"']
        lines += [f'regulation = "{regulation}"', 'starts = "command"']
    for role, password in passwords.items():
        lines += ["", "[[user]]", f'name = "{role}"', f'role = "{role}"', f'password_file = "{role}.password"']
        secret = folder / f"{role}.password"
        secret.touch(mode=0o600)
        secret.write_text(f"{password}\n", encoding="utf-8")
    path = folder / "demo.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_config(path)


def _rounds(now: datetime) -> list[Round]:
    """The round that is played, and the next one."""
    whites, blacks = [white for white, _ in PLAYERS], [black for _, black in PLAYERS]
    drawn = {"1": PLAYERS, "2": tuple(zip(blacks, [*whites[1:], whites[0]], strict=True))}
    rounds: list[Round] = []
    for round_, players in drawn.items():
        pairings = [
            {"table": str(n), "board": board, "regulation": regulation, "white": white, "black": black}
            for n, ((board, regulation, *_), (white, black)) in enumerate(zip(TABLES, players, strict=True), 1)
        ]
        begins = (now + len(rounds) * BETWEEN).replace(microsecond=0).isoformat()
        body: dict[str, Any] = {"round": round_, "starts": "command", "begins": begins}
        body |= {"clock": CLOCK, "pairings": pairings}
        rounds.append(read_round(body, meeting=MEETING))
    return rounds


async def _demo(folder: Path, speed: float, seed: int, stays: bool, *, browser: bool) -> list[Outcome]:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    passwords = {role: secrets.token_urlsafe(9) for role in (ARBITER, ORGANISER)}
    config = _configuration(folder, passwords, PAGES if _is_free(PAGES) else 0)
    (folder / "ports").mkdir(exist_ok=True)
    clock = RunningClock(speed)
    tables = [
        Table(settings, shipped(game), plies, episode)
        for settings, (_, _, game, plies, episode) in zip(config.boards, TABLES, strict=True)
    ]
    say(word("demo.begins", tables=len(tables), speed=f"{speed:g}"))
    async with contextlib.AsyncExitStack() as stack:
        hands = []
        for number, table in enumerate(tables):
            board = Board(table.settings.square_map, clock, uid=number + 1)
            player = Player(board, clock, level(LEVEL), seed + number, levers=True)
            player.set_up(table.game.start)
            await stack.enter_async_context(BoardPty(board, clock, Path(str(table.settings.port))))
            hands.append(Hands(board, player, clock))
        service = await stack.enter_async_context(serving(config, begins=False, speed=speed))
        url = _url(service)
        say(word("demo.look", url=url))
        for role, password in passwords.items():
            say(word(f"demo.login.{role}", role=role, password=password))
        say(word("demo.watch"))
        if stays and browser and _has_screen():
            await asyncio.to_thread(webbrowser.open, url)
        login = replace(service.address, user=ARBITER, password=passwords[ARBITER])
        reader = await stack.enter_async_context(Reader(lambda: client(login), ARBITER, MEETING))
        desk = Desk(replace(service.address, user=ORGANISER, password=passwords[ORGANISER]), MEETING)
        first, *others = _rounds(datetime.now().astimezone())
        async with desk:
            for planned in (first, *others):
                await desk.publish(planned)
            await desk.look_at_round(first)
            await desk.begin(first)
            await desk.has_begun(first.round)
        watching = asyncio.create_task(_watch(reader, tables))
        async with asyncio.TaskGroup() as playing:
            played = [playing.create_task(_play(t, h, clock, reader)) for t, h in zip(tables, hands, strict=True)]
        outcomes = [task.result() for task in played]
        await asyncio.sleep(2 * REDRAW_SECONDS)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        _summary(outcomes, folder)
        if stays:
            say(word("demo.stays", url=url))
            await _until_interrupted()
    return outcomes


def _summary(outcomes: Sequence[Outcome], folder: Path) -> None:
    for outcome in outcomes:
        verdict = word("demo.equal") if outcome.equal else word("demo.differs", right=outcome.right)
        print(word("demo.outcome", board=outcome.board, title=outcome.title, plies=outcome.plies, verdict=verdict))
    plies = sum(outcome.plies for outcome in outcomes)
    equal = sum(outcome.equal for outcome in outcomes)
    print(word("demo.summary", games=len(outcomes), plies=plies, equal=equal))
    print(word("demo.files", folder=folder / "games", journal=folder / JOURNAL), flush=True)


def _url(service: Service) -> str:
    hub = None if service.hub is None else service.hub.hub
    if hub is None or hub.web is None:
        raise RuntimeError("the demonstration's hub does not run")
    return hub.web.url


def _is_free(port: int) -> bool:
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _has_screen() -> bool:
    """Whether a browser would have a window: one that runs in the terminal would get in the way."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(key) for key in ("DISPLAY", "WAYLAND_DISPLAY"))


async def _until_interrupted() -> None:
    """Until Ctrl-C or SIGTERM, which end the demonstration then as it should end."""
    interrupted = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, interrupted.set)
    await interrupted.wait()


async def _play(table: Table, hands: Hands, clock: RunningClock, reader: Reader) -> Outcome:
    """The game of one table, ended by the arbiter's command if it must be."""
    header = table.settings.header
    await _record_of(reader, header.board, lambda record: record.start is not None)
    await clock.sleep(2.0)
    await play(hands, table.game, table.plies, table.episode)
    wanted = [write_fen(position) for position in table.game.positions()][1:]
    await _record_of(reader, header.board, partial(_is_played, wanted))
    await clock.sleep(2 * header.settings.rest_seconds)
    if reader.records[reader.boards[header.board]].over is None:
        await reader.command(header.board, "result", result="draw", reason="agreed")
    record = await _record_of(reader, header.board, lambda record: record.over is not None)
    right = next(
        (n for n, fen in enumerate(wanted) if n >= len(record.plies) or record.plies[n].fen != fen), len(wanted)
    )
    extra = len(record.plies) > len(wanted)
    return Outcome(header.board, table.settings.regulation.title, len(wanted), right - extra)


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
    show = view(tables)
    while True:
        show.show(reader)
        await asyncio.sleep(REDRAW_SECONDS)
