from __future__ import annotations

import random
from dataclasses import replace

import pytest
from rules.positions import random_play

from damas_board.messages.score import game_text
from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move, write_move
from damas_board.notation.pdn import Clocks, played, read_games
from damas_board.regulations import Regulation, names, parse, shipped
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side
from damas_board.session.state import GameState, PlyNote


def kept(regulation: Regulation) -> tuple[GameState, int]:
    """A random game as a session keeps it, and how many plies it has."""
    start = initial(regulation.variant)
    plies = played(start, (move for _, move in random_play(random.Random(7), regulation.variant, 100)))
    moves = tuple(write_move(ply.before, ply.move) for ply in plies if ply.move is not None)
    end = plies[-1].after
    return GameState("g", regulation.name, write_fen(start), write_fen(end), moves, 1), len(plies)


@pytest.mark.parametrize("name", names())
def test_a_kept_game_of_every_shipped_regulation_is_read_back(name: str) -> None:
    regulation = shipped(name)
    state, plies = kept(regulation)
    text = game_text(state, regulation, {"Event": "Open"})
    assert f'[Regulation "{name}"]' in text
    (game,) = read_games(text)
    assert (game.fault, game.remarks, len(game.plies)) == (None, (), plies)
    assert (game.variant, game.end.variant, write_fen(game.end)) == (regulation.variant, regulation.variant, state.fen)


def test_a_clubs_own_rules_are_not_taken_for_the_shipped_ones_of_the_same_name() -> None:
    own = replace(shipped("br-cbjd"), variant=replace(shipped("br-cbjd").variant, capture_compulsory=False))
    (game,) = read_games(game_text(kept(own)[0], own, {}))
    assert game.tag("Regulation") == "br-cbjd (own)"
    assert any("the Regulation 'br-cbjd (own)' is not shipped" in remark.reason for remark in game.remarks)


def test_a_clubs_own_regulation_is_named_and_reported_as_not_shipped() -> None:
    club = parse('base = "br-cbjd"\ntitle = "Our club"\n', "club")
    state, plies = kept(club)
    (game,) = read_games(game_text(state, club, {}))
    assert (game.tag("Regulation"), game.fault, len(game.plies)) == ("club", None, plies)
    assert [remark.reason for remark in game.remarks] == [
        "the Regulation 'club' is not shipped; the game is read as brazilian"
    ]


def moved(position: Position, text: str, turn: Side) -> Position:
    """The position after the piece on the first square was put on the second, whatever the rules say."""
    start, end = (1 << position.variant.geometry.square(name) for name in text.split("-"))
    white, black = position.white, position.black
    if white & start:
        white = white & ~start | end
    else:
        black = black & ~start | end
    return position._replace(turn=turn, white=white, black=black)


def irregular_game() -> tuple[GameState, list[Position]]:
    """A game with a missed capture, a move by the wrong side and a man that goes backwards, and its positions."""
    position = initial(shipped("br-cbjd").variant)
    start = write_fen(position)
    texts: list[str] = []
    notes: list[PlyNote] = []
    positions = [position]

    def regular(*moves: str) -> None:
        for text in moves:
            texts.append(text)
            positions.append(positions[-1].after(read_move(positions[-1], text)))

    def irregular(text: str, side: Side, note: PlyNote) -> None:
        texts.append(text)
        positions.append(moved(positions[-1], text, side.other))
        notes.append(replace(note, fen=write_fen(positions[-1])))

    regular("c3-d4", "f6-e5")
    irregular("g3-h4", Side.WHITE, PlyNote(3, "white", alerts=("missed_capture",), article="002 art. 12"))
    regular("e5xc3")
    irregular("d6-e5", Side.BLACK, PlyNote(5, "black", alerts=("wrong_side",)))
    regular("b2xd4xf6", "g7xe5")
    irregular("h4-g3", Side.WHITE, PlyNote(8, "white", alerts=("illegal_move", "left_on_board"), article="002 art. 3"))
    regular("e5-f4", "g3xe5")
    return GameState("g", "br-cbjd", start, write_fen(positions[-1]), tuple(texts), 1, notes=tuple(notes)), positions


def test_irregular_plies_are_setups_with_a_comment_and_the_game_goes_on_behind_them() -> None:
    state, _ = irregular_game()
    assert game_text(state, shipped("br-cbjd"), {"Event": "Open"}) == (
        '[Event "Open"]\n'
        '[Site "?"]\n'
        '[Date "????.??.??"]\n'
        '[Round "?"]\n'
        '[White "?"]\n'
        '[Black "?"]\n'
        '[Result "*"]\n'
        '[GameType "26"]\n'
        '[Regulation "br-cbjd"]\n'
        "\n"
        "1. c3-d4 f6-e5\n"
        '/FEN "B:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,d4,h4:Be5,b6,d6,h6,a7,c7,e7,g7,b8,d8,f8,h8"/\n'
        "{irregular: white g3-h4, missed_capture, 002 art. 12} 2... e5xc3\n"
        '/FEN "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,h4:Bc3,e5,b6,h6,a7,c7,e7,g7,b8,d8,f8,h8"/\n'
        "{irregular: black d6-e5, wrong_side} 3. b2xf6 g7xe5\n"
        '/FEN "B:Wa1,c1,e1,g1,d2,f2,h2,a3,e3,g3:Be5,b6,h6,a7,c7,e7,b8,d8,f8,h8"/\n'
        "{irregular: white h4-g3, illegal_move, left_on_board, 002 art. 3} 4... e5-f4 5.\n"
        "g3xe5 *\n"
        "\n"
    )


def test_a_game_with_irregular_plies_is_read_back_to_the_same_positions() -> None:
    state, positions = irregular_game()
    (game,) = read_games(game_text(state, shipped("br-cbjd"), {}))
    assert (game.fault, game.remarks) == (None, ())
    assert [game.start, *(ply.after for ply in game.plies)] == positions
    assert [n for n, ply in enumerate(game.plies, 1) if ply.move is None] == [3, 5, 8]
    assert game.plies[7].comment == "irregular: white h4-g3, illegal_move, left_on_board, 002 art. 3"


def test_a_game_whose_first_ply_is_irregular_says_where_it_began() -> None:
    start = initial(shipped("br-cbjd").variant)
    after = moved(start, "f6-g5", Side.WHITE)
    note = PlyNote(1, "black", write_fen(after), ("wrong_side",))
    state = GameState("g", "br-cbjd", write_fen(start), "", ("f6-g5", "c3-b4"), 0, notes=(note,))
    text = game_text(state, shipped("br-cbjd"), {})
    assert f'[SetUp "1"]\n[FEN "{write_fen(start)}"]\n' in text
    (game,) = read_games(text)
    assert (game.start, game.plies[0].after, game.moves) == (start, after, 1)


def test_irregular_moves_of_a_board_with_numbers_are_read_back_too() -> None:
    start = initial(shipped("int-fmjd").variant)
    after = moved(start, "32-27", Side.BLACK)
    note = PlyNote(1, "white", write_fen(after), ("illegal_move",), "5.1", (3600.0, 3599.2), "black")
    state = GameState("g", "int-fmjd", write_fen(start), "", ("32-27", "19-23"), 0, notes=(note,))
    (game,) = read_games(game_text(state, shipped("int-fmjd"), {}))
    assert (game.start, game.plies[0].after, game.moves) == (start, after, 1)
    assert game.plies[0].clocks == Clocks(3600, 3600, Side.BLACK)
    assert game.plies[0].comment == "irregular: white 32-27, illegal_move, 5.1"


def test_every_ply_at_which_there_was_a_clock_has_it_in_whole_seconds_and_zero_is_a_fallen_flag() -> None:
    start = initial(shipped("br-cbjd").variant)
    notes = (
        PlyNote(1, "white", clock=(305.0, 300.0), running="black"),
        PlyNote(2, "black", clock=(305.0, 280.251), running="white"),
        PlyNote(4, "black", clock=(0.0, 0.4)),
        PlyNote(5, "white", clock=(None, 3661.0), running="white"),
    )
    texts = ("c3-d4", "b6-a5", "d4-c5", "d6xb4", "a3xc5")
    state = GameState("g", "br-cbjd", write_fen(start), "", texts, 0, time_control=" 300+5", notes=notes)
    text = game_text(state, shipped("br-cbjd"), {})
    assert '[TimeControl "300+5"]' in text
    assert " ".join(text.split("\n\n")[1].split()) == (
        "1. c3-d4 {[%clock w0:05:05 B0:05:00]} b6-a5 {[%clock W0:05:05 b0:04:41]} "
        "2. d4-c5 d6xb4 {[%clock w0:00:00 b0:00:01]} 3. a3xc5 {[%clock b1:01:01]} *"
    )
    (game,) = read_games(text)
    assert [ply.clocks for ply in game.plies] == [
        Clocks(305, 300, Side.BLACK),
        Clocks(305, 281, Side.WHITE),
        None,
        Clocks(0, 1, None),
        Clocks(None, 3661, None),
    ]


@pytest.mark.parametrize("control", [None, "-", "?"])
def test_a_game_without_a_time_control_has_no_tag_of_it(control: str | None) -> None:
    state = replace(kept(shipped("br-cbjd"))[0], time_control=control)
    assert "TimeControl" not in game_text(state, shipped("br-cbjd"), {})


def test_a_position_that_the_arbiter_set_up_stands_behind_the_move() -> None:
    start = initial(shipped("br-cbjd").variant)
    after = read_fen("B:Wc3,d4:Be7,f8", start.variant)
    notes = (PlyNote(1, "white", write_fen(after), clock=(60.0, 59.0), running="black"),)
    state = GameState("g", "br-cbjd", write_fen(start), "", ("c3-d4", "e7-d6", "d4-e5"), 0, notes=notes)
    text = game_text(state, shipped("br-cbjd"), {})
    assert " ".join(text.split("\n\n")[1].split()) == (
        '1. c3-d4 {[%clock w0:01:00 B0:00:59]} /FEN "B:Wc3,d4:Be7,f8"/ {set up by the arbiter} 1... e7-d6 2. d4-e5 *'
    )
    (game,) = read_games(text)
    assert (game.fault, game.moves, game.plies[1].after) == (None, 3, after)


def test_after_a_move_out_of_turn_the_other_side_has_its_own_number() -> None:
    start = initial(shipped("br-cbjd").variant)
    first = start.after(read_move(start, "c3-d4"))
    again = moved(first, "a3-b4", Side.BLACK)
    notes = (PlyNote(2, "white", write_fen(again), ("wrong_side",)),)
    state = GameState("g", "br-cbjd", write_fen(start), "", ("c3-d4", "a3-b4", "b6-a5"), 0, notes=notes)
    assert "wrong_side} 1... b6-a5 *" in " ".join(game_text(state, shipped("br-cbjd"), {}).split())


def test_an_irregular_ply_of_which_no_alert_is_known_is_still_written_as_a_setup() -> None:
    regulation = shipped("int-fmjd")
    start = initial(regulation.variant)
    left, come = (1 << regulation.variant.geometry.square(name) for name in ("37", "28"))
    white = start.white & ~left | come
    fen = write_fen(start._replace(white=white, turn=Side.BLACK))
    state = GameState("g-1", "int-fmjd", write_fen(start), fen, ("37-28",), 0, notes=(PlyNote(1, "white", fen),))
    text = game_text(state, regulation, {})
    assert "irregular: white 37-28" in " ".join(text.split())
    game = next(iter(read_games(text.encode(), regulation.variant)))
    assert game.plies[-1].after == read_fen(fen, regulation.variant)
