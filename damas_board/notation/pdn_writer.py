"""Writes games as PDN 3.0: complete tags, moves from square to square, lines under 80 characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.notation.pdn_game import Clocks, PdnGame, Ply, regulation_variant
from damas_board.notation.results import in_form_of
from damas_board.rules.position import Position, initial
from damas_board.rules.side import Side

TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType")
"""The tags that every game has, in this order."""
_UNKNOWN = {"Date": "????.??.??"}
_OURS = ("gametype", "result", "setup", "fen")
_WIDTH = 79


def write_pdn(
    start: Position,
    plies: Sequence[Ply],
    tags: Mapping[str, str],
    result: str,
    *,
    clocks: bool = True,
    comment: str = "",
) -> str:
    """One game as PDN text that ends with an empty line.

    `result` is written as it is, in the tag and behind the moves; GameType, SetUp and FEN come from the position. A
    ply without a move, or with one that is no legal move, is written as a setup, `/FEN "..."/`.
    """
    begins_set_up = bool(plies) and plies[0].move is None
    lines = [_tag(name, value) for name, value in _complete(start, tags, result, begins_set_up)]
    return "\n".join((*lines, "", *_wrapped(_words(start, plies, result, clocks, comment)), "", ""))


def write_game(game: PdnGame, *, clocks: bool = True) -> str:
    """A game that was read, in the form in which this project writes; what could not be read is left out.

    A win or draw is written as games of the variant are scored. A Regulation tag whose rules are not those in which
    the game was read is left out.
    """
    tags = game.tags
    if regulation_variant(tags) not in (None, game.variant):
        tags = {name: value for name, value in tags.items() if name.lower() != "regulation"}
    result = in_form_of(game.variant, game.result)
    return write_pdn(game.start, game.plies, tags, result, clocks=clocks, comment=game.comment)


def _complete(start: Position, tags: Mapping[str, str], result: str, begins_set_up: bool) -> Iterator[tuple[str, str]]:
    given = {name.lower(): value for name, value in tags.items()}
    ours = {"Result": result, "GameType": str(start.variant.pdn_type)}
    for name in TAGS:
        yield name, ours[name] if name in ours else given.get(name.lower()) or _UNKNOWN.get(name, "?")
    if start != initial(start.variant) or begins_set_up:  # readers take a setup before any move for the start
        yield "SetUp", "1"
        yield "FEN", write_fen(start)
    known = {name.lower() for name in TAGS}
    yield from ((n, v) for n, v in tags.items() if n.lower() not in known and n.lower() not in _OURS)


def _tag(name: str, value: str) -> str:
    plain = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{plain}"]'


def _words(start: Position, plies: Sequence[Ply], result: str, clocks: bool, comment: str) -> Iterator[str]:
    """What the movetext consists of; a word is never broken."""
    yield from _comment(comment, None)
    number = 1
    told: Side | None = None
    first = start.variant.first
    for ply in plies:
        side = ply.before.turn
        if ply.move is None:
            pass  # PDN has no number before a setup
        elif side is first:
            yield f"{number}."
        elif told is not side.other:
            yield f"{number}..."
        yield from _turn(ply)
        yield from _comment(ply.comment, ply.clocks if clocks else None)
        told = side if ply.move is not None else None
        number += side is not first and ply.after.turn is first
    yield result


def _turn(ply: Ply) -> Iterator[str]:
    if ply.move is None:
        yield f'/FEN "{write_fen(ply.after)}"/'
    else:
        yield write_move(ply.before, ply.move)


def _comment(text: str, clocks: Clocks | None) -> Iterator[str]:
    """Words whose first carries the opening and whose last the closing brace."""
    words = text.replace("{", "(").replace("}", ")").split()
    command = _clock(clocks) if clocks is not None else ""
    if command:
        words = [*command.split(), *words]
    if not words:
        return
    words[0] = "{" + words[0]
    words[-1] += "}"
    yield from words


def _clock(clocks: Clocks) -> str:
    sides = ((Side.WHITE, clocks.white), (Side.BLACK, clocks.black))
    parts = [
        f"{side.letter if clocks.running is side else side.letter.lower()}{_time(seconds)}"
        for side, seconds in sides
        if seconds is not None
    ]
    return f"[%clock {' '.join(parts)}]" if parts else ""


def _time(seconds: float) -> str:
    """`h:mm:ss`, with tenths where there are any."""
    tenths = round(seconds * 10)
    minutes, rest = divmod(tenths, 600)
    whole, tenth = divmod(rest, 10)
    return f"{minutes // 60}:{minutes % 60:02}:{whole:02}" + (f".{tenth}" if tenth else "")


def _wrapped(words: Iterable[str]) -> list[str]:
    lines = [""]
    for word in words:
        if (lines[-1] and len(lines[-1]) + 1 + len(word) <= _WIDTH) or word.startswith(
            "%"
        ):  # % would begin a line comment
            lines[-1] += f" {word}"
        elif lines[-1]:
            lines.append(word)
        else:
            lines[-1] = word
    return lines
