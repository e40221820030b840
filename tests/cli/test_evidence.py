"""`damas-board evidence`: what is printed and written, in both languages, and what is said of wrong input."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from courses import TOUCHED, alert, answered, closed, having, journalled, played

from damas_board.cli import main
from damas_board.cli.account_text import account_text
from damas_board.messages import account
from damas_board.messages.account import AccountLine
from damas_board.messages.account_words import WORDS
from damas_board.messages.course import Course
from damas_board.messages.evidence import evidence
from damas_board.messages.recording import header_object, input_object
from damas_board.regulations import shipped
from damas_board.session.header import Header
from damas_board.session.inputs import Command
from damas_board.sinks.journal import Journal

PLAYERS = {"white": {"name": "Ana"}, "black": {"name": "Rui"}}
HEADER = Header("table-1", "br-cbjd", game="table-1-20260131-1", players=PLAYERS, round="2", table="7")
ID = "table-1-20260131-1-a1"
HEAD = '{"recording": 1, "board": "t", "regulation": "br-cbjd"}\n'


def course() -> Course:
    made = played(TOUCHED, HEADER)
    squares = ("c3",)
    raised = alert(made, 1, 4.7, "touch_move", squares=squares, legal=("c3-b4",), consequence="touched_is_played")
    command = Command(9.0, "dismiss", "c1", {"alert": ID}, "Carla via hub", "the cat\nwas it")
    return having(answered(made, command), raised, closed(made, 1, 9.0, "dismissed"))


def other_course(number: int = 2) -> Course:
    header = replace(HEADER, game=f"table-1-20260131-{number}")
    return played(TOUCHED, header)


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return str(journalled(tmp_path / "j.db", course()))


def test_the_account_says_what_happened_how_long_and_how_it_was_closed(journal: str, capsys) -> None:
    assert main(["evidence", ID, "--journal", journal]) == 0
    out = capsys.readouterr().out
    text = out.splitlines()
    assert text[0] == f"Alert {ID}: touch_move"
    assert text[1] == "a touched piece was not played"
    assert text[2] == "irregularity; br-cbjd, 5.1"
    assert text[3] == "game table-1-20260131-1, board table-1, round 2, table 7"
    assert "whose mistake it would be: White, Ana" in text
    assert "legal would have been: c3-b4" in text
    assert "proposed: the touched piece is played; the arbiter decides, until the game is over" in text
    story = [line for line in text if " s  " in line]
    assert story == [
        "     -3.7 s  c3 lifted (white man)",
        "     -1.3 s  c3 put back, in the air for 2.4 s",
        "     -0.7 s  e3 lifted (white man)",
        "     -0.3 s  from e3 down on d4, in the air for 0.4 s",
        "     +0.0 s  recorded: 1. e3-d4",
        "     +0.0 s  THIS ALERT",
        f'     +4.3 s  command of Carla via hub: dismiss alert={ID}, done: "the cat was it"',
    ]
    assert text[-1] == 'Closed: dismissed; by the command dismiss of Carla via hub: "the cat was it".'


def test_the_account_is_told_in_portuguese_as_well(journal: str, capsys, monkeypatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    assert main(["evidence", "a1", "--journal", journal]) == 0
    out = capsys.readouterr().out
    assert "c3 reposta, no ar 2.4 s" in out
    assert "a peça tocada não foi jogada" in out


@pytest.mark.parametrize(
    ("regulation", "said", "unsaid"),
    [("br-cbjd", ("pedra branca", "registrado: 1. ", "partida "), "peão"), ("pt-classicas", ("peão branco",), "pedra")],
)
def test_the_account_is_told_in_the_portuguese_of_the_regulation(
    regulation: str, said: tuple[str, ...], unsaid: str, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    table = TOUCHED if regulation == "br-cbjd" else "0 | lift 9\n2400 | put 9"
    made = played(table, replace(HEADER, regulation=regulation))
    path = journalled(tmp_path / "j.db", having(made, alert(made, 1, 4.7, "touch_move")))
    assert main(["evidence", "a1", "--journal", str(path)]) == 0
    out = capsys.readouterr().out
    assert all(part in out for part in said)
    assert unsaid not in out


def test_a_short_id_is_enough_where_there_is_one_game(journal: str, capsys) -> None:
    assert main(["evidence", "a1", "--journal", journal]) == 0
    assert capsys.readouterr().out.startswith(f"Alert {ID}")


def test_the_recording_and_the_account_are_written_and_replay_accepts_the_recording(
    journal: str, tmp_path: Path, capsys
) -> None:
    out = tmp_path / "new" / "folder"
    assert main(["evidence", ID, "--journal", journal, "--out", str(out)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(out / f"{ID}.jsonl"), str(out / f"{ID}.txt")]
    assert (out / f"{ID}.txt").read_text("utf-8").startswith(f"Alert {ID}")
    assert main(["replay", str(out / f"{ID}.jsonl")]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [e["move"] for e in events if e["event"] == "move"] == ["e3-d4"]


def test_the_recording_alone_is_printed_on_request(journal: str, capsys) -> None:
    assert main(["evidence", ID, "--journal", journal, "--recording"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (first["recording"], first["game"]) == (1, ID)


def test_the_journal_may_be_in_use_and_is_found_by_the_configuration(tmp_path: Path, capsys) -> None:
    config = tmp_path / "club.toml"
    config.write_text(
        'meeting = "club"\n[journal]\npath = "j.db"\n[[board]]\nid = "table-1"\nport = "x"\nregulation = "br-cbjd"\n',
        "utf-8",
    )
    with Journal.open(journalled(tmp_path / "j.db", course())):
        assert main(["evidence", ID, "--config", str(config)]) == 0
    assert capsys.readouterr().out.startswith(f"Alert {ID}")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("table-1-20260131-1-a9", ID),
        ("table-1-20260131-11-a1", ID),
        ("a9", ID),
        ("nonsense", ID),
    ],
)
def test_an_unknown_alert_names_those_that_there_are(asked: str, said: str, journal: str, capsys) -> None:
    assert main(["evidence", asked, "--journal", journal]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert repr(asked) in err
    assert said in err


def test_a_short_id_is_not_enough_where_there_are_two_games(tmp_path: Path, capsys) -> None:
    path = journalled(tmp_path / "j.db", course(), other_course())
    assert main(["evidence", "a1", "--journal", str(path)]) == 1
    assert ID in capsys.readouterr().err


def test_a_game_without_alerts_says_so(tmp_path: Path, capsys) -> None:
    path = journalled(tmp_path / "j.db", other_course())
    assert main(["evidence", "a1", "--journal", str(path)]) == 1
    assert "no alert was raised there" in capsys.readouterr().err


def recording(path: Path, made: Course) -> str:
    lines = [header_object(made.header), *map(input_object, made.inputs)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return str(path)


def test_a_recording_is_replayed_to_find_its_alerts(tmp_path: Path, capsys) -> None:
    path = recording(tmp_path / "game.jsonl", other_course())
    assert main(["evidence", "a77", path]) == 1
    assert "'a77'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ('{"recording": 1, "board": "t", "regulation": "br-cbjd"}\n{"at": 1}\n', "line 2"),
        ('{"recording": 1, "board": "t", "regulation": "br-cbjd"}\n{"at": 1, "see": "x"}\n', "at 1 s"),
        ('{"recording": 1, "board": "t", "regulation": "br-cbjx"}\n', "br-cbjd"),
        ('{"recording": 1, "board": "t", "regulation": "br-cbjd", "start": "W:Wz9:B"}\n', "z9"),
    ],
)
def test_a_recording_that_cannot_be_followed_is_named_with_the_place(
    text: str, said: str, tmp_path: Path, capsys
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, "utf-8")
    assert main(["evidence", "a1", str(path)]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert said in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "linha 1: a gravação está vazia; a primeira linha tem de ser o cabeçalho"),
        ("[1]\n", "linha 1: não é um objeto JSON; uma gravação tem um objeto JSON por linha"),
        ("{}\n", 'linha 1: a primeira linha não é um cabeçalho: não tem "recording": 1'),
        ('{"recording": 2}\n', "linha 1: o formato de gravação 2 não é conhecido; este programa lê o 1"),
        ('{"recording": 1}\n', "linha 1: o cabeçalho precisa de 'board', um texto"),
        (HEAD + '{"see": ""}\n', 'linha 2: uma entrada precisa de "at", um número de segundos'),
        (HEAD + '{"at": 1, "tik": true}\n', "linha 2: não é uma entrada conhecida; queria dizer 'tick'?"),
        (HEAD + '{"at": 2, "tick": 1}\n{"at": 1, "tick": 1}\n', "linha 3: o tempo anda para trás, de 2 para 1"),
    ],
)
@pytest.mark.parametrize("command", [["evidence", "a1"], ["replay"]])
def test_what_is_wrong_with_a_recording_is_said_in_portuguese_as_well(
    command: list[str], text: str, said: str, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    path = tmp_path / "bad.jsonl"
    path.write_text(text, "utf-8")
    assert main([*command, str(path)]) == 1
    assert capsys.readouterr().err == f"damas-board: {path}: {said}\n"


def test_a_folder_that_cannot_be_one_is_named_in_portuguese_as_well(
    journal: str, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "pt")
    file = tmp_path / "file"
    file.touch()
    assert main(["evidence", ID, "--journal", journal, "--out", str(file)]) == 1
    assert capsys.readouterr().err == f"damas-board: {file}: já existe\n"
    assert main(["evidence", ID, "--journal", journal, "--out", str(file / "below")]) == 1
    assert capsys.readouterr().err == f"damas-board: {file / 'below'}: não é uma pasta, é preciso uma\n"


@pytest.mark.parametrize("content", [None, b"", b"not a database at all, just text" * 9, "folder"])
def test_what_is_no_journal_is_named_in_one_line_and_left_as_it_is(content, tmp_path: Path, capsys) -> None:
    path = tmp_path / "j.db"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    before = sorted(tmp_path.iterdir())
    assert main(["evidence", "a1", "--journal", str(path)]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert str(path) in err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("sources", [[], ["game.jsonl", "--journal", "j.db"], ["--journal", "j", "--config", "c"]])
def test_one_place_has_to_be_named_where_the_alert_is(sources: list[str], capsys) -> None:
    assert main(["evidence", "a1", *sources]) == 2
    assert "--journal" in capsys.readouterr().err


def test_every_line_of_an_account_has_its_words() -> None:
    source = Path(account.__file__).read_text("utf-8")
    keys = set(re.findall(r'AccountLine\(\s*"([a-z_]+)"', source)) | set(account._KEPT)
    keys |= set(re.findall(r'"([a-z_]+)" if [^"]* else "[a-z_]+"', source))
    keys |= set(re.findall(r'"[a-z_]+" if [^"]* else "([a-z_]+)"', source))
    assert len(keys) > 20
    assert {f"account.{key}" for key in keys - {"alert"}} - set(WORDS) == set()


def test_a_line_that_has_values_of_every_kind_is_said() -> None:
    lines = evidence(course(), course().alerts[0], shipped("br-cbjd").variant).account
    more = [
        AccountLine("board", 5.0, {"state": "mismatch", "put": {"c3": "w"}, "clear": ["d4"]}),
        AccountLine("link_lost", 5.0, {"reason": "port_lost"}),
        AccountLine("link_lost", 5.0, {"reason": None}),
        AccountLine("came_down_one_of", 5.0, {"square": "d4", "among": ["c3", "e3"]}),
        AccountLine("move_revised", 5.0, {"ply": 1, "move": "a", "was": "b", "irregular": True, "basis": "inferred"}),
        AccountLine("lifted", 5.0, {"square": "d4", "rested": 1.9}),
        AccountLine("other_closed", 5.0, {"id": "t-1-a2", "kind": "board_lost", "how": "recovered"}),
        AccountLine("flickered", 5.0, {"square": "d4", "times": 1, "longest": 0.05}),
        AccountLine("flickered", 5.0, {"square": "d4", "times": 2, "longest": 0.05}),
    ]
    text = account_text([lines[0], *more, lines[-1]])
    assert [line[13:] for line in text if " s  " in line] == [
        "board: does not agree with the record; put c3 (white man); clear d4",
        "connection to the board lost: the connection broke off",
        "connection to the board lost",
        "down on d4: the piece from one of c3, e3",
        "recorded anew: 1. a (irregular, not seen as it was played) (was b)",
        "d4 lifted again (a piece), rested there for 1.9 s",
        "alert a2 (board_lost) closed: in order again",
        "d4 read otherwise once, for 0.05 s: shorter than a touch",
        "d4 read otherwise 2 times, for 0.05 s at most: shorter than a touch",
    ]
