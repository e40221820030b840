"""The gateway under many boards at the pace of play: its CPU and memory, and how long a move is on its way.

    python tests/benchmarks/gateway.py --boards 8 32 64 --seconds 60

Four kinds of process stand apart: Mosquitto (with the files that the project writes for it), the gateway (as `run`
starts it, its journal on the disk), a feeder that is all the boards behind ptys, and a subscriber. The feeder writes
frames that were prepared beforehand (prepared_boards.py). A move's latency begins with the write of the frame behind
which it is decided and ends at the subscriber; how long its decision waits by the rules (settling) is taken off. Beside
it stand the broker's bare round trip in the same seconds, and what else the machine was doing: on a busy machine only
CPU time and the relation of the two latencies mean much. Linux only: the figures come from /proc.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from board_feeder import BEGIN_SECONDS, HEARTBEAT_SECONDS
from prepared_boards import REST_SECONDS, SPREAD_SECONDS, Script, scripts, write

from damas_board.broker.logins import login
from damas_board.broker.mosquitto import Listener, write_files
from damas_board.messages.access import User
from damas_board.messages.stream import Record, fold_event

MEETING, PROBES = "hall", "probe"
GATEWAY, READER, PROBE = "gateway", "reader", "probe"
HERE = Path(__file__).parent
PATIENCE = 60.0
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Used:
    """CPU seconds since the start and resident megabytes."""

    wall: float
    cpu: float
    rss: float
    threads: dict[int, float]
    machine: float

    @classmethod
    def by(cls, pid: int) -> Used:
        threads = {int(path.name): _cpu(path / "stat") for path in Path(f"/proc/{pid}/task").iterdir()}
        rss = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 2**20
        fields = [int(text) for text in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        busy = (sum(fields[:8]) - fields[3] - fields[4]) / TICKS
        return cls(time.monotonic(), _cpu(Path(f"/proc/{pid}/stat")), rss, threads, busy)


def _cpu(path: Path) -> float:
    fields = path.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def run(boards: int, seconds: float, speed: float, folder: Path, profile: Path | None) -> dict[str, Any]:
    """One run; the figures. SystemExit where a move did not arrive as it was fed."""
    prepared = scripts(boards, seconds + SPREAD_SECONDS / speed + REST_SECONDS, speed)
    write(folder / "scripts.json", prepared)
    port = _free_port()
    config = _configure(folder, port, prepared)
    with ExitStack() as stack:
        stack.enter_context(_process([_mosquitto(), "-c", str(folder / "broker" / "mosquitto.conf")]))
        _until_open(port)
        out = [str(folder / "feeder.json"), str(folder / "subscriber.json")]
        feeder = stack.enter_context(_script("board_feeder", folder / "scripts.json", folder / "ports", speed, out[0]))
        _expect(feeder, '"ready"', "ready")
        subscriber = stack.enter_context(_script("event_subscriber", port, READER, MEETING, PROBE, PROBES, out[1]))
        _expect(subscriber, '"ready"', "ready")
        arguments = [] if profile is None else [profile]
        gateway = stack.enter_context(_script("gateway_process", config, speed, *arguments))
        names = json.loads(_expect(gateway, "ready"))[1]
        time.sleep(2.0)  # noqa: TID251
        _tell(gateway, "begin\n")
        _tell(feeder, "begin\n")
        time.sleep(BEGIN_SECONDS + SPREAD_SECONDS / speed)  # noqa: TID251
        before = Used.by(gateway.pid)
        time.sleep(seconds)  # noqa: TID251
        after = Used.by(gateway.pid)
        time.sleep(2 * REST_SECONDS)  # noqa: TID251
        for process in (gateway, feeder, subscriber):
            _end(process)
    written = json.loads(Path(out[0]).read_text(encoding="utf-8"))
    heard = json.loads(Path(out[1]).read_text(encoding="utf-8"))
    arrivals = [at for at, body in heard["events"] if body["event"] == "move"]
    latencies = _latencies(prepared, written, heard["events"], speed)
    wall = after.wall - before.wall
    cpu = after.cpu - before.cpu
    by_thread: defaultdict[str, float] = defaultdict(float)
    for thread, used in after.threads.items():
        name = names.get(str(thread), "pool")
        name = "ports" if name.startswith("board ") else "loop" if name == "MainThread" else name.split("_")[0]
        by_thread[name] += used - before.threads.get(thread, 0.0)
    inputs = sum(before.wall <= at < after.wall for times in written for at in times)
    return {
        "boards": boards,
        "frames/s": round(inputs / wall + boards / HEARTBEAT_SECONDS, 1),
        "inputs/s": round(inputs / wall, 1),
        "moves/s": round(sum(before.wall <= at < after.wall for at in arrivals) / wall, 1),
        "moves": len(latencies),
        "cpu": round(cpu / wall, 4),
        "by thread": {name: round(used / wall, 4) for name, used in sorted(by_thread.items()) if used},
        "rss": (round(before.rss, 1), round(after.rss, 1)),
        "latency": _spread(latencies),
        "broker": _spread(heard["trips"]),
        "others": round((after.machine - before.machine - cpu) / wall, 2),
        "load": os.getloadavg()[0],
    }


def _latencies(prepared: Sequence[Script], written: list[list[float]], events: list[Any], speed: float) -> list[float]:
    """Milliseconds, one for each ply that was decided as prepared; SystemExit where the record is another one."""
    streams: dict[str, list[tuple[float, dict[str, Any]]]] = defaultdict(list)
    for at, body in events:
        streams[body["board"]].append((at, body))
    found = []
    for script, times in zip(prepared, written, strict=True):
        record = Record()
        came: dict[tuple[int, str], float] = {}
        for number, (at, body) in enumerate(streams[script.name], 1):
            if body["seq"] != number:
                raise SystemExit(f"{script.name}: event {number} came as {body['seq']}")
            record = fold_event(record, body)
            if body["event"] == "move":
                came.setdefault((body["ply"], body["move"]), at)
        if record.moves != script.moves:
            raise SystemExit(f"{script.name}: played {' '.join(script.moves)}\nrecord {' '.join(record.moves)}")
        for move in script.decided:
            if (move.ply, move.move) in came:
                delay = came.pop((move.ply, move.move)) - times[move.change] - move.wait / speed
                found.append(1000 * delay)
    return found


def _spread(values: list[float]) -> dict[str, float]:
    values = sorted(values)
    last = len(values) - 1
    return {
        name: round(values[round(part * last)], 2)
        for name, part in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0))
    }


def _configure(folder: Path, port: int, prepared: Sequence[Script]) -> Path:
    """The broker's files and the gateway's configuration; its path."""
    (folder / "ports").mkdir()
    boards = tuple(script.name for script in prepared)
    users = (
        User(GATEWAY, "gateway", MEETING, boards, ("*",)),
        User(READER, "arbiter", MEETING),
        User(PROBE, "organiser", PROBES),
    )
    logins = [login(user, f"secret of {user.name}") for user in users]
    write_files(folder / "broker", logins, Listener(port=port), run_as=getpass.getuser())
    lines = [f'meeting = "{MEETING}"', f'gateway = "{GATEWAY}"', "[broker]", 'kind = "server"', 'host = "127.0.0.1"']
    lines += [f"port = {port}", 'password_file = "secret"', "[journal]", 'path = "journal.sqlite"']
    for script in prepared:
        lines += ["[[board]]", f'id = "{script.name}"', f'port = "{folder / "ports" / script.name}"']
        lines += [f'regulation = "{script.regulation}"']
    secret = folder / "secret"
    secret.touch(0o600)
    secret.write_text(f"secret of {GATEWAY}", encoding="utf-8")
    path = folder / "hall.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _mosquitto() -> str:
    path = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if path is None:
        raise SystemExit("mosquitto is not installed")
    return path


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def _until_open(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)  # noqa: TID251
    raise SystemExit("mosquitto does not listen")


def _script(name: str, *arguments: object) -> Any:
    return _process([sys.executable, str(HERE / f"{name}.py"), *map(str, arguments)], speaks=True)


@contextmanager
def _process(command: list[str], *, speaks: bool = False) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE if speaks else None
    environ = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
    errors = None if speaks else subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors, text=True, env=environ)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _expect(process: subprocess.Popen[str], word: str, line: str | None = None) -> str:
    assert process.stdout is not None
    said = process.stdout.readline()
    if line is not None and said.strip() == line:
        return said
    if word not in said:
        raise SystemExit(f"{_called(process)}: ended instead of being ready")
    return said


def _tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line)
    process.stdin.flush()


def _end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    if process.wait(PATIENCE) != 0:
        raise SystemExit(f"{_called(process)}: ended with {process.returncode}")


def _called(process: subprocess.Popen[str]) -> str:
    return " ".join(map(str, process.args)) if isinstance(process.args, list) else str(process.args)


def _print(found: dict[str, Any]) -> None:
    latency, broker = found["latency"], found["broker"]
    print(
        f"{found['boards']} boards: {found['frames/s']} frames/s, {found['inputs/s']} inputs/s, "
        f"{found['moves/s']} moves/s ({found['moves']} moves, all arrived in order)"
    )
    print(f"  gateway: {100 * found['cpu']:.1f} % of a core; resident {found['rss'][0]} to {found['rss'][1]} MB")
    print("  by thread: " + ", ".join(f"{name} {100 * used:.1f} %" for name, used in found["by thread"].items()))
    print(f"  frame to subscriber, ms: {latency}")
    print(f"  broker's round trip, ms: {broker}")
    print(f"  everything else on this machine: {found['others']:.2f} cores; load {found['load']:.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, nargs="+", default=[8, 32, 64])
    parser.add_argument("--seconds", type=float, default=60.0, help="of play, in each run")
    parser.add_argument("--speed", type=float, default=1.0, help="how many times as fast as people play")
    parser.add_argument("--folder", type=Path, help="where the journal is written; by default the temporary folder")
    parser.add_argument("--profile", type=Path, help="where the profile of the gateway's event loop is written")
    parser.add_argument("--json", action="store_true", help="print one object a run")
    chosen = parser.parse_args()
    for boards in chosen.boards:
        with TemporaryDirectory(prefix="damas-board-", dir=chosen.folder) as folder:
            found = run(boards, chosen.seconds, chosen.speed, Path(folder), chosen.profile)
        print(json.dumps(found), flush=True) if chosen.json else _print(found)


if __name__ == "__main__":
    main()
