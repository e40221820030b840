"""Real games, played by a simulated hand into a Session that sees occupancy only: how many come out as played.

    python tests/benchmarks/real_games.py                        every game, on a clean board
    python tests/benchmarks/real_games.py --level club --variant russian --sample 50
    python tests/benchmarks/real_games.py --level bad-board --without stuck --without lost
    python tests/benchmarks/real_games.py --record brazilian/combinations#3 > one.jsonl

The public games lie beside the project, in ../shared/games; of the variants without public games, the project invents
its own. A ply counts as right if it and all before it were recorded as played: after a wrong one the rest is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import get_args

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import read_move, write_move
from damas_board.notation.pdn import read_games
from damas_board.regulations import Regulation, parse, shipped
from damas_board.rules.position import Move, Position
from damas_board.session.events import AlertRaised, Event, MoveMade, MoveRevised, MovesRetracted, PlayedMove
from damas_board.session.header import Header
from damas_board.session.inputs import See
from damas_board.session.session import Session
from damas_board.tracking.ghosts import Wiring
from simulator.games import PlayedGame, invented
from simulator.levels import Level, level, levels
from simulator.recorded import header, inputs, lines

SHARED = Path(__file__).resolve().parents[3] / "shared"
GIVEAWAY_TEXT = """\
title = "International draughts, giveaway"
variant = "international"
[rules]
giveaway = true
"""
REGULATIONS = {
    "brazilian": "br-cbjd",
    "portuguese": "pt-classicas",
    "spanish": "es",
    "russian": "ru-fmjd64",
    "english": "en-wcdf",
    "italian": "it-fid",
    "turkish": "tr-tudaf",
    "international": "int-fmjd",
    "frisian": "frisian",
    "pool": "pool",
    "czech": "cz",
    "canadian": "ca",
}
ANTIDRAUGHTS = "antidraughts"
KINDS = (*REGULATIONS, ANTIDRAUGHTS)
OWN = ("portuguese", "spanish", "canadian", "pool")
"""Variants of which no public game is at hand."""
OWN_GAMES = 200
WIRINGS = get_args(Wiring)
COMBINATIONS = "combinations"
INVENTED = "own"
HABITS = tuple(f.name for f in fields(Level) if f.type == "float")
PARTS = 8
"""Into how many jobs a source is cut."""


def regulation_of(kind: str) -> tuple[Regulation, str | None]:
    """The regulation that games of `kind` are played under, and its text where it is not a shipped one."""
    if kind == ANTIDRAUGHTS:
        return parse(GIVEAWAY_TEXT, "giveaway"), GIVEAWAY_TEXT
    return shipped(REGULATIONS[kind]), None


def sources(kind: str) -> list[str]:
    """What the games of `kind` come from: files, the combinations, or invention."""
    folder = SHARED / "games" / kind
    found = [f"{kind}/{path.name}" for path in sorted(folder.glob("*.pdn"))] if folder.is_dir() else []
    if kind == "brazilian":
        found.append(f"{kind}/{COMBINATIONS}")
    if kind in OWN:
        found.append(f"{kind}/{INVENTED}")
    return found


def game_of(source: str, index: int) -> PlayedGame:
    kind, _, name = source.partition("/")
    if name == INVENTED:
        return invented(regulation_of(kind)[0].variant, index)
    return games_of(source)[index]


def playable(source: str) -> list[int]:
    """The indices of the games of a source that have any move."""
    if source.endswith(f"/{INVENTED}"):
        return list(range(OWN_GAMES))
    return [i for i, game in enumerate(games_of(source)) if game.moves]


@lru_cache(maxsize=64)
def games_of(source: str) -> tuple[PlayedGame, ...]:
    """The public games of a source, each up to the first move that is not legal, or that was set up."""
    kind, _, name = source.partition("/")
    variant = regulation_of(kind)[0].variant
    if name == COMBINATIONS:
        return tuple(combinations())
    found = []
    for game in read_games((SHARED / "games" / source).read_bytes(), variant):
        moves: list[Move] = []
        for ply in game.plies:
            if ply.move is None:
                break
            moves.append(ply.move)
        found.append(PlayedGame(game.start, tuple(moves)))
    return tuple(found)


def combinations() -> Iterator[PlayedGame]:
    """The problems of document 002, each from its start position."""
    variant = shipped("br-cbjd").variant
    content = json.loads((SHARED / "rules" / "combinations.json").read_text(encoding="utf-8"))
    for problem in content["problems"]:
        position = start = read_fen(problem["fen_algebraic"], variant)
        moves = []
        for step in problem["line"]:
            sign = "x" if step["captures"] else "-"
            moves.append(read_move(position, sign.join(step["path"])))
            position = position.after(moves[-1])
        yield PlayedGame(start, tuple(moves))


def fold(events: Iterable[Event]) -> list[PlayedMove]:
    """The record that a follower of the events ends with."""
    record: list[PlayedMove] = []
    for event in events:
        match event:
            case MoveMade():
                if event.ply != len(record) + 1:
                    raise ValueError(f"move with ply {event.ply} after {len(record)} plies")
                record.append(event)
            case MoveRevised():
                if event.ply != len(record):
                    raise ValueError(f"move_revised with ply {event.ply} after {len(record)} plies")
                record[-1] = event
            case MovesRetracted():
                del record[event.from_ply - 1 :]
            case _:
                pass
    return record


@dataclass
class Outcome:
    """What came of one game, or of many."""

    games: int = 0
    plies: int = 0
    wrong: int = 0
    identical: int = 0
    observations: int = 0
    seconds: float = 0.0
    """In `Session.feed` alone."""
    faults: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        self.games += other.games
        self.plies += other.plies
        self.wrong += other.wrong
        self.identical += other.identical
        self.observations += other.observations
        self.seconds += other.seconds
        self.faults += other.faults


def header_of(kind: str, start: Position, wiring: Wiring | None = None) -> Header:
    regulation, text = regulation_of(kind)
    return header(start, regulation.name, regulation_text=text, wiring=wiring)


def play(kind: str, game: PlayedGame, chosen: Level, seed: int, name: str = "") -> Outcome:
    """Plays `game` into a Session and compares the record with it; a sound board has no ghosts."""
    session = Session(header_of(kind, game.start, WIRINGS[seed % len(WIRINGS)]), regulation_of(kind)[0])
    events: list[Event] = []
    outcome = Outcome(games=1, plies=len(game.moves))
    for item in inputs(game, chosen, seed):
        outcome.observations += isinstance(item, See)
        began = time.perf_counter()
        events += session.feed(item)
        outcome.seconds += time.perf_counter() - began
    outcome.wrong, fault = compare(game, fold(events))
    if not fault and any(isinstance(e, AlertRaised) and e.evidence.get("reason") == "ghost" for e in events):
        fault = "a ghost was told of"
    outcome.identical = not fault
    if fault:
        outcome.faults.append(f"{name} level {chosen.name} seed {seed}: {fault}")
    return outcome


def compare(game: PlayedGame, record: list[PlayedMove]) -> tuple[int, str]:
    """How many plies are wrong, and the first difference in words, empty if there is none."""
    geometry = game.start.variant.geometry
    positions = list(game.positions())
    for i, move in enumerate(game.moves):
        left = len(game.moves) - i
        played = f"ply {i + 1} of {len(game.moves)} in {write_fen(positions[i])} was {write_move(positions[i], move)}"
        if i == len(record):
            return left, f"{played}: nothing recorded"
        got = record[i]
        ends = (got.from_, got.to) == (geometry.name(move.start), geometry.name(move.end))
        victims = set(got.captured) == set(geometry.names(move.captured))
        after = got.fen == write_fen(positions[i + 1]) and got.side == positions[i].turn.label
        if not (ends and victims and after) or got.irregular or got.promoted != move.promotes:
            then = ", ".join(write_move(positions[k], game.moves[k]) for k in range(i + 1, min(i + 3, len(game.moves))))
            return (
                left,
                f"{played} (then {then or 'the end'}): recorded {got.move} [{' '.join(got.captured)}] {got.fen}",
            )
    if len(record) > len(game.moves):
        extra = len(record) - len(game.moves)
        return extra, f"{extra} plies recorded that nobody played, first {record[len(game.moves)].move}"
    return 0, ""


def seed_of(seed: int, source: str, index: int) -> int:
    """A game's own seed, the same whatever else is played."""
    return random.Random(f"{seed} {source} {index}").randrange(10**9)


@dataclass(frozen=True)
class Job:
    source: str
    indices: tuple[int, ...]
    level: Level
    seed: int


def work(job: Job) -> tuple[str, Outcome]:
    """Plays a job's games; the kind of game, and what came of them."""
    kind = job.source.partition("/")[0]
    total = Outcome()
    for index in job.indices:
        name = f"{job.source}#{index}"
        total.add(play(kind, game_of(job.source, index), job.level, seed_of(job.seed, job.source, index), name))
    return kind, total


def chosen(kinds: Iterable[str], sample: int | None, seed: int) -> Iterator[tuple[str, list[int]]]:
    """Sources and the indices of their games: all, or `sample` of each kind, drawn by `seed`."""
    for kind in kinds:
        everything = [(source, index) for source in sources(kind) for index in playable(source)]
        if sample is not None:
            everything = sorted(random.Random(f"{seed} {kind}").sample(everything, min(sample, len(everything))))
        for source in dict.fromkeys(source for source, _ in everything):
            yield source, [index for s, index in everything if s == source]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--level", default="clean", choices=list(levels()))
    arguments.add_argument(
        "--without", action="append", default=[], choices=HABITS, help="a habit or fault to leave out"
    )
    arguments.add_argument("--sample", type=int, help="so many games of each variant instead of all")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--variant", action="append", choices=KINDS)
    arguments.add_argument("--jobs", type=int, default=2, help="processes")
    arguments.add_argument("--faults", type=int, default=20, help="how many wrong games to describe")
    arguments.add_argument("--record", metavar="SOURCE#INDEX", help="print the recording of one game")
    args = arguments.parse_args()
    played = replace(level(args.level), **dict.fromkeys(args.without, 0.0))
    if args.record:
        return record(args.record, played, args.seed)
    kinds = args.variant or [kind for kind in KINDS if sources(kind)]
    jobs = [
        Job(source, tuple(indices[part::PARTS]), played, args.seed)
        for source, indices in chosen(kinds, args.sample, args.seed)
        for part in range(PARTS)
        if indices[part::PARTS]
    ]
    totals = {kind: Outcome() for kind in kinds}
    with ProcessPoolExecutor(args.jobs) as pool:
        for kind, outcome in pool.map(work, jobs):
            totals[kind].add(outcome)
    everything = Outcome()
    without = f" without {', '.join(args.without)}" if args.without else ""
    print(f"level {args.level}{without}, seed {args.seed}")
    print(f"{'variant':14}{'games':>7}{'plies':>9}{'wrong plies':>13}{'identical':>11}{'observations/s':>16}")
    for kind, total in totals.items():
        print(_row(kind, total))
        everything.add(total)
    print(_row("all", everything))
    for fault in everything.faults[: args.faults]:
        print(fault)
    return 0


def _row(name: str, total: Outcome) -> str:
    rate = total.observations / total.seconds if total.seconds else 0.0
    return f"{name:14}{total.games:7}{total.plies:9}{total.wrong:13}{total.identical:11}{rate:16,.0f}"


def record(name: str, chosen: Level, seed: int) -> int:
    source, _, index = name.rpartition("#")
    kind = source.partition("/")[0]
    game = game_of(source, int(index))
    items = inputs(game, chosen, seed_of(seed, source, int(index)))
    for line in lines(header_of(kind, game.start), items):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
