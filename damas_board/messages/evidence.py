"""An alert's evidence: the part of the game's recording around it, which replays by itself, and its account; pure.

Where the part begins. It must make the same alert when it is replayed alone, so it begins with the whole turn that the
alert is about: with a reading in which the board agreed with the position before that turn, which is its `start`. Where
no reading of that turn did (a square that never reads right), the part begins a turn earlier, in the end with the
game's first input. An alert that hangs on what came long before (a player's time) has the whole game.

What was said before it and still holds is said again at its beginning: masked squares and 'I adjust' by commands with
ids of their own, how the board lies by the header.

The part is a recording of its own with a name of its own, and counts its plies from 1 and its alerts anew. So the
numbers of plies and the ids of alerts that a command in it names are told as the part counts them.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from damas_board.messages.account import AccountLine, account
from damas_board.messages.course import Course
from damas_board.messages.recording import header_object, input_object
from damas_board.notation.fen import read_fen
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant
from damas_board.session.header import Header
from damas_board.session.inputs import Button, Command, Input, See, Tick
from damas_board.tracking.sight import NOTHING, SightReader, disagreement

AFTER_SECONDS = 3.0
"""How long a part goes on after its alert was raised, or closed."""
CLOSED_SECONDS = 120.0
"""An alert that was closed later than this has its closing in the account only."""
WHOLE_GAME = frozenset({"flag_fallen", "wrong_opening"})
"""Kinds that hang on all that came before."""
_PLIES = {"rewind": "ply", "count": "from_ply"}
"""Commands that name a number of plies, and the key of it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """`header` and `inputs` are a recording; `account` is what happened, line by line, without words."""

    alert: Mapping[str, Any]
    header: Header
    inputs: tuple[Input, ...]
    account: tuple[AccountLine, ...]

    def recording(self) -> Iterator[str]:
        """The lines of the recording (format 1), without line ends."""
        for body in (header_object(self.header), *map(input_object, self.inputs)):
            yield json.dumps(body, ensure_ascii=False, separators=(",", ":"))


class NoAlertError(ValueError):
    """An alert that nobody raised; `near` are ids that there are, the likeliest first."""

    def __init__(self, asked: str, near: tuple[str, ...]) -> None:
        super().__init__(
            f"there is no alert {asked!r}; " + (f"there are {', '.join(near)}" if near else "there is none")
        )
        self.asked = asked
        self.near = near


def game_of(alert: str) -> str | None:
    """The game whose alert has that id; None for what is no alert's whole id."""
    game, _, number = alert.rpartition("-a")
    return game if game and number.isdecimal() else None


def found(course: Course, asked: str) -> Mapping[str, Any]:
    """The alert with that id, or in short `a3`. NoAlertError has the nearest ids, else the newest."""
    wanted = (asked, f"{course.game}-{asked}")
    ids = [str(alert["id"]) for alert in course.alerts]
    for alert in course.alerts:
        if alert["id"] in wanted:
            return alert
    raise NoAlertError(asked, nearest(asked, ids))


def nearest(asked: str, ids: Sequence[str]) -> tuple[str, ...]:
    """Ids that may have been meant, the likeliest first; where none is like it, the newest."""
    return tuple(get_close_matches(asked, ids, 5) or list(reversed(ids[-5:])))


def evidence(course: Course, alert: Mapping[str, Any], variant: Variant) -> Evidence:
    """The evidence of one of the alerts of `course`; `variant` is the one of its regulation."""
    opening = _opening(course, alert, variant)
    until = _until(course, alert)
    inputs = [_retold(i, course, alert, opening) for i in course.inputs[opening.index :] if i.at <= until]
    if opening.plies:
        inputs[1:1] = _still(course, alert, opening)
    if inputs and inputs[-1].at < (last := min(until, course.inputs[-1].at)):
        inputs.append(Tick(last))
    header = replace(course.header, game=str(alert["id"]))
    if opening.plies:
        turn = course.turn_at(opening.at)
        header = replace(header, start=opening.fen, turn=turn, starts="at_once")  # it had begun
    lines = account(course, alert, variant, opening.fen, opening.at, until)
    return Evidence(alert, header, tuple(inputs), tuple(lines))


@dataclass(frozen=True, slots=True)
class _Opening:
    plies: int
    """Plies of the record before the part."""
    fen: str
    index: int
    """The input that the part begins with."""
    at: float


def _opening(course: Course, alert: Mapping[str, Any], variant: Variant) -> _Opening:
    stood = course.stood_before(alert)
    first = min(float(alert["evidence"].get("from", alert["at"])), float(alert["at"]))
    plies = 0 if alert["kind"] in WHOLE_GAME else min(int(alert["ply"]), len(stood)) - 1
    while plies > 0:
        index = _agreeing(course, stood[plies].fen, stood[plies].since, first, variant)
        if index is not None:
            return _Opening(plies, stood[plies].fen, index, course.inputs[index].at)
        plies -= 1
    return _Opening(0, course.start, 0, -math.inf)


def _agreeing(course: Course, fen: str, since: float, until: float, variant: Variant) -> int | None:
    """The first reading that shows the whole position, of those from the one in force at `since` up to `until`.

    A square that the arbiter has masked by then counts as read.
    """
    position = read_fen(fen, variant)
    geometry = variant.geometry
    told = [command.at for command in course.done if command.do in ("orient", "move_to", "mask", "unmask")]
    heard = -1
    readings = [(index, item) for index, item in enumerate(course.inputs) if isinstance(item, See) and item.at <= until]
    in_force = max((n for n, (_, item) in enumerate(readings) if item.at <= since), default=0)
    for index, item in readings[in_force:]:
        if heard != (heard := bisect_right(told, item.at)):
            reader = SightReader(geometry, course.turn_at(item.at))
            masked = {geometry.square(name) for name in course.masked_at(item.at)}
            read = geometry.playable_mask & ~sum(1 << square for square in masked)
        sight = reader.read(item.rows, NOTHING)
        if not read & ~sight.known and not disagreement(position, sight, geometry.playable_mask) & read:
            return index
    return None


def _still(course: Course, alert: Mapping[str, Any], opening: _Opening) -> Iterator[Input]:
    """What was said before the part and still holds, as it is said again at its beginning."""
    before = {id(item) for item in course.inputs[: opening.index]}
    number = 0
    masked = course.masked_at(opening.at)
    moved: dict[str, float] = {}
    for event in course.events:
        if event["event"] in ("move", "move_revised") and event["ply"] <= opening.plies:
            down = float(event["at"] if event["down"] is None else event["down"])
            if down <= opening.at:
                moved[event["side"]] = down
    for item in [*masked.values(), *_announced(course)]:
        if id(item) not in before:
            continue
        for said in _said_again(item, opening.at, moved):
            if isinstance(said, Command):
                number += 1
                said = replace(said, id=f"{alert['id']}-again-{number}")
            yield said


def _announced(course: Course) -> list[Command | Button]:
    """Every 'I adjust', by whom ever."""
    done = [command for command in course.done if command.do == "adjust"]
    return [*done, *(item for item in course.inputs if isinstance(item, Button) and item.button == "adjust")]


def _said_again(item: Command | Button, at: float, moved: Mapping[str, float]) -> Iterator[Command | Button]:
    """`item` as it is said at `at`; nothing of it where its time is over, or its side has moved since (`moved`)."""
    if isinstance(item, Command) and item.do == "mask":
        yield replace(item, at=at)
        return
    named = item.side if isinstance(item, Button) else item.arguments.get("side")
    seconds = item.arguments.get("seconds") if isinstance(item, Command) else None
    for side in Side:
        if named in ("white", "black") and named != side.label:
            continue
        if seconds is None and item.at >= moved.get(side.label, -math.inf):
            again: dict[str, Any] = {"side": side.label}
        elif seconds is not None and item.at + seconds > at:
            again = {"side": side.label, "seconds": round(item.at + seconds - at, 6)}
        else:
            continue
        if isinstance(item, Button):
            yield replace(item, at=at, side=side.label)
        else:
            yield replace(item, at=at, arguments=again)


def _until(course: Course, alert: Mapping[str, Any]) -> float:
    raised = float(alert["at"])
    closing = course.closing(alert)
    closed = math.inf if closing is None else float(closing["at"])
    return (closed if closed - raised <= CLOSED_SECONDS else raised) + AFTER_SECONDS


def _retold(item: Input, course: Course, alert: Mapping[str, Any], opening: _Opening) -> Input:
    """An input as the part has it: a command names plies and alerts as the part counts them."""
    if not isinstance(item, Command):
        return item
    arguments = dict(item.arguments)
    key = _PLIES.get(item.do, "")
    if isinstance(arguments.get(key), int):
        arguments[key] = max(arguments[key] - opening.plies, 0)
    named = str(arguments.get("alert"))
    if game_of(named) is not None:
        number = int(named.rpartition("-a")[2]) - sum(1 for other in course.alerts if other["at"] < opening.at)
        arguments["alert"] = f"{alert['id']}-a{max(number, 0)}"
    return replace(item, arguments=arguments)
