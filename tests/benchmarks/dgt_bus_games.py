"""Real games at many tables whose DGT boards share one line, in virtual time, and what a Session made of each.

From the folder `tests`: python -m benchmarks.dgt_bus_games --boards 20
"""

from __future__ import annotations

import argparse
import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.dgt_games import BEFORE, CONTROL, Played, hundred
from benchmarks.real_games import compare, fold, game_of, regulation_of
from dgt_bus_cable import BusCable

from damas_board.decoding.dgt.bus import address_of
from damas_board.decoding.talk import Away, ClockShown, LeverPressed, Missed, Shown, Told
from damas_board.session.events import AlertRaised, Event
from damas_board.session.header import Settings
from damas_board.session.inputs import ClockReading, Input, Lever, Link, See, Tick
from damas_board.session.session import Session
from damas_board.sources.adapter import Place
from damas_board.sources.dgt_bus import DGT_BUS, DgtBusOptions
from damas_board.sources.dgt_options import setting_of
from simulator.dgt.bus import Habits
from simulator.dgt.clock import DgtClock
from simulator.games import PlayedGame
from simulator.levels import level
from simulator.player import Player
from simulator.recorded import LAST_LOOK, header


class Table:
    """A game at one board of the line."""

    def __init__(
        self,
        cable: BusCable,
        number: int,
        kind: str,
        game: PlayedGame,
        name: str,
        *,
        player: str,
        habits: Habits,
        clock: bool,
        settings: Mapping[str, float],
    ) -> None:
        self.name = name
        self.game = game
        regulation, text = regulation_of(kind)
        variant = regulation.variant
        options = DgtBusOptions(address=f"{number:05}")
        place = Place("", variant.size, variant.corner, "black-left", "colour", clock_a="white", variant=variant)
        dgt_clock = DgtClock(CONTROL, first="black" if variant.first else "white", seed=number) if clock else None
        self.board = cable.bus.add(
            variant.size,
            serial=options.address,
            dark=variant.corner,
            pieces="draughts" if variant.size == 10 else "chess mixed",
            dgt_clock=dgt_clock,
            habits=habits,
            seed=number,
        )
        cable.talk.join(address_of(options.address), setting_of(place, options), cable.clock.now())
        first = header(game.start, regulation.name, regulation_text=text, senses="colour")
        first = replace(first, settings=Settings(**{**DGT_BUS.settings, **settings}))
        self.session = Session(first, regulation)
        self.player = Player(self.board, cable.clock, level(player), number, levers=clock)
        self.player.set_up(game.start)
        self.events: list[Event] = []
        self._linked = True

    def hear(self, told: Told) -> None:
        for item in self._inputs(told):
            self.events += self.session.feed(item)

    def _inputs(self, told: Told) -> Iterator[Input]:
        match told:
            case Shown(at, rows, was):
                if not self._linked:
                    yield Link(at, "back")
                self._linked = True
                yield See(at, rows, was=was)
            case Missed(at, shown):
                self._linked = True
                yield Link(at, "back", whole=True)
                for one in shown:
                    yield See(one.at, one.rows, was=one.was)
            case ClockShown(at, white, black, running):
                yield ClockReading(at, white, black, running)
            case LeverPressed(at, side):
                yield Lever(at, side)
            case Away(at, reason):
                self._linked = False
                yield Link(at, "lost", reason)

    def outcome(self) -> Played:
        alerts = [event for event in self.events if isinstance(event, AlertRaised) and event.severity != "note"]
        _, fault = compare(self.game, fold(self.events))
        played = Played(1, len(self.game.moves), int(not fault), Counter(alert.kind for alert in alerts))
        if fault:
            played.faults.append(f"{self.name}: {fault}")
        played.faults += [f"{self.name}: {alert.kind} of ply {alert.ply} at {alert.at:.2f}" for alert in alerts]
        return played


def hall(
    games: Sequence[tuple[str, str, int]],
    *,
    player: str = "club",
    seed: int = 0,
    habits: Mapping[str, Any] | None = None,
    clocks: bool = True,
    settings: Mapping[str, float] | None = None,
) -> Played:
    """One line with a table for each of the games; all begin at once."""
    cable = BusCable(seed=seed)
    tables = [
        Table(
            cable,
            number,
            kind,
            game_of(source, index),
            f"{source}#{index}",
            player=player,
            habits=Habits(**(habits or {})),
            clock=clocks and number % 2 == 0,
            settings=settings or {},
        )
        for number, (kind, source, index) in enumerate(games, 1)
    ]
    by_address = {table.board.bus_address: table for table in tables}

    def run(until: float) -> None:
        for address, told in cable.run(max(until - cable.clock.now(), 0.0)):
            if address is not None:
                by_address[address].hear(told)
        cable.heard.clear()
        cable.sent.clear()

    run(BEFORE)
    steps = [(next(each), number, each) for number, each in enumerate(t.player.steps(t.game) for t in tables)]
    heapq.heapify(steps)
    while steps:
        at, number, each = steps[0]
        run(at)
        following = next(each, None)
        if following is None:
            heapq.heappop(steps)
        else:
            heapq.heapreplace(steps, (max(following, cable.clock.now()), number, each))
    run(cable.clock.now() + LAST_LOOK)
    outcome = Played()
    for table in tables:
        table.events += table.session.feed(Tick(cable.clock.now()))
        outcome.add(table.outcome())
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=20, help="on each line")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--player", default="club")
    parser.add_argument("--bad", type=float, default=0.0, help="share of answers that are lost, and of spoiled ones")
    chosen = parser.parse_args()
    games = list(hundred())
    games = games[:: max(len(games) // chosen.games, 1)][: chosen.games]
    total = Played()
    for start in range(0, len(games), chosen.boards):
        total.add(
            hall(
                games[start : start + chosen.boards],
                player=chosen.player,
                seed=start,
                habits={"lost": chosen.bad, "spoiled": chosen.bad},
            )
        )
        print(f"{total.games} games, {total.plies} plies, {total.right} right, alerts {dict(total.alerts)}", flush=True)
    print("\n".join(total.faults))


if __name__ == "__main__":
    main()
