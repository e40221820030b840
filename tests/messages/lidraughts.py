"""A broadcast of Lidraughts as far as a feed can please or anger it: written from what its source does, not from ours.

`Broadcast.fetch(body)` is one round of its fetcher: what the body is (PDN, if the first game can be read, else JSON; it
remembers), the games in it, whether they fit what it has kept, and what becomes of its chapters. `Refused` says why it
would take nothing of the whole body.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from damas_board.notation.fen import read_fen, write_fen
from damas_board.notation.moves import candidates
from damas_board.rules.position import Position, initial
from damas_board.rules.variants import VARIANTS

MOST = 64
KNOWN = {"20": "international", "25": "russian", "26": "brazilian", "40": "frisian"}
MATCHED = ("White", "Black", "Round", "Event", "Site")
KEPT = {
    *("Event", "Site", "Date", "Round", "TimeControl", "Result", "Termination", "Annotator"),
    *(f"{side}{rest}" for side in ("White", "Black") for rest in ("", "Elo", "Rating", "Title", "Team")),
}
NOTHING = ("", "?", "unknown")
SQUARE = "(?:[1-4][0-9]|50|0?[1-9]|[a-h][1-8])"
MOVE = re.compile(rf"{SQUARE}[-x:]{SQUARE}(?:[x:]{SQUARE})*")
RESULT = re.compile(r"\*|1/2-1/2|0\.5-0\.5|1-1|0-1|0-2|1-0|2-0")
CLOCK = re.compile(r"\[%clock\s+[wW][\d:.]+\s+[bB][\d:.]+\]|\[%clk\s+[\d:.]+\]")


class Refused(Exception):
    pass


@dataclass
class Game:
    tags: dict[str, str]
    moves: list[str]
    """Those that are legal, up to the first that is not."""
    clocks: list[str]
    fens: list[str]
    ignored: int
    """Moves behind one that is illegal: it says nothing of them."""
    finished: bool


@dataclass
class Chapter:
    index: int
    tags: dict[str, str]
    variant: str
    start: str
    moves: list[str]
    fens: list[str]


@dataclass
class Broadcast:
    chapters: list[Chapter] = field(default_factory=list)
    format: str | None = None
    games: list[Game] = field(default_factory=list)
    """As they were read last."""
    closed: bool = False

    def fetch(self, body: str) -> int:
        """How many moves are new."""
        if self.format is None:
            self.format = guessed(body)
        self.games = games = [game(text) for text in texts(body, self.format)]
        for number, one in enumerate(games):
            if not one.tags and not one.moves:
                raise Refused(f"Found an empty PDN at index {number}")
        self._sane(games)
        new = 0
        for number, one in enumerate(games):
            found = self._chapter(number, one, alone=len(games) == 1)
            if found is None:
                kept = {name: text for name, text in one.tags.items() if name in KEPT and text not in NOTHING}
                start = one.tags.get("FEN", "start")
                self.chapters.append(Chapter(number, kept, variant(one.tags), start, one.moves[:], one.fens[:]))
                new += len(one.moves)
            else:
                new += update(found, one)
        self.closed = self.closed or (new == 0 and len(games) > 1 and all(one.finished for one in games))
        return new

    def _sane(self, games: list[Game]) -> None:
        for chapter in self.chapters:
            if chapter.index >= len(games):
                raise Refused(f"Missing game for Chapter {chapter.index + 1}")
            if not matches(games[chapter.index], chapter):
                for number, other in enumerate(games):
                    if matches(other, chapter):
                        raise Refused(f"Game {number + 1} matches with Chapter {chapter.index + 1}")

    def _chapter(self, number: int, one: Game, *, alone: bool) -> Chapter | None:
        fits = (c for c in self.chapters if (matches(one, c) if alone else c.index == number))
        return next(fits, None)


def matches(one: Game, chapter: Chapter) -> bool:
    shown = {name: text for name, text in one.tags.items() if text not in NOTHING}
    return all(shown.get(name) == chapter.tags.get(name) for name in MATCHED)


def update(chapter: Chapter, one: Game) -> int:
    """Tags are added or replaced, never taken away; the moves become the main line, unless they are only fewer."""
    chapter.tags |= {name: text for name, text in one.tags.items() if name in KEPT and text not in NOTHING}
    common = 0
    for had, has in zip(chapter.moves, one.moves, strict=False):
        if had != has:
            break
        common += 1
    if common < len(one.moves):
        chapter.moves[common:], chapter.fens[common:] = one.moves[common:], one.fens[common:]
    return len(one.moves) - common


def guessed(body: str) -> str:
    try:
        game(texts(body, "pdn")[0])
        return "pdn"
    except Refused:
        pass
    try:
        assert json.loads(body) is not None
    except ValueError as error:
        raise Refused("Cannot find any DGT compatible files") from error
    return "json"


def texts(body: str, kind: str) -> list[str]:
    if kind == "pdn":
        return re.split(r"\n\n(?=\[)", body.replace("<br>", "\n\n").replace("\r", ""), maxsplit=MOST)[:MOST]
    try:
        found = [one["pdn"] for one in json.loads(body)["games"] if one.get("pdn") is not None]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"Invalid JSON: {error}") from error
    return [("" if text == "[Empty]" else text).replace("\\n", "\n").replace('\\"', '"') for text in found]


def game(text: str) -> Game:
    """One game; Refused where its grammar does not hold. A move that is illegal ends it without a word."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("%")]
    first = next((number for number, line in enumerate(lines) if not line.startswith("[")), len(lines))
    tags = tags_of("\n".join(lines[:first]))
    moves, clocks, result = movetext("\n".join(lines[first:]))
    if result is not None:
        tags.setdefault("Result", result)
    position = start(tags)
    legal: list[str] = []
    fens: list[str] = []
    for move in moves:
        try:
            (played,) = candidates(position, move.replace(":", "x"))
        except ValueError:  # none, or a square that is not on the board
            break
        position = position.after(played)
        legal.append(move)
        fens.append(write_fen(position))
    finished = tags.get("Result", "*") != "*"
    return Game(tags, legal, clocks[: len(legal)], fens, len(moves) - len(legal), finished)


def tags_of(text: str) -> dict[str, str]:
    """What cannot be read ends the tags, without a word."""
    found: dict[str, str] = {}
    rest = text
    while (tag := re.match(r"\s*\[\s*([a-zA-Z]+)\s*([^\]]+)\]", rest)) is not None:
        found[tag[1]] = tag[2].replace('"', "").strip()
        rest = rest[tag.end() :]
    return found


def movetext(text: str) -> tuple[list[str], list[str], str | None]:
    """The moves, the clock behind each ("" where there is none), and the result."""
    moves: list[str] = []
    clocks: list[str] = []
    rest, result = text, None
    while rest := rest.lstrip():
        comment = re.match(r"\{([^}]*)\}|;.+", rest)
        if comment is not None:
            clock = CLOCK.search(comment[0])
            if clocks and clock is not None:
                clocks[-1] = clock[0]
            rest = rest[comment.end() :]
            continue
        ended = RESULT.match(rest)
        if result is not None:
            raise Refused(f"Cannot parse moves: {rest[:20]!r}")
        if ended is not None and not rest[ended.end() :].strip():
            rest, result = rest[ended.end() :], ended[0]
            continue
        number = re.match(r"[1-9]\d*\.+\s*", rest)
        if number is not None:
            rest = rest[number.end() :]
        move = MOVE.match(rest)
        if move is None:
            raise Refused(f"Cannot parse moves: {rest[:20]!r}")
        moves.append(move[0])
        clocks.append("")
        rest = rest[move.end() :]
    return moves, clocks, result


def variant(tags: dict[str, str]) -> str:
    kind = re.match(r"[0-9]+", tags.get("GameType", ""))
    return KNOWN.get(kind[0] if kind else "", "international")


def start(tags: dict[str, str]) -> Position:
    rules = VARIANTS[variant(tags)]
    return read_fen(tags["FEN"], rules) if "FEN" in tags else initial(rules)
