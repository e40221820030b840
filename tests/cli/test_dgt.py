"""`damas-board dgt` with a simulated board behind a real pseudo-terminal: what is told, and what is never sent."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from damas_board.cli import dgt, main
from damas_board.config import read_config
from damas_board.decoding.dgt import asking
from damas_board.decoding.dgt.asking import Asking
from damas_board.decoding.dgt.frames import NEVER, WRITES_MEMORY, Command
from damas_board.notation.moves import write_move
from damas_board.notation.time_control import read_time_control
from damas_board.rules.position import initial
from damas_board.rules.variants import VARIANTS
from simulator.clock import RunningClock
from simulator.dgt.board import DgtBoard
from simulator.dgt.boards import board_for
from simulator.dgt.bus import DgtBus
from simulator.games import invented
from simulator.levels import level
from simulator.player import Player
from simulator.pty import BoardPty

SPEED = 60.0
SECONDS = 60.0


class Typed(io.StringIO):
    """What a person types at a terminal."""

    def isatty(self) -> bool:
        return True


@asynccontextmanager
async def board(
    variant: str = "international", *, plies: int = 0, clock: str | None = None, speed: float = SPEED, **options: object
) -> AsyncIterator[tuple[DgtBoard, str]]:
    running = RunningClock(speed)
    rules = VARIANTS[variant]
    control = None if clock is None else read_time_control(clock)
    made = board_for(rules, running, control=control, **options)  # type: ignore[arg-type]
    player = Player(made, running, level("clean"), 1)
    player.set_up(initial(rules))
    async with asyncio.timeout(SECONDS), BoardPty(made, running) as pty:
        if plies:
            await player.play(invented(rules, 1, plies))
            await running.sleep(2.0)
        yield made, pty.path


async def asked(*arguments: str) -> int:
    return await asyncio.to_thread(main, ["dgt", *arguments])


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    for name, seconds in (("PATIENCE", 0.4), ("QUIET", 0.03), ("WRITING", 0.1)):
        monkeypatch.setattr(asking, name, seconds)


async def test_a_look_tells_who_the_board_is_and_draws_what_stands_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    async with board(clock="300+2") as (made, path):
        made.long_serial = None
        assert await asked("look", path, "--corner", "white-right") == 0
        assert made.memory_writes == 0
    out = capsys.readouterr().out
    assert "\n ● · ● · ● · ● · ● ·\n" in out or "\n b . b . b . b . b .\n" in out
    for said in (
        "serial number       01025\n",
        "long serial number  it does not say\n",
        "address on a bus    1025\n",
        "version             1.03\n",
        "battery             it does not say (only boards by Bluetooth do)\n",
        "clock               left 0:05:00, right 0:05:00, stands still\n",
        'fields              100, 40 pieces; on the squares that it calls "black" 40, on its "white" ones 0\n',
        "piece codes         those since 2011\n",
    ):
        assert said in out
    lines = out[out.index("[[board]]") :]
    config = tmp_path / "club.toml"
    config.write_text(f'meeting = "m"\n{lines}')
    (table,) = read_config(config).boards
    assert (table.port, table.uid, table.corner, table.regulation.name) == (path, "01025", "white-right", "int-fmjd")


async def test_a_look_as_an_object_has_all_that_a_board_by_bluetooth_says(capsys: pytest.CaptureFixture[str]) -> None:
    async with board("brazilian", bluetooth=True) as (_, path):
        assert await asked("look", path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["port"] == path
    assert (told["serial_number"], told["version"], told["battery"]["percent"]) == ("01025", "1.03", 80)
    assert set(told["fields"]) == {"all64"}
    assert told["see"].startswith(".b.b.b.b/b.b.b.b./.b.b.b.b/......../")


async def test_where_no_such_board_answers_that_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    async with board() as (made, path):
        made.hung = True
        assert await asked("look", path) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"damas-board: {path}: no DGT board answers on this port (asked for ")
    assert await asked("look", "/dev/nowhere") == 1
    assert capsys.readouterr().err.splitlines()[-1] == "damas-board: /dev/nowhere: there is no such port; " + (
        "is the board plugged in?"
    )


async def test_all_bytes_may_be_seen(capsys: pytest.CaptureFixture[str]) -> None:
    async with board() as (_, path):
        assert await asked("look", path, "--bytes") == 0
    lines = capsys.readouterr().err.splitlines()
    assert "> 45  E" in lines
    heard = " ".join(line[2:].split("  ")[0] for line in lines if line.startswith("< "))
    assert "91 00 08 30 31 30 32 35" in heard
    assert all(len(line.split("  ")) >= 2 for line in lines if line.startswith("< "))


async def test_the_log_is_told_in_words_and_makes_the_game_that_was_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    async with board("brazilian", plies=6, speed=25.0) as (made, path):
        assert await asked("log", path) == 0
        entries = capsys.readouterr().out.splitlines()
        assert await asked("log", path, "--recording", str(file)) == 0
        assert made.memory_writes == 0
        Player(made, RunningClock(), level("clean")).set_up(initial(VARIANTS["brazilian"]))
        await asyncio.sleep(0.3)
        again = tmp_path / "again.jsonl"
        assert await asked("log", path, "--recording", str(again), "--game", "1") == 0
        assert await asked("log", path, "--recording", str(again), "--game", "3") == 1
        assert "the log has no game 3 from the end" in capsys.readouterr().err
        assert await asked("log", path, "--game", "1") == 1
    assert entries[0] == "switched on"
    assert "a3: white man, at once" in entries
    assert "the log was read" not in entries
    played = invented(VARIANTS["brazilian"], 1, 6)
    moves = [write_move(p, m) for p, m in zip(played.positions(), played.moves, strict=False)]
    for recording in (file, again):
        assert main(["replay", "--pdn", str(recording)]) == 0
        pdn = capsys.readouterr().out
        told = [word for word in pdn[pdn.rindex("]") :].split() if word[0].islower()]
        assert told[:6] == moves
        assert recording is again or told == moves


async def test_a_log_that_does_not_lead_to_the_board_makes_no_recording(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    async with board("brazilian") as (_, path):
        turned = ("--corner", "black-right")
        assert await asked("log", path, "--recording", str(tmp_path / "x"), *turned) == 1
        assert "does not lead from a start position of br-cbjd" in capsys.readouterr().err
        assert not (tmp_path / "x").exists()
        assert await asked("log", path, "--regulation", "int-fmjd") == 1
    assert "the board has 64 squares, and int-fmjd is played on 10 x 10" in capsys.readouterr().err


async def test_a_report_has_everything_in_one_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    async with board() as (made, path):
        assert await asked("report", path, "--output", str(file), "--watch", "0.2") == 0
        assert made.memory_writes == 0
    head, *lines = file.read_text("utf-8").splitlines()
    told = json.loads(head)
    assert (told["report"], told["serial_number"], told["log"], told["lines"]) == (1, "01025", True, len(lines))
    assert set(told["fields"]) == {"all100", "black50", "white50"}
    sent = [line.split(" > ")[1] for line in lines if " > " in line]
    assert sent[-5:] == ["4b", "40", "40", "42", "41"]
    assert "49" in sent
    assert "8f 3e 03" in " ".join(line.split(" < ")[1] for line in lines if " < " in line)


async def test_the_boards_on_a_line_of_several_are_found_and_get_their_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clock = RunningClock(5.0)
    monkeypatch.setattr("damas_board.decoding.dgt.bus.PING_SPREAD", 0.3)
    line = DgtBus(clock, seed=1)
    boards = [line.add(10, serial=serial) for serial in ("01025", "00078")]
    async with asyncio.timeout(SECONDS), BoardPty(line, clock) as pty:
        assert await asked("bus", pty.path) == 0
        assert sum(one.memory_writes for one in boards) == 0
    said = capsys.readouterr()
    head, lines = said.out.split("\n", 1)
    assert said.err.splitlines()[-1].startswith("00078: a question to such a board has a byte in it")
    assert head == f"{pty.path}: 2 board(s) on this line"
    config = tmp_path / "club.toml"
    config.write_text(f'meeting = "m"\n{lines}'.replace("# regulation = ?", 'regulation = "int-fmjd"'))
    found = [table.adapter for table in read_config(config).boards]
    assert [one.options.address for one in found if one is not None] == ["00078", "01025"]  # type: ignore[attr-defined]


async def test_a_line_on_which_nobody_answers_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.decoding.dgt.bus.PING_SPREAD", 0.05)
    clock = RunningClock()
    async with asyncio.timeout(SECONDS), BoardPty(DgtBus(clock), clock) as pty:
        assert await asked("bus", pty.path) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"damas-board: {pty.path}: no board answers on this")


@pytest.mark.parametrize("typed", ["", "yes\n", "1025\n"])
async def test_nothing_is_written_to_a_board_s_memory_unless_its_serial_number_is_typed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr("sys.stdin", Typed(typed))
    async with board() as (made, path):
        assert await asked("scan", "playable", path) == 1
        assert (made.memory_writes, made.scans) == (0, "all")
    said = capsys.readouterr().err
    assert "The board 01025 shall scan only the 50 squares that it calls black" in said
    assert "the order 0x51 is sent, and the board writes it into its own memory" in said
    assert said.endswith("nothing was written\n")


async def test_where_nobody_can_type_the_option_is_needed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("01025\n"))
    async with board() as (made, path):
        assert await asked("scan", "all", path) == 1
        assert made.memory_writes == 0
    assert capsys.readouterr().err.splitlines()[-1].startswith("damas-board: nobody is there to be asked; --write-mem")


async def test_which_squares_are_scanned_is_set_once_it_is_said_and_can_be_set_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Typed("01025\n"))
    async with board() as (made, path):
        assert await asked("scan", "playable", path) == 0
        assert (made.memory_writes, made.scans) == (1, "black")
        assert 'on the squares that it calls "black" 40' in capsys.readouterr().out
        assert await asked("scan", "all", path, "--write-memory") == 0
        assert (made.memory_writes, made.scans) == (2, "all")


async def test_a_board_on_which_it_does_not_show_what_is_played_on_is_left_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with board() as (made, path):
        made.set_up([0] * 100)
        await asyncio.sleep(0.2)
        assert await asked("scan", "playable", path, "--write-memory") == 1
        assert "set up a start position, or say --squares" in capsys.readouterr().err
        assert await asked("scan", "playable", path, "--write-memory", "--squares", "white") == 0
        assert (made.memory_writes, made.scans) == (1, "white")


async def test_a_board_that_was_exchanged_meanwhile_or_does_not_say_who_it_is_is_left_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with board() as (made, path):

        def exchanged(serial: str) -> bool:
            made.serial = "00002"
            return serial == "01025"

        monkeypatch.setattr(dgt, "_agreed", exchanged)
        assert await asked("scan", "all", path) == 1
        assert (
            capsys.readouterr()
            .err.splitlines()[-1]
            .endswith("now the board 00002 is there, and not 01025; nothing was written")
        )
        made._unknown = frozenset({Command.SERIAL_NUMBER})
        assert await asked("scan", "all", path, "--write-memory") == 1
        assert "does not say its serial number" in capsys.readouterr().err
        assert made.memory_writes == 0


async def test_a_chess_board_has_nothing_to_be_set(capsys: pytest.CaptureFixture[str]) -> None:
    async with board("brazilian") as (made, path):
        assert await asked("scan", "all", path, "--write-memory") == 1
        assert made.memory_writes == 0
    assert "the board 01025 has 64 fields; only a draughts board of 100 can be set" in capsys.readouterr().err


@pytest.mark.parametrize("command", sorted(NEVER | WRITES_MEMORY))
def test_an_order_that_writes_is_not_even_made_unless_it_is_said_that_it_may_be(command: Command) -> None:
    with pytest.raises(ValueError, match="must not be sent"):
        Asking(0.0, (Command.DUMP, command))
    for never in NEVER:
        with pytest.raises(ValueError, match="must not be sent"):
            Asking(0.0, (never,), may_write=True)


def test_no_other_part_of_the_program_names_an_order_that_writes() -> None:
    root = Path(dgt.__file__).parents[1]
    named = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if any(f".{command.name}" in path.read_text("utf-8") for command in NEVER | WRITES_MEMORY)
    }
    assert named == {"cli/dgt.py", "decoding/dgt/frames.py"}
    on_a_bus = {path.name for path in root.rglob("*.py") if "Ask.START_GAME" in path.read_text("utf-8")}
    assert on_a_bus == {"bus_frames.py"}
