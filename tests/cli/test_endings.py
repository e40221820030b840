"""How commands end that are ended from outside: quietly, with everything cleaned up, and with a status that says so."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SIGNALS = [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGTERM, True)]
"""What ends a command, and whether Ctrl-C is ignored, as by the shell for what it starts in the background."""
INTERRUPTED_AT = """
import os, signal, sys

def interrupt(event, arguments):
    if event == "import" and arguments[0] == {module!r}:
        os.kill(os.getpid(), signal.{signal})

sys.addaudithook(interrupt)
from damas_board.cli import main
sys.exit(main({arguments!r}))
"""


def interrupted(module: str, *arguments: str, by: str = "SIGINT") -> subprocess.CompletedProcess[str]:
    """A command that gets a signal at the moment when it begins to import `module`."""
    program = INTERRUPTED_AT.format(module=module, arguments=list(arguments), signal=by)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("module", "arguments", "status"),
    [
        ("argparse", ("legal", "start"), 130),
        ("damas_board.cli.errors", ("legal", "start"), 130),
        ("damas_board.regulations", ("legal", "start"), 130),
        ("damas_board.messages.encoding", ("replay", "-"), 130),
        ("amqtt.broker", ("demo",), 130),
        ("amqtt.broker", ("run", "club.toml"), 0),
        ("simulator.board", ("simulate",), 0),
    ],
)
@pytest.mark.parametrize("by", ["SIGINT", "SIGTERM"])
def test_a_command_that_is_interrupted_while_it_loads_ends_quietly(
    module: str, arguments: tuple[str, ...], status: int, by: str
) -> None:
    run = interrupted(module, *arguments, by=by)
    assert (run.returncode, run.stderr) == (status, "")


@contextmanager
def started(*arguments: str, cwd: Path, ignoring: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A command that runs; `ignoring` SIGINT, as the shell starts what is to be in the background."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "damas_board", *arguments],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DAMAS_LANG": "en", "TMPDIR": str(cwd)},
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignoring else None,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=30)


def ended(process: subprocess.Popen[str], by: int) -> tuple[int, str]:
    """Status and stderr of a process after the signal."""
    process.send_signal(by)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.mark.parametrize(("by", "ignoring"), SIGNALS)
def test_a_simulated_board_that_is_ended_leaves_nothing_behind(tmp_path: Path, by: int, ignoring: bool) -> None:
    with started("simulate", "--stay", cwd=tmp_path, ignoring=ignoring) as process:
        assert process.stdout is not None
        link = Path(process.stdout.readline().strip())
        assert link.is_symlink()
        status, err = ended(process, by)
    assert status == 0
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("by", "ignoring"), SIGNALS)
def test_a_demonstration_that_is_ended_takes_its_ports_away(tmp_path: Path, by: int, ignoring: bool) -> None:
    with started("demo", "--once", "--folder", "demo", cwd=tmp_path, ignoring=ignoring) as process:
        assert process.stdout is not None
        process.stdout.readline()  # a move was played
        status, err = ended(process, by)
    assert status == 130
    assert "Traceback" not in err
    assert list((tmp_path / "demo" / "ports").iterdir()) == []


@pytest.mark.parametrize(("by", "ignoring"), SIGNALS)
def test_run_that_is_ended_while_it_waits_for_its_board_ends_quietly(tmp_path: Path, by: int, ignoring: bool) -> None:
    master, slave = pty.openpty()
    text = (
        'meeting = "club"\n[broker]\nkind = "embedded"\nport = 0\n[[board]]\nid = "table-1"\nregulation = "br-cbjd"\n'
    )
    (tmp_path / "club.toml").write_text(f'{text}port = "{os.ttyname(slave)}"\n', "utf-8")
    with started("run", "club.toml", cwd=tmp_path, ignoring=ignoring) as process:
        os.read(master, 1)  # the board is asked who it is
        status, err = ended(process, by)
    os.close(master)
    os.close(slave)
    assert (status, err) == (0, "")


@pytest.fixture
def simulated(tmp_path: Path) -> Callable[[Path], str]:
    """Starts a simulated board at a port and ends it: what it said on stdout and stderr."""

    def run(link: Path) -> str:
        with started("simulate", "--stay", "--port", str(link), cwd=tmp_path) as process:
            assert process.stdout is not None
            line: str = process.stdout.readline().strip()
            if not line:
                _, err = process.communicate(timeout=60)
                assert process.returncode == 1
                return str(err).strip()
            assert ended(process, signal.SIGTERM)[0] == 0
            return line

    return run


def test_a_port_that_a_killed_board_left_behind_is_replaced(tmp_path: Path, simulated: Callable[[Path], str]) -> None:
    link = tmp_path / "board"
    with started("simulate", "--stay", "--port", str(link), cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        process.wait(timeout=30)
    assert link.is_symlink()
    assert simulated(link) == str(link)
    assert not link.is_symlink()


def test_a_port_whose_terminal_is_another_program_s_by_now_is_replaced(
    tmp_path: Path, simulated: Callable[[Path], str]
) -> None:
    link = tmp_path / "board"
    master, slave = pty.openpty()
    link.symlink_to(os.ttyname(slave))
    os.utime(link, (1, 1), follow_symlinks=False)
    assert simulated(link) == str(link)
    os.close(master)
    os.close(slave)


def test_the_port_of_a_board_that_is_running_is_not_taken_away(
    tmp_path: Path, simulated: Callable[[Path], str]
) -> None:
    link = tmp_path / "board"
    with started("simulate", "--stay", "--port", str(link), cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.readline()
        before = os.readlink(link)
        assert simulated(link).startswith(f"damas-board: {link}: is there already")
        assert os.readlink(link) == before


def test_what_is_not_a_port_is_not_touched(tmp_path: Path, simulated: Callable[[Path], str]) -> None:
    file = tmp_path / "board"
    file.write_text("mine", "utf-8")
    said = simulated(file)
    assert said.startswith(f"damas-board: {file}: is there already")
    assert "remove it, or name another" in said
    assert file.read_text("utf-8") == "mine"
    elsewhere = tmp_path / "none" / "board"
    assert simulated(elsewhere).startswith(f"damas-board: {elsewhere}: cannot be made there")
