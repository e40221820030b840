"""PDN of the behaviour cases beside the project, and of games in which anything happens: it is read back whole."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unruly import Unruly

from damas_board.cli import main
from damas_board.messages.score import game_text
from damas_board.notation.fen import write_fen
from damas_board.notation.pdn import read_games
from damas_board.regulations import names, shipped
from damas_board.session.header import Header
from damas_board.session.session import Session


def runner(shared: Path) -> ModuleType:
    """The script that makes recordings of the cases."""
    spec = spec_from_file_location("run_cases", shared / "cases" / "run_cases.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    status = main(list(arguments))
    out = capsys.readouterr().out
    assert status == 0, out
    return out


def test_every_case_is_printed_as_a_game_that_is_read_back_whole(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = runner(shared)
    files = sorted((shared / "cases").glob("*.toml"))
    found: list[dict[str, Any]] = [
        case for file in files for case in cases.tomllib.loads(file.read_text("utf-8")).get("case", [])
    ]
    irregular = 0
    games = []
    for case in found:
        path = tmp_path / f"{case['id']}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in cases.recording(case)), "utf-8")
        events = [json.loads(line) for line in printed(capsys, "replay", str(path)).splitlines()]
        plies = cases.fold(events)
        irregular += sum(bool(ply["irregular"]) for ply in plies)
        text = printed(capsys, "replay", "--pdn", str(path))
        (game,) = read_games(text)
        assert (game.fault, game.remarks) == (None, ()), (case["id"], text)
        if plies:
            assert game.end is not None
            assert write_fen(game.end) == plies[-1]["fen"], case["id"]
        games.append(text)
    assert irregular > 5
    (tmp_path / "all.pdn").write_text("\n".join(games), "utf-8")
    checked = [
        json.loads(line) for line in printed(capsys, "pdn", "check", "--json", str(tmp_path / "all.pdn")).splitlines()
    ]
    assert [game for game in checked if not game["ok"]] == []
    assert len(checked) == len(found) > 50


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(names()), st.integers(0, 10_000))
def test_an_unruly_game_is_written_as_a_game_that_is_read_back_to_the_same_position(regulation: str, seed: int) -> None:
    header, rules = Header("t", regulation, senses="colour", clock="300+5" if seed % 2 else None), shipped(regulation)
    session = Session(header, rules)
    for item in Unruly(session, header, rules, seed).inputs(40):
        session.feed(item)
    text = game_text(session.state, rules, {})
    (game,) = read_games(text)
    assert (game.fault, game.remarks) == (None, ()), text
    assert game.end is not None
    assert write_fen(game.end) == session.state.fen
