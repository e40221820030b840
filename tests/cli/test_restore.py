"""The command `damas-board restore`, as a person runs it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from app.halls import LOGINS, MEETING
from app.tables import HEADER, items, moves, replayed

from damas_board.app import Gateway, mqtt_relay
from damas_board.app.restoring import KnownGame, rebuild
from damas_board.broker.client import Address
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.cli import DONE, WRONG_INPUT, WRONG_USAGE, main
from damas_board.sinks.journal import Journal, JournalReader

CONFIG = """
meeting = "autumn"
gateway = "gw-1"

[journal]
path = "{journal}"

[[board]]
id = "table-1"
port = "/dev/null"
regulation = "br-cbjd"
"""
SERVER = """
[broker]
kind = "server"
host = "127.0.0.1"
port = {port}
password_file = "secret"
"""


def config(folder: Path, journal: str, more: str = "") -> str:
    path = folder / f"{journal}.toml"
    path.write_text(CONFIG.format(journal=journal) + more, encoding="utf-8")
    return str(path)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    known = KnownGame(replace(HEADER, game="final", utc="2026-01-31T18:00:00+00:00"), items(), "recording")
    rebuild(tmp_path / "old.db", [known])
    return tmp_path / "old.db"


def test_the_games_of_one_machine_go_on_on_another(
    tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    assert main(["restore", config(tmp_path, "old.db"), "--export", str(tmp_path / "out")]) == DONE
    (path,) = capsys.readouterr().out.splitlines()
    assert Path(path).name == "final.jsonl"
    assert main(["restore", config(tmp_path, "new.db"), path]) == DONE
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert (told["game"], told["board"], told["plies"], told["source"]) == ("final", "table-1", 30, "recording")
    assert "partida final em table-1: completa, 30 lances" in said.err
    (game,) = JournalReader.read(tmp_path / "new.db").games()
    assert game.game == "final"
    assert list(JournalReader.read(tmp_path / "new.db").export("final")) == list(
        JournalReader.read(played).export("final")
    )


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (["old.db", "final.jsonl"], WRONG_INPUT, "has games already; nothing is written over them"),
        (["new.db", "nothing.jsonl"], WRONG_INPUT, "no such file"),
        (["new.db", "old.db.toml"], WRONG_INPUT, "old.db.toml: cannot be restored (line 1"),
        (["new.db"], WRONG_USAGE, "give a recording of each game"),
        (["new.db", "final.jsonl", "--from-broker"], WRONG_USAGE, "give a recording of each game"),
        (["new.db", "--from-broker"], WRONG_INPUT, "the configuration's broker is in its gateway's own process"),
        (["new.db", "--from-broker", "--user", "ana"], WRONG_USAGE, "belong together"),
        (["nowhere.db", "--export", "out"], WRONG_INPUT, "no such file"),
    ],
)
def test_what_cannot_be_restored_is_one_line(
    tmp_path: Path,
    played: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    status: int,
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    config(tmp_path, "old.db")
    lines = JournalReader.read(played).export("final")
    (tmp_path / "final.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["restore", config(tmp_path, arguments[0]), *arguments[1:]]) == status
    said = capsys.readouterr()
    assert told in said.err
    assert said.out == ""
    assert said.err.count("\n") == 1


async def test_a_broker_is_asked_by_the_gateways_own_login_and_one_that_is_away_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").write_text("secret of gw-1\n", encoding="utf-8")
    (tmp_path / "secret").chmod(0o600)
    async with asyncio.timeout(40), EmbeddedBroker(LOGINS, port=0) as broker:
        asked = ["restore", config(tmp_path, "new.db", SERVER.format(port=broker.port)), "--from-broker"]
        address = Address("127.0.0.1", broker.port, "gw-1", "secret of gw-1")
        with Journal.open(tmp_path / "old.db") as journal:
            relay = mqtt_relay(address, MEETING, journal)
            async with Gateway(journal, [replayed(items())], relay=relay) as gateway:
                await gateway.finished()
                await relay.drained()
                assert await asyncio.to_thread(main, asked) == DONE
                name = gateway.boards["table-1"].game
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["plies"], told["source"]) == (name, len(moves(items())), "recording")
    away = config(tmp_path, "other.db", SERVER.format(port=9))
    assert await asyncio.to_thread(main, ["restore", away, "--from-broker"]) == WRONG_INPUT
    assert "cannot be asked as gw-1" in capsys.readouterr().err
