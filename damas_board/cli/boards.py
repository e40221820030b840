"""`damas-board boards`: which boards are at the ports, to which tables they belong, and which one stands where."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from damas_board.app.identification import watching
from damas_board.app.inventory import NO_GAME, Entry, inventory, lines_to_add, table_of
from damas_board.app.service import described, foreign_ports
from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.log import log_to_stderr
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.config import BoardSettings, Config, read_config
from damas_board.sources.camera_places import CameraPlace, cameras
from damas_board.sources.finder import Candidates, Finder

LOOK_SECONDS = 0.1
WITH_UID = ("missing", "adapted")
"""The states in which the identity that is shown is the configuration's."""
PATIENCE = 15.0
"""How long, seconds, for all ports to be asked; one where nobody answers takes five."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("boards", help=word("help.boards"), description=word("help.boards"))
    parser.add_argument("config", metavar="CONFIG.toml", type=Path, nargs="?", help=word("help.run.config"))
    parser.add_argument("--search", metavar="PATTERN", action="append", help=word("help.boards.search"))
    parser.add_argument("--identify", action="store_true", help=word("help.boards.identify"))
    parser.add_argument("--write", action="store_true", help=word("help.boards.write"))
    parser.add_argument("--json", action="store_true", help=word("help.boards.json"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Lists the boards, or asks on which table each stands; takes none of them."""
    log_to_stderr(logging.CRITICAL)
    if chosen.config is None and (chosen.identify or chosen.write):
        raise InputError(word("boards.needs_config"))
    config = None if chosen.config is None else read_config(chosen.config, finding=True)
    with _finder(config, chosen.search) as finder:
        finder.wait_settled(PATIENCE)
        if config is not None and chosen.identify:
            found = asyncio.run(_identified(config, finder))
            _tell_identified(config, found, write=chosen.write)
            return DONE
        entries = inventory(config, finder.asked(), finder.left_alone())
    watching = cameras()
    if chosen.json:
        listed = [_object(config, entry) for entry in entries] + [_camera(config, camera) for camera in watching]
        print(json.dumps(listed, ensure_ascii=False))
    else:
        print("\n".join([*_table(config, entries), *_cameras(config, watching)]))
    return DONE


def _finder(config: Config | None, search: Sequence[str] | None) -> Finder:
    boards = () if config is None else config.boards
    patterns = tuple(search) if search else None if config is None else config.search
    named = [board.port for board in boards if board.port is not None and board.adapter is None]
    foreign = foreign_ports(config).among
    return Finder(Candidates(named, patterns, everything=True), foreign=foreign, look=LOOK_SECONDS)


# how it is shown


def _table(config: Config | None, entries: Sequence[Entry]) -> list[str]:
    heads = [word(f"boards.{key}") for key in ("port", "uid", "firmware", "squares", "board", "table", "state")]
    shown = _columns([heads, *(_row(entry) for entry in entries)])
    if not entries:
        shown.append(word("boards.none"))
    for entry in entries:
        if entry.state == "refused" and entry.asked is not None and entry.asked.error is not None:
            shown.append(line_for(entry.asked.error))
    taken = _taken(config)
    for entry in entries:
        if entry.state in ("unknown", "foreign") or (config is None and entry.state == "free"):
            key = "boards.add_foreign" if entry.state == "foreign" else "boards.add"
            shown += ["", word(key, uid=_of(entry, "uid"), port=entry.port)]
            lines = list(lines_to_add(config, entry, taken))
            unknown = NO_GAME in lines and entry.state != "foreign"
            shown += [*lines, *([word("boards.no_game")] if unknown else [])]
    return shown


def _cameras(config: Config | None, found: Sequence[CameraPlace]) -> list[str]:
    """The cameras of this machine, by the names that are worth writing down."""
    if not found:
        return ["", word("boards.camera.none" if sys.platform == "linux" else "boards.camera.not_listed")]
    heads = [word(f"boards.{key}") for key in ("camera", "name", "board", "table")]
    rows = [heads]
    for camera in found:
        board = table_of(camera, config)
        place = ["-", "-"] if board is None else [board.header.board, _name(board)]
        rows.append([camera.steady, camera.name or "-", *place])
    free = next((camera for camera in found if table_of(camera, config) is None), None)
    hint = [] if free is None else [word("boards.camera.free", device=free.steady)]
    return ["", *_columns(rows), *hint]


def _camera(config: Config | None, camera: CameraPlace) -> dict[str, Any]:
    body: dict[str, Any] = {"state": "camera", "camera": camera.steady, "path": camera.path}
    body |= {} if camera.name is None else {"name": camera.name}
    board = table_of(camera, config)
    return body if board is None else body | {"board": board.header.board, "table": _name(board)}


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _taken(config: Config | None) -> set[str]:
    return set() if config is None else {board.header.board for board in config.boards}


def _row(entry: Entry) -> list[str]:
    squares = "-"
    if entry.squares is not None:
        places, size = entry.squares
        squares = word("boards.of", places=places, size=size)
    board, table = ("-", "-") if entry.board is None else (entry.board.header.board, _name(entry.board))
    uid = _of(entry, "uid")
    if uid == "-" and entry.board is not None and entry.board.uid is not None and entry.state in WITH_UID:
        uid = entry.board.uid
    speaks = None if entry.board is None or entry.board.adapter is None else entry.board.adapter.speaks
    state = word(f"boards.state.{entry.state}", speaks=speaks)
    return [entry.port or "-", uid, _of(entry, "firmware"), squares, board, table, state]


def _of(entry: Entry, key: str) -> str:
    return "-" if entry.asked is None else str(described(entry.asked).get(key, "-"))


def _name(board: BoardSettings) -> str:
    return board.header.table or board.header.board


def _object(config: Config | None, entry: Entry) -> dict[str, Any]:
    body: dict[str, Any] = {"state": entry.state} | ({} if entry.port is None else {"port": entry.port})
    if entry.asked is not None:
        body |= described(entry.asked)
        if entry.asked.error is not None:
            body["reason"] = entry.asked.error.key
    if entry.board is not None:
        body |= {"board": entry.board.header.board, "table": _name(entry.board)}
        if entry.state in WITH_UID and entry.board.uid is not None:
            body["uid"] = entry.board.uid
        if entry.board.adapter is not None:
            body["speaks"] = entry.board.adapter.speaks
    if entry.state in ("unknown", "foreign"):
        body["lines"] = list(lines_to_add(config, entry, _taken(config)))
    return body


# which one stands where


async def _identified(config: Config, finder: Finder) -> dict[str, str]:
    """By the boards of the configuration the identity of the one that stands there; Ctrl-C ends it early."""
    found: dict[str, str] = {}
    loop = asyncio.get_running_loop()
    async with watching(finder, list(finder.asked()), loop.time) as lifts:
        for error in lifts.unreadable:
            say(line_for(error))
        if not lifts.watched:
            raise InputError(word("boards.nobody"))
        say(word("boards.watched", count=len(lifts.watched)))
        with contextlib.suppress(asyncio.CancelledError):
            for board in config.boards:
                if board.sensors and board.adapter is None and len(found) < len(lifts.watched):
                    await _ask(board, lifts.next, lifts.watched, found)
    return found


async def _ask(board: BoardSettings, lifted: Any, ports: Mapping[str, str], found: dict[str, str]) -> None:
    table = _name(board)
    say(word("boards.lift", table=table))
    names = {uid: name for name, uid in found.items()}
    while (uid := await lifted()) in names:
        say(word("boards.that_was", uid=uid, board=names[uid], table=table))
    found[board.header.board] = uid
    say(word("boards.is", table=table, uid=uid, port=ports[uid]))


def _tell_identified(config: Config, found: Mapping[str, str], *, write: bool) -> None:
    changed = [board for board in config.boards if found.get(board.header.board, board.uid) != board.uid]
    if write:
        _write(config, found)
        say(word("boards.written", file=config.path, count=len(changed)))
        return
    for board in config.boards:
        if board.header.board in found:
            print(f'# id = "{board.header.board}"')
            print(f'uid = "{found[board.header.board]}"')


def _write(config: Config, found: Mapping[str, str]) -> None:
    """Puts each identity into its table of the file, in the place of the old one or behind the id."""
    lines = config.path.read_text("utf-8-sig").splitlines(keepends=True)
    for index in reversed(range(len(config.boards))):
        uid = found.get(config.boards[index].header.board)
        if uid is None:
            continue
        line = f'uid = "{uid}"\n'
        old = config.lines.get(("board", index, "uid"))
        if old is not None:
            lines[old - 1] = line
        else:
            lines.insert(config.lines["board", index, "id"], line)
    config.path.write_text("".join(lines), "utf-8")
