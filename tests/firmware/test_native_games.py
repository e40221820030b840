"""A real game on the firmware's core in a program of this computer: pty, pyserial, Session, PDN, in real time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE

from app.tables import until
from firmware.games import Fingers, Match, square_map, standing
from firmware.host_build import built
from sources.bench import PATIENCE_SECONDS

from damas_board.app.service import serving
from damas_board.config import read_config
from damas_board.notation.pdn import read_games
from simulator.hand import Hand
from simulator.levels import level
from simulator.player import acts

HURRY = replace(level("scramble"), think=(0.03, 0.12))
MATCH = Match("international", "international/bruno__BrunoVsScan31.pdn", 8)
CONFIG = """\
meeting = "club"
broker = {{kind = "embedded", port = 0}}
[[board]]
id = "table-1"
port = "{port}"
regulation = "int-fmjd"
corner = "{corner}"
"""


class Contacts:
    """The program's contacts, by lines on its stdin."""

    hall = False
    levels = 2

    def __init__(self, process: asyncio.subprocess.Process, places: int) -> None:
        self.pieces = [0] * places
        self._process = process

    def place(self, place: int, level: int = 1) -> None:
        self.pieces[place - 1] = level
        self._do(f"s {place} {level}")

    def press(self, button: str) -> None:
        self._do(f"press {button.removeprefix('clock-')}")

    def contact(self, place: int, closed: bool, after: float = 0.0) -> None:
        """Turned over now and back `after` seconds later, in one line; by itself the first half does nothing."""
        if after:
            self._do(f"b {place} 2 {after * 1e6:.0f}")

    def bounce(self, place: int, times: int = 9, apart: float = 0.0005, after: float = 0.0) -> None:
        self._do(f"b {place} {times} {apart * 1e6:.0f}")

    def _do(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())


async def test_a_real_game_in_a_hurry_on_the_native_board_is_written_as_it_was_played(
    tmp_path: Path, require_program: Callable[[str], str], shared: Path
) -> None:
    game, where = MATCH.game, square_map(MATCH.build, MATCH.variant)
    program, port = built("board-50", tmp_path / "build", require_program), tmp_path / "port"
    (tmp_path / "club.toml").write_text(CONFIG.format(port=port, corner=where.connector), "utf-8")
    config = read_config(tmp_path / "club.toml")
    process = await asyncio.create_subprocess_exec(str(program), "--link", str(port), stdin=PIPE, stdout=PIPE)
    try:
        assert process.stdout is not None
        await process.stdout.readline()
        contacts = Contacts(process, where.places)
        for place, stands in enumerate(standing(game.start, where), 1):
            contacts.place(place, stands)
        async with serving(config) as service:
            table = service.gateway.boards["table-1"]
            fingers = Fingers(contacts, where, game.start, HURRY, 1)
            loop = asyncio.get_running_loop()
            began = loop.time()
            for act in acts(Hand(game.start, HURRY, 1, now=0.1), game):
                await asyncio.sleep(began + act.at - loop.time())
                fingers.do(act.action)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await until(lambda: table.state is not None and table.state.moves == MATCH.moves)
    finally:
        process.kill()
        await process.communicate()
    (path,) = config.pdn.glob("*.pdn")
    (written,) = read_games(path.read_bytes(), MATCH.variant)
    assert tuple(ply.move for ply in written.plies) == game.moves
