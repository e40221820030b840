"""A throw-away PostgreSQL: a cluster in a folder of its own, on a free loopback port, stopped by its process id."""

from __future__ import annotations

import os
import pwd
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
WAIT_SECONDS = 60


@dataclass
class Server:
    """A cluster that can be started and killed; `url` is that of its database `postgres`."""

    folder: Path
    postgres: str
    port: int
    user: pwd.struct_passwd | None
    process: subprocess.Popen | None = None

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://damas@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = [f"-cunix_socket_directories={self.folder}", "-clisten_addresses=127.0.0.1", "-cfsync=off"]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                [self.postgres, "-D", str(self.folder / "data"), "-p", str(self.port), *options],
                **{**_as(self.user, self.folder), "stdout": log, "stderr": log},
            )
        _answers(self.url, self.process, self.folder / "log")

    def kill(self) -> None:
        """As a machine that loses power, with all its processes."""
        assert self.process is not None
        pids = [self.process.pid, *_children(self.process.pid)]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            select.select((), (), (), 0.02)

    def stop(self) -> None:
        """PostgreSQL's fast shutdown: it does not wait for connections."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def server(require_program: Callable[[str], str]) -> Iterator[Server]:
    """A running server; any password, none is asked for on this machine."""
    initdb, postgres = (_program(name, require_program) for name in ("initdb", "postgres"))
    folder = Path(tempfile.mkdtemp(prefix="damas-postgres-"))
    user = _other_user()
    try:
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        command = [initdb, "-D", str(folder / "data"), "-U", "damas", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run([*command, "--locale=C"], check=True, capture_output=True, **_as(user, folder))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        running = Server(folder, postgres, port, user)
        try:
            running.start()
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except FileNotFoundError:
        return []
    return [int(child) for child in text.split()]


def _program(name: str, require_program: Callable[[str], str]) -> str:
    found = [folder / name for folder in PROGRAMS if (folder / name).exists()]
    return str(found[0]) if found else require_program(name)


def _other_user() -> pwd.struct_passwd | None:
    """PostgreSQL refuses root: whom to be instead. None where we are somebody else already."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise AssertionError("neither postgres nor nobody is a user of this system")


def _as(user: pwd.struct_passwd | None, folder: Path) -> dict:
    if user is None:
        return {"cwd": folder}
    return {"cwd": folder, "user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _answers(url: str, process: subprocess.Popen, log: Path) -> None:
    engine = create_engine(url)
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            with engine.connect() as connection:
                connection.execute(text("SELECT 1"))
            break
        except OperationalError:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            select.select((), (), (), 0.05)
    engine.dispose()
