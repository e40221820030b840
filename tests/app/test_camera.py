"""A table with a camera through the real gateway: alone, beside a sensor board, killed in mid-game."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from app.tables import game
from sources.filmed import FilmedBench, profile_file
from sources.simulated import MAP, START

from calibration.profile_text import profile_text
from damas_board.app.preflight import Preflight
from damas_board.app.service import Service, board_setups, serving
from damas_board.config import ConfigError, read_config
from damas_board.decoding.vision.calibrating import profile_of
from damas_board.decoding.vision.orientation import start_rows
from damas_board.notation.fen import write_fen
from damas_board.rules.variants import BRAZILIAN
from damas_board.session.inputs import See
from damas_board.sinks.errors import JournalError
from damas_board.sinks.journal import JournalReader
from simulator.board import Board
from simulator.camera import Renderer, VirtualCamera
from simulator.camera.stream import Stream
from simulator.clock import RunningClock
from simulator.pty import BoardPty

SECONDS = 60
MOVES = ("c3-d4", "b6-a5", "d4-c5", "d6xb4", "a3xc5")
HANDS: Sequence[tuple[tuple[str, str], ...]] = (
    (("-", "c3"), ("+", "d4")),
    (("-", "b6"), ("+", "a5")),
    (("-", "d4"), ("+", "c5")),
    (("-", "d6"), ("+", "b4"), ("x", "c5")),
    (("-", "a3"), ("+", "c5"), ("x", "b4")),
)
"""What the hands do for each: lift, put down, take off."""


def place(square: str) -> int:
    """The place of a square of the board that lies as is usual."""
    row, column = int(square[1]) - 1, "abcdefgh".index(square[0])
    return next(number for number in range(1, 33) if MAP.square(number) == row * 8 + column)


class Table:
    """One table before a camera, and perhaps with a sensor board: the same hands are at both."""

    def __init__(self, folder: Path, *, sensors: bool) -> None:
        self.filmed = FilmedBench()
        self.board: Board | None = None
        self._clock = RunningClock()
        self._link = folder / "board.pty"
        if sensors:
            self.board = Board(MAP, self._clock, uid=7)
            self.board.set_up(START)

    @contextlib.asynccontextmanager
    async def standing(self) -> AsyncIterator[Table]:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(self.filmed)
            if self.board is not None:
                await stack.enter_async_context(BoardPty(self.board, self._clock, link=self._link))
            yield self

    def play(self, hands: Sequence[tuple[str, str]]) -> None:
        for what, square in hands:
            number = place(square)
            if what == "+":
                self.filmed.put(number)
            else:
                self.filmed.lift(number)
            if what == "x":
                self.filmed.take_off()
            if self.board is not None:
                (self.board.place if what == "+" else self.board.lift)(number)


def config(folder: Path, table: Table, more: str = "", keep: str = "") -> Path:
    port = f'port = "{folder / "board.pty"}"\nsenses = "occupancy"' if table.board is not None else ""
    path = folder / "hall.toml"
    path.write_text(
        f"""
meeting = "autumn"
[broker]
kind = "embedded"
port = 0
[[board]]
id = "table-1"
regulation = "br-cbjd"
{port}
{more}
[board.camera]
device = "{table.filmed.stream.url}"
profile = "{profile_file(folder).name}"
{keep}
""",
        "utf-8",
    )
    return path


async def until(condition) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0.02)


def moves(service: Service) -> tuple[str, ...]:
    state = service.gateway.boards["table-1"].state
    return () if state is None else state.moves


async def seen_set_up(service: Service, *sources: str | None) -> None:
    latest = service.gateway.boards["table-1"]._latest
    await until(lambda: all(by in latest.sees for by in sources))


async def test_a_game_is_followed_by_a_camera_alone_and_pictures_of_it_are_kept_only_where_that_is_asked_for(
    tmp_path: Path,
) -> None:
    async with Table(tmp_path, sensors=False).standing() as table:
        settings = read_config(config(tmp_path, table, keep='keep = "pictures"'))
        (board,) = settings.boards
        assert (board.header.senses, board.sensors, board.port) == ("colour", False, None)
        async with serving(settings) as service:
            await seen_set_up(service, "camera")
            for number, hands in enumerate(HANDS, 1):
                table.play(hands)
                await until(lambda n=number: moves(service) == MOVES[:n])
            board_ = service.gateway.boards["table-1"]
            assert board_.figures.sensors
            assert board_.figures.up
            assert board_.state is not None
            assert board_.state.alerts == ()
        recorded = JournalReader.read(settings.journal)
        lines = list(recorded.export(recorded.games()[0].game))
    assert '"by":"camera"' in "".join(lines)
    kept = os.listdir(tmp_path / "pictures" / "table-1")
    assert kept
    assert all(file.endswith("-change.jpg") for file in kept)


async def test_sensors_and_a_camera_watch_one_table_which_is_lost_only_when_both_are(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Table(tmp_path, sensors=True).standing() as table:
        assert table.board is not None
        async with serving(read_config(config(tmp_path, table))) as service:
            board = service.gateway.boards["table-1"]
            await seen_set_up(service, None, "camera")
            table.play(HANDS[0])
            await until(lambda: moves(service) == MOVES[:1])

            table.filmed.cut()
            await until(lambda: board._latest.links["camera"] == "lost")
            table.play(HANDS[1])
            await until(lambda: moves(service) == MOVES[:2])
            assert board.figures.up
            assert board.figures.lost == 0
            assert "board table-1: its camera: link lost: camera_lost; it is still watched" in caplog.messages
            table.filmed.restore()
            await until(lambda: board._latest.links["camera"] == "back")

            table.board.unplug()
            await until(lambda: board._latest.links[None] == "lost")
            table.play(HANDS[2])
            await until(lambda: moves(service) == MOVES[:3])
            assert board.figures.up

            table.filmed.cut()
            await until(lambda: not board.figures.up)
            assert board.figures.lost == 1
            table.filmed.restore()
            table.board.plug()
            await until(lambda: board.figures.up and board._latest.links[None] == "back")
            await until(lambda: board._latest.links["camera"] == "back")
            for number in (4, 5):
                table.play(HANDS[number - 1])
                await until(lambda n=number: moves(service) == MOVES[:n])


@pytest.mark.slow
@pytest.mark.parametrize("sensors", [True, False])
async def test_a_game_played_by_hands_before_a_camera_with_and_without_sensors_is_recorded_as_it_was_played(
    tmp_path: Path, sensors: bool
) -> None:
    played = game(3, 6)
    camera = VirtualCamera(played, "clean", "club", 1, width=640, height=360)
    renderer = Renderer(camera.scene_at(0.0), camera.view)
    began = [float("inf")]

    def at() -> float:
        return max(0.0, time.monotonic() - began[0])

    table = Table(tmp_path, sensors=sensors)
    table.filmed.stream = Stream(lambda: renderer.picture(camera.scene_at(at()), camera.light_at(at())), rate=12.0)
    async with table.standing():
        path = config(tmp_path, table)
        shown = profile_of([renderer.picture(camera.scene_at(0.0), camera.light_at(0.0))], start_rows(BRAZILIAN))
        (tmp_path / profile_file(tmp_path).name).write_text(profile_text(shown, {}), "utf-8")
        async with serving(read_config(path)) as service:
            await seen_set_up(service, "camera", *([None] if sensors else []))
            began[0] = time.monotonic()
            before = camera.rows_at(0.0)
            while at() < camera.times()[-1]:
                rows = camera.rows_at(at())
                for place_, (was, now) in enumerate(zip(pieces(before), pieces(rows), strict=True), 1):
                    if table.board is not None and was != now:
                        (table.board.lift if now == "." else table.board.place)(place_)
                before = rows
                await asyncio.sleep(0.02)
            await until(lambda: len(moves(service)) == 6)
            state = service.gateway.boards["table-1"].state
    assert state is not None
    assert state.fen == write_fen(list(played.positions())[-1])
    assert [alert for alert in state.alerts if alert["severity"] == "irregular"] == []


def pieces(rows: str) -> list[str]:
    """By places what stands there."""
    marks = [mark for row in reversed(rows.split("/")) for mark in row]
    return [marks[MAP.square(number)] for number in range(1, 33)]


@pytest.mark.slow
async def test_a_gateway_killed_in_mid_game_goes_on_with_what_the_camera_sees_then(tmp_path: Path) -> None:
    async with Table(tmp_path, sensors=False).standing() as table:
        path = config(tmp_path, table, 'starts = "at_once"')
        journal = read_config(path).journal

        def recorded() -> list[str]:
            reader = JournalReader.read(journal)
            events = reader.events(f"game/{reader.games()[-1].game}")
            return [row.body["move"] for row in events if row.body["event"] == "move"]

        def readings() -> list[str]:
            try:
                reader = JournalReader.read(journal)
                given = [stored.item for game in reader.games() for stored in reader.inputs(game.game)]
                return [item.rows for item in given if isinstance(item, See)]
            except (JournalError, FileNotFoundError):  # it is not begun yet
                return []

        async with running(path) as gateway:
            await until(lambda: table.filmed.rows() in readings())
            table.play(HANDS[0])
            await until(lambda: recorded() == list(MOVES[:1]))
            gateway.send_signal(signal.SIGKILL)
            await gateway.wait()
        table.play(HANDS[1])
        async with running(path):
            await until(lambda: recorded() == list(MOVES[:2]))
            table.play(HANDS[2])
            await until(lambda: recorded() == list(MOVES[:3]))
        assert len(JournalReader.read(journal).games()) == 1


@contextlib.asynccontextmanager
async def running(path: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    command = [sys.executable, "-m", "damas_board", "run", str(path)]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        async with asyncio.timeout(SECONDS):
            await process.wait()


async def test_a_camera_that_is_not_there_at_the_start_is_waited_for(tmp_path: Path) -> None:
    async with Table(tmp_path, sensors=False).standing() as table:
        path = config(tmp_path, table)
        table.filmed.cut()
        async with serving(read_config(path)) as service:
            board = service.gateway.boards["table-1"]
            assert board._latest.missing == "no_stream"
            table.filmed.restore()
            await until(lambda: board.figures.up)
            assert board._setup.info()["picture"] == "640x360"
            assert board._setup.health()["camera"] == "OK"


def test_without_opencv_a_table_with_a_camera_is_refused_in_one_line_that_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.app.camera.NEEDED", ("numpy", "cv2_that_is_not_installed"))
    table = Table(tmp_path, sensors=False)
    settings = read_config(config(tmp_path, table))
    with pytest.raises(ConfigError) as refused:
        board_setups(settings)
    line = str(refused.value)
    assert line.startswith(f"{tmp_path / 'hall.toml'}:12: [board.camera] a camera needs OpenCV")
    assert line.endswith(".venv/bin/pip install -e '.[camera]'")


def test_the_program_starts_and_reads_a_configuration_with_a_camera_without_loading_opencv(tmp_path: Path) -> None:
    path = config(tmp_path, Table(tmp_path, sensors=False))
    code = (
        "import sys; sys.modules['cv2'] = sys.modules['numpy'] = None;"
        "import damas_board.cli; from pathlib import Path; from damas_board.config import read_config;"
        "from damas_board.app.service import serving;"
        "print(read_config(Path(sys.argv[1])).boards[0].camera.settings.kind)"
    )
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "stream\n"


async def looked_at(path: Path) -> dict[str, tuple[str, str]]:
    settings = read_config(path)
    report = await Preflight(settings, board_setups(settings)).run(0.5)
    return {finding.check: (finding.verdict, finding.key) for finding in report.boards[0].findings}


async def test_a_preflight_asks_whether_the_camera_opens_gives_pictures_and_sees_the_board_as_it_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.app.preflight.CAMERA_SECONDS", 7.0)
    async with Table(tmp_path, sensors=False).standing() as table:
        path = config(tmp_path, table)
        assert await looked_at(path) == {
            "camera": ("ok", "camera_sees"),
            "setup": ("ok", "setup"),
            "orientation": ("ok", "orientation"),
        }
        table.filmed.stream.black()
        assert await looked_at(path) == {"camera": ("wrong", "camera_dark")}
        table.filmed.cut()
        assert await looked_at(path) == {"camera": ("wrong", "board_error")}
        monkeypatch.setattr("damas_board.app.preflight.written_now", lambda journal: True)
        assert await looked_at(path) == {"camera": ("unproven", "gateway_has")}


async def test_a_preflight_of_sensors_and_a_camera_tells_of_both_and_no_camera_proves_a_sensor(tmp_path: Path) -> None:
    async with Table(tmp_path, sensors=True).standing() as table:
        path = config(tmp_path, table)
        async with serving(read_config(path)) as service:
            await seen_set_up(service, None, "camera")
            both_ways = "/".join(["b" * 8, "." * 8] * 4), "/".join(["." * 8, "b" * 8] * 4)
            board = service.gateway.boards["table-1"]
            for rows in both_ways:
                await board.give(See(board._clock.now(), rows, by="camera"))
            await board.drained()
        found = await looked_at(path)
        assert found["board"] == ("ok", "answers")
        assert found["sensors"] == ("unproven", "unseen")
        assert found["camera"] == ("ok", "camera_sees")
        assert found["setup"] == ("ok", "setup")
        assert found["orientation"] == ("unproven", "not_shown")


async def test_a_gateway_that_runs_says_itself_whether_its_camera_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.app.gateway.HEALTH_SECONDS", 0.5)
    (tmp_path / "ana.password").write_text("a secret of ana's")
    (tmp_path / "ana.password").chmod(0o600)
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    async with Table(tmp_path, sensors=True).standing() as table:
        path = config(tmp_path, table)
        user = '[[user]]\nname = "ana"\nrole = "arbiter"\npassword_file = "ana.password"\n'
        path.write_text(path.read_text("utf-8").replace("port = 0", f"port = {port}") + user, "utf-8")
        async with serving(read_config(path)) as service:
            await seen_set_up(service, None, "camera")
            found_ = await looked_at(path)
            assert found_["board"] == ("ok", "answers")
            assert found_["camera"] == ("ok", "camera_watches")
