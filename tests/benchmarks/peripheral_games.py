"""Real games on a board in software that speaks the chess-peripheral protocol, in virtual time, and what came of each.

PYTHONPATH=tests python tests/benchmarks/peripheral_games.py     some games of each variant, moves in each way
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.real_games import COMBINATIONS, OWN, compare, fold, game_of, playable, regulation_of, sources
from benchmarks.talked_games import Played, TalkedGame

from damas_board.decoding.peripheral.conversation import Manner, Memory, PeripheralTalk
from damas_board.rules.position import Move
from damas_board.session.events import BoardChanged
from damas_board.session.header import Senses
from damas_board.session.session import Session
from simulator.clock import VirtualClock
from simulator.faults import Fault
from simulator.games import PlayedGame
from simulator.levels import Level
from simulator.peripheral import ALL_FEATURES, GET_STATE, STREAM, PeripheralBoard
from simulator.player import Player
from simulator.recorded import header
from simulator.talk_cable import TalkCable

KINDS = (
    "international",
    "frisian",
    "antidraughts",
    "brazilian",
    "russian",
    "english",
    "italian",
    "czech",
    "turkish",
    *OWN,
)
MOVES_ONLY = ALL_FEATURES - {STREAM, GET_STATE}
SEED = 9
BEFORE = 12.0
"""The board has stood still for this long, seconds, before the first move."""
BETWEEN = 2.5
"""From one move to the next, where they come in one go."""


@dataclass(frozen=True, slots=True)
class Rig:
    """How the board is, and what its table says of it."""

    name: str
    board: dict[str, Any] = field(default_factory=dict)
    manner: dict[str, Any] = field(default_factory=dict)
    senses: Senses = "colour"


RIGS = {
    rig.name: rig
    for rig in (
        Rig("ends", {"features": MOVES_ONLY}),
        Rig("path", {"features": MOVES_ONLY, "captures": "path", "sign": "-"}),
        Rig("victims", {"features": MOVES_ONLY, "captures": "victims", "sign": "x"}),
        Rig("ends in numbers", {"features": MOVES_ONLY, "numbers": True}, {"squares": "numbers"}),
        Rig("ends in letters", {"features": MOVES_ONLY, "numbers": False}, {"squares": "letters"}),
        Rig("deaf, path in letters", {"features": MOVES_ONLY, "captures": "path", "numbers": False, "deaf": True}),
        Rig("rows", {"features": MOVES_ONLY, "fen": "rows", "tells": "colour", "ending": "\r\n"}, {"fen": "rows"}),
        Rig("asked", {"features": MOVES_ONLY | {GET_STATE}, "tells": "occupancy"}),
        Rig("answers nothing", {"features": frozenset(), "answers": False}),
        Rig("streams", {"tells": "occupancy"}, senses="occupancy"),
        Rig("streams kinds", {}),
    )
}


class Table(TalkedGame):
    """A game on a board in software, read through its talk; what a Session makes of it."""

    def __init__(self, kind: str, game: PlayedGame, rig: Rig, faults: Sequence[Fault] = ()) -> None:
        self.game = game
        self.regulation, text = regulation_of(kind)
        variant = self.regulation.variant
        clock = VirtualClock()
        self.board = PeripheralBoard(variant, clock, faults=faults, **rig.board)
        manner = Manner(variant="any", colours=rig.senses != "occupancy", **rig.manner)
        self.memory = Memory()
        cable = TalkCable(self.board, clock, lambda at, known: PeripheralTalk(at, variant, manner, known, self.memory))
        first = header(game.start, self.regulation.name, regulation_text=text, senses=rig.senses)
        super().__init__(clock, cable, Session(first, self.regulation))
        self.board.stand(game.start)

    def open(self) -> None:
        """The port, and look at what stands there."""
        self.run(BEFORE)

    def wait(self, seconds: float) -> None:
        self.run(self.clock.now() + seconds)

    def make(self, move: Move) -> None:
        """A move in one go, said by the board."""
        self.board.play(move)
        self.wait(BETWEEN)

    def play(self) -> None:
        """The whole game, so."""
        self.open()
        for move in self.game.moves:
            self.make(move)
        self.rest()

    def restart(self) -> None:
        """The reader's program begins anew: of the board it knows what it showed last."""
        self.memory.stands = ()
        self.board.data_to_send()
        self.cable.talk = None

    def play_by_hand(self, chosen: Level, seed: int) -> None:
        """The whole game by two players' hands."""
        self.open()
        self.run_through(Player(self.board, self.clock, chosen, seed).steps(self.game))
        self.rest()

    def played(self, name: str) -> Played:
        _, fault = compare(self.game, fold(self.events))
        alerts = Counter(alert.kind for alert in self.alerts)
        mismatches = sum(isinstance(e, BoardChanged) and e.state == "mismatch" for e in self.events)
        if not fault and mismatches:
            fault = f"{mismatches} times nothing explained the board"
        return Played(1, len(self.game.moves), not fault, alerts, [f"{name}: {fault}"] if fault else [])


def sample(kind: str, count: int) -> Iterator[tuple[str, PlayedGame]]:
    """`count` games of `kind`, always the same, spread over all of them."""
    games = [(s, i) for s in sources(kind) if not s.endswith(f"/{COMBINATIONS}") for i in playable(s)]
    for source, index in games[:: max(len(games) // count, 1)][:count]:
        yield f"{source}#{index}", game_of(source, index)


def play(kind: str, count: int, rig: Rig) -> Played:
    total = Played()
    for name, game in sample(kind, count):
        table = Table(kind, game, rig)
        table.play()
        total.add(table.played(f"{name} ({rig.name})"))
    return total


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for name in sys.argv[2:] or RIGS:
        everything = Played()
        for kind in KINDS:
            everything.add(play(kind, count, RIGS[name]))
        print(f"{name:24}{everything.games:5}{everything.plies:7}{everything.right:5} {dict(everything.alerts)}")
        for fault in everything.faults[:12]:
            print("   ", fault[:300])
    return 0


if __name__ == "__main__":
    sys.exit(main())
