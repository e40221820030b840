"""The lots of a round: who has White, and which opening is played; the same lots draw the same again; pure.

Every table takes two lots, for its colours and for its opening, whether they are needed or not, behind one for an
opening of the whole round. Who is drawn for White does not depend on who was written down as White. So a round that was
drawn once is drawn again from the same lots, whatever else was drawn with them.

In a match of several games only the first one has a lot for its colours: then they alternate, and both players begin
each opening in turn (003 art. 12-14).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from damas_board.messages.rounds import Pairing, Player, Round
from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen, write_fen
from damas_board.regulations import Regulation
from damas_board.rules.match import drawn as chosen
from damas_board.rules.position import initial
from damas_board.rules.variant import Variant
from damas_board.session.opening import drawn

TEXTS: Mapping[str, str] = {
    "json": "not JSON: {error}",
    "table": "a table of openings is a JSON object of names and FENs, or a line for each opening",
    "opening": '"{name}": {error}',
    "free": "{regulation} has free openings ({article}): none is drawn",
    "regulation": "openings are drawn by a regulation: name one for the round",
}
"""The English of what may be wrong, by key."""


class LotsError(ValueError):
    """Lots that cannot be drawn; `key` is one of TEXTS, `line` is where in the table of openings, from 1."""

    def __init__(self, key: str, line: int | None = None, /, **facts: Any) -> None:
        self.key = key
        self.line = line
        self.facts: Mapping[str, Any] = facts
        super().__init__(TEXTS[key].format(**facts))


@dataclass(frozen=True, slots=True)
class Opening:
    name: str
    fen: str
    """The position that it leads to."""
    moves: str | None = None
    """The moves that lead there from the start; None where only the position is known."""


def read_openings(text: str, variant: Variant) -> tuple[Opening, ...]:
    """A table of openings: JSON, or a line each: moves or a FEN, with a name and `=` before it or not.

    JSON is an object of names and FENs (or moves), or one that has it as `all`; where `standard` lists names of `all`,
    only those are drawn from.
    """
    if text.lstrip().startswith(("{", "[")):
        return _of_json(text, variant)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        name, equals, rest = line.partition("=")
        what = (rest if equals else line).strip()
        if what:
            found.append(_opening(name.strip() if equals and name.strip() else what, what, variant, number))
    if not found:
        raise LotsError("table")
    return tuple(found)


def _of_json(text: str, variant: Variant) -> tuple[Opening, ...]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise LotsError("json", error.lineno, error=error.msg) from error
    except RecursionError as error:
        raise LotsError("table") from error
    table = data.get("all", data) if isinstance(data, dict) else None
    if not isinstance(table, dict) or not table or not all(isinstance(what, str) for what in table.values()):
        raise LotsError("table")
    standard = data.get("standard", list(table)) if table is not data else list(table)
    if (
        not isinstance(standard, list)
        or not standard
        or not all(isinstance(name, str) and name in table for name in standard)
    ):
        raise LotsError("table")
    return tuple(_opening(name, table[name], variant, None) for name in standard)


def _opening(name: str, what: str, variant: Variant, line: int | None) -> Opening:
    try:
        if ":" in what.partition(" ")[0]:
            return Opening(name, write_fen(read_fen(what, variant)))
        position = initial(variant)
        for move in drawn(what, position):
            position = position.after(move)
        return Opening(name, write_fen(position), " ".join(what.split()))
    except NotationError as error:
        raise LotsError("opening", line, name=name, error=error.message) from error


def drawn_round(
    planned: Round,
    lots: Iterable[float],
    *,
    colours: bool = True,
    openings: Sequence[Opening] = (),
    one: bool = False,
    earlier: Sequence[Round] = (),
) -> Round:
    """The round with its colours, and with an opening of `openings` for each table.

    `one`: one opening for all tables. `earlier` are the rounds before, in their order: they have the former games of
    its matches. Tables that have a regulation of their own keep their openings.
    """
    chance = iter(lots)
    for_all = next(chance)
    pairings = []
    for pairing in planned.pairings:
        for_white, for_opening = next(chance), next(chance)
        before = _games_before(pairing, earlier)
        changed = _coloured(pairing, for_white, before) if colours else pairing
        if openings and pairing.black is not None and pairing.regulation in (None, planned.regulation):
            changed = _opened(changed, for_all if one else for_opening, openings, before)
        pairings.append(changed)
    return replace(planned, pairings=tuple(pairings))


def check_lots(regulation: Regulation | None) -> None:
    """LotsError where no opening is drawn by this regulation."""
    if regulation is None:
        raise LotsError("regulation")
    if "lot" not in regulation.match.opening:
        article = regulation.match.articles.get("opening", regulation.name)
        raise LotsError("free", regulation=regulation.name, article=article)


def _games_before(pairing: Pairing, earlier: Sequence[Round]) -> list[Pairing]:
    """The former games of its match."""
    if pairing.match is None or pairing.black is None:
        return []
    players = {pairing.white.key, pairing.black.key}
    found = [p for planned in earlier for p in planned.pairings if p.match == pairing.match and p.black is not None]
    return [p for p in found if {player.key for player in _players(p)} == players]


def _players(pairing: Pairing) -> Iterator[Player]:
    yield pairing.white
    if pairing.black is not None:
        yield pairing.black


def _coloured(pairing: Pairing, lot: float, before: Sequence[Pairing]) -> Pairing:
    if pairing.black is None:
        return pairing
    players = sorted(_players(pairing), key=lambda player: player.key)
    if before:
        white = next(player for player in players if player.key != before[-1].white.key)
    else:
        white = players[chosen(lot, 2)]
    black = next(player for player in players if player.key != white.key)
    return replace(pairing, white=white, black=black)


def _opened(pairing: Pairing, lot: float, openings: Sequence[Opening], before: Sequence[Pairing]) -> Pairing:
    if len(before) % 2:
        return replace(pairing, fen=before[-1].fen, opening=before[-1].opening)
    had = {(former.fen, former.opening) for former in before}
    left = [opening for opening in openings if _of(opening) not in had] or list(openings)
    fen, moves = _of(left[chosen(lot, len(left))])
    return replace(pairing, fen=fen, opening=moves)


def _of(opening: Opening) -> tuple[str | None, str | None]:
    """The pairing's `fen` and `opening`: where the moves are known the game has them, and begins from the start."""
    return (opening.fen, None) if opening.moves is None else (None, opening.moves)
