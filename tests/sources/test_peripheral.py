"""Boards that speak the chess-peripheral protocol are read as every board is: they pass the kits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sources.bench import Bench
from sources.contract import SourceContract
from sources.peripheral_bench import PeripheralBench
from sources.talk_contract import Line, TalkContract

from damas_board.decoding.peripheral.conversation import Manner, PeripheralTalk
from damas_board.rules.position import initial
from damas_board.rules.variants import BRAZILIAN, INTERNATIONAL, PORTUGUESE
from damas_board.sources.adapter import Place
from damas_board.sources.errors import BoardError
from damas_board.sources.peripheral import NAMES, PERIPHERAL, PeripheralOptions
from simulator.clock import VirtualClock
from simulator.peripheral import ALL_FEATURES, GET_STATE, STREAM, PeripheralBoard


class TestBoardThatSaysEachChange(SourceContract):
    @pytest.fixture
    def made(self) -> Bench:
        return PeripheralBench()


class TestBoardThatIsAskedOnly(SourceContract):
    @pytest.fixture
    def made(self) -> Bench:
        return PeripheralBench(
            options=PeripheralOptions(fen="rows"),
            sees_every_change=False,
            features=frozenset({GET_STATE}),
            tells="occupancy",
            fen="rows",
            ending="\r\n",
        )


LINES = {
    "says each change": {},
    "is asked only": {"features": frozenset({GET_STATE}), "ending": "\r\n"},
    "says only that something is otherwise": {"features": ALL_FEATURES - {STREAM, GET_STATE}, "tells": "colour"},
}


class TestPeripheralTalk(TalkContract):
    @pytest.fixture(params=LINES)
    def line(self, request: pytest.FixtureRequest) -> Line:
        clock = VirtualClock()
        board = PeripheralBoard(BRAZILIAN, clock, **LINES[request.param])
        board.stand(initial(BRAZILIAN))
        manner = Manner("draughts_brazilian")
        return Line(
            clock,
            board,
            lambda at, known: PeripheralTalk(at, BRAZILIAN, manner, known),
            change=lambda: board.lift(1) if board.pieces[0] else board.place(1, 2),
            rows=board.rows,
        )


async def test_a_board_that_does_not_play_it_is_refused_with_its_name() -> None:
    bench = PeripheralBench(variants=frozenset({"standard"}))
    async with bench.carrier:
        with pytest.raises(BoardError, match="does not play draughts_brazilian"):
            async with bench.source():
                pass


def place(variant, senses="colour") -> Place:
    return Place("/dev/ttyUSB0", variant.size, variant.corner, "black-left", senses, variant=variant)


def test_what_the_protocol_has_no_name_for_needs_one_in_the_configuration() -> None:
    with pytest.raises(ValueError, match=r"^variant: the protocol has no name for portuguese draughts; .*english"):
        PERIPHERAL.make(place(PORTUGUESE), PeripheralOptions(), float)
    with pytest.raises(ValueError, match=r"no name for the giveaway of brazilian draughts; .*breakthrough"):
        PERIPHERAL.make(place(replace(BRAZILIAN, giveaway=True)), PeripheralOptions(), float)
    PERIPHERAL.make(place(PORTUGUESE), PeripheralOptions(variant="draughts_portuguese"), float)
    assert set(NAMES.values()) >= {"draughts_standard", "anti_draughts", "draughts_frisian"}


def test_a_board_that_is_only_looked_at_needs_no_variant() -> None:
    looked_at = Place("/dev/ttyUSB0", 10, "left", "black-left", "colour")
    assert PERIPHERAL.make(looked_at, PeripheralOptions(), float).info()["port"] == "/dev/ttyUSB0"
    with pytest.raises(ValueError, match="no variant is played on a board of 10 squares"):
        PERIPHERAL.make(Place("/dev/ttyUSB0", 10, "right", "black-left", "colour"), PeripheralOptions(), float)
    assert INTERNATIONAL.corner == "left"
