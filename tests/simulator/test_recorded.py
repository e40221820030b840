from damas_board.messages.recording import read_header, read_inputs
from damas_board.notation.fen import read_fen
from damas_board.rules.generation import legal_moves
from damas_board.rules.variants import BRAZILIAN
from simulator.games import PlayedGame, invented
from simulator.levels import level
from simulator.recorded import header, inputs, lines


def test_a_played_game_written_as_a_recording_reads_back_equal() -> None:
    game = invented(BRAZILIAN, 2, 30)
    items = list(inputs(game, level("bad-board"), 4, clock=True))
    text = iter(list(lines(header(game.start, "br-cbjd"), items)))
    assert read_header(text) == header(game.start, "br-cbjd")
    assert list(read_inputs(text)) == items


def test_the_header_names_a_start_position_only_where_it_is_not_the_initial_one() -> None:
    start = read_fen("W:Wc3:Bd4,h8", BRAZILIAN)
    assert header(start, "br-cbjd").start == "W:Wc3:Bd4,h8"
    assert header(invented(BRAZILIAN, 2, 1).start, "br-cbjd").start is None
    game = PlayedGame(start, (legal_moves(start)[0],))
    assert next(inputs(game, level("clean"), 1)).rows.count("o") == 3
