"""`damas-board replay --pdn`: the file has everything of the game that a reader of PDN can replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from damas_board.cli import main
from damas_board.notation.fen import write_fen
from damas_board.notation.pdn import PdnGame, read_games
from damas_board.regulations import shipped
from damas_board.rules.geometry import squares_of
from damas_board.rules.position import initial
from damas_board.session.header import Header
from damas_board.session.inputs import Input, Lever, See, SideName, Tick
from simulator.recorded import lines
from simulator.table import mark, rows

POSITION = initial(shipped("br-cbjd").variant)


def recorded(*moves: tuple[SideName, str, str]) -> list[Input]:
    """What a board that senses colour tells of moves from square to square, with the squares cleared behind them."""
    geometry = POSITION.variant.geometry
    pieces = {square: mark(POSITION, square) for square in squares_of(POSITION.occupied)}
    at = 0.0
    items: list[Input] = [See(at, rows(pieces, geometry))]
    for side, move, off in moves:
        start, end = (geometry.square(name) for name in move.split("-"))
        piece = pieces.pop(start)
        items.append(See(at + 2.0, rows(pieces, geometry)))
        pieces[end] = piece
        items.append(See(at + 2.5, rows(pieces, geometry)))
        if off:
            del pieces[geometry.square(off)]
            items.append(See(at + 3.0, rows(pieces, geometry)))
        items.append(Lever(at + 5.0, side))
        at += 5.0
    return [*items, Tick(at + 2.0)]


def printed(path: Path, header: Header, items: list[Input], capsys: pytest.CaptureFixture[str]) -> PdnGame:
    path.write_text("".join(f"{line}\n" for line in lines(header, items)), "utf-8")
    assert main(["replay", "--pdn", str(path)]) == 0
    (game,) = read_games(capsys.readouterr().out)
    assert (game.fault, game.remarks) == (None, ())
    return game


def test_a_missed_capture_that_stands_is_printed_as_a_setup_and_the_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = recorded(
        ("white", "c3-d4", ""),
        ("black", "f6-e5", ""),
        ("white", "g3-h4", ""),
        ("black", "e5-c3", "d4"),
        ("white", "b2-d4", "c3"),
    )
    game = printed(tmp_path / "game.jsonl", Header("t", "br-cbjd", senses="colour"), items, capsys)
    assert [ply.text for ply in game.plies] == ["c3-d4", "f6-e5", "", "e5xc3", "b2xd4"]
    assert game.plies[2].comment.startswith("irregular: white g3-h4, missed_capture")
    assert write_fen(game.end) == "B:Wa1,c1,e1,g1,d2,f2,h2,a3,e3,d4,h4:Bb6,d6,h6,a7,c7,e7,g7,b8,d8,f8,h8"
    assert (game.tag("TimeControl"), [ply.clocks for ply in game.plies]) == (None, [None] * 5)


def test_a_game_with_a_time_control_is_printed_with_its_tag_and_the_clocks_of_every_ply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = recorded(("white", "c3-d4", ""), ("black", "f6-g5", ""), ("white", "d4-e5", ""))
    game = printed(tmp_path / "g.jsonl", Header("t", "br-cbjd", senses="colour", clock="300+5"), items, capsys)
    assert game.tag("TimeControl") == "300+5"
    assert len(game.plies) == 3
    for ply in game.plies:
        assert ply.clocks is not None
        assert 280 < (ply.clocks.white or 0) <= 310
        assert 280 < (ply.clocks.black or 0) <= 310
