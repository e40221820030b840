"""`damas-board register`: a block a player, what is left out, and what is said of wrong input."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from courses import TOUCHED, alert, answered, closed, having, journalled, played

from damas_board.cli import main
from damas_board.messages.course import Course
from damas_board.session.header import Header
from damas_board.session.inputs import Command

ANA_RUI = {"white": {"name": "Ana"}, "black": {"name": "Rui"}}
RUI_ANA = {"white": {"name": "Rui"}, "black": {"name": "Ana"}}
HEADER = Header("t-1", "br-cbjd", game="g-1", players=ANA_RUI, round="1", table="4")


def first() -> Course:
    made = played(TOUCHED, HEADER)
    made = having(
        made,
        alert(made, 1, 4.7, "touch_move", squares=("c3",)),
        alert(made, 2, 5.0, "touched_unplayable", severity="note", side="black"),
        alert(made, 3, 6.0, "board_lost", severity="warning", side=None),
        closed(made, 1, 9.0, "dismissed"),
    )
    made = answered(made, Command(9.0, "dismiss", "c1", {"alert": "g-1-a1"}, "carla", "it fell"))
    return answered(made, Command(9.5, "result", "c2", {"result": "1-0"}, "carla"))


def second() -> Course:
    made = played(TOUCHED, replace(HEADER, game="g-2", players=RUI_ANA, round="2"))
    return having(made, alert(made, 1, 4.7, "touched_unplayable", severity="warning", side="white", squares=("a1",)))


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return str(journalled(tmp_path / "j.db", first(), second()))


def objects(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_block_a_player_with_the_decisions_below_the_alert(journal: str, capsys) -> None:
    assert main(["register", "--journal", journal]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Ana"
    assert "round 1, table 4" in lines[1]
    assert "g-1-a1  irregularity  touch_move: a touched piece was not played (5.1)" in lines[1]
    assert lines[1].endswith("ply 1; squares c3; dismissed")
    assert lines[2].strip() == 'command of carla: dismiss alert=g-1-a1, done: "it fell"'
    assert lines[4] == "Nobody's"
    rui = lines.index("Rui")
    assert "g-2-a1  warning  touched_unplayable (occurrence 2 of this player)" in lines[rui + 1]
    assert lines[-2] == "Other decisions"
    assert "result result=1-0, done" in lines[-1]
    assert not any("g-1-a2" in line for line in lines)


def test_a_game_without_a_table_is_told_by_its_board(tmp_path: Path, capsys) -> None:
    made = played(TOUCHED, replace(HEADER, table=None))
    path = journalled(tmp_path / "j.db", having(made, alert(made, 1, 4.7, "touch_move")))
    assert main(["register", "--journal", str(path)]) == 0
    assert "  round 1, t-1, " in capsys.readouterr().out


def test_notes_are_shown_on_request(journal: str, capsys) -> None:
    assert main(["register", "--journal", journal, "--notes"]) == 0
    assert "g-1-a2  note  touched_unplayable: " in capsys.readouterr().out


def test_a_round_or_a_player_alone_with_recurrences_counted_over_the_meeting(journal: str, capsys) -> None:
    assert main(["register", "--journal", journal, "--round", "2", "--json"]) == 0
    (entry,) = objects(capsys.readouterr().out)
    assert (entry["id"], entry["occurrence"], entry["player"]) == ("g-2-a1", 2, "Rui")
    assert main(["register", "--journal", journal, "--player", "Ana", "--json"]) == 0
    entries = objects(capsys.readouterr().out)
    assert [(e["entry"], e["id"]) for e in entries] == [("alert", "g-1-a1"), ("decision", "c1")]


def test_it_is_told_in_portuguese_as_well(journal: str, capsys, monkeypatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    assert main(["register", "--journal", journal]) == 0
    assert "(2.ª ocorrência deste jogador)" in capsys.readouterr().out


@pytest.mark.parametrize(("option", "asked", "near"), [("--round", "3", "1"), ("--player", "Anna", "Ana")])
def test_what_nobody_registered_names_what_there_is(option: str, asked: str, near: str, journal: str, capsys) -> None:
    assert main(["register", "--journal", journal, option, asked]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert near in err


def test_a_meeting_without_alerts_is_said_to_have_none(tmp_path: Path, capsys) -> None:
    path = journalled(tmp_path / "j.db", played(TOUCHED, HEADER))
    assert main(["register", "--journal", str(path)]) == 0
    assert capsys.readouterr().err == "nothing is registered\n"


def test_a_player_without_alerts_and_a_round_without_them_have_an_empty_register(tmp_path: Path, capsys) -> None:
    other = replace(HEADER, game="g-3", players={"white": {"name": "Eva"}, "black": {"name": "Rui"}}, round="3")
    path = str(journalled(tmp_path / "j.db", first(), played(TOUCHED, other)))
    for options in (["--player", "Eva"], ["--round", "3"]):
        assert main(["register", "--journal", path, *options]) == 0
        said = capsys.readouterr()
        assert (said.out, said.err) == ("", "nothing is registered\n")


def test_where_nobody_has_a_name_nobody_is_named_instead(tmp_path: Path, capsys) -> None:
    path = journalled(tmp_path / "j.db", played(TOUCHED, replace(HEADER, players=None)))
    assert main(["register", "--journal", str(path), "--player", "Eva"]) == 1
    assert capsys.readouterr().err == "damas-board: no player 'Eva' is in these games\n"


def test_refused_and_routine_commands_are_among_the_other_decisions_with_the_notes_only(tmp_path: Path, capsys) -> None:
    made = played(TOUCHED, HEADER)
    made = answered(made, Command(6.0, "pause", "c1", {}, "carla"))
    made = answered(made, Command(7.0, "rewind", "c2", {"ply": 9}, "carla"), "refused", "no_such_ply")
    made = answered(made, Command(8.0, "new_game", "c3", {}, "carla", "played again, the colours were wrong"))
    path = str(journalled(tmp_path / "j.db", made))
    assert main(["register", "--journal", path]) == 0
    (title, line) = capsys.readouterr().out.splitlines()
    assert title == "Other decisions"
    assert 'new_game, done: "played again, the colours were wrong"' in line
    assert main(["register", "--journal", path, "--notes", "--json"]) == 0
    assert [entry["id"] for entry in objects(capsys.readouterr().out)] == ["c1", "c2", "c3"]


@pytest.mark.parametrize(("regulation", "piece"), [("br-cbjd", "foi coroada uma pedra"), ("pt-escola", "um peão")])
def test_an_alert_is_told_in_the_words_of_the_regulation_of_its_game(
    regulation: str, piece: str, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    made = played("0 | tick", replace(HEADER, regulation=regulation))
    path = journalled(tmp_path / "j.db", having(made, alert(made, 1, 2.0, "crowned_wrongly")))
    assert main(["register", "--journal", str(path)]) == 0
    assert piece in capsys.readouterr().out


@pytest.mark.parametrize("sources", [[], ["--journal", "j", "--config", "c"]])
def test_one_place_has_to_be_named(sources: list[str]) -> None:
    assert main(["register", *sources]) == 2
