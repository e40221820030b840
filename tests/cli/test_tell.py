"""`damas-board tell` gives a command to a board or a game, and says what became of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from broker.halls import free_port

from damas_board.app.service import serving
from damas_board.broker.logins import hashed
from damas_board.cli import main
from damas_board.config import read_config
from damas_board.session.inputs import Command
from damas_board.sinks.journal import JournalReader

CONFIG = """\
meeting = "autumn"
gateway = "laptop"
[broker]
kind = "embedded"
port = {port}
[[board]]
id = "table-1"
regulation = "br-cbjd"
sensors = false
[[user]]
name = "olga"
role = "organiser"
password_file = "olga.password"
[[user]]
name = "ana"
role = "arbiter"
password_file = "ana.password"
[[user]]
name = "screen"
role = "viewer"
password = "{hash}"
"""


@dataclass
class Hall:
    config: Path
    journal: Path
    capsys: pytest.CaptureFixture[str]

    async def tell(self, *words: str) -> tuple[int, str]:
        status = await asyncio.to_thread(main, ["tell", str(self.config), *words])
        out, err = self.capsys.readouterr()
        return status, (out + err).strip()


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAMAS_LANG", "en")
    for name in ("ana", "olga"):
        (tmp_path / f"{name}.password").touch(0o600)
        (tmp_path / f"{name}.password").write_text(f"the secret of {name}", "utf-8")
    path = tmp_path / "autumn.toml"
    path.write_text(CONFIG.format(port=free_port(), hash=hashed("of the screen")), "utf-8")
    return path


@pytest.fixture
async def hall(config: Path, capsys: pytest.CaptureFixture[str]) -> AsyncIterator[Hall]:
    read = read_config(config)
    async with serving(read, begins=False):
        yield Hall(config, read.journal, capsys)


async def test_a_board_and_a_game_are_told_what_to_do(hall: Hall) -> None:
    assert await hall.tell("table-1", "new_game", "game=autumn-1-t1") == (0, "done")
    assert await hall.tell("table-1", "start") == (0, "done")
    assert await hall.tell("table-1", "move", "move=c3-d4") == (0, "done")
    assert await hall.tell("autumn-1-t1", "move", "move=b6-a5", "--note", "as both agree") == (0, "done")
    assert await hall.tell("autumn-1-t1", "rewind", "ply=1") == (0, "done")
    assert await hall.tell("table-1", "result", "result=2-0", "reason=resigned") == (0, "done")
    stored = [stored.item for stored in JournalReader.read(hall.journal).inputs("autumn-1-t1")]
    told = {item.do: item for item in stored if isinstance(item, Command)}
    assert told["rewind"].arguments["ply"] == 1
    assert told["move"].note == "as both agree"
    assert [told[do].by for do in ("start", "move", "result")] == ["olga", "ana", "ana"], "the first who may"


async def test_what_is_refused_is_told_with_its_reason(hall: Hall) -> None:
    status, said = await hall.tell("table-1", "move", "move=c3-d4")
    assert (status, said.startswith("refused: ")) == (1, True)
    await hall.tell("table-1", "new_game", "game=autumn-1-t1")
    await hall.tell("table-1", "start")
    status, said = await hall.tell("table-1", "move", "move=c3-d5")
    assert (status, said.startswith("refused: no legal move")) == (1, True)
    status, said = await hall.tell("table-1", "rewind", "ply=1", "--user", "olga")
    assert (status, said) == (1, "refused: this login may not (olga may not give this command)")


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("table-1", "dance"), 2, "invalid choice"),
        (("table-1", "move", "c3-d4"), 2, "'c3-d4' is no KEY=VALUE"),
        (("table-1", "rewind", "ply=one"), 2, "ply is a number, not 'one'"),
        (("Table 1", "start"), 1, '"Table 1" is refused'),
        (("table-1", "start", "--user", "eve"), 1, "no user eve"),
        (("table-1", "start", "--user", "screen"), 1, "password of screen is not known here"),
        (("table-1", "start"), 1, "cannot be reached"),
    ],
)
def test_what_cannot_be_told_is_said_in_one_line(
    words: tuple[str, ...], status: int, told: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tell", str(config), *words]) == status
    assert told in capsys.readouterr().err.splitlines()[-1]
