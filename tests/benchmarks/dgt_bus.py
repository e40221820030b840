"""How late a change is shown on a line of several DGT boards, in virtual time.

From the folder `tests`: python -m benchmarks.dgt_bus
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import median, quantiles

from dgt_bus_cable import BusCable, stands

from damas_board.decoding.dgt.reading import Setting
from damas_board.notation.time_control import read_time_control
from simulator.dgt.clock import DgtClock

COUNTS = (1, 2, 4, 8, 12, 16, 20, 30)
PLACES = (62, 64, 66, 68)
EVERY = 8.0
"""Seconds between two changes on one board: a hand lifts a piece, or puts it down, each few seconds."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=160.0, help="of play on each line")
    parser.add_argument("--bundle", type=float, default=0.016, help="how long a converter collects bytes, seconds")
    chosen = parser.parse_args()
    print(
        "boards  a round  one board played on: median   95%   all played on: median   95%   with clocks: median   95%"
    )
    for fields in ("all", "black"):
        print(f"asked for {fields} fields")
        for count in COUNTS:
            one = delays(count, chosen.seconds, chosen.bundle, fields, played=1)
            every = delays(count, chosen.seconds, chosen.bundle, fields, played=count)
            clocks = delays(count, chosen.seconds, chosen.bundle, fields, played=count, clocks=True)
            figures = "".join(
                f"{median(each):>18.2f} {quantiles(each, n=20)[-1]:>6.2f}" for each in (one, every, clocks)
            )
            print(f"{count:6}  {idle_round(count, chosen.bundle):7.2f} {figures}", flush=True)


def idle_round(count: int, bundle: float) -> float:
    """How long it takes to ask each board once where nothing happens, and none is spared, seconds."""
    cable = line(count, bundle, "all")
    cable.run(10.0)
    before = len(cable.requests())
    cable.run(20.0)
    asked = [at for at, _, address in cable.requests()[before:] if address == 1]
    return (asked[-1] - asked[0]) / (len(asked) - 1)


def delays(count: int, seconds: float, bundle: float, fields: str, *, played: int, clocks: bool = False) -> list[float]:
    """From a hand's act until the board is shown as it is then, for every act in `seconds`."""
    random = Random(count)
    cable = line(count, bundle, fields, clocks=clocks)
    cable.run(10.0)
    if clocks:
        for board in cable.boards:
            board.press("clock-b")
    offsets = [random.uniform(0, EVERY) for _ in range(played)]
    due = sorted(
        (offset + n * EVERY + random.uniform(0, 1), number)
        for number, offset in enumerate(offsets)
        for n in range(int(seconds / EVERY))
    )
    began = cable.clock.now()
    acts: list[tuple[int, float, str]] = []
    for at, number in due:
        cable.run(max(began + at - cable.clock.now(), 0.0))
        board = cable.boards[number]
        place = random.choice(PLACES)
        if board.pieces[place - 1]:
            board.lift(place)
        else:
            board.place(place, 1)
        acts.append((number, cable.clock.now(), stands(board)))
    cable.run(10.0)
    found = []
    for number, at, rows in acts:
        told = cable.told(cable.boards[number])
        found.append(min(item.at for item in told if getattr(item, "rows", None) == rows and item.at >= at) - at)
    return found


def line(count: int, bundle: float, fields: str, *, clocks: bool = False) -> BusCable:
    control = read_time_control("3600")
    assert control is not None
    cable = BusCable(bundle=bundle, seed=count)
    for number in range(1, count + 1):
        clock = DgtClock(control, seed=number) if clocks else None
        cable.add(f"{number:05}", Setting(fields="black" if fields == "black" else "all"), dgt_clock=clock, seed=number)
    return cable


if __name__ == "__main__":
    main()
