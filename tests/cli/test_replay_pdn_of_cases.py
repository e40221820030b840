"""`damas-board replay --pdn` of the behaviour cases beside the project: a reader comes to the same position."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from damas_board.cli import main
from damas_board.notation.fen import write_fen
from damas_board.notation.pdn import read_games


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
