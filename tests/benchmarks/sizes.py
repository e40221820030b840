"""How much a game weighs: messages and bytes on MQTT, for the public, in the journal, in the archive, as PDN.

    python tests/benchmarks/sizes.py                                  what docs/scaling.md quotes
    python tests/benchmarks/sizes.py --games 5 --level scramble --regulation int-fmjd

Invented games are played by a simulated hand, in virtual time, into a Session; what comes out goes through the
encoders, the journal and the archive that the program uses. The arithmetic at the end is for the boards and viewers of
the table that docs/scaling.md has.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path

from damas_board.hub.archive import Archive
from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope, encode, timestamp
from damas_board.messages.publication import PublicCopy, Terms, public_state
from damas_board.messages.score import game_text
from damas_board.messages.stream import Record, fold
from damas_board.messages.topics import Kind, topic
from damas_board.regulations import Regulation, shipped
from damas_board.session.header import Header
from damas_board.session.inputs import See
from damas_board.session.session import Session
from damas_board.sinks.journal import Journal
from damas_board.sinks.mqtt import state_object
from simulator.games import invented
from simulator.levels import level
from simulator.recorded import inputs

MEETING = "autumn-open-2026"
ACKNOWLEDGED = 4
"""Bytes of a PUBACK."""
SEES_A_SECOND = 5
PLAYERS = {
    "white": {"name": "Ana Maria Albuquerque", "federation": "BRA", "rating": 2105, "id": "1234567"},
    "black": {"name": "Rui Pedro Figueiredo", "federation": "POR", "rating": 1998, "id": "7654321"},
}
BOARDS, VIEWERS, ROUND_HOURS, ROUNDS_A_DAY, GAMES_WATCHED = 10_000, 1_000_000, 2.0, 3, 1


@dataclass
class Amount:
    """Of one topic or store."""

    messages: int = 0
    bytes: int = 0

    def add(self, size: int) -> None:
        self.messages += 1
        self.bytes += size


@dataclass
class Weights:
    """What all games came to."""

    events: Amount = field(default_factory=Amount)
    states: Amount = field(default_factory=Amount)
    sees: Amount = field(default_factory=Amount)
    public_events: Amount = field(default_factory=Amount)
    public_states: Amount = field(default_factory=Amount)
    last_states: Amount = field(default_factory=Amount)
    compressed_states: Amount = field(default_factory=Amount)
    pdn: Amount = field(default_factory=Amount)
    journal: Amount = field(default_factory=Amount)
    archive: Amount = field(default_factory=Amount)
    games: int = 0
    plies: int = 0
    readings: int = 0


NAMES = {
    "events": "game/{g}/event",
    "states": "game/{g}/state, retained",
    "sees": "board/{b}/see, at most 5 a second",
    "public_events": "public/game/{g}/event",
    "public_states": "public/game/{g}/state, retained",
    "last_states": "the last public state",
    "compressed_states": "the last public state, gzip",
    "pdn": "the game as PDN",
    "journal": "journal on disk (inputs; events)",
    "archive": "archive on disk (events)",
}
HALL = ("events", "states", "sees")
PUBLIC = ("public_events", "public_states")


def wire(kind: Kind, name: str, payload: bytes) -> int:
    """Bytes of a PUBLISH with that payload, and of its acknowledgement; without TCP and IP."""
    place = topic(kind, MEETING, name)
    rest = 2 + len(str(place)) + (2 if place.qos else 0) + len(payload)
    length = 1 if rest < 128 else 2 if rest < 16384 else 3
    return 1 + length + rest + (ACKNOWLEDGED if place.qos else 0)


def play(
    weights: Weights, number: int, regulation: Regulation, chosen: str, journal: Journal, archive: Archive
) -> None:
    """One game, from its first reading to what is kept of it."""
    game = f"table-{number}-20261128-1"
    header = Header("table-1", regulation.name, game=game, players=PLAYERS, clock="3600+10", utc="2026-11-28T10:00:00Z")
    assert header.utc is not None
    session, copy = Session(header, regulation), PublicCopy()
    record, stream = Record(), []
    public_seq, last_see = 0, float("-inf")
    journal.begin_game(header, 0.0)
    played = invented(regulation.variant, number)
    state = b""
    for item in inputs(played, level(chosen), number, clock=True):
        numbers, _ = journal.append("table-1", game, [item])
        ts = timestamp(header.utc, item.at)
        if isinstance(item, See):
            weights.readings += 1
            if item.at - last_see >= 1 / SEES_A_SECOND:
                last_see = item.at
                seen = Envelope("damas.see/1", ts, "table-1", game, body={"at": item.at, "see": item.rows})
                weights.sees.add(wire(Kind.BOARD_SEE, "table-1", encode(seen)))
        bodies = [event_object(event) for event in session.feed(item)]
        rows, _ = journal.fed("table-1", game, numbers[0], bodies)
        for row in rows:
            made = Envelope("damas.event/1", ts, "table-1", game, 1, row.seq, row.body)
            weights.events.add(wire(Kind.GAME_EVENT, game, encode(made)))
            stream.append(made)
            record = fold(record, made)
            copy.take(made, item.at)
            copy.caught_up()
        if not rows:
            continue
        told = {key: value for key, value in state_object(session.state).items() if key != "game"}
        now = Envelope("damas.state/1", ts, "table-1", game, 1, rows[-1].seq, {"at": item.at, **told})
        weights.states.add(wire(Kind.GAME_STATE, game, encode(now)))
        public = copy.publish(item.at, Terms())
        for body in public:
            public_seq += 1
            shown = Envelope("damas.event/1", body["ts"], None, game, 1, public_seq, body)
            weights.public_events.add(wire(Kind.PUBLIC_GAME_EVENT, game, encode(shown)))
        if public:
            state = encode(Envelope("damas.state/1", ts, None, game, 1, public_seq, public_state(copy)))
            weights.public_states.add(wire(Kind.PUBLIC_GAME_STATE, game, state))
    journal.flush().result(60)
    archive.take(MEETING, stream)
    weights.games += 1
    weights.plies += len(played.moves)
    weights.last_states.add(len(state))
    weights.compressed_states.add(len(gzip.compress(state)))
    weights.pdn.add(len(game_text(record, regulation, {}).encode()))


def measure(games: int, regulation: Regulation, chosen: str) -> Weights:
    weights = Weights()
    with tempfile.TemporaryDirectory() as folder:
        paths = {"journal": Path(folder, "journal.sqlite"), "archive": Path(folder, "archive.sqlite")}
        with Journal.open(paths["journal"]) as journal, Archive.open(f"sqlite:///{paths['archive']}") as archive:
            for number in range(1, games + 1):
                play(weights, number, regulation, chosen, journal, archive)
        for name, path in paths.items():
            size = sum(part.stat().st_size for part in Path(folder).glob(f"{path.name}*"))
            setattr(weights, name, Amount(games, size))
    return weights


def table(weights: Weights) -> Iterator[str]:
    plies = weights.plies / weights.games
    yield f"{weights.games} games, {plies:.0f} plies and {weights.readings / weights.games:.0f} readings each"
    yield ""
    yield "| a game | messages | a message | together |"
    yield "|---|---|---|---|"
    for one in fields(weights):
        amount = getattr(weights, one.name)
        if isinstance(amount, Amount):
            messages = amount.messages / weights.games
            size, together = amount.bytes / amount.messages, amount.bytes / weights.games
            yield f"| {NAMES[one.name]} | {messages:,.0f} | {amount_text(size)} | {amount_text(together)} |"


def amount_text(size: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def arithmetic(weights: Weights) -> Iterator[str]:
    """What 10,000 boards and 1,000,000 viewers come to."""
    games, seconds = weights.games, ROUND_HOURS * 3600
    hall = [getattr(weights, name) for name in HALL]
    public = [getattr(weights, name) for name in PUBLIC]
    messages = sum(one.messages for one in hall) / games
    size = sum(one.bytes for one in hall) / games
    shown = sum(one.messages for one in public) / games
    public_size = sum(one.bytes for one in public) / games
    watched = f"{VIEWERS:,} viewers of {GAMES_WATCHED} game each"
    yield f"{BOARDS:,} boards, {watched}, games of {ROUND_HOURS:g} h, {ROUNDS_A_DAY} a day"
    yield ""
    yield "| | a second | bandwidth |"
    yield "|---|---|---|"
    for name, factor, count, weight in (
        ("the halls' brokers take, all boards", BOARDS, messages, size),
        ("of it a hall of 64 boards", 64, messages, size),
        ("the public broker takes", BOARDS, shown, public_size),
        ("viewers get over MQTT", VIEWERS * GAMES_WATCHED, shown, public_size),
        ("viewers get over SSE (the events)", VIEWERS * GAMES_WATCHED, *per_game(weights.public_events, games)),
    ):
        yield f"| {name} | {factor * count / seconds:,.0f} | {bits(factor * weight / seconds)} |"
    polled = VIEWERS * GAMES_WATCHED / 10
    weight = weights.compressed_states.bytes / games
    yield f"| viewers ask a CDN every 10 s, nothing new | {polled:,.0f} | {bits(polled * 300)} |"
    new = VIEWERS * GAMES_WATCHED * weights.public_states.messages / games / seconds
    yield f"| of these with a new state | {new:,.0f} | {bits(new * (weight + 300))} |"
    yield ""
    day = BOARDS * ROUNDS_A_DAY
    for name in ("journal", "archive", "pdn"):
        yield f"a day's {name}: {amount_text(day * getattr(weights, name).bytes / games)}"


def per_game(amount: Amount, games: int) -> tuple[float, float]:
    return amount.messages / games, amount.bytes / games


def bits(size: float) -> str:
    """Bytes a second as a network's speed."""
    rate = size * 8
    for unit in ("bit/s", "kbit/s", "Mbit/s", "Gbit/s"):
        if rate < 1000:
            return f"{rate:,.1f} {unit}"
        rate /= 1000
    return f"{rate:,.1f} Tbit/s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--level", default="club")
    parser.add_argument("--regulation", default="br-cbjd")
    chosen = parser.parse_args()
    weights = measure(chosen.games, shipped(chosen.regulation), chosen.level)
    for line in (*table(weights), "", *arithmetic(weights)):
        print(line)


if __name__ == "__main__":
    main()
