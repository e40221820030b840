"""What a person sees when something is wrong: one line that names it, exit status 1, no traceback, nothing lost."""

from __future__ import annotations

import os
import pty
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from damas_board.sinks.pdn import probe_folder

CONFIG = """\
meeting = "club"

[broker]
kind = "embedded"
port = {port}

[[board]]
id = "table-1"
port = "{board}"
{key} = "br-cbjd"
"""
SERVER = """\
meeting = "club"

[broker]
kind = "server"
host = "127.0.0.1"
port = {port}
password_env = "WRONG"

[[board]]
id = "table-1"
port = "{board}"
regulation = "br-cbjd"
"""
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb0043") + bytes(range(256)) * 4
HEADER = '{"recording": 1, "board": "t", "regulation": "br-cbjd"}\n'
LOOK = '{"at": 0.0, "see": ".b.b.b.b/b.b.b.b./.b.b.b.b/......../......../w.w.w.w./.w.w.w.w/w.w.w.w."}\n'


def damas_board(*arguments: str, text: str | None = None, language: str = "en") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "damas_board", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "DAMAS_LANG": language, "WRONG": "not the password"},
    )


def complaint(run: subprocess.CompletedProcess[str]) -> str:
    """The one line on stderr of a command that failed as it should."""
    assert run.returncode == 1, run.stderr
    assert "Traceback" not in run.stderr
    lines = run.stderr.splitlines()
    assert len(lines) == 1, run.stderr
    return lines[0]


@pytest.fixture
def silent_port() -> Iterator[str]:
    """A serial port behind which nobody answers."""
    master, slave = pty.openpty()
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def config(folder: Path, text: str, **values: object) -> str:
    path = folder / "club.toml"
    path.write_text(text.format(**values), "utf-8")
    return str(path)


def told_while_running(path: str, wanted: str, language: str = "en") -> str:
    """The line with `wanted` of a `run` that goes on meanwhile, and ends well when it is asked to."""
    command = [sys.executable, "-m", "damas_board", "run", path]
    environment = {**os.environ, "DAMAS_LANG": language}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stderr is not None
        line = next((line for line in run.stderr if wanted in line), None)
        assert line is not None, "it ended without a word of it"
        run.send_signal(signal.SIGINT)
        rest = run.stderr.read()
        assert run.wait(60) == 0
    assert "Traceback" not in rest
    return line


def test_a_port_that_does_not_exist_is_named_and_the_board_waited_for(tmp_path: Path) -> None:
    path = config(tmp_path, CONFIG, port=0, board=tmp_path / "no-such-port", key="regulation")
    assert f"{tmp_path / 'no-such-port'}: there is no such port" in told_while_running(path, "table-1")
    assert f"{tmp_path / 'no-such-port'}: a porta não existe" in told_while_running(path, "table-1", "pt")


def test_a_device_that_is_no_board_is_named_and_the_board_waited_for(tmp_path: Path, silent_port: str) -> None:
    path = config(tmp_path, CONFIG, port=0, board=silent_port, key="regulation")
    assert f"{silent_port}: no board answers" in told_while_running(path, "no board answers")


def test_a_broker_that_is_not_there_is_named(tmp_path: Path, silent_port: str, free_port: int) -> None:
    path = config(tmp_path, SERVER, port=free_port, board=silent_port)
    assert f"127.0.0.1:{free_port}" in complaint(damas_board("run", path))


def test_a_port_that_is_taken_by_another_program_is_named(tmp_path: Path, silent_port: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        path = config(tmp_path, CONFIG, port=port, board=silent_port, key="regulation")
        said = complaint(damas_board("run", path))
        assert said.startswith(f"damas-board: {path}:5: [broker] port: the embedded broker cannot listen on ")
        assert f"127.0.0.1:{port}, the port is in use by another program; stop that program" in said
        assert "o broker embutido não pode escutar" in complaint(damas_board("run", path, language="pt"))


@pytest.mark.parametrize(
    ("table", "key", "said", "dito"),
    [
        ("journal", "path", "journal {}: cannot be made (", "diário {}: não pode ser criado ("),
        ("pdn", "folder", "games cannot be written into {} (", "as partidas não podem ser escritas em {} ("),
    ],
)
def test_a_place_that_cannot_be_written_is_told_at_the_start_with_its_key(
    tmp_path: Path, silent_port: str, table: str, key: str, said: str, dito: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    place = tmp_path / "file" / "below"
    text = CONFIG + f'\n[{table}]\n{key} = "file/below"\n'
    path = config(tmp_path, text, port=0, board=silent_port, key="regulation")
    for language, line in (("en", said), ("pt", dito)):
        expected = f"damas-board: {path}:13: [{table}] {key}: {line.format(place)}"
        assert complaint(damas_board("run", path, language=language)).startswith(expected)


def test_a_probed_folder_is_left_empty(tmp_path: Path) -> None:
    probe_folder(tmp_path / "pdn")
    assert list((tmp_path / "pdn").iterdir()) == []


def test_an_unknown_key_of_a_configuration_is_named_with_line_and_suggestion(tmp_path: Path) -> None:
    path = config(tmp_path, CONFIG, port=0, board="x", key="regulatoin")
    line = complaint(damas_board("run", path))
    assert f'{path}:10: [board] unknown key "regulatoin"; did you mean "regulation"?' in line


def test_a_recording_cut_in_the_middle_of_a_line_gives_its_events_and_then_the_line(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text(HEADER + LOOK + LOOK[:40], "utf-8")
    run = damas_board("replay", str(path))
    assert f"{path}: line 3: not JSON" in complaint(run)
    assert '"event": "game_started"' in run.stdout


def test_a_recording_cut_short_still_gives_its_game(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    moved = LOOK.replace("0.0", "1.0").replace("......../......../w.w.w.w.", "......../.w....../..w.w.w.")
    path.write_text(HEADER + LOOK.replace("w", "o").replace("b", "o") + moved + LOOK[:40], "utf-8")
    run = damas_board("replay", "--pdn", str(path))
    assert "line 4: not JSON" in complaint(run)
    assert '[GameType "26"]' in run.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: the recording is empty"),
        (HEADER.replace("1,", "2,", 1), "recording format 2 is not known"),
        (HEADER.replace("br-cbjd", "br-cbdj"), "did you mean 'br-cbjd'"),
        (HEADER + LOOK.replace("0.0", "5") + LOOK, "line 3: the time goes back from 5 to 0"),
        (HEADER + LOOK.replace("see", "sea"), "line 2: no known input; did you mean 'see'?"),
        (HEADER + '{"at": 0, "see": "ooo"}\n', "line 2: a board of 8 x 8"),
        (HEADER + LOOK.replace("w", "x"), "line 2: unknown mark 'x'"),
        ('{"recording": 1, "board": "t", "regulation": "br-cbjd", "start": "W:Wz9:B"}\n', "'z9' is no square"),
        ('{"recording": true, "board": "t", "regulation": "br-cbjd"}\n', "format True is not known"),
        ('{"recording": 1, "board": "t", "regulation": "br-cbjd", "turn": 90.0}\n', "turn is 90.0"),
        (
            '{"recording": 1, "board": "t", "regulation": "br-cbjd", "settings": {"rest_seconds": NaN}}\n',
            "NaN is no number",
        ),
        (HEADER + '{"at": NaN, "tick": true}\n', "line 2: not JSON (NaN is no number in JSON)"),
        (
            HEADER + '{"at": 1' + "0" * 400 + ', "tick": true}\n',
            "line 2: not JSON (the whole number 10000000000000000000... is too large)",
        ),
        (HEADER + '{"at": 1, "command": 5}\n', "line 2: command: 5 is not understood (an object is expected)"),
        (HEADER + '{"at": 1, "command": {"do": "rewind"}}\n', "line 2: command: 'id' is missing"),
        (HEADER + '{"at": 1, "clock": 5}\n', "line 2: clock: 5 is not understood"),
        (HEADER + '{"at": 1, "link": "lost", "reason": {}}\n', "line 2: link"),
        (HEADER + "[" * 100_000 + "\n", "line 2: not JSON"),
    ],
)
def test_a_recording_that_is_wrong_is_told_with_its_line(text: str, said: str) -> None:
    assert said in complaint(damas_board("replay", "-", text=text))


def test_a_file_that_is_not_there_is_named_in_the_language_of_the_person(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.jsonl")
    assert complaint(damas_board("replay", missing)).endswith(f"{missing}: no such file")
    assert complaint(damas_board("replay", missing, language="pt")).endswith(f"{missing}: o ficheiro não existe")


def test_a_picture_given_as_pdn_is_told_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "board.pdn"
    path.write_bytes(JPEG)
    assert f"{path}: not a PDN file" in complaint(damas_board("pdn", "check", str(path)))
    assert f"{path}: not a PDN file" in complaint(damas_board("simulate", str(path)))


def test_wrong_usage_has_its_own_exit_status() -> None:
    run = damas_board("replay")
    assert run.returncode == 2
    assert "Traceback" not in run.stderr


def test_reading_half_of_the_output_is_no_error() -> None:
    command = f"{sys.executable} -m damas_board legal start --regulation int-fmjd | head -n 1"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert run.stderr == ""
    assert run.stdout == "31-26\n"
