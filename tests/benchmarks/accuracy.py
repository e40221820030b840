"""How accurate is the record, and are irregularities found? The tables of docs/accuracy.md.

    python tests/benchmarks/accuracy.py --write docs/accuracy.md                both tables, at all levels
    python tests/benchmarks/accuracy.py --level club --senses colour --faults 10
    python tests/benchmarks/accuracy.py --irregular-only --kind touch_move --sample 30
    python tests/benchmarks/accuracy.py --record club/occupancy/russian/0 > game.jsonl
    python tests/benchmarks/accuracy.py --record "wrong_side/stands/occupancy/7" > game.jsonl

Lawful play: public games, and games of our own making where there are not enough, are played by simulated hands on a
simulated board into a Session and into a matcher of one ply. A ply is right when the record up to and with it is what
was played. Irregularities: each is put into short pieces of such games, at a known ply.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from array import array
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.accuracy_page import page
from benchmarks.one_ply import OnePly
from benchmarks.real_games import fold, game_of, playable, regulation_of, seed_of, sources
from benchmarks.staging import Stage, Staged, differs, first_difference
from benchmarks.tallies import Findings, Tally
from rules.positions import random_position

from damas_board.regulations.policy import KINDS as ALERT_KINDS
from damas_board.regulations.policy import AlertKind
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import NO_RUNS, Move, Position, initial
from damas_board.session.events import AlertClosed, AlertRaised, BoardChanged, Event, PlayedMove
from damas_board.session.header import Senses
from damas_board.session.inputs import See
from damas_board.session.session import Session
from simulator.games import PlayedGame, invented
from simulator.irregular import OFFENCES, Expected, Future, Offender
from simulator.levels import level, levels
from simulator.recorded import lines

KINDS = ("brazilian", "portuguese", "russian", "english", "italian", "turkish", "international", "frisian")
SENSES: tuple[Senses, ...] = ("occupancy", "colour")
PLIES = 20_000
SAMPLE = 100
"""How often each irregularity is put in, its futures together."""
TOLD_WITHIN = 6.0
"""A ply that is wrong counts as told if an alert was open, or the board called not known, so soon after it, seconds."""
NOT_KNOWN = ("mismatch", "resyncing", "lost", "failed")
CROWD = 14
"""How many pieces, at most, a random position holds."""
FURTHER = 3
"""How many plies are played behind an irregularity."""
TRIES = 400
"""How many positions are asked for an occasion."""
BATCH = 10
LEVEL = "club"
"""At which irregularities are put in."""
SEVERAL = "five in one game"
IN_ONE_GAME = 5
OWN = 40
"""Games to draw from, where there are fewer public ones."""
SEED = 1
ACCUSATIONS: tuple[AlertKind, ...] = (*ALERT_KINDS[: ALERT_KINDS.index("wrong_setup")], "wrong_opening")
"""What says that a player did something."""


IN_PLAY = tuple(kind for kind in ACCUSATIONS if kind not in ("not_crowned", "crowned_wrongly", "wrong_opening"))


# --- games


@lru_cache(maxsize=16)
def pool(kind: str) -> tuple[tuple[str, int], ...]:
    """The public games of a kind, in an order drawn once."""
    found = [(source, index) for source in sources(kind) for index in playable(source)]
    return tuple(random.Random(kind).sample(found, len(found)))


@lru_cache(maxsize=2000)
def game(kind: str, index: int) -> PlayedGame:
    """The game of that number: public ones first, then our own."""
    public = pool(kind)
    if index < len(public):
        return game_of(*public[index])
    return invented(regulation_of(kind)[0].variant, index - len(public))


# --- what a Session makes of a game


@dataclass
class Heard:
    """What was heard of a game, and what it took."""

    events: list[Event] = field(default_factory=list)
    record: list[PlayedMove] = field(default_factory=list)
    times: array[float] = field(default_factory=lambda: array("f"))
    """Of every reading, in `Session.feed`, microseconds of processor time."""
    baseline_times: array[float] = field(default_factory=lambda: array("f"))
    baseline: list[Position] = field(default_factory=list)


def follow(staged: Staged, baseline: bool = True) -> Heard:
    session = Session(staged.header, staged.regulation)
    matcher = OnePly(staged.truth[0].before) if baseline else None
    heard = Heard()
    for item in staged.inputs:
        began = time.process_time_ns()
        events = session.feed(item)
        between = time.process_time_ns()
        if matcher is not None:
            matcher.feed(item)
            if isinstance(item, See):
                heard.baseline_times.append((time.process_time_ns() - between) / 1000)
        if isinstance(item, See):
            heard.times.append((between - began) / 1000)
        heard.events += events
    heard.record = fold(heard.events)
    if matcher is not None:
        heard.baseline = matcher.positions
    return heard


def told_times(events: Iterable[Event]) -> list[tuple[float, float]]:
    """When an alert was open, or the board was called not known."""
    opened: dict[str, float] = {}
    times = []
    unknown: float | None = None
    for event in events:
        match event:
            case AlertRaised() if event.severity != "note":
                opened[event.id] = event.at
            case AlertClosed() if event.id in opened:
                times.append((opened.pop(event.id), event.at))
            case BoardChanged():
                if event.state in NOT_KNOWN:
                    unknown = event.at if unknown is None else unknown
                elif unknown is not None:
                    times.append((unknown, event.at))
                    unknown = None
            case _:
                pass
    times += [(at, math.inf) for at in opened.values()]
    if unknown is not None:
        times.append((unknown, math.inf))
    return times


def wrong_plies(staged: Staged, heard: Heard, right: int) -> tuple[int, int, int]:
    """Of the plies behind the `right` ones: all; those that are as played themselves; and those not told of.

    Told of is a ply if an alert was open, the board not known, or the ply `inferred`; and one that is as played itself
    if all before it that are not are `inferred`.
    """
    times = told_times(heard.events)
    again = silent = 0
    only_inferred = True
    for i in range(right, len(staged.truth)):
        got = heard.record[i] if i < len(heard.record) else None
        as_played = got is not None and not differs(staged.truth[i], got)
        inferred = got is not None and got.basis == "inferred"
        again += as_played
        only_inferred &= as_played or inferred
        done = staged.done[i]
        if not only_inferred and not inferred:
            silent += not any(began <= done + TOLD_WITHIN and end >= done for began, end in times)
    return max(len(staged.truth), len(heard.record)) - right, again, silent


def wrong_of_baseline(staged: Staged, positions: list[Position]) -> int:
    truth = [ply.after for ply in staged.truth]
    same = 0
    while same < min(len(truth), len(positions)) and truth[same][1:5] == positions[same][1:5]:
        same += 1
    return max(len(truth), len(positions)) - same


# --- lawful play


@dataclass(frozen=True)
class Play:
    """Games `indices` of a kind, played at a level on boards that sense so much."""

    level: str
    senses: Senses
    kind: str
    indices: tuple[int, ...]


def staged_play(level_name: str, senses: Senses, kind: str, index: int) -> Staged:
    name = f"{level_name}/{senses}/{kind}/{index}"
    played = game(kind, index)
    stage = Stage(played.start, level(level_name), seed_of(SEED, kind, index), senses, len(played.moves))
    for move in played.moves:
        stage.play(move)
    return stage.finish(name, *regulation_of(kind))


def work_play(job: Play) -> tuple[Play, Tally]:
    total = Tally()
    for index in job.indices:
        staged = staged_play(job.level, job.senses, job.kind, index)
        if staged.truth:
            total.add(judged(staged))
    return job, total


def judged(staged: Staged) -> Tally:
    """What came of one game of lawful play."""
    heard = follow(staged)
    right, fault = first_difference(staged.truth, heard.record)
    wrong, again, silent = wrong_plies(staged, heard, right)
    tally = Tally(1, len(staged.truth), wrong, again, silent, int(not wrong))
    tally.baseline_wrong = wrong_of_baseline(staged, heard.baseline)
    tally.baseline_right_games = int(not tally.baseline_wrong)
    tally.times, tally.baseline_times = heard.times, heard.baseline_times
    if fault:
        told = f", {tally.untold} of {wrong} not told of" if tally.untold else ", told of"
        tally.faults.append(f"{staged.name}: {fault}{told}")
    for alert in unearned(staged, heard.events):
        about = tally.accusations if alert.kind in ACCUSATIONS else tally.alarms
        about[alert.kind] += 1
        tally.faults.append(f"{staged.name}: {described(alert)}")
    return tally


def unearned(staged: Staged, events: Iterable[Event]) -> Iterator[AlertRaised]:
    """The alerts, other than notes, for which there was neither a mistake nor a fault of the hardware."""
    variant = staged.regulation.variant
    square = {variant.geometry.name(s): s for s in variant.geometry.playable}
    for event in events:
        if isinstance(event, AlertRaised) and event.severity != "note" and not staged.faults.earned(event, square):
            yield event


def described(alert: AlertRaised) -> str:
    side = "" if alert.side is None else f" {alert.side}"
    return f"at {alert.at:g} {alert.kind}{side} {' '.join(alert.squares)} of ply {alert.ply}"


# --- irregularities


@dataclass(frozen=True)
class Put:
    """An irregularity with its future, put into so many games."""

    offence: str
    future: Future
    senses: tuple[Senses, ...]
    indices: tuple[int, ...]


@dataclass(frozen=True)
class Occasion:
    """A position that an irregularity can be put into, reached by `moves` (each with the position before it)."""

    kind: str
    position: Position
    moves: tuple[tuple[Position, Move], ...]
    seed: int


@lru_cache(maxsize=8)
def occasion(name: str, future: Future, index: int) -> Occasion | None:
    """The occasion of that number for an irregularity; None if no position that was tried gives one."""
    offence = OFFENCES[name]
    source = random.Random(f"{SEED} {name} {future} {index}")
    for attempt in range(TRIES):
        kind = KINDS[(index + attempt) % len(KINDS)]
        if offence.at_start:
            found = Occasion(kind, initial(regulation_of(kind)[0].variant), (), source.randrange(10**9))
        else:
            found = drawn(kind, source, attempt)
        if legal_moves(found.position):
            trial = Offender(found.position, level(LEVEL), found.seed)
            trial.previous = found.moves[-1] if found.moves else None
            if trial.commit(offence, future) is not None:
                return found
    return None


def drawn(kind: str, source: random.Random, attempt: int) -> Occasion:
    """A position to try: of a game, or, where games give no occasion, every second time a random one."""
    variant = regulation_of(kind)[0].variant
    if attempt > TRIES // 4 and attempt % 2:
        position = random_position(source, variant)
        while position.occupied.bit_count() > CROWD:
            position = random_position(source, variant)
        return Occasion(kind, position, (), source.randrange(10**9))
    played = game(kind, source.randrange(max(len(pool(kind)), OWN)))
    until = source.randint(0, len(played.moves))
    begin = max(0, until - source.randint(1, 4))
    position = played.start
    moves: list[tuple[Position, Move]] = []
    for number, move in enumerate(played.moves[:until]):
        if number == begin:
            position = position._replace(runs=NO_RUNS)
        if number >= begin:
            moves.append((position, move))
        position = position.after(move)
    return Occasion(kind, position, tuple(moves), source.randrange(10**9))


def staged_offence(name: str, future: Future, senses: Senses, index: int) -> Staged | None:
    """The game of that number with the irregularity in it; None where there is no occasion for it."""
    found = occasion(name, future, index)
    if found is None:
        return None
    start = found.moves[0][0] if found.moves else found.position
    for seed in range(found.seed, found.seed + TRIES):
        stage = Stage(start, level(LEVEL), seed, senses)
        for _, move in found.moves:
            stage.play(move)
        if stage.commit(OFFENCES[name], future):
            break
    else:
        return None
    further = random.Random(found.seed)
    for _ in range(FURTHER):
        if legal := legal_moves(stage.hand.position):
            stage.play(further.choice(legal))
    return stage.finish(f"{name}/{future}/{senses}/{index}", *regulation_of(found.kind))


def staged_several(senses: Senses, index: int) -> Staged:
    """A game from its beginning with several irregularities of any kind in it, one after the other."""
    source = random.Random(f"{SEED} {SEVERAL} {index}")
    kind = KINDS[index % len(KINDS)]
    stage = Stage(initial(regulation_of(kind)[0].variant), level(LEVEL), source.randrange(10**9), senses)
    offences = [o for o in OFFENCES.values() if senses in o.senses and not o.at_start and o.kind in IN_PLAY]
    while len(stage.episodes) < IN_ONE_GAME:
        for _ in range(source.randint(1, 4)):
            if legal := legal_moves(stage.hand.position):
                stage.play(source.choice(legal))
        for offence in source.sample(offences, len(offences)):
            if legal_moves(stage.hand.position) and stage.commit(offence, source.choice(offence.futures)):
                break
        else:
            break
    return stage.finish(f"{SEVERAL}/over/{senses}/{index}", *regulation_of(kind))


def work_put(job: Put) -> tuple[Put, dict[Senses, Findings]]:
    totals = {senses: Findings() for senses in job.senses}
    for index in job.indices:
        for senses, total in totals.items():
            if job.offence == SEVERAL:
                total.add(findings(staged_several(senses, index)))
            elif staged := staged_offence(job.offence, job.future, senses, index):
                total.add(findings(staged))
    return job, totals


def findings(staged: Staged) -> Findings:
    """What was heard of the irregularity in one game."""
    heard = follow(staged, baseline=False)
    alerts = [event for event in heard.events if isinstance(event, AlertRaised)]
    closings = {event.id: event.how for event in heard.events if isinstance(event, AlertClosed)}
    result = Findings(put_in=1)
    geometry = staged.regulation.variant.geometry
    answers = []
    for expected in staged.expected:
        fitting = [alert for alert in alerts if answering(expected, alert)]
        if expected.recurs:
            fitting = [alert for alert in fitting if alert.severity != "note"]
        answers += fitting[:1]
    missing = len(staged.expected) - len(answers)
    result.found = int(not missing)
    if not missing:
        pairs = list(zip(staged.expected, answers, strict=True))
        named = [(e.squares is None or set(geometry.names(e.squares)) == set(a.squares)) for e, a in pairs]
        result.named = int(all(named))
        result.closed = int(all(closing(staged, e) in (None, closings.get(a.id, "open")) for e, a in pairs))
    _, fault = first_difference(staged.truth, heard.record)
    result.recorded = int(not fault)
    told = [described(a) for a in alerts if a.severity != "note" or a in answers]
    plies = {expected.ply for expected in staged.expected}
    if missing:
        others = {a.kind for a in alerts if a not in answers and a.ply in plies and a.severity != "note"}
        result.instead[" + ".join(sorted(others)) or "nothing"] += 1
    for alert in unearned(staged, heard.events):
        if alert in answers or alert.kind in staged.allowed:
            continue
        result.claimed[alert.kind] += 1
    if missing or result.claimed or fault or not (result.named and result.closed):
        wanted = ", ".join(_wanted(staged, e) for e in staged.expected)
        closed = [f"{a.kind}:{closings.get(a.id, 'open')}" for a in answers]
        result.faults.append(
            f"{staged.name}: wanted {wanted}; heard {'; '.join(told) or 'nothing'}; closed {' '.join(closed) or '-'}; "
            f"record {fault or 'right'}"
        )
    return result


def answering(expected: Expected, alert: AlertRaised) -> bool:
    side = expected.side is None or alert.side == expected.side.label
    return alert.kind == expected.kind and alert.ply == expected.ply and side


def closing(staged: Staged, expected: Expected) -> str | None:
    """How the alert has to close under the regulation of the game; None if nothing is said."""
    if expected.closes != "stands":
        return expected.closes
    ruling = staged.regulation.ruling(expected.kind, recorded=staged.header.recorded)
    return "stands" if ruling.decides == "opponent" and ruling.until == "reply" else "open"


def _wanted(staged: Staged, expected: Expected) -> str:
    names = staged.regulation.variant.geometry.names
    side = "" if expected.side is None else f" {expected.side.label}"
    squares = "" if expected.squares is None else " " + " ".join(names(expected.squares))
    closes = closing(staged, expected)
    return f"{expected.kind}{side}{squares} of ply {expected.ply}{f', {closes}' if closes else ''}"


# --- the whole


def plays(level_names: Iterable[str], senses: Iterable[Senses], plies: int) -> Iterator[Play]:
    """So many plies a level, shared among the kinds, in batches of games."""
    games = {kind: _enough(kind, -(-plies // len(KINDS))) for kind in KINDS}
    for name in level_names:
        for sort in senses:
            for kind, indices in games.items():
                for begin in range(0, len(indices), BATCH):
                    yield Play(name, sort, kind, tuple(indices[begin : begin + BATCH]))


def _enough(kind: str, plies: int) -> list[int]:
    indices: list[int] = []
    found = 0
    while found < plies:
        indices.append(len(indices))
        found += len(game(kind, indices[-1]).moves)
    return indices


def puts(senses: Iterable[Senses], kinds: Iterable[str], sample: int) -> Iterator[Put]:
    for offence in OFFENCES.values():
        seeing = tuple(sort for sort in senses if sort in offence.senses) or tuple(sorted(offence.senses))
        if kinds and offence.kind not in kinds:
            continue
        share = -(-sample // len(offence.futures))
        for future in offence.futures:
            yield from _batches(offence.name, future, seeing, share)
    if not kinds:
        yield from _batches(SEVERAL, "over", tuple(senses), sample)


def _batches(name: str, future: Future, senses: tuple[Senses, ...], count: int) -> Iterator[Put]:
    for begin in range(0, count, BATCH):
        yield Put(name, future, senses, tuple(range(begin, min(begin + BATCH, count))))


def staged_named(name: str) -> Staged:
    """The game that a fault names: `level/senses/kind/index` or `irregularity/future/senses/index`."""
    first, second, third, index = name.split("/")
    if first == SEVERAL:
        return staged_several(third, int(index))  # type: ignore[arg-type]
    if first in OFFENCES:
        staged = staged_offence(first, second, third, int(index))  # type: ignore[arg-type]
        if staged is None:
            raise SystemExit(f"there is no occasion {name}")
        return staged
    return staged_play(first, second, third, int(index))  # type: ignore[arg-type]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--write", metavar="FILE", help="write the page")
    arguments.add_argument("--level", action="append", choices=list(levels()))
    arguments.add_argument("--senses", action="append", choices=SENSES)
    arguments.add_argument("--plies", type=int, default=PLIES, help="a level and a sort of board")
    arguments.add_argument("--sample", type=int, default=SAMPLE, help="how often each irregularity is put in")
    arguments.add_argument("--irregular-only", action="store_true")
    arguments.add_argument("--lawful-only", action="store_true")
    arguments.add_argument("--kind", action="append", default=[], help="an alert's kind; others are not put in")
    arguments.add_argument("--jobs", type=int, default=2, help="processes")
    arguments.add_argument("--faults", type=int, default=5, help="how many faults to describe, of each row")
    arguments.add_argument("--record", metavar="NAME", help="print the recording of the game that a fault names")
    args = arguments.parse_args()
    if args.record:
        staged = staged_named(args.record)
        for line in lines(staged.header, staged.inputs):
            print(line)
        return 0
    tallies: dict[tuple[Senses, str], Tally] = {}
    found: dict[tuple[str, Future, Senses], Findings] = {}
    senses = args.senses or list(SENSES)
    with ProcessPoolExecutor(args.jobs) as workers:
        lawful = [] if args.irregular_only else list(plays(args.level or list(levels()), senses, args.plies))
        irregular = [] if args.lawful_only else list(puts(senses, args.kind, args.sample))
        for play, tally in workers.map(work_play, lawful):
            tallies.setdefault((play.senses, play.level), Tally()).add(tally)
        for put, totals in workers.map(work_put, irregular):
            for sort, findings_there in totals.items():
                found.setdefault((put.offence, put.future, sort), Findings()).add(findings_there)
    text = page(tallies, found, args.faults)
    if args.write:
        Path(args.write).write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
