"""The demonstration as a newcomer runs it: a round, its pages, three things that go wrong, and a right record."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from damas_board.cli import demo
from damas_board.cli.demo_story import fits, missed, touched
from damas_board.rules.generation import legal_moves
from simulator.games import shipped

ALERTS = {
    "table-1": "a touched piece was not played",
    "table-2": "a capture was obligatory and was not made",
    "table-3": "the board is not connected",
}


@pytest.mark.parametrize("episode", [touched, missed], ids=["touched", "missed"])
def test_an_episode_has_a_place_in_its_game_where_the_rules_make_it_one(episode):
    (game, plies) = next((shipped(name), plies) for _, _, name, plies, one in demo.TABLES if one is episode)
    places = [
        (position, move)
        for position, move in list(zip(game.positions(), game.moves, strict=False))[plies:]
        if fits(episode, position, move)
    ]
    position, move = places[0]
    if episode is touched:
        assert len({one.start for one in legal_moves(position)}) > 1
    else:
        assert move.captured
        assert all(one.captured for one in legal_moves(position))


@pytest.mark.slow
def test_the_demonstration_records_all_that_was_played_and_tells_what_went_wrong(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "damas_board", "demo", "--once", "--folder", "demo", "--speed", "10"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=110, check=False)
    assert run.returncode == 0, run.stderr
    assert "ERROR" not in run.stderr
    assert re.search(r"http://127\.0\.0\.1:\d+/console/\n", run.stderr)
    for role in ("arbiter", "organiser"):
        assert re.search(rf"name {role}, password \S{{8,}}\n", run.stderr), role
    assert "3 games, 122 plies; 3 games recorded as played" in run.stdout
    for board, alert in ALERTS.items():
        for told in ("alert", "settled"):
            assert re.search(rf"^{board}  {told} a\d+: .*{alert}", run.stdout, re.MULTILINE), (board, told)
    assert len(list((tmp_path / "demo" / "games").glob("demo-1-t*.pdn"))) == 3
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (again.returncode, again.stdout) == (1, "")
    assert "name another folder" in again.stderr
