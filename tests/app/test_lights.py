"""A board's lights while it is set up, and its darkness in play; the board goes dark by itself after a minute."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from app.tables import until
from sources.simulated import MAP, START

from damas_board.app import Gateway
from damas_board.app.lights import LIT_STATES, Lights
from damas_board.app.service import board_setups, lit_places
from damas_board.config import read_config
from damas_board.decoding import wire
from damas_board.decoding.wire import Colour
from damas_board.regulations import shipped
from damas_board.session.events import BoardChanged, BoardState
from damas_board.sinks.journal import Journal
from simulator.board import Board
from simulator.clock import RunningClock, VirtualClock
from simulator.pty import BoardPty

GEOMETRY = shipped("br-cbjd").variant.geometry
C3, B6, D4, E5, G3 = (MAP.place(GEOMETRY.square(name)) for name in ("c3", "b6", "d4", "e5", "g3"))
WRONG = {"put": {"c3": "w", "b6": "B"}, "clear": ("d4",)}
SHOWN = {C3: Colour.WHITE, B6: Colour.BLUE, D4: Colour.RED}


class Lit:
    """Lights of a board in software, in virtual time."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.board = Board(MAP, self.clock)
        self.lights = Lights(self._light)
        self.told: list[float] = []

    def _light(self, colour: Colour, squares: Sequence[int]) -> None:
        self.told.append(self.clock.now())
        places = frozenset(MAP.place(square) for square in squares)
        self.board.receive(wire.encode_command(wire.Light(1, colour, places)))

    def show(self, state: BoardState, **what: object) -> None:
        self.lights.show(BoardChanged(self.clock.now(), state, **what), lambda: GEOMETRY, self.clock.now())  # type: ignore[arg-type]

    def seconds(self, count: int) -> list[dict[int, Colour]]:
        """What was lit at each of them."""
        return [self._second() for _ in range(count)]

    def _second(self) -> dict[int, Colour]:
        self.clock.set(self.clock.now() + 1.0)
        self.board.advance()
        self.lights.keep(self.clock.now())
        return lit(self.board)


def lit(board: Board) -> dict[int, Colour]:
    return {place: colour for place, colour in board.lights.items() if colour is not Colour.OFF}


@pytest.mark.parametrize("state", LIT_STATES)
def test_lights_stay_on_as_long_as_they_are_wanted_and_the_board_is_not_told_all_the_time(state: BoardState) -> None:
    table = Lit()
    table.show(state, **WRONG)
    assert table.seconds(300) == [SHOWN] * 300
    assert len(table.told) <= 3 * (1 + 300 // 20)


@pytest.mark.parametrize("state", ["in_play", "ready", "mismatch", "lost", "failed"])
def test_in_play_the_board_is_dark_and_is_told_nothing_more(state: BoardState) -> None:
    table = Lit()
    table.show("setting_up", **WRONG)
    table.show(state, **WRONG)
    assert lit(table.board) == {}
    count = len(table.told)
    assert table.seconds(100) == [{}] * 100
    assert len(table.told) == count


def test_what_is_put_right_goes_out_at_once_and_the_rest_stays_lit() -> None:
    table = Lit()
    table.show("setting_up", **WRONG)
    table.show("setting_up", put={"b6": "B"}, clear=("d4",))
    assert lit(table.board) == {B6: Colour.BLUE, D4: Colour.RED}


def test_a_board_that_comes_back_dark_is_lit_again() -> None:
    table = Lit()
    table.show("setting_up", **WRONG)
    table.seconds(1)
    table.board.reset()
    table.lights.forget()
    assert table.seconds(1) == [SHOWN]


def test_without_a_game_the_board_is_dark() -> None:
    table = Lit()
    table.show("setting_up", **WRONG)
    table.lights.show(None, lambda: GEOMETRY, table.clock.now())
    assert table.seconds(30) == [{}] * 30


@pytest.mark.parametrize(("turn", "under"), [(0, "a1"), (180, "h8")])
def test_the_light_of_a_square_is_where_the_square_is_on_a_board_that_lies_turned(
    tmp_path: Path, turn: int, under: str
) -> None:
    path = tmp_path / "c.toml"
    path.write_text(f'meeting = "m"\n[[board]]\nid = "t"\nregulation = "br-cbjd"\nport = "p"\nturn = {turn}\n')
    (board,) = read_config(path).boards
    assert lit_places(board)[GEOMETRY.square("a1")] == MAP.place(GEOMETRY.square(under))


@asynccontextmanager
async def followed(folder: Path, board: Board, clock: RunningClock) -> AsyncIterator[Gateway]:
    async with asyncio.timeout(60), BoardPty(board, clock) as pty:
        path = folder / "c.toml"
        path.write_text(f'meeting = "m"\n[[board]]\nid = "t"\nregulation = "br-cbjd"\nport = "{pty.path}"\n')
        setups = [setup for _, setup in board_setups(read_config(path), speed=clock.speed)]
        with Journal.open(folder / "j.db") as journal:
            async with Gateway(journal, setups, speed=clock.speed) as gateway:
                yield gateway


async def test_a_real_port_lights_what_is_wrong_until_it_is_right_and_nothing_in_play(tmp_path: Path) -> None:
    clock = RunningClock(20.0)
    board = Board(MAP, clock)
    board.set_up(START)
    board.lift(C3)
    board.place(E5)
    async with followed(tmp_path, board, clock) as gateway:
        await until(lambda: lit(board) == {C3: Colour.WHITE, E5: Colour.RED})
        board.lights.clear()  # as after a minute
        await until(lambda: lit(board) == {C3: Colour.WHITE, E5: Colour.RED})
        board.lift(E5)
        board.place(C3)
        await until(lambda: lit(board) == {})
        board.lift(C3)
        board.place(D4)
        await until(lambda: _state(gateway) == "in_play")
        # What nothing explains: told to the arbiter, and not by the board.
        board.lights.clear()
        board.lift(B6)
        board.lift(G3)
        await until(lambda: _state(gateway) == "mismatch")
        await clock.sleep(25.0)
        assert board.lights == {}


def _state(gateway: Gateway) -> str | None:
    state = gateway.boards["t"].state
    return None if state is None or state.board_state is None else state.board_state.state
