"""A disk that fills up: it is told before, play goes on, nothing is half there, and all is written when there is room.

On a small tmpfs where one may be mounted (root; in CI it must be possible), and with a refusal that is injected.
"""

import asyncio
import errno
import json
import logging
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from app.halls import LOGINS, MEETING, Hall, Reader
from app.tables import HEADER, Hands, items, moves, until

from damas_board.app import Gateway, mqtt_relay, regulation_of
from damas_board.app import records as records_module
from damas_board.app.records import RecordWriter
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.messages.recording import read_header, read_inputs
from damas_board.notation.pdn import read_games
from damas_board.session.inputs import Command
from damas_board.session.session import Session
from damas_board.sinks.journal import Journal, beside
from damas_board.sinks.pdn import PdnFolder

SIZE = 4 * 1024 * 1024
HEALTH = "gateway/gw-1/health"


class Disk:
    """A small disk that can be filled up to what is to remain free, and emptied again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, leave: int = 0) -> None:
        with self._filler.open("ab") as opened, suppress(OSError):
            while (free := shutil.disk_usage(self.folder).free) > leave:
                opened.write(b"\0" * min(65536, free - leave))
                opened.flush()

    def empty(self) -> None:
        self._filler.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0 and os.environ.get("CI") != "true":
        pytest.skip("only root may mount a tmpfs")
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False, timeout=20)
    if done.returncode:
        pytest.skip(f"a tmpfs cannot be mounted here ({done.stderr.strip()}); the injected refusal has to do")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=20)


async def test_a_full_disk_is_told_before_play_goes_on_and_nothing_is_half_there(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(records_module, "AGAIN_SECONDS", 0.2)
    caplog.set_level(logging.WARNING)
    given = items(5, 30)
    thirds = [given[len(given) * n // 3 : len(given) * (n + 1) // 3] for n in range(3)]
    hands = Hands()
    path, folder = disk.folder / "j.db", disk.folder / "pdn"
    async with asyncio.timeout(60), EmbeddedBroker(LOGINS, port=0) as broker:
        hall = Hall("embedded", broker.port, tmp_path)
        with Journal.open(path) as journal:
            journal.warn_free = SIZE // 4
            relay = mqtt_relay(hall.address("gw-1"), MEETING, journal)
            pdn = PdnFolder(folder, lambda state: regulation_of(HEADER), lambda state: {})
            async with (
                RecordWriter(pdn) as writer,
                Reader(hall).reading() as reader,
                Gateway(journal, [hands.setup()], relay=relay, on_record=writer) as gateway,
            ):
                source, board = hands["table-1"], gateway.boards["table-1"]
                name = str(board.game)
                shift = source.now()

                async def play(part: tuple[Any, ...]) -> None:
                    for item in part:
                        source.given.put_nowait(replace(item, at=item.at + shift))
                    await until(source.given.empty)
                    await board.drained()

                def health() -> dict[str, Any]:
                    return reader.retained.get(HEALTH, {})

                await play(thirds[0])
                await until(lambda: health().get("journal") == "ok")
                assert "journal_warning" not in health()

                disk.fill(leave=SIZE // 8)
                await until(lambda: health().get("journal_warning") == "disk_low")
                assert health()["journal"] == "ok"
                assert "the disk is almost full" in caplog.text

                disk.fill()
                await play(thirds[1])
                await until(lambda: "full" in health().get("journal", ""))
                await until(lambda: reader.records[name].moves == moves((*thirds[0], *thirds[1])))
                assert board.state is not None
                assert not board.state.over
                _is_whole_in_the_middle(path, tmp_path / "copy", journal, name)

                await play(thirds[2])
                end = Command(source.now() + 1000, "result", "c1", {"result": "1-0", "reason": "resigned"})
                source.given.put_nowait(end)
                await until(lambda: board.state is not None and board.state.over is not None)
                await until(lambda: f"game {name} is not written as PDN" in caplog.text)
                assert list(folder.glob("*")) == []

                disk.empty()
                await until(lambda: health().get("journal") == "ok" and "journal_warning" not in health())
                await until(lambda: (folder / f"{name}.pdn").exists())
                await relay.drained()
                await until(lambda: reader.followers[name].seq == journal.last_seq(f"game/{name}"))
            lines = list(journal.export(name))
    assert reader.records[name].moves == moves(given)
    assert [event.seq for event in reader.events] == list(range(1, len(reader.events) + 1))
    assert len({event.epoch for event in reader.events}) == 1
    assert not any("unwritten" in json.loads(line) for line in lines)
    session = Session(read_header(iter(lines[:1])), regulation_of(HEADER))
    for item in read_inputs(lines[1:]):
        session.feed(item)
    assert session.state.moves == moves(given)
    games = list(read_games((folder / f"{name}.pdn").read_text("utf-8")))
    assert len(games) == 1


def _is_whole_in_the_middle(path: Path, copy: Path, journal: Journal, name: str) -> None:
    """What a pulled plug would leave now is a journal without damage: a beginning of the game, in a new epoch."""
    copy.mkdir()
    for suffix in ("", "-wal", "-mark", "-unwritten"):
        if beside(path, suffix).exists():
            shutil.copy(beside(path, suffix), beside(copy / "j.db", suffix))
    with Journal.open(copy / "j.db") as left:
        assert left.mended is None
        rows = left.events(f"game/{name}")
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert rows == journal.events(f"game/{name}")[: len(rows)]
        assert left.epoch > journal.epoch
    with closing(sqlite3.connect(copy / "j.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


async def test_a_refused_pdn_file_leaves_the_former_one_and_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With an injected ENOSPC: at the last step, when all of the file is written."""
    monkeypatch.setattr(records_module, "AGAIN_SECONDS", 0.05)
    header = replace(HEADER, game="g")
    session = Session(header, regulation_of(header))
    given = items(5, 30)
    states = []
    for item in given:
        session.feed(item)
        states.append(session.state)
    pdn = PdnFolder(tmp_path, lambda state: regulation_of(header), lambda state: {})
    async with asyncio.timeout(20), RecordWriter(pdn) as writer:
        writer(states[40])
        before = (tmp_path / "g.pdn").read_text("utf-8")
        with monkeypatch.context() as full:

            def refuse(number: int) -> None:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

            full.setattr(os, "fsync", refuse)
            writer(states[60])
            writer(states[-1])
            assert os.listdir(tmp_path) == ["g.pdn"]
            assert (tmp_path / "g.pdn").read_text("utf-8") == before
        await until(lambda: (tmp_path / "g.pdn").read_text("utf-8") != before)
    pdn.write(states[-1])
    assert len((tmp_path / "g.pdn").read_text("utf-8")) > len(before)
