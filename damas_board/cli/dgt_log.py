"""A DGT board's own log for a person: its entries in words, and the game since the start position as a recording."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Literal

from damas_board.cli.words import word
from damas_board.decoding.dgt.fields import marks_at
from damas_board.decoding.dgt.fields import rows as rows_of
from damas_board.decoding.dgt.log import Changed, Entry, Marked, Step, Tag, Timed, entries_of, gaps, replay
from damas_board.decoding.square_map import SquareMap
from damas_board.decoding.talk import Shown
from damas_board.messages.recording import header_object, input_object
from damas_board.regulations import Regulation
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side
from damas_board.session.header import Header
from damas_board.session.inputs import See

Bits = Literal[6, 7]
KNOWN_PART = 4
"""A start position stands where this part of the squares is known to be as it has them, and none not to be."""
FEWEST_CHANGES = 4
"""So many are two moves: less is no game."""
LONGEST = 24 * 3600.0
"""No game is looked for that took longer."""
ENTRY_SECONDS = 2.0
"""How long an entry takes in a recording: the log itself has no times."""


def entry_lines(
    data: bytes, squares: SquareMap, rules: Regulation, mark: Callable[[int], str], bits: Bits
) -> Iterator[str]:
    """A line an entry, the oldest first; `mark` of a piece code."""
    for entry in entries_of(data, squares.places, bits):
        yield _in_words(entry, squares, rules, mark)


def _in_words(entry: Entry, squares: SquareMap, rules: Regulation, mark: Callable[[int], str]) -> str:
    match entry:
        case Changed(field, code, soon):
            return f"{_square(field, squares, rules)}: {_piece(code, mark)}{_soon(soon)}"
        case Timed(left, seconds):
            time = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
            return word("dgt.log.time", side=word("dgt.left" if left else "dgt.right"), time=time)
        case Marked(tag):
            known = tag in set(Tag)
            return word(f"dgt.tag.{Tag(tag).name.lower()}") if known else word("dgt.log.tag", tag=f"{tag:#04x}")


def _square(field: int, squares: SquareMap, rules: Regulation) -> str:
    """The name of a square that is played on; of another one its number to the board."""
    geometry = rules.variant.geometry
    square = squares.square(field + 1)
    if geometry.playable_mask >> square & 1:
        return geometry.name(square)
    return word("dgt.log.field", field=field)


def _piece(code: int, mark: Callable[[int], str]) -> str:
    seen = mark(code)
    return word("dgt.log.empty") if seen == "." else word(f"dgt.mark.{seen}", code=f"{code:#04x}")


def _soon(soon: bool) -> str:
    return f", {word('dgt.log.soon')}" if soon else ""


def recording_lines(
    data: bytes,
    squares: SquareMap,
    rules: Regulation,
    mark: Callable[[int], str],
    present: str,
    bits: Bits,
    serial: str | None,
    game: int | None = None,
) -> list[str] | None:
    """The lines of a recording from the newest start position to the rows that are `present`; None where none leads.

    With `game` of the one before which so many began, up to where the next start position stood.
    """
    entries: Sequence[Entry] = entries_of(data, squares.places, bits)
    start = start_rows(initial(rules.variant), squares)
    if game is None:
        found = _led(entries, start, present, squares, mark)
    else:
        found = _followed(_game(entries, start, squares, mark, game), start, squares, mark)
    if not found:
        return None
    header = Header(f"dgt-{serial or 'board'}", rules.name, "kind")
    seen = [See(0.0, start), *(See(shown.at if shown.was is None else shown.was, shown.rows) for shown in found)]
    return [json.dumps(body, ensure_ascii=False) for body in (header_object(header), *map(input_object, seen))]


def _game(
    entries: Sequence[Entry], start: str, squares: SquareMap, mark: Callable[[int], str], number: int
) -> Sequence[Entry]:
    """What was logged of one game, 1 is the newest; nothing where there are not so many.

    The board has no mark of its own for every start position: what its entries say of the squares has to be it.
    """
    wanted = marks_at(squares, start)
    known: list[str | None] = [None] * len(wanted)
    stood = []
    for place, entry in enumerate(entries, 1):
        if entry == Marked(Tag.POWER_UP):
            known = [None] * len(wanted)
        if isinstance(entry, Changed):
            known[entry.field] = mark(entry.code)
        right = [said == there for said, there in zip(known, wanted, strict=True) if said is not None]
        if all(right) and len(right) >= len(wanted) // KNOWN_PART:
            stood.append(place)
    parts = [entries[place:end] for place, end in zip(stood, [*stood[1:], len(entries)], strict=True)]
    games = [part for part in parts if sum(isinstance(entry, Changed) for entry in part) >= FEWEST_CHANGES]
    return games[-number] if 1 <= number <= len(games) else ()


def _followed(
    entries: Sequence[Entry], start: str, squares: SquareMap, mark: Callable[[int], str]
) -> tuple[Shown, ...]:
    """What the entries make of the start position, one after the other; their times are made to look like play."""
    marks = list(marks_at(squares, start))
    steps = []
    for entry in entries:
        if isinstance(entry, Changed) and (new := mark(entry.code)) != (before := marks[entry.field]):
            marks[entry.field] = new
            steps.append(Step(entry.field, before, new, entry.soon, "".join(marks)))
    times = accumulate(gaps(steps, ENTRY_SECONDS * len(steps)))
    return tuple(Shown(at, rows_of(squares, step.board)) for at, step in zip(times, steps, strict=True))


def _led(
    entries: Sequence[Entry], start: str, present: str, squares: SquareMap, mark: Callable[[int], str]
) -> tuple[Shown, ...] | None:
    """What was shown behind the start position. How long that took nobody knows: it is made to look like play."""
    known = Shown(0.0, start)
    found = replay(entries, known, Shown(LONGEST, present), squares, mark)
    if found is None:
        return None
    usual = replay(entries, known, Shown(ENTRY_SECONDS * len(found), present), squares, mark)
    return usual if usual is not None and len(usual) == len(found) else found


def start_rows(position: Position, squares: SquareMap) -> str:
    """A position as a board shows it that tells men from kings."""
    marks = "".join(_mark_at(position, square) for square in squares.squares)
    return rows_of(squares, marks)


def _mark_at(position: Position, square: int) -> str:
    side = position.side_at(square)
    if side is None:
        return "."
    mark = "w" if side is Side.WHITE else "b"
    return mark.upper() if position.kings >> square & 1 else mark
