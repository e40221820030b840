from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hub.streams import envelopes, move, over, started

from damas_board.cli import main
from damas_board.hub.archive import Archive
from damas_board.notation.pdn import read_games

MEETING = "open"
CONFIG = """
meeting = "open"
gateway = "gw"

[broker]
kind = "embedded"

[hub]
archive = "sqlite:///{archive}"

[[board]]
id = "table-1"
port = "/dev/ttyACM0"
regulation = "br-cbjd"
senses = "occupancy"
"""


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The file of an archive with a round of two games, the first one over."""
    monkeypatch.setenv("DAMAS_LANG", "en")
    path = tmp_path / "archive.sqlite"
    ana, rui = {"name": "Ana Lima", "minor": True, "public": "A. L."}, {"name": "=Rui"}
    games = [
        {"table": "1", "game": "g-1", "white": ana, "black": rui},
        {"table": "2", "game": "g-2", "white": {"name": "João"}, "black": {"name": "Zé"}},
    ]
    with Archive.open(f"sqlite:///{path}") as opened:
        opened.take_round(MEETING, "1", {"regulation": "br-cbjd", "state": "started", "pairings": games})
        first = [started("g-1", "Ana Lima", "=Rui"), move(1, "c3-d4"), move(2, "f6-e5"), over("white")]
        opened.take(MEETING, envelopes("g-1", first))
        opened.take(MEETING, envelopes("g-2", [started("g-2", "João", "Zé"), move(1, "c3-b4")]))
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    assert main(["archive", *arguments]) == status
    said = capsys.readouterr()
    return said.out, said.err


def test_standings_are_csv_or_json(archive, capsys) -> None:
    out, err = told(capsys, "standings", archive)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert err == ""
    assert [(row["place"], row["name"], row["points"]) for row in rows][:2] == [
        ("1", "Ana Lima", "2"),
        ("2", "'=Rui", "0"),
    ]
    out, _ = told(capsys, "standings", archive, "--round", "1", "--public-names", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (lines[0]["name"], lines[0]["points"], len(lines)) == ("A. L.", 2.0, 4)
    assert "Ana" not in out


def test_games_are_looked_for(archive, capsys) -> None:
    out, err = told(capsys, "search", archive, "--player", "JOAO", "--json")
    assert ([json.loads(line)["game"] for line in out.splitlines()], err) == (["g-2"], "")
    out, err = told(capsys, "search", archive, "--moves", "c3-d4 f6-e5")
    assert out.count("\n") == 1
    assert "Ana Lima - =Rui  2-0  2" in out
    assert told(capsys, "search", archive, "--result", "black") == ("", "no game fits\n")
    out, err = told(capsys, "search", archive, "--limit", "1")
    assert out.count("\n") == 1
    assert "--limit" in err


def test_a_round_is_printed_or_written_into_a_folder(archive, capsys, tmp_path) -> None:
    out, _ = told(capsys, "export", archive, "1")
    assert [game.tag("White") for game in read_games(out)] == ["Ana Lima", "João"]
    folder = tmp_path / "out"
    out, _ = told(capsys, "export", archive, "1", "--public-names", "--out", str(folder))
    assert out.splitlines() == [str(folder / name) for name in ("1.pdn", "1-01-table-1.pdn", "1-02-table-2.pdn")]
    assert "Ana" not in (folder / "1.pdn").read_text()
    out, _ = told(capsys, "export", archive, "1", "--lidraughts")
    assert out.count("[GameType") == 2
    told(capsys, "export", archive, "1", "--lidraughts", "--out", str(folder))
    assert (folder / "1-lidraughts.pdn").read_text() == out


def test_a_game_that_cannot_be_written_is_named_and_is_an_error(archive, capsys) -> None:
    with Archive.open(f"sqlite:///{archive}") as opened:
        opened.take(MEETING, envelopes("g-2", [started("g-2", regulation="our-club")], epoch=2))
    out, err = told(capsys, "export", archive, "1", status=1)
    assert len(list(read_games(out))) == 1
    assert "1-02-table-2.pdn: left out" in err
    _, err = told(capsys, "export", archive, "1", "--lidraughts")
    assert "g-2: Lidraughts would not take it" in err


def test_a_game_is_pdn_or_everything_that_is_known_of_it(archive, capsys) -> None:
    out, _ = told(capsys, "game", archive, "g-1")
    (game,) = read_games(out)
    assert (game.result, game.moves) == ("2-0", 2)
    out, _ = told(capsys, "game", archive, "g-1", "--json")
    assert [ply["move"] for ply in json.loads(out)["plies"]] == ["c3-d4", "f6-e5"]
    out, err = told(capsys, "game", archive, "g-1", "--json", "--public-names", status=1)
    assert (out, "leave out --public-names" in err) == ("", True)


@pytest.mark.parametrize("wish", [("standings",), ("export", "1"), ("game", "g-1")])
def test_what_has_public_names_only_says_that_it_is_not_delayed(archive, capsys, wish) -> None:
    for gone in ("--public", "--public-n"):
        assert main(["archive", wish[0], archive, *wish[1:], gone]) != 0
    capsys.readouterr()
    assert main(["archive", wish[0], "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "--public-names" in shown
    assert "it may be younger than what the public has" in shown


def test_the_archive_of_a_configuration_is_meant_by_its_file(archive, capsys, tmp_path) -> None:
    config = tmp_path / "hall.toml"
    config.write_text(CONFIG.format(archive=archive))
    assert told(capsys, "standings", str(config)) == told(capsys, "standings", archive)
    with Archive.open(f"sqlite:///{archive}") as opened:
        opened.take("second", envelopes("g-9", [started("g-9", "João", "Zé")]))
    assert told(capsys, "search", str(config), "--player", "joao")[0].count("\n") == 1
    assert told(capsys, "search", archive, "--player", "joao")[0].count("\n") == 2
    config.write_text(CONFIG.replace('[hub]\narchive = "sqlite:///{archive}"\n', ""))
    _, err = told(capsys, "standings", str(config), status=1)
    assert err.endswith("hall.toml: there is no [hub], and so no archive\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["standings", "{archive}", "--round", "7"], "there is no round '7' in open; there are: 1"),
        (["export", "{archive}", "7"], "there is no round '7'"),
        (["game", "{archive}", "g-3"], "there is no game 'g-3' in open; near: g-"),
        (["standings", "{archive}", "--meeting", "opem"], "there is no meeting 'opem'; there are: open"),
        (["search", "{archive}", "--fen", "x"], "'x' is no position"),
        (["search", "{archive}.not"], "there is no such file"),
        (["search", "mysql://x/y"], "SQLite or PostgreSQL"),
        (["standings", "{archive}.toml"], "no such file"),
    ],
)
def test_what_is_wrong_is_one_line(archive, capsys, arguments, said) -> None:
    out, err = told(capsys, *(argument.format(archive=archive) for argument in arguments), status=1)
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


def test_what_is_wrong_is_said_in_portuguese_too(archive, capsys, monkeypatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    assert "não há a ronda '7' em open; há: 1" in told(capsys, "export", archive, "7", status=1)[1]


@pytest.mark.parametrize("limit", ["0", "many", "-1"])
def test_a_limit_that_is_none_is_wrong_usage(archive, capsys, limit) -> None:
    assert "--limit" in told(capsys, "search", archive, "--limit", limit, status=2)[1]
