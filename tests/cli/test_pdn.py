from __future__ import annotations

import io
import json
import sys

import pytest

from damas_board.cli import main

GOOD = '[GameType "26"]\n[Event "A"]\n1. c3-d4 d6-e5 *\n'
BAD = '[GameType "26"]\n[Event "B"]\n1. c3-d4\n   d6-b4 *\n'


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "en")


@pytest.fixture
def check(capsys):
    def call(*arguments):
        status = main(["pdn", "check", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out.splitlines(), err.splitlines()

    return call


def test_good_games_are_told_one_a_line(check, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text(GOOD + GOOD, "utf-8")
    assert check(file) == (0, [f"{file}: game {n}: brazilian, 2 plies" for n in (1, 2)], [])


def test_json_is_one_object_a_game_and_a_fault_costs_its_own_game_only(check, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text(GOOD + BAD + GOOD, "utf-8")
    status, out, err = check("--json", file)
    games = [json.loads(line) for line in out]
    assert status == 1
    assert [g["ok"] for g in games] == [True, False, True]
    assert {k: games[0][k] for k in ("file", "index", "variant", "plies", "reason")} == {
        "file": str(file),
        "index": 1,
        "variant": "brazilian",
        "plies": 2,
        "reason": None,
    }
    assert games[1]["plies"] == 1
    assert (games[1]["line"], games[1]["column"]) == (7, 4)
    assert games[1]["reason"].startswith("'d6-b4' is not legal here; legal: ")
    assert len(err) == 1
    assert "1 of 3 games" in err[0]
    assert "line 7, column 4" in err[0]


def test_a_picture_is_one_clear_line(check, tmp_path):
    file = tmp_path / "photo.pdn"
    file.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")
    assert check(file) == (1, [], [f"damas-board: {file}: not a PDN file: it is a JPEG picture"])


def test_files_after_an_unreadable_one_are_looked_at(check, tmp_path):
    (tmp_path / "photo.pdn").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "good.pdn").write_text(GOOD, "utf-8")
    status, out, err = check("--json", tmp_path / "photo.pdn", tmp_path / "none.pdn", tmp_path / "good.pdn")
    assert status == 1
    assert [(json.loads(line)["index"], json.loads(line)["ok"]) for line in out] == [(0, False), (0, False), (1, True)]
    assert json.loads(out[1])["reason"] == "no such file"
    assert len(err) == 1


def test_a_file_without_games_is_wrong_input(check, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text("nothing here\n", "utf-8")
    assert check(file) == (1, [], [f"damas-board: {file}: there is no game in this file"])


def test_the_variant_can_be_given(check, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text("1. c3-d4 d6-e5 *", "utf-8")
    assert json.loads(check("--json", "--variant", "russian", file)[1][0])["variant"] == "russian"
    assert check("--variant", "chess", file)[0] == 2


def test_standard_input_is_read(check, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert check("-") == (0, ["-: game 1: brazilian, 2 plies"], [])


def test_portuguese_speakers_are_told_in_portuguese(check, monkeypatch, tmp_path):
    monkeypatch.setenv("DAMAS_LANG", "pt_BR.UTF-8")
    file = tmp_path / "a.pdn"
    file.write_text(GOOD, "utf-8")
    assert check(file)[1] == [f"{file}: partida 1: brazilian, 2 lances"]
