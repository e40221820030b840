"""The draw of a match: its JSON, the same again from the same seed, and what is refused."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from damas_board.cli import main
from damas_board.notation.fen import read_fen, write_fen
from damas_board.regulations import shipped


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "en")


def draw(capsys, *arguments, players=("Ana Lima", "Rui Costa")):
    status = main(["draw", "--players", *players, *arguments])
    said = capsys.readouterr()
    assert status == 0, said.err
    return json.loads(said.out)


def whites(found):
    return [game["players"]["white"]["name"] for game in found["games"]]


def refused(capsys, *arguments, players=("Ana Lima", "Rui Costa")):
    assert main(["draw", "--players", *players, *arguments]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    return line


def test_the_draw_says_its_seed_who_drew_and_when(capsys):
    found = draw(capsys, "--seed", "7", "--by", "the arbiter")
    assert (found["seed"], found["by"], found["regulation"]) == (7, "the arbiter", "br-cbjd")
    assert datetime.fromisoformat(found["at"]).utcoffset().total_seconds() == 0
    assert whites(found) in (["Ana Lima", "Rui Costa"], ["Rui Costa", "Ana Lima"])


def test_the_same_seed_gives_the_same_draw_and_another_not_always(capsys):
    def games(seed):
        return draw(capsys, "--seed", str(seed), "--games", "4")["games"]

    assert games(7) == games(7)
    assert len({json.dumps(games(seed)) for seed in range(20)}) == 2


def test_without_a_seed_the_one_that_was_taken_draws_it_again(capsys):
    found = draw(capsys)
    assert draw(capsys, "--seed", str(found["seed"]))["games"] == found["games"]


@pytest.mark.parametrize(
    ("regulation", "table"),
    [
        ("br-cbjd", "pydraughts_ballots_brazilian.json"),
        ("br-fmjd64", "pydraughts_ballots_150russian_and_brazilian.json"),
        ("ru-fmjd64", "pydraughts_ballots_russian.json"),
        ("en-wcdf", "pydraughts_ballots_3move_english.json"),
        ("it-fid", "pydraughts_ballots_11_italian.json"),
    ],
)
def test_003_14_openings_of_a_table_are_drawn_and_begun_by_both(capsys, shared, regulation, table):
    file = shared / "games" / "openings" / table
    known = json.loads(file.read_text("utf-8"))
    found = draw(capsys, "-r", regulation, "--games", "4", "--seed", "1", "--openings", str(file))["games"]
    assert found[0]["opening"] == found[1]["opening"] != found[2]["opening"] == found[3]["opening"]
    assert found[0]["players"]["white"] == found[1]["players"]["black"]
    for game in found:
        assert game["opening"]["name"] in known["standard"]
        position = read_fen(known["all"][game["opening"]["name"]], shipped(regulation).variant)
        assert game["opening"]["fen"] == write_fen(position)


def test_a_table_may_be_names_and_fens_alone(capsys, tmp_path):
    file = tmp_path / "table.json"
    file.write_text('{"c3-d4": "B:Wa1,d4:Bh8"}', "utf-8")
    assert draw(capsys, "--openings", str(file))["games"][1]["opening"] == {"name": "c3-d4", "fen": "B:Wa1,d4:Bh8"}


@pytest.mark.parametrize("text", ["[]", "{}", '{"one": 1}', '{"all": {"a": "W:Wa1:Bh8"}, "standard": ["b"]}'])
def test_a_table_of_something_else_is_refused(capsys, tmp_path, text):
    file = tmp_path / "table.json"
    file.write_text(text, "utf-8")
    assert "no table of openings" in refused(capsys, "--openings", str(file))


def test_a_table_with_a_position_that_is_none_is_refused_with_its_name(capsys, tmp_path):
    file = tmp_path / "table.json"
    file.write_text('{"good": "W:Wa1:Bh8", "odd": "W:Wa2:Bh8"}', "utf-8")
    assert "table.json: 'odd': " in refused(capsys, "--openings", str(file))
    file.write_text('{"good":\n "W:Wa1:Bh8"', "utf-8")
    assert "table.json: line 2: " in refused(capsys, "--openings", str(file))
    assert "no such file" in refused(capsys, "--openings", str(tmp_path / "none.json"))


def test_003_10_an_odd_number_of_games_is_refused(capsys):
    assert "3 games are no match here; give a multiple of 2" in refused(capsys, "--games", "3")
    assert "0 games" in refused(capsys, "--games", "0")


def test_000_white_may_be_agreed_on_003_12_it_is_drawn(capsys):
    found = draw(capsys, "--white", "Rui Costa")
    assert (found["first"], whites(found)[0]) == ("convention", "Rui Costa")
    assert "003 art. 12" in refused(capsys, "-r", "pt-escola", "--white", "Rui Costa")
    assert "'Eva' does not play" in refused(capsys, "--white", "Eva")


def test_001_openings_are_free_and_not_drawn(capsys, shared):
    table = shared / "games" / "openings" / "pydraughts_ballots_brazilian.json"
    assert "001 O Início" in refused(capsys, "-r", "pt-classicas", "--openings", str(table))


def test_a_player_does_not_play_against_himself(capsys):
    assert "cannot play" in refused(capsys, players=("Ana", "Ana"))


def test_a_draw_that_is_kept_is_not_repeated_without_a_reason(capsys, tmp_path):
    file = tmp_path / "draws.jsonl"
    first = draw(capsys, "--keep", str(file))
    draw(capsys, "--keep", str(file), players=("Ana Lima", "Eva"))
    line = refused(capsys, "--keep", str(file), players=("Rui Costa", "Ana Lima"))
    assert "line 1 is the draw of these players" in line
    second = draw(capsys, "--keep", str(file), "--again", "a name was misspelt")
    assert second["again"] == "a name was misspelt"
    kept = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [kept[0], kept[2]] == [first, second]


def test_a_draw_is_not_added_to_a_file_of_something_else(capsys, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("bread\n", "utf-8")
    assert "line 1 is no draw" in refused(capsys, "--keep", str(file))
    assert file.read_text("utf-8") == "bread\n"
    file.write_bytes(b"p\xe3o\n")
    assert "byte 1 is not UTF-8" in refused(capsys, "--keep", str(file))
    assert "byte 1 is not UTF-8" in refused(capsys, "--openings", str(file))


def public(capsys, *arguments):
    found = draw(capsys, *arguments)
    shown = [player["public"] for player in found["players"]]
    for game in found["games"]:
        assert sorted(player["public"] for player in game["players"].values()) == sorted(shown)
    return shown


def test_players_have_a_name_for_the_public_and_minors_their_initials(capsys):
    assert public(capsys) == ["Ana Lima", "Rui Costa"]
    assert public(capsys, "--public", "Ana", " Rui ") == ["Ana", "Rui"]
    assert public(capsys, "--under-age") == ["A. L.", "R. C."]
    assert public(capsys, "--under-age", "--public", "Ana", "Rui") == ["Ana", "Rui"]


def test_003_22_the_pupils_of_a_school_have_initials_without_being_asked_for(capsys):
    assert public(capsys, "-r", "pt-escola") == ["A. L.", "R. C."]
    assert public(capsys, "-r", "pt-escola", "--public", "Ana", "Rui") == ["Ana", "Rui"]


def test_the_players_of_a_game_are_there_as_a_game_is_begun_with_them(capsys):
    (first, second) = draw(capsys, "--public", "Ana", "Rui", "--white", "Ana Lima")["games"]
    ana, rui = {"name": "Ana Lima", "public": "Ana"}, {"name": "Rui Costa", "public": "Rui"}
    assert (first["players"], second["players"]) == ({"white": ana, "black": rui}, {"white": rui, "black": ana})


def test_names_are_compared_without_the_blanks_around_them(capsys, tmp_path):
    file = tmp_path / "draws.jsonl"
    assert "cannot play" in refused(capsys, players=("Ana", " Ana "))
    assert [player["name"] for player in draw(capsys, "--keep", str(file), players=(" Ana", "Rui\t"))["players"]] == [
        "Ana",
        "Rui",
    ]
    assert "line 1 is the draw of these players" in refused(capsys, "--keep", str(file), players=("Rui ", "Ana"))
    assert "--players needs words" in refused(capsys, players=("Ana", " "))
    assert whites(draw(capsys, "--white", "Rui Costa "))[0] == "Rui Costa"


@pytest.mark.parametrize("reason", ["", "  "])
def test_nothing_is_no_reason_to_draw_again(capsys, tmp_path, reason):
    file = tmp_path / "draws.jsonl"
    draw(capsys, "--keep", str(file))
    assert "--again needs words" in refused(capsys, "--keep", str(file), "--again", reason)
    assert len(file.read_text("utf-8").splitlines()) == 1


def test_a_hundred_games_are_the_most_and_a_seed_is_not_below_0(capsys):
    assert len(draw(capsys, "--games", "100")["games"]) == 100
    assert "102 games are too many; at most 100" in refused(capsys, "--games", "102")
    assert "-7 is no seed" in refused(capsys, "--seed", "-7")
    assert draw(capsys, "--seed", "0")["seed"] == 0


def test_an_opening_is_printed_as_the_variant_writes_it(capsys, tmp_path):
    file = tmp_path / "table.json"
    file.write_text('\ufeff{"one": "b:w D4,a1:bH8."}', "utf-8")
    found = draw(capsys, "--openings", str(file))["games"][0]["opening"]
    assert found == {"name": "one", "fen": "B:Wa1,d4:Bh8"}


def test_a_line_whose_players_are_none_is_no_draw(capsys, tmp_path):
    file = tmp_path / "draws.jsonl"
    file.write_text('{"players": [{"name": 3}, {"name": "Ana"}]}\n', "utf-8")
    assert "line 1 is no draw" in refused(capsys, "--keep", str(file))
