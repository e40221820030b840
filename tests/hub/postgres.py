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
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
WAIT_SECONDS = 60


@contextmanager
def server(require_program: Callable[[str], str]) -> Iterator[str]:
    """The URL of the server's database `postgres`; any password, none is asked for on this machine."""
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
        options = [f"-cunix_socket_directories={folder}", "-clisten_addresses=127.0.0.1", "-cfsync=off"]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(
                [postgres, "-D", str(folder / "data"), "-p", str(port), *options],
                **{**_as(user, folder), "stdout": log, "stderr": log},
            )
        try:
            url = f"postgresql+psycopg://damas@127.0.0.1:{port}/postgres"
            _answers(url, process, folder / "log")
            yield url
        finally:
            process.send_signal(signal.SIGINT)  # PostgreSQL's fast shutdown: it does not wait for connections
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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
