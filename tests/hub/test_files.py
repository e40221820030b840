from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from hub.streams import envelopes, started

from damas_board.hub.archive import Archive
from damas_board.hub.files import write_folder, write_whole
from damas_board.hub.public_store import PublicStore

GAMES = 200


def content(number: int) -> str:
    """Text of a length of its own, whose every line says which it is."""
    return f"version {number}\n" * (1 + number * 37 % 5000) + f"end of {number}\n"


def whole(text: str) -> bool:
    lines = text.splitlines()
    number = lines[0].removeprefix("version ")
    return lines[-1] == f"end of {number}" and text == content(int(number))


READER = """
import sys
from pathlib import Path
from hub.test_files import whole
path, seen = Path(sys.argv[1]), set()
print("reading", flush=True)
while True:
    text = path.read_text()
    if not whole(text):
        sys.exit(f"half a file: {text[:40]!r} ... {text[-40:]!r}")
    seen.add(text[:20])
    if text.startswith("version 0\\n") and len(seen) > 1:
        break
"""


def test_a_folder_that_is_not_there_is_named_itself(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as failed:
        write_whole(tmp_path / "none" / "round-1.pdn", content(1))
    assert failed.value.filename == str(tmp_path / "none")


def test_readers_in_other_threads_and_processes_always_see_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "round-1.pdn"
    write_whole(path, content(1))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", READER, str(path)]
    processes = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    done = Event()

    def read() -> int:
        reads = 0
        while not done.is_set():
            assert whole(path.read_text())
            reads += 1
        return reads

    with ThreadPoolExecutor() as pool:
        threads = [pool.submit(read) for _ in range(2)]
        try:
            for process in processes:
                assert process.stdout is not None
                assert process.stdout.readline() == "reading\n"
            for number in range(2, GAMES):
                write_whole(path, content(number))
            write_whole(path, content(0))
            ends = [process.wait(timeout=60) for process in processes]
        finally:
            done.set()
            for process in processes:
                process.kill()
                process.wait()
                assert process.stdout is not None
                process.stdout.close()
        assert all(thread.result() > 0 for thread in threads)
    assert ends == [0, 0]
    assert os.listdir(tmp_path) == [path.name]


def test_a_file_that_says_the_same_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.pdn"
    assert write_whole(path, "one")
    before = path.stat()
    assert not write_whole(path, b"one")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert write_whole(path, "two")
    assert path.read_text() == "two"


def test_whoever_serves_it_may_read_it_and_nobody_else_may_write_it(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.pdn", "one")
    assert stat.S_IMODE((tmp_path / "a.pdn").stat().st_mode) == 0o644


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_where_it_cannot_be_written_the_old_file_stays_and_no_part_is_left(tmp_path, monkeypatch, fails) -> None:
    write_whole(tmp_path / "a.pdn", "one")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, fails, full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "a.pdn", "two")
    assert (os.listdir(tmp_path), (tmp_path / "a.pdn").read_text()) == (["a.pdn"], "one")


@pytest.fixture
def no_mask() -> Iterator[None]:
    former = os.umask(0)
    yield
    os.umask(former)


def test_nobody_else_reads_an_archive_or_a_publication(tmp_path: Path, no_mask: None) -> None:
    with (
        Archive.open(f"sqlite:///{tmp_path / 'archive.sqlite'}") as archive,
        PublicStore(tmp_path / "p.sqlite") as store,
    ):
        archive.take("open", envelopes("g-1", [started("g-1")]))
        store.put_round("1", {"a": 1})
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert {"archive.sqlite", "archive.sqlite-wal", "archive.sqlite-shm", "p.sqlite", "p.sqlite-wal"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_files_that_are_there_keep_their_mode(tmp_path: Path, no_mask: None) -> None:
    for name in ("archive.sqlite", "p.sqlite"):
        (tmp_path / name).touch(0o640)
    with Archive.open(f"sqlite:///{tmp_path / 'archive.sqlite'}"), PublicStore(tmp_path / "p.sqlite"):
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o640}


def test_a_folder_is_made_with_its_files(tmp_path: Path) -> None:
    paths = write_folder(tmp_path / "out" / "round", {"1.pdn": "one", "2.pdn": "two"})
    assert [path.read_text() for path in paths] == ["one", "two"]
