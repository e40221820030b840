"""A gateway of several replayed boards in a process that starts in a moment and can be killed at any other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path

from app.halls import MEETING, Reader
from app.tables import HEADER, until

from damas_board.app import BoardSetup, Gateway, mqtt_relay
from damas_board.app.gateway import new_session, regulation_of
from damas_board.broker.client import Address
from damas_board.messages.recording import header_object, input_object
from damas_board.session.header import Header
from damas_board.session.inputs import Input, See
from damas_board.sinks.journal import Journal, JournalReader
from damas_board.sinks.salvage import Mending
from damas_board.sources.replay import ReplaySource, read_recording

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["app.forked"])


def written(folder: Path, header: Header, items: Sequence[Input]) -> Path:
    path = folder / f"{header.board}.jsonl"
    lines = [json.dumps(header_object(header)), *(json.dumps(input_object(item)) for item in items)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@contextlib.asynccontextmanager
async def forked(
    journal: Path,
    port: int,
    recordings: Sequence[Path],
    speed: float | None,
    begin: Mapping[str, int] | None = None,
) -> AsyncIterator[Forked]:
    """A gateway whose boards go on where the journal ends, or as many inputs on as `begin` says.

    It answers readers until `ended` is called. Leaving the block kills it, if it still runs.
    """
    played, leave = _FORKS.Event(), _FORKS.Event()
    arguments = (journal, port, list(recordings), speed, begin, played, leave)
    process = _FORKS.Process(target=_main, args=arguments, daemon=True)
    await asyncio.to_thread(process.start)
    try:
        yield Forked(process, played, leave)
    finally:
        leave.set()
        process.kill()
        await asyncio.to_thread(process.join)


@dataclass(frozen=True)
class Forked:
    process: BaseProcess
    played: Event
    """All that the boards show has been fed, and everything is with the broker."""
    leave: Event

    async def finished(self) -> None:
        """Wait until everything has been played."""
        assert await asyncio.to_thread(self.played.wait, 60)

    async def ended(self) -> int | None:
        """Let it end; the exit status."""
        self.leave.set()
        await asyncio.to_thread(self.process.join, 60)
        return self.process.exitcode


async def followed(path: Path, reader: Reader) -> None:
    """Wait until a reader has all that the journal at `path` tells; what the broker lost of it, it asks for."""
    journal = JournalReader.read(path)
    for played in journal.games():
        last = journal.events(f"game/{played.game}")[-1].seq
        await until(lambda name=played.game, last=last: reader.followers[name].seq == last)


def _main(
    path: Path,
    port: int,
    recordings: Sequence[Path],
    speed: float | None,
    begin: Mapping[str, int] | None,
    played: Event,
    leave: Event,
) -> None:
    boards = [read_recording(recording) for recording in recordings]
    asyncio.run(_play(path, port, boards, speed, begin, played, leave))


async def _play(
    path: Path,
    port: int,
    recordings: Sequence[tuple[Header, list[Input]]],
    speed: float | None,
    begin: Mapping[str, int] | None,
    played: Event,
    leave: Event,
) -> None:
    with Journal.open(path, Mending(new_session, regulation_of, [header for header, _ in recordings])) as journal:
        boards = []
        for header, items in recordings:
            came = shown(journal, header.board, items) if begin is None else begin[header.board]
            boards.append(BoardSetup(header, partial(_source, items[max(0, came - 1) :], speed)))
        relay = mqtt_relay(Address("127.0.0.1", port, "gw-1", "secret of gw-1"), MEETING, journal)
        async with Gateway(journal, boards, relay=relay) as gateway:
            await gateway.finished()
            await relay.drained()
            played.set()
            await asyncio.to_thread(leave.wait)


def _source(items: Sequence[Input], speed: float | None, now: object) -> ReplaySource:
    return ReplaySource(items, now=now, speed=speed)  # type: ignore[arg-type]


def shown(journal: Journal, board: str, items: Sequence[Input]) -> int:
    """How many of a board's inputs are in the journal, however often the first of a connection was repeated."""
    wanted = [(n, item.rows) for n, item in enumerate(items, 1) if isinstance(item, See)]
    count = place = 0
    for game in journal.games(board):
        for stored in journal.inputs(game.game):
            if isinstance(stored.item, See) and count < len(wanted) and stored.item.rows == wanted[count][1]:
                place = wanted[count][0]
                count += 1
    return place


def undisturbed(recordings: Mapping[str, Sequence[Input]]) -> dict[str, tuple[tuple[str, str, bool], ...]]:
    """By board, the plies of a run in which nothing ends: move, position after it, whether it is irregular."""
    found = {}
    for board, items in recordings.items():
        session = new_session(Header(board, HEADER.regulation))
        plies: dict[int, tuple[str, str, bool]] = {}
        for item in items:
            for event in session.feed(item):
                if event.event in ("move", "move_revised"):
                    plies[event.ply] = (event.move, event.fen, event.irregular)  # type: ignore[attr-defined]
                elif event.event == "moves_retracted":
                    plies = {n: ply for n, ply in plies.items() if n < event.from_ply}  # type: ignore[attr-defined]
        found[board] = tuple(plies[number] for number in sorted(plies))
    return found
