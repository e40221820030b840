"""Real games on a DGT board in software, in virtual time: board -> line -> talk -> Session, and what came of each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_args

from benchmarks.accuracy import ACCUSATIONS, Heard, wrong_plies
from benchmarks.real_games import COMBINATIONS, compare, fold, playable, regulation_of, sources
from benchmarks.staging import Faults, Staged, first_difference
from benchmarks.talked_games import Played, TalkedGame

from damas_board.decoding.dgt.conversation import DgtTalk, Timing
from damas_board.decoding.square_map import Corner, SquareMap
from damas_board.notation.time_control import TimeControl, read_time_control
from damas_board.session.events import PlayedMove
from damas_board.session.header import Senses, Settings
from damas_board.session.session import Session
from damas_board.sources.adapter import Place
from damas_board.sources.dgt import DGT, DgtOptions
from damas_board.sources.dgt_options import setting_of
from simulator.clock import VirtualClock
from simulator.dgt.boards import board_for
from simulator.dgt.memory import LogMemory
from simulator.faults import Bounce, Dropout, Fault, Ghost, LateFrames, LostBytes, Reset, Stuck, Unplugged, WeakSquare
from simulator.games import PlayedGame
from simulator.hand import Hand
from simulator.irregular import true_ply
from simulator.levels import Level
from simulator.player import Player
from simulator.recorded import header
from simulator.talk_cable import TalkCable

OF_EACH = {
    "international": 22,
    "frisian": 8,
    "antidraughts": 7,
    "brazilian": 14,
    "russian": 14,
    "english": 14,
    "italian": 10,
    "czech": 10,
    "turkish": 1,
}
"""One hundred public games, of all variants with public games; of one only there is a single game."""
SEED = 9
BEFORE = 20.0
"""The board has stood still for this long, seconds, before the first player begins to think."""
CORNERS = get_args(Corner)
BLUETOOTH_SETTINGS = {"overlap_seconds": 1.2, "touch_seconds": 0.7, "settle_seconds": 0.7, "rest_seconds": 2.1}
"""What the page tells to write for a board by Bluetooth."""
CONTROL = read_time_control("3600+5")


@dataclass(frozen=True, slots=True)
class Rig:
    """A board, and how its table says it is."""

    pieces: str
    bluetooth: bool = False
    corner: Corner = "black-left"
    senses: Senses = "colour"
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of [board.adapter]."""
    control: TimeControl | None = None
    settings: Mapping[str, float] = field(default_factory=dict)
    """Of [board.settings]."""

    @property
    def name(self) -> str:
        clock = "" if self.control is None else " clock"
        return f"{self.pieces}{' bluetooth' if self.bluetooth else ''}{clock} {self.corner} {self.senses}"


def rig_of(kind: str, number: int) -> Rig:
    """How the board of game `number` is: sets, corners, cable or Bluetooth, with and without a clock, in turn."""
    ten = regulation_of(kind)[0].variant.size == 10
    sets = ("draughts", "draughts before 2011") if ten else ("chess", "draughts", "chess mixed", "draughts before 2011")
    pieces = sets[number % len(sets)]
    kinds = number % 5 == 0
    options: dict[str, Any] = {}
    if kinds and pieces.startswith("chess"):
        options["kings"] = ("king", "queen")
    elif kinds and pieces == "draughts before 2011":
        options["pieces"] = "before_2011"
    return Rig(
        pieces,
        bluetooth=number % 3 == 2,
        corner=CORNERS[number // 2 % len(CORNERS)],
        senses="kind" if kinds else "colour",
        options=options,
        control=CONTROL if number % 2 else None,
        settings=BLUETOOTH_SETTINGS if number % 3 == 2 else {},
    )


class Table(TalkedGame):
    """A game on a board in software, read through its talk; what a Session makes of it."""

    def __init__(
        self,
        kind: str,
        start: PlayedGame,
        chosen: Level,
        seed: int,
        rig: Rig,
        faults: Sequence[Fault] = (),
        timing: Timing | None = None,
    ) -> None:
        self.game = start
        self.regulation, text = regulation_of(kind)
        variant = self.regulation.variant
        clock = VirtualClock()
        self.board = board_for(
            variant,
            clock,
            corner=rig.corner,
            pieces=rig.pieces,
            bluetooth=rig.bluetooth,
            control=rig.control,
            faults=faults,
            seed=seed,
        )
        place = Place("", variant.size, variant.corner, rig.corner, rig.senses, clock_a="white", variant=variant)
        self.board.memory = LogMemory(variant.size**2)
        setting = setting_of(place, DgtOptions(**rig.options))
        cable = TalkCable(
            self.board, clock, lambda at, known: DgtTalk(at, setting, known, timing), self.board.connected
        )
        first = header(start.start, self.regulation.name, regulation_text=text, senses=rig.senses)
        first = replace(first, settings=Settings(**{**DGT.settings, **rig.settings}))
        super().__init__(clock, cable, Session(first, self.regulation))
        self.player = Player(self.board, clock, chosen, seed, levers=rig.control is not None)
        self.player.set_up(start.start)

    def play(self) -> None:
        """From the port's opening to some time after the last move."""
        self.run(BEFORE)
        self.run_through(self.player.steps(self.game))
        self.rest()

    @property
    def record(self) -> list[PlayedMove]:
        return fold(self.events)


def played(kind: str, game: PlayedGame, chosen: Level, seed: int, rig: Rig, name: str = "") -> Played:
    """What came of a game."""
    table = Table(kind, game, chosen, seed, rig)
    table.play()
    _, fault = compare(game, table.record)
    outcome = Played(1, len(game.moves), int(not fault), Counter(alert.kind for alert in table.alerts))
    what = f"{name} on {rig.name} at level {chosen.name} with seed {seed}"
    if fault:
        outcome.faults.append(f"{what}: {fault}")
    outcome.faults += [f"{what}: {alert.kind} of ply {alert.ply} at {alert.at:.2f}" for alert in table.alerts]
    return outcome


def sample(kind: str, count: int) -> list[tuple[str, int]]:
    """`count` public games of a kind, always the same ones; combinations are no whole games."""
    games = [(s, i) for s in sources(kind) if not s.endswith(COMBINATIONS) for i in playable(s)]
    return sorted(random.Random(f"{SEED} {kind}").sample(games, count))


def hundred() -> Iterator[tuple[str, str, int]]:
    """Kind, source and index of the hundred games."""
    for kind, count in OF_EACH.items():
        for source, index in sample(kind, count):
            yield kind, source, index


# --- faults


@dataclass
class Garbled(Fault):
    """The cable changes bits, and there is no checksum; the top bit, which marks an id, as any other."""

    name = "garbled-bytes"
    sentence = "Some bytes that the board sends arrive as others."
    share: float = 0.05
    """How many frames, of 1, are hit."""

    def transmit(self, frame: bytes, at: float) -> tuple[float, bytes]:
        if self.random.random() >= self.share:
            return at, frame
        data = bytearray(frame)
        for _ in range(self.random.randint(1, 3)):
            data[self.random.randrange(len(data))] ^= 1 << self.random.randrange(8)
        return at, bytes(data)


FAULTS: Mapping[str, type[Fault]] = {
    kind.name: kind
    for kind in (Bounce, Dropout, Ghost, Stuck, WeakSquare, LateFrames, LostBytes, Garbled, Reset, Unplugged)
}
"""Those of our own board; what has no matrix of contacts has no ghosts of it, and what has no checksum is garbled."""
ON_A_SQUARE = ("stuck", "weak-square")


def fault_of(name: str, kind: str, rig: Rig, seed: int) -> Fault:
    """The fault with its ordinary parameters; one of a square is on one that is played on."""
    if name not in ON_A_SQUARE:
        return FAULTS[name](seed=seed)
    variant = regulation_of(kind)[0].variant
    square = random.Random(f"{name} {seed}").choice(variant.geometry.playable)
    return FAULTS[name](seed=seed, place=SquareMap(variant.size, "all", rig.corner).place(square))  # type: ignore[call-arg]


@dataclass
class Suffered:
    """What came of games on boards with a fault."""

    games: int = 0
    right: int = 0
    told: int = 0
    """Games whose record is not right, and that was told of each such ply."""
    silent: list[str] = field(default_factory=list)
    """What is wrong, and nobody was told."""
    accused: list[str] = field(default_factory=list)
    """Who was accused, of what."""
    alarms: Counter[str] = field(default_factory=Counter)
    """What was told of the board."""

    def add(self, other: Suffered) -> None:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def suffered(kind: str, game: PlayedGame, chosen: Level, seed: int, rig: Rig, fault: Fault) -> Suffered:
    """What came of a game on a board with a fault."""
    table = Table(kind, game, chosen, seed, rig, (fault,))
    table.play()
    truth = [true_ply(before, move) for before, move in zip(game.positions(), game.moves, strict=False)]
    hand = Hand(game.start, chosen, seed, now=BEFORE, clock=rig.control is not None)
    done = []
    for move in game.moves:
        hand.play(move)
        done.append(hand.now)
    staged = Staged("", table.session.header, table.regulation, table.inputs, truth, done, Faults())
    heard = Heard(table.events, table.record)
    right, difference = first_difference(truth, heard.record)
    wrong, _, untold = wrong_plies(staged, heard, right)
    what = f"{fault.name} on {rig.name} with seed {seed}"
    outcome = Suffered(1, int(not wrong), int(bool(wrong) and not untold))
    if untold:
        outcome.silent.append(f"{what}: {untold} of {wrong} plies, {difference}")
    for alert in table.alerts:
        if alert.kind in ACCUSATIONS:
            outcome.accused.append(
                f"{what}: {alert.kind} of ply {alert.ply} {' '.join(alert.squares)} at {alert.at:.2f}"
            )
        else:
            outcome.alarms[alert.kind] += 1
    return outcome
