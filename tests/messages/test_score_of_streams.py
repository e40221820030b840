"""A game's file has all that its stream told: clocks, setups with their reasons, what was not seen, the end."""

from __future__ import annotations

from typing import Any

from damas_board.messages.score import game_text
from damas_board.messages.stream import Record, fold_event
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move
from damas_board.notation.pdn import read_games
from damas_board.regulations import shipped
from damas_board.rules.position import initial
from damas_board.rules.side import Side

CLASSICAS = shipped("pt-classicas")
START = write_fen(initial(CLASSICAS.variant))


def record(*events: dict[str, Any]) -> Record:
    folded = Record()
    for number, event in enumerate(events, 1):
        folded = fold_event(folded, {"at": float(number), "ts": "2026-01-31T18:30:00Z", **event})
    return folded


def test_a_file_has_what_the_stream_told() -> None:
    position = initial(CLASSICAS.variant)
    told: list[dict[str, Any]] = [{"event": "game_started", "game": "g", "regulation": "pt-classicas", "fen": START}]

    def move(ply: int, text: str, fen: str, **more: Any) -> dict[str, Any]:
        body = {"event": "move", "ply": ply, "side": "white" if ply % 2 else "black", "move": text, "fen": fen}
        return {**body, "captured": [], "provisional": False, "irregular": False, "basis": "seen", "revision": 0} | more

    for ply, (text, basis) in enumerate((("10-14", "seen"), ("23-19", "inferred")), 1):
        position = position.after(read_move(position, text))
        told.append(move(ply, text, write_fen(position), basis=basis))
    told.append({"event": "clock", "white": 61.2, "black": 58.0, "running": "black", "stale": False})
    position = position._replace(turn=Side.BLACK)  # White moved a man where it may not go
    told.append(move(3, "9-22", write_fen(position), irregular=True))
    alert = {
        "event": "alert",
        "id": "a",
        "kind": "illegal_move",
        "severity": "irregular",
        "side": "white",
        "squares": [],
    }
    told += [
        {**alert, "ply": 3, "article": "art. 8", "also": []},
        {"event": "alert_closed", "id": "a", "how": "stands"},
    ]
    position = position.after(read_move(position, "19x10"))
    told.append(move(4, "19x10", write_fen(position), basis="entered"))
    set_up = write_fen(read_fen("W:W10,K32:B24", CLASSICAS.variant))
    told.append({"event": "position_set", "fen": set_up, "ply": 4, "by": "ana", "revision": 1})
    told.append({"event": "game_over", "winner": "draw", "result": "1-1", "reason": "agreed", "ply": 4, "revision": 1})
    text = game_text(record(*told), CLASSICAS, {"Event": "Open"})
    (game,) = read_games(text)
    assert (game.fault, game.result, game.tag("GameType"), game.tag("Regulation")) == (
        None,
        "1-1",
        "28",
        "pt-classicas",
    )
    assert [ply.comment for ply in game.plies] == [
        "",
        "inferred",
        "irregular: white 9-22, illegal_move, art. 8",
        "",
        "set up by the arbiter",
    ]
    assert [ply.move is None for ply in game.plies] == [False, False, True, False, True]
    assert [write_fen(ply.after) for ply in game.plies][3:] == [write_fen(position), set_up]
    clocks = [None if ply.clocks is None else (ply.clocks.white, ply.clocks.black) for ply in game.plies]
    assert clocks == [None, None, (62.0, 57.0), (62.0, 54.0), None]


def test_a_lawful_ply_behind_which_a_position_is_set_up_is_not_irregular_for_what_was_told_of_it() -> None:
    after = initial(CLASSICAS.variant)
    after = after.after(read_move(after, "10-14"))
    ply = {"ply": 1, "side": "white", "move": "10-14", "fen": write_fen(after), "captured": [], "provisional": False}
    alert = {"event": "alert", "id": "a", "kind": "illegal_move", "severity": "irregular", "side": "white", "ply": 1}
    set_up = write_fen(read_fen("B:W10,K32:B24", CLASSICAS.variant))
    text = game_text(
        record(
            {"event": "game_started", "game": "g", "regulation": "pt-classicas", "fen": START},
            {"event": "move", **ply, "irregular": False, "basis": "seen", "revision": 0},
            {**alert, "squares": [], "article": "art. 8", "also": []},
            {"event": "move_revised", **ply, "fen": set_up, "irregular": True, "basis": "entered", "revision": 1},
            {"event": "position_set", "fen": set_up, "ply": 1, "by": "ana", "revision": 1},
        ),
        CLASSICAS,
        {},
    )
    assert "set up by the arbiter" in text
    assert "irregular" not in text
