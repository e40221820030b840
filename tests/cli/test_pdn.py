from __future__ import annotations

import io
import json
import re
import sys

import pytest

from damas_board.cli import main
from damas_board.notation.drawing import board_svg
from damas_board.notation.pdn import read_games

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


@pytest.fixture
def pdn(capsys):
    def call(*arguments):
        status = main(["pdn", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out.splitlines(), err.splitlines()

    return call


def test_a_remark_is_told_behind_its_game(check, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text("1. c3-d4 {never\n", "utf-8")
    assert check(file)[1] == [f"{file}: game 1: brazilian, 1 plies; line 1, column 10: '{{' is never closed"]


def test_convert_writes_clean_games_and_tells_what_is_left_out(pdn, tmp_path):
    file, out = tmp_path / "a.pdn", tmp_path / "out.pdn"
    file.write_text('[Result "1-0"]' + GOOD[:-2] + "1-0\n" + BAD + '[FEN "W:Wb8:Ba1"] *\n', "utf-8")
    status, printed, told = pdn("convert", file, "-o", out, "--variant", "brazilian")
    assert (status, printed) == (0, [])
    first, second, done = told
    assert first.startswith(f"{file}: game 2: left out after 1 plies: line 7, column 4: 'd6-b4' is not legal here")
    assert second.startswith(f"{file}: game 3: left out: line 8, column 1: a man of white cannot stand on b8")
    assert done == f"{out}: 2 games written"
    text = out.read_text("utf-8")
    assert "1. c3-d4 d6-e5 2-0\n" in text
    assert [(g.fault, len(g.plies)) for g in read_games(text)] == [(None, 2), (None, 1)]
    assert pdn("convert", out, "-o", "-") == (0, text.splitlines(), [])


def test_convert_tells_in_one_line_a_game_what_it_does_not_write(pdn, tmp_path):
    file, out = tmp_path / "a.pdn", tmp_path / "out.pdn"
    odd = '[Event "A"] [Event "B"] [Result "2-0"] [GameType "26"]\n1. c3-d4! (e3-f4 $1) d6-e5 $2 (f6-g5) odd 0-2\n'
    file.write_text(odd + GOOD, "utf-8")
    status, _, told = pdn("convert", file, "-o", out)
    assert status == 0
    assert told == [
        f"{file}: game 1: not kept: the Result tag, 2-0 (the moves end with 0-2: both say 0-2 now); "
        "tags given again: 1; marks like $1 or !?: 2; variations: 2; words that are no part of PDN: 1",
        f"{out}: 2 games written",
    ]
    assert '[Result "0-2"]' in out.read_text("utf-8")


def test_convert_tells_that_a_regulation_by_which_the_game_was_not_read_is_left_out(pdn, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text('[Regulation "it-000"] 1. c3-d4 *\n', "utf-8")
    _, printed, told = pdn("convert", file, "-o", "-", "--variant", "brazilian")
    assert told == [f"{file}: game 1: not kept: the Regulation tag, it-000 (read by other rules)"]
    assert not any("Regulation" in line for line in printed)


def test_a_position_set_up_between_the_moves_is_no_ply(check, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text('[GameType "26"] 1. c3-d4 /FEN "W:Wd4,a1:Bb6,h8"/ 2. d4-e5 *', "utf-8")
    assert check(file)[1] == [f"{file}: game 1: brazilian, 2 plies"]


def test_convert_keeps_the_old_file_where_nothing_can_be_written(pdn, tmp_path):
    file, out = tmp_path / "a.pdn", tmp_path / "out.pdn"
    file.write_bytes(b"\xff\xd8\xff")
    out.write_text("old", "utf-8")
    assert pdn("convert", file, "-o", out) == (1, [], [f"damas-board: {file}: not a PDN file: it is a JPEG picture"])
    file.write_text("no game", "utf-8")
    assert pdn("convert", file, "-o", out) == (1, [], [f"damas-board: {file}: there is no game in this file"])
    assert out.read_text("utf-8") == "old"
    assert sorted(tmp_path.iterdir()) == [file, out]


def test_convert_does_not_overwrite_what_it_reads(pdn, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text(GOOD, "utf-8")
    status, _, (told,) = pdn("convert", file, "-o", tmp_path / "." / "a.pdn")
    assert status == 1
    assert "would be overwritten while it is read" in told
    assert file.read_text("utf-8") == GOOD


def test_show_prints_a_game_or_a_position_of_it(pdn, tmp_path, monkeypatch):
    file = tmp_path / "a.pdn"
    file.write_text(GOOD + '[Event "B"] [FEN "W:Wa1:Bb8"] 1. a1-b2 *', "utf-8")
    status, out, _ = pdn("show", file, "--game", 2)
    assert (status, out[0], out[-1]) == (0, '[Event "B"]', "1. a1-b2 *")
    status, out, _ = pdn("show", file, "--game", 2, "--ply", 1)
    assert (status, out[0], out[-1]) == (0, "ply 1 of 1: a1-b2", "B:Wb2:Bb8")
    assert len(out) == 10
    assert pdn("show", file, "--ply", 0)[1][0] == "ply 0 of 2"


def test_show_draws_the_position_as_svg(pdn, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text(GOOD, "utf-8")
    (game,) = read_games(GOOD)
    for arguments, position, move in (
        (["--ply", 0], game.start, None),
        (["--ply", 1], game.plies[0].after, game.plies[0].move),
        ([], game.end, game.plies[1].move),
    ):
        assert pdn("show", file, "--svg", *arguments) == (0, board_svg(position, move).splitlines(), [])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", 3], "there is no game 3; the file has 2"),
        (["--game", 0], "there is no game 0"),
        (["--ply", 3], "game 1: there is no ply 3; give 0 to 2"),
        (["--ply", -1], "game 1: there is no ply -1; give 0 to 2"),
    ],
)
def test_show_says_what_there_is(pdn, tmp_path, arguments, says):
    file = tmp_path / "a.pdn"
    file.write_text(GOOD + GOOD, "utf-8")
    status, out, (told,) = pdn("show", file, *arguments)
    assert (status, out) == (1, [])
    assert says in told


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal_only(monkeypatch, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text(GOOD * 10_000, "utf-8")
    for screen, shown in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        monkeypatch.setattr(sys, "stderr", screen)
        assert main(["pdn", "check", str(file)]) == 0
        percents = [int(n) for n in re.findall(r"\r.*?a\.pdn: (\d+) %", screen.getvalue())]
        assert bool(percents) is shown
        assert percents == sorted(set(percents))
        assert not shown or screen.getvalue().endswith("\r\x1b[K")
