"""The sources that belong to the program promise what every source does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from firmware.host_build import built
from sources.bench import Bench
from sources.contract import SourceContract
from sources.filmed import FilmedBench
from sources.native import NativeBench
from sources.recorded import RecordedBench
from sources.simulated import SimulatedBench

from simulator.pty import BoardPty
from simulator.tcp import BoardTcp


def native(request: pytest.FixtureRequest) -> NativeBench:
    return NativeBench(request.getfixturevalue("native_board"), request.getfixturevalue("tmp_path"))


BENCHES: dict[str, Callable[[pytest.FixtureRequest], Bench]] = {
    "serial board on a pty": lambda _: SimulatedBench(BoardPty),
    "serial board over TCP": lambda _: SimulatedBench(BoardTcp),
    "the firmware's core on a pty": native,
    "recording": lambda _: RecordedBench(),
    "camera": lambda _: FilmedBench(),
}


@pytest.fixture(scope="module")
def native_board(tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], str]) -> Path:
    return built("board-32", tmp_path_factory.mktemp("firmware"), require_program)


class TestSource(SourceContract):
    @pytest.fixture(params=BENCHES)
    def made(self, request: pytest.FixtureRequest) -> Bench:
        return BENCHES[request.param](request)
