"""What is wrong with a board, from what was seen of each square: the cause where several squares have one.

First, whether the whole board is turned or wired in reverse: then each square is seen where that turn brings it. What
is left after taking the turn away are rows and columns that changed places, then pairs of squares; the turn is believed
that leaves the fewest. Squares that are never read, always read, or read along with another are put down to a wire
where all that hang on it are so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from calibration.check import Known
from calibration.tries import TIMES, Try
from calibration.wiring import Wire, Wiring
from damas_board.decoding.square_map import CORNERS, SquareMap

FEWEST = 4
"""Of the whole board nothing is told from fewer squares than these,"""
STRAYS = 0.2
"""nor is it called turned where a greater part of them is seen elsewhere all the same."""

FindingKind = Literal[
    "turned",
    "reversed",
    "mirrored",
    "swapped",
    "moved",
    "crossed",
    "elsewhere",
    "nothing",
    "dead_wire",
    "dead",
    "reversed_diode",
    "stuck_wire",
    "stuck",
    "weak",
    "restless",
    "joined",
    "together",
    "ghost",
    "no_diodes",
    "dead_button",
    "swapped_button",
    "restarted",
    "events_lost",
    "undecided",
    "untried",
    "untried_buttons",
    "untried_diodes",
    "once_more",
]
HARMLESS: frozenset[FindingKind] = frozenset({"once_more"})


@dataclass(frozen=True)
class Finding:
    """Something about `places` (as they were asked for), `others` (where they are seen), or `wires`."""

    kind: FindingKind
    places: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    wires: tuple[Wire, ...] = ()
    facts: Mapping[str, str | int | float] = field(default_factory=dict)

    @property
    def harmless(self) -> bool:
        return self.kind in HARMLESS


def findings(known: Known) -> list[Finding]:
    """Everything that is known to be wrong, the cause of most first; then what was not tried; then what is harmless."""
    turn = _turn(known)
    return [
        *turn.findings,
        *_moved(known, turn),
        *_dead(known, turn),
        *_stuck(known),
        *_together(known),
        *_ghosts(known),
        *_weak(known),
        *_buttons(known),
        *_link(known),
        *_left(known),
    ]


def _in(known: Known, *states: str) -> list[int]:
    return [place for place in known.order if known.tries.verdict(place).state in states]


def _seen(known: Known) -> dict[int, int]:
    """Where each place is seen, of those that are known to be seen."""
    seen = {place: place for place in _in(known, "good", "weak", "together")}
    return seen | {place: known.tries.verdict(place).other for place in _in(known, "elsewhere")}


# The whole board


@dataclass(frozen=True)
class _Turn:
    """Where the sensor of each place really is, by place, and the finding that says so."""

    to: Mapping[int, int]
    findings: tuple[Finding, ...] = ()


def _turn(known: Known) -> _Turn:
    wiring = known.wiring
    same = {place: place for place in range(1, wiring.places + 1)}
    seen = _seen(known)

    def explained(to: Mapping[int, int]) -> int:
        return sum(to.get(place) == other for place, other in seen.items())

    best = _Turn(same)
    fewest = len(list(_moved(known, best)))
    for finding, to in _turns(wiring):
        turn = _Turn(to, (finding,))
        left = list(_moved(known, turn))
        strays = sum(one.kind == "elsewhere" for one in left)
        if explained(to) >= FEWEST and strays <= STRAYS * len(seen) and 1 + len(left) < fewest:
            best, fewest = turn, 1 + len(left)
    return best


def _turns(wiring: Wiring) -> Iterator[tuple[Finding, Mapping[int, int]]]:
    """Every way in which a whole board may be turned, with where each place is then."""
    here = wiring.square_map
    places = range(1, wiring.places + 1)
    for corner in CORNERS:
        there = SquareMap(here.size, here.dark, corner)
        if corner != here.connector and there.geometry == here.geometry:
            finding = Finding("turned", facts={"connector": corner, "was": here.connector})
            yield finding, {place: there.place(here.square(place)) for place in places}
    for axis in ("rows", "columns"):
        wires = tuple(
            map(wiring.row, range(wiring.rows)) if axis == "rows" else map(wiring.column, range(wiring.columns))
        )
        flipped = {place: _flipped(wiring, place, axis) for place in places}
        yield Finding("reversed", wires=wires), {p: q for p, q in flipped.items() if q is not None}
    for diagonal in ("rising", "falling"):
        mirrored = {place: _mirrored(here, place, diagonal) for place in places}
        yield Finding("mirrored", facts={"diagonal": diagonal}), {p: q for p, q in mirrored.items() if q is not None}


def _flipped(wiring: Wiring, place: int, axis: str) -> int | None:
    row, column = wiring.cell(place)
    if axis == "rows":
        return wiring.place(wiring.rows - 1 - row, column)
    return wiring.place(row, wiring.columns - 1 - column)


def _mirrored(square_map: SquareMap, place: int, diagonal: str) -> int | None:
    row, column = divmod(square_map.square(place), square_map.size)
    last = square_map.size - 1
    row, column = (column, row) if diagonal == "rising" else (last - column, last - row)
    square = row * square_map.size + column
    return square_map.place(square) if square in square_map.squares else None


# Wires and squares that changed places


def _moved(known: Known, turn: _Turn) -> Iterator[Finding]:
    wiring = known.wiring
    back = {seen: place for place, seen in turn.to.items()}
    seen = {place: back.get(other, other) for place, other in _seen(known).items()}
    cells = {wiring.cell(place): wiring.cell(other) for place, other in seen.items()}
    rows = _majority(((r, s) for (r, c), (s, d) in cells.items() if c == d), (r for r, _ in cells))
    columns = _majority(((c, d) for (r, c), (s, d) in cells.items() if r == s), (c for _, c in cells))
    yield from _permuted(known, rows, wiring.row)
    yield from _permuted(known, columns, wiring.column)
    told: set[int] = set()
    for place, other in seen.items():
        row, column = wiring.cell(place)
        if place == other or place in told or other == wiring.place(rows.get(row, row), columns.get(column, column)):
            continue
        if seen.get(other) == place:
            told |= {place, other}
            yield Finding("crossed", (place, other))
        else:
            yield Finding("elsewhere", (place,), (other,))


def _majority(pairs: Iterable[tuple[int, int]], known: Iterable[int]) -> dict[int, int]:
    """Which wire each is seen as: where most of its squares, and at least two, are seen there and not on itself."""
    counts, totals = Counter(pairs), Counter(known)
    return {
        one: other for (one, other), count in counts.items() if one != other and count >= 2 and count > totals[one] / 2
    }


def _permuted(known: Known, to: Mapping[int, int], wire: Callable[[int], Wire]) -> Iterator[Finding]:
    for one, other in sorted(to.items()):
        if to.get(other) == one:
            if one < other:
                yield Finding("swapped", wire(one).places, wire(other).places, (wire(one), wire(other)))
        else:
            yield Finding("moved", wire(one).places, wire(other).places, (wire(one), wire(other)))


# Squares that are never, always, or not alone read


def _dead(known: Known, turn: _Turn) -> Iterator[Finding]:
    at = {turn.to.get(place, place): place for place in _in(known, "dead")}
    """Dead places, by where their sensors are."""
    alive = set(_seen(known).values()) | {
        place for place in known.order if any(tried.seen == place for tried in known.tries.of(place))
    }
    dead = set(at)
    if not alive and len(dead) >= FEWEST and not any(dead <= set(wire.places) for wire in known.wiring.wires):
        yield Finding("nothing", tuple(_in(known, "dead")))
        return
    for wire in _whole_wires(known.wiring, dead, alive):
        yield Finding("dead_wire", tuple(at.pop(place) for place in wire.places if place in at), wires=(wire,))
    backward = {ghost.diode for ghost in known.ghosts if ghost.times >= TIMES}
    for place in at.values():
        yield Finding("reversed_diode" if place in backward else "dead", (place,))


def _whole_wires(wiring: Wiring, bad: set[int], sound: set[int]) -> Iterator[Wire]:
    """The fewest wires on which only `bad` places are known, with at least three of them, or all."""
    left = set(bad)
    able = [wire for wire in wiring.wires if not sound & set(wire.places)]
    while able:
        wire = max(able, key=lambda wire: len(left & set(wire.places)))
        count = len(left & set(wire.places))
        if count < min(3, len(wire.places)) or count < 2:
            return
        yield wire
        able.remove(wire)
        left -= set(wire.places)


def _stuck(known: Known) -> Iterator[Finding]:
    stuck = set(_in(known, "stuck"))
    for wire in _whole_wires(known.wiring, stuck, set(known.order) - stuck):
        yield Finding("stuck_wire", tuple(place for place in wire.places if place in stuck), wires=(wire,))
        stuck -= set(wire.places)
    for place in known.order:
        if place in stuck:
            yield Finding("stuck", (place,))


def _together(known: Known) -> Iterator[Finding]:
    wiring = known.wiring
    pairs = {frozenset((place, known.tries.verdict(place).other)) for place in _in(known, "together")}
    left = sorted(tuple(sorted(pair)) for pair in pairs)
    for axis, wire in ((0, wiring.row), (1, wiring.column)):
        shared: dict[tuple[int, int], list[tuple[int, ...]]] = {}
        for pair in left:
            one, other = wiring.cell(pair[0]), wiring.cell(pair[1])
            if one[1 - axis] == other[1 - axis]:
                shared.setdefault((one[axis], other[axis]), []).append(pair)
        for (one_wire, other_wire), found in sorted(shared.items()):
            if len(found) >= 2:
                yield Finding("joined", wires=(wire(one_wire), wire(other_wire)))
                left = [pair for pair in left if pair not in found]
    for pair in left:
        yield Finding("together", pair)


def _ghosts(known: Known) -> Iterator[Finding]:
    tried = [ghost for ghost in known.ghosts if known.tries.verdict(ghost.diode).state != "dead"]
    found = [ghost for ghost in tried if ghost.times >= TIMES]
    if len(found) >= 2 and found == tried:
        yield Finding("no_diodes", tuple(ghost.diode for ghost in found), tuple(ghost.place for ghost in found))
        return
    for ghost in found:
        yield Finding("ghost", (ghost.diode,), (ghost.place,), facts={"corners": len(ghost.corners)})


# Weak squares, buttons, the link, and what was not tried


def figures(tries: Iterable[Try]) -> dict[str, int | float]:
    """How weak the tries were: each of these where it is above 0."""
    told = [tried for tried in tries if not tried.early]
    gaps = [gap for tried in told for gap in tried.dropouts]
    late = [tried.late for tried in told if tried.late is not None]
    found: dict[str, int | float] = {
        "tries": len(told),
        "unseen": sum(tried.seen is None for tried in told),
        "gaps": len(gaps),
        "longest_gap": round(max(gaps, default=0.0), 3),
        "restless": sum(tried.restless for tried in told),
        "late": len(late),
        "latest": round(max(late, default=0.0), 1),
        "slow": sum(tried.slow for tried in told),
    }
    return {key: value for key, value in found.items() if value}


def _weak(known: Known) -> Iterator[Finding]:
    for place in _in(known, "weak"):
        yield Finding("weak", (place,), facts=figures(known.tries.of(place)))
    for place, times in sorted(known.restless.items()):
        if times and known.tries.verdict(place).state != "weak":
            yield Finding("restless", (place,), facts={"times": times})


def _buttons(known: Known) -> Iterator[Finding]:
    for key, found in known.pressed.items():
        if found == "dead":
            yield Finding("dead_button", facts={"button": key.name.lower()})
        elif found not in ("good", "skipped"):
            yield Finding("swapped_button", facts={"button": key.name.lower(), "came": found})


def _link(known: Known) -> Iterator[Finding]:
    if known.restarts:
        yield Finding("restarted", facts={"times": known.restarts})
    if known.lost_events:
        yield Finding("events_lost", facts={"times": known.lost_events})


def _left(known: Known) -> Iterator[Finding]:
    if undecided := _in(known, "undecided"):
        yield Finding("undecided", tuple(undecided))
    if untried := _in(known, "open", "skipped"):
        yield Finding("untried", tuple(untried))
    unpressed = [key for key in known.buttons if known.pressed.get(key, "skipped") == "skipped"]
    if unpressed:
        yield Finding("untried_buttons", facts={"buttons": " ".join(key.name.lower() for key in unpressed)})
    passed_over = [ghost.diode for ghost in known.ghosts if ghost.skipped]
    if passed_over or (not known.finished and not untried and not unpressed):
        yield Finding("untried_diodes", tuple(passed_over))
    if again := [place for place in _in(known, "good") if len(known.tries.of(place)) > 1]:
        yield Finding("once_more", tuple(again))
