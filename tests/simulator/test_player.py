import asyncio

from damas_board.decoding.square_map import SquareMap
from damas_board.rules.geometry import squares_of
from damas_board.rules.variants import BRAZILIAN, TURKISH
from simulator.board import Board
from simulator.clock import VirtualClock
from simulator.games import invented
from simulator.levels import level
from simulator.player import Player
from simulator.table import mark


async def play(variant, dark: str, levels: int, seed: int) -> tuple[Board, VirtualClock, list]:
    clock = VirtualClock()
    board = Board(SquareMap(8, dark), clock, levels=levels)
    player = Player(board, clock, level("club"), seed, levers=True)
    game = invented(variant, seed, 40)
    player.set_up(game.start)
    task = asyncio.create_task(player.play(game))
    await clock.run_while(task)
    await task
    return board, clock, list(game.positions())


async def test_a_game_played_on_a_board_ends_with_its_last_position_on_the_places() -> None:
    board, clock, positions = await play(BRAZILIAN, "left", 2, 1)
    expected = [0] * len(board.pieces)
    for square in squares_of(positions[-1].occupied):
        expected[board.square_map.place(square) - 1] = 1
    assert list(board.pieces) == expected
    assert clock.now() > 20


async def test_a_board_that_tells_kinds_gets_men_and_kings() -> None:
    board, _, positions = await play(TURKISH, "all", 5, 2)
    expected = [0] * len(board.pieces)
    for square in squares_of(positions[-1].occupied):
        expected[board.square_map.place(square) - 1] = ".wbWB".index(mark(positions[-1], square))
    assert list(board.pieces) == expected
