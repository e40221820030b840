"""How many events a hub archives: SQLite and a throw-away PostgreSQL, in batches as a hub takes them.

    python tests/benchmarks/archive.py --games 64 --plies 60

The streams are those of games at random, with what a board tells beside each move (lifts, placements, clocks,
confirmations), all games mixed as they are in a round. Each row is one archive from nothing to all events; `again`
takes the whole a second time, of which nothing is new; the last row of each is two programs that archive the same into
one database. PostgreSQL runs without fsync, SQLite as in use.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import create_engine, make_url, text

sys.path.insert(0, str(Path(__file__).parents[1]))

from hub.postgres import server
from hub.streams import START, envelopes, move, over, started
from rules.positions import random_play

from damas_board.hub.archive import Archive, Search
from damas_board.messages.envelope import Envelope
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.regulations import shipped

MEETING = "benchmark"
VARIANT = shipped("br-cbjd").variant


def bodies(game: str, seed: int, plies: int) -> Iterator[dict[str, Any]]:
    """The events of a game at random."""
    yield started(game, f"White {seed}", f"Black {seed}")
    for ply, (position, played) in enumerate(random_play(random.Random(seed), VARIANT, plies), 1):
        written, squares = write_move(position, played), [VARIANT.geometry.name(s) for s in (played.start, played.end)]
        side = "white" if ply % 2 else "black"
        yield {"event": "piece_lifted", "square": squares[0], "side": side, "since": 1.0}
        yield {"event": "piece_placed", "square": squares[1], "side": side, "since": 1.5}
        yield move(ply, written, write_fen(position.after(played)), side=side, path=squares)
        yield {"event": "clock", "white": 300.0 - ply, "black": 300.0 - ply, "running": side, "stale": False}
        yield {"event": "move_confirmed", "ply": ply, "revision": 0}
    yield over("white")


def mixed(games: int, plies: int) -> list[Envelope]:
    """All events of a round, in the order of their numbers."""
    streams = [envelopes(f"g-{n}", bodies(f"g-{n}", n, plies), board=f"table-{n}") for n in range(1, games + 1)]
    return sorted((e for stream in streams for e in stream), key=lambda envelope: (envelope.seq or 0, envelope.game))


def pairings(games: int) -> dict[str, Any]:
    listed = [
        {"table": str(n), "game": f"g-{n}", "white": {"name": f"White {n}"}, "black": {"name": f"Black {n}"}}
        for n in range(1, games + 1)
    ]
    return {"regulation": "br-cbjd", "state": "started", "pairings": listed}


def take(url: str, games: int, plies: int, batch: int) -> None:
    events = mixed(games, plies)
    with Archive.open(url) as archive:
        for at in range(0, len(events), batch):
            archive.take(MEETING, events[at : at + batch])


def row(name: str, events: int, seconds: float) -> None:
    print(f"{name:52} {events:8} events {seconds:8.2f} s {events / seconds:10.0f} events/s", flush=True)


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def measure(kind: str, new: Callable[[], str], chosen: argparse.Namespace) -> None:
    events = mixed(chosen.games, chosen.plies)
    for batch in chosen.batches:
        some = events[: chosen.most_single] if batch == 1 else events
        with Archive.open(new()) as archive:

            def all_of_them(archive: Archive = archive, some: list[Envelope] = some, batch: int = batch) -> None:
                for at in range(0, len(some), batch):
                    archive.take(MEETING, some[at : at + batch])

            row(f"{kind}, batches of {batch}", len(some), timed(all_of_them))
            if batch == chosen.batches[-1]:
                row(f"{kind}, batches of {batch}, again", len(some), timed(all_of_them))
                archive.take_round(MEETING, "1", pairings(chosen.games))
                for name, ask in (
                    ("standings", lambda a=archive: a.standings(MEETING)),
                    ("search by position", lambda a=archive: a.search(Search(fen=START))),
                    ("export of the round", lambda a=archive: a.export_round(MEETING, "1")),
                ):
                    print(f"{kind}, {name}: {timed(ask) * 1000:.0f} ms", flush=True)
    url, batch = new(), chosen.batches[-1]
    Archive.open(url).close()
    context = multiprocessing.get_context("spawn")
    hubs = [context.Process(target=take, args=(url, chosen.games, chosen.plies, batch)) for _ in range(2)]

    def both() -> None:
        for hub in hubs:
            hub.start()
        for hub in hubs:
            hub.join()

    row(f"{kind}, two programs, batches of {batch}, with their start", len(events), timed(both))
    if any(hub.exitcode for hub in hubs):
        raise SystemExit("a program failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 20, 500])
    parser.add_argument("--most-single", type=int, default=2000, help="events of the row in batches of 1")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        numbers = iter(range(1000))
        measure("SQLite", lambda: f"sqlite:///{folder}/{next(numbers)}.sqlite", chosen)
        if not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")) and shutil.which("initdb") is None:
            raise SystemExit("PostgreSQL is not installed")
        postgres = stack.enter_context(server(lambda name: str(shutil.which(name)))).url

        def new() -> str:
            name = f"archive_{next(numbers)}"
            engine = create_engine(postgres, isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name}"))
            engine.dispose()
            return make_url(postgres).set(database=name).render_as_string()

        measure("PostgreSQL", new, chosen)


if __name__ == "__main__":
    main()
