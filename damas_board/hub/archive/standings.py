"""The standings table of a meeting, from its results; and the table as CSV. No database here.

Points: a win is worth what the regulation's scoring says, 2 (draw 1) or 1 (draw 1/2), for each game; a match is the sum
of its games. Ties are broken, in this order, by the number of games won and by Sonneborn-Berger: the points of those
who were beaten, and half the points of those who were drawn with, once for each game. Who is still equal shares the
place. A pairing without an opponent (a bye) counts for the points that its result gives, and for no tie-break but wins.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from typing import Literal

Winner = Literal["white", "black", "draw"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", "|", "%")
"""What a spreadsheet takes for the beginning of a formula or a command, full-width forms included."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player as a table names one."""

    player: str
    name: str
    federation: str | None = None
    rating: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game that counts: players by their keys, None where there was nobody; `win`: the points for one."""

    white: str | None
    black: str | None
    winner: Winner
    win: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table; its fields are the columns of the CSV."""

    place: int
    player: str
    name: str
    federation: str | None
    rating: str | None
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    sonneborn_berger: float


@dataclass(slots=True)
class _Score:
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0


def standings(people: Iterable[Person], outcomes: Iterable[Outcome]) -> list[Standing]:
    """The table, best first; who has played nobody stands in it too. Players of outcomes are among `people`."""
    known = {person.player: person for person in people}
    scores = {player: _Score() for player in known}
    counted = list(outcomes)
    for outcome in counted:
        for player, side in ((outcome.white, "white"), (outcome.black, "black")):
            if player is not None:
                _count(scores[player], outcome, side)
    strength = {player: _sonneborn_berger(player, counted, scores) for player in known}
    order = sorted(known, key=lambda player: (*_rank(scores[player], strength[player]), known[player].name, player))
    table: list[Standing] = []
    for number, player in enumerate(order, 1):
        person, score = known[player], scores[player]
        line = Standing(
            *(number, player, person.name, person.federation, person.rating),
            *(score.wins + score.draws + score.losses, score.wins, score.draws, score.losses),
            *(score.points, strength[player]),
        )
        equal = bool(table) and _line_rank(table[-1]) == _line_rank(line)
        table.append(Standing(table[-1].place, *astuple(line)[1:]) if equal else line)
    return table


def standings_csv(table: Iterable[Standing]) -> str:
    """The table as CSV (RFC 4180) with a header row; no cell is taken for a formula by a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(field.name for field in fields(Standing))
    for line in table:
        writer.writerow(_cell(value) for value in astuple(line))
    return text.getvalue()


def _count(score: _Score, outcome: Outcome, side: str) -> None:
    if outcome.winner == "draw":
        score.draws += 1
        score.points += outcome.win / 2
    elif outcome.winner == side:
        score.wins += 1
        score.points += outcome.win
    else:
        score.losses += 1


def _sonneborn_berger(player: str, outcomes: Iterable[Outcome], scores: Mapping[str, _Score]) -> float:
    total = 0.0
    for outcome in outcomes:
        if player not in (outcome.white, outcome.black) or None in (outcome.white, outcome.black):
            continue
        own, other = ("white", outcome.black) if outcome.white == player else ("black", outcome.white)
        assert other is not None
        share = 0.5 if outcome.winner == "draw" else float(outcome.winner == own)
        total += share * scores[other].points
    return total


def _rank(score: _Score, strength: float) -> tuple[float, ...]:
    return (-score.points, -score.wins, -strength)


def _line_rank(line: Standing) -> tuple[float, ...]:
    return (line.points, line.wins, line.sonneborn_berger)


def _cell(value: object) -> object:
    if isinstance(value, float):
        return f"{value:g}"
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA) else value
