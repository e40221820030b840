"""Replays what a PDN file says on the rules: the games of a text, each up to its first fault.

How it works. A visitor gathers each game as a `Record`: its tags and its movetext, still without rules. A record is
then replayed in a variant. While a capture names its two ends only, and several captures fit, all of them are kept
as lines of play, and what follows decides; lines that reach the same position are one. A capture cut into tokens
(`e7xc5 c5xe3`) shows itself: the next token begins where this one ended, which no reply can do, so it is joined.

The variant is the caller's, or that of the shipped regulation in the file's Regulation tag (its rules may differ from
the row of its GameType), or the file's GameType. For games that do not say theirs, it is the variant in which most
of them (of the first few hundred) replay to their end: one game of Czech draughts alone may well be possible in
Brazilian draughts, a file is not.

One game is held at a time, whatever the length of the file; of a game that is longer than any game can be, the rest is
left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import BinaryIO

from damas_board.notation.errors import NotationError
from damas_board.notation.fen import read_fen
from damas_board.notation.moves import candidates, illegal, named_squares
from damas_board.notation.pdn_game import Clocks, Fault, PassedOver, PdnGame, Ply, regulation_variant, tag_of
from damas_board.notation.pdn_reader import PdnText, Walk
from damas_board.notation.pdn_tokens import Token
from damas_board.notation.results import differ
from damas_board.rules import variants as rows
from damas_board.rules.geometry import LETTERS
from damas_board.rules.position import Move, Position, initial
from damas_board.rules.side import Side
from damas_board.rules.variant import Variant

_GIVEAWAY = replace(rows.INTERNATIONAL, giveaway=True, pdn_type=98)
_BY_NAME = {**rows.VARIANTS, "antidraughts": _GIVEAWAY}
_BY_TYPE = {v.pdn_type: v for v in (*rows.VARIANTS.values(), _GIVEAWAY)}
_GUESSES = (
    rows.ENGLISH,
    rows.INTERNATIONAL,
    rows.BRAZILIAN,
    rows.RUSSIAN,
    rows.CZECH,
    rows.ITALIAN,
    rows.FRISIAN,
    rows.PORTUGUESE,
    rows.POOL,
    rows.TURKISH,
    rows.CANADIAN,
)
"""What is tried for games that name no variant, the likeliest first. Spanish differs from Portuguese by name only."""
_MOST_LINES = 64
_OTHER_SCORING = re.compile(r"\d{1,2}-\d{1,2}")
_CLOCK = re.compile(r"\[%clock\s+(?P<first>[wWbB][\d:.]+)(?:\s+(?P<second>[wWbB][\d:.]+))?\s*\]")
_MOST_SECONDS = 1000 * 3600.0
"""What a clock may show at most."""
_CLK = re.compile(r"\[%clk\s+(?P<time>[\d:.]+)\s*\]")
_SQUARE = re.compile(r"([a-lA-L])(\d{1,2})")
_MARKS = ("X.", "X", "D")
"""The Brazilian literature's 'wins' and 'becomes a king'."""
_MOST_TEXT = 1_000_000
"""Characters of one game, each token counted as ten more: short ones cost memory too."""
_MOST_REMARKS = 100
_MOST_ASKED = 300
"""Games that decide which variant a file without GameType is of."""


@dataclass
class Record:
    """One game of a file before any rule is asked."""

    line: int
    column: int
    tags: dict[str, str] = field(default_factory=dict)
    places: dict[str, Token] = field(default_factory=dict)
    movetext: list[Token] = field(default_factory=list)
    """Moves, setups and comments."""
    terminator: Token | None = None
    skipped: list[Token] = field(default_factory=list)
    """What is no part of PDN; the first few."""
    passed_over: Counter[PassedOver] = field(default_factory=Counter)
    cut: Token | None = None
    """Where it grew longer than a game can be."""

    def fen(self) -> Token | None:
        return next((token for name, token in self.places.items() if name.lower() == "fen"), None)

    def has_letters(self) -> bool:
        """Whether its moves name squares by letters."""
        return any(token.kind == "move" and token.text[0].isalpha() for token in self.movetext)


class Records:
    """The visitor that gathers records, and collects their faults: each game is kept up to its own."""

    def __init__(self) -> None:
        self.latest = Record(1, 1)
        self._names: set[str] = set()
        self._size = 0

    def begin_game(self, line: int, column: int) -> None:
        self.latest = Record(line, column)
        self._names = set()
        self._size = 0

    def tag(self, token: Token) -> None:
        if not self._fits(token):
            return
        if token.name.lower() in self._names:
            self.latest.passed_over["tags"] += 1
            return
        self._names.add(token.name.lower())
        self.latest.tags[token.name] = token.text
        self.latest.places[token.name] = token

    def move(self, token: Token) -> None:
        if self._fits(token):
            self.latest.movetext.append(token)

    setup = move
    comment = move

    def result(self, token: Token) -> None:
        self.latest.terminator = token

    def passed_over(self, token: Token) -> None:
        self.latest.passed_over["variations" if token.kind == "open" else "marks"] += 1

    def skipped(self, token: Token) -> None:
        if token.text in _MARKS:
            return
        if token.kind != "unclosed":  # of what is not closed nothing but the bracket is missing
            self.latest.passed_over["words"] += 1
        if len(self.latest.skipped) < _MOST_REMARKS:
            self.latest.skipped.append(token)

    def end_game(self) -> None:
        """Nothing to do: a record is complete at any time."""

    def handle_error(self, fault: Fault) -> None:
        """Told of what ends a game before its end; where this returns, the game is kept up to there."""

    def _fits(self, token: Token) -> bool:
        self._size += len(token.text) + len(token.name) + 10
        if self._size <= _MOST_TEXT:
            return True
        self.latest.cut = self.latest.cut or token
        return False


class StrictRecords(Records):
    """The visitor that stops at the first fault, with NotationError."""

    def handle_error(self, fault: Fault) -> None:
        raise NotationError(fault.reason, fault.line, fault.column)


def read_games(
    source: str | bytes | BinaryIO, variant: Variant | None = None, visitor: Records | None = None
) -> Iterator[PdnGame]:
    """The games of a PDN text or file, in order; none if it holds none.

    A file is open in binary mode and able to seek; it is read as the games are asked for, one held at a time.
    `variant` is that of all games; without it each game's own tags say it, or it is found by replaying. A fault
    inside a game is in its `fault`; with `StrictRecords` as the visitor it is raised instead. NotationError for a
    file that is no text.
    """
    text = PdnText(source)
    visitor = visitor or Records()
    walk = Walk(text.pieces())
    ranked: list[Variant] = []
    while walk.game(visitor):
        record = visitor.latest
        chosen = variant or named_variant(record.tags)
        if chosen is not None:
            game = replay(record, chosen)
        else:
            ranked = ranked or _ranked(list(islice(_silent(text), _MOST_ASKED)))
            game = _first_that_replays(record, ranked)
        if variant is None:
            game = replace(game, remarks=(*_doubts(record, game.variant), *game.remarks))
        if game.fault is not None:
            visitor.handle_error(game.fault)
        yield game


def _silent(text: PdnText) -> Iterator[Record]:
    """The games whose tags name no variant."""
    walk = Walk(text.pieces())
    records = Records()
    while walk.game(records):
        if named_variant(records.latest.tags) is None:
            yield records.latest


def named_variant(tags: dict[str, str]) -> Variant | None:
    """The variant that a game's tags name: Regulation, if it is a shipped one; GameType by its number, also as
    `20,W,10,10,N1,0`; or Variant by a name."""
    return regulation_variant(tags) or _of_game_type(tags) or _of_variant_tag(tags)


def _of_game_type(tags: dict[str, str]) -> Variant | None:
    number = re.match(r"\s*(\d{1,9})", tag_of(tags, "GameType") or "")
    return _BY_TYPE.get(int(number[1])) if number else None


def _of_variant_tag(tags: dict[str, str]) -> Variant | None:
    names = re.findall(r"[a-z]+", (tag_of(tags, "Variant") or "").lower())
    return next((_BY_NAME[name] for name in names if name in _BY_NAME), None)


def _doubts(record: Record, chosen: Variant) -> Iterator[Fault]:
    """Where the tags do not say, or do not agree, that the game is of the variant in which it is read."""
    tags = record.tags
    for name, variant, names_nothing in (
        ("Regulation", regulation_variant(tags), "is not shipped"),
        ("GameType", _of_game_type(tags), "is not known"),
        ("Variant", _of_variant_tag(tags), ""),
    ):
        value = (tag_of(tags, name) or "").strip()
        if value in ("", "?") or (variant is None and not names_nothing):
            continue
        if variant is None or variant.pdn_type != chosen.pdn_type:
            says = names_nothing if variant is None else f"is {variant.name}"
            place = next(token for key, token in record.places.items() if key.lower() == name.lower())
            yield Fault(
                f"the {name} {value[:40]!r} {says}; the game is read as {chosen.name}", place.line, place.column
            )


def _ranked(records: Sequence[Record]) -> list[Variant]:
    """The variants, best first: by games that replay to their end, then by the kind of square names, then by plies."""
    ended: Counter[str] = Counter()
    plies: Counter[str] = Counter()
    unusual: Counter[str] = Counter()
    for record in records:
        for guess in _GUESSES:
            game = _Replay(record, guess).run()
            ended[guess.name] += game.fault is None
            plies[guess.name] += len(game.plies)
            unusual[guess.name] += record.has_letters() != (guess.numbering == "algebraic")
    return sorted(_GUESSES, key=lambda v: (-ended[v.name], unusual[v.name], -plies[v.name]))


def _first_that_replays(record: Record, ranked: Sequence[Variant]) -> PdnGame:
    best: PdnGame | None = None
    for guess in ranked:
        game = _Replay(record, guess).run()
        if game.fault is None:
            return game
        if best is None or len(game.plies) > len(best.plies):
            best = game
    return best if best is not None else _Replay(record, _GUESSES[0]).run()


@dataclass(frozen=True, slots=True)
class _Line:
    """A way to read the moves so far: the position, and the last turn, which knows the one before."""

    position: Position
    turn: tuple[Move | None, str] | None = None
    earlier: _Line | None = None

    def then(self, move: Move | None, text: str, after: Position) -> _Line:
        return _Line(after, (move, text), self)

    def plies(self, notes: dict[int, _Note]) -> tuple[Ply, ...]:
        chain = []
        line: _Line | None = self
        while line is not None and line.turn is not None and line.earlier is not None:
            chain.append((line.earlier.position, *line.turn, line.position))
            line = line.earlier
        chain.reverse()
        return tuple(
            Ply(before, move, after, text, *notes.get(n, _Note()).parts(before.turn))
            for n, (before, move, text, after) in enumerate(chain, 1)
        )


@dataclass
class _Note:
    """The comments behind one ply."""

    texts: list[str] = field(default_factory=list)

    def parts(self, mover: Side) -> tuple[str, Clocks | None]:
        whole = " ".join(self.texts)
        clocks = None
        clock, clk = _CLOCK.search(whole), _CLK.search(whole)
        if clock is not None:
            clocks = _clocks(clock["first"], clock["second"])
        elif clk is not None and (seconds := _seconds(clk["time"])) is not None:
            clocks = Clocks(None, seconds) if mover else Clocks(seconds, None)
        if clocks is not None:
            whole = (_CLOCK if clock else _CLK).sub("", whole)
        return " ".join(whole.split()), clocks


def _clocks(*parts: str | None) -> Clocks | None:
    times: dict[str, float | None] = {}
    running = None
    for part in filter(None, parts):
        times[part[0].lower()] = _seconds(part[1:])
        if part[0].isupper():
            running = Side.WHITE if part[0] == "W" else Side.BLACK
    if all(seconds is None for seconds in times.values()):
        return None
    return Clocks(times.get("w"), times.get("b"), running)


def _seconds(text: str) -> float | None:
    """The time that a clock shows, `h:mm:ss`; None for what no clock does."""
    try:
        parts = [float(part) for part in text.split(":", 3)]
    except ValueError:
        return None
    seconds = sum(part * 60.0**n for n, part in enumerate(reversed(parts)))
    return seconds if seconds <= _MOST_SECONDS else None


def replay(record: Record, variant: Variant) -> PdnGame:
    """The game that `record` is in `variant`, up to its first fault."""
    game = _Replay(record, variant).run()
    if game.fault is not None and not game.plies and variant.first is Side.BLACK:
        seen_by_black = _Replay(_turned(record, variant.size), variant).run()
        if seen_by_black.plies:
            return seen_by_black
    return game


def _turned(record: Record, size: int) -> Record:
    """The record with squares like `c3` counted from the corner opposite: some servers begin at the first mover's."""

    def turn(square: re.Match[str]) -> str:
        return f"{LETTERS[size - 1 - LETTERS.index(square[1].lower())]}{size + 1 - int(square[2])}"

    movetext = [t._replace(text=_SQUARE.sub(turn, t.text)) if t.kind == "move" else t for t in record.movetext]
    return replace(record, movetext=movetext)


class _Replay:
    def __init__(self, record: Record, variant: Variant) -> None:
        self.record = record
        self.variant = variant
        self.start = initial(variant)
        self.fault: Fault | None = None
        self.remarks: list[Fault] = []
        self.terminator = record.terminator.text if record.terminator else None
        self.notes: dict[int, _Note] = {}

    def run(self) -> PdnGame:
        fen = self.record.fen()
        if fen is not None:
            self.start = self.set_up(fen) or self.start
        lines = [_Line(self.start)]
        if self.fault is None:
            lines = self.moves(lines)
        self.remark()
        cut = self.record.cut
        if cut is not None and self.fault is None:
            self.fault = Fault("this is longer than a game can be; the rest is left out", cut.line, cut.column)
        if len(lines) > 1:
            self.remarks.append(
                Fault(f"{len(lines)} ways to read the captures remain", self.record.line, self.record.column)
            )
        return PdnGame(
            tags=self.record.tags,
            variant=self.variant,
            start=self.start,
            plies=lines[0].plies(self.notes),
            terminator=self.terminator,
            comment=self.notes[0].parts(self.start.turn)[0] if 0 in self.notes else "",
            fault=self.fault,
            remarks=tuple(self.remarks),
            line=self.record.line,
            column=self.record.column,
            passed_over=dict(self.record.passed_over),
        )

    def set_up(self, token: Token) -> Position | None:
        try:
            return read_fen(token.text, self.variant)
        except NotationError as error:
            self.fault = Fault(error.message, token.line, token.column)
            return None

    def moves(self, lines: list[_Line]) -> list[_Line]:
        """Plays the movetext from `lines` until it ends or a fault is found."""
        movetext = self.record.movetext
        ply = n = 0
        while n < len(movetext):
            token = movetext[n]
            n += 1
            if token.kind == "comment":
                self.notes.setdefault(ply, _Note()).texts.append(token.text)
                continue
            if token.kind == "setup":
                position = self.set_up(token)
                if position is None:
                    return lines
                lines = [lines[0].then(None, "", position)]
                ply += 1
                continue
            try:
                further, used = self.play(lines, token, n)
            except NotationError as error:
                if not self.is_result(token, n):
                    self.fault = Fault(error.message, token.line, token.column)
                return lines
            lines = further
            n += used
            ply += 1
        return lines

    def play(self, lines: list[_Line], token: Token, n: int) -> tuple[list[_Line], int]:
        """The lines after the move at `token`, and how many of the tokens from `n` on belong to it."""
        pieces = self.pieces(token, n)
        while pieces:
            squares = named_squares(token.text) + [square for piece in pieces for square in piece[1:]]
            joined = step(lines, "x".join(squares))
            if joined:
                return joined, len(pieces)
            pieces.pop()
        further = step(lines, token.text)
        if not further:
            raise illegal(lines[0].position, token.text)
        return further, 0

    def pieces(self, token: Token, n: int) -> list[list[str]]:
        """The squares of the moves behind `token` that each begin where the one before ended."""
        found: list[list[str]] = []
        last = named_squares(token.text)[-1]
        for following in self.record.movetext[n:]:
            if following.kind != "move":
                break
            names = named_squares(following.text)
            if names[0] != last:
                break
            found.append(names)
            last = names[-1]
        return found

    def is_result(self, token: Token, n: int) -> bool:
        """Whether the last move of a game without a terminator is the result of another scoring, like `4-6`."""
        last = all(t.kind != "move" for t in self.record.movetext[n:])
        if self.terminator is None and last and _OTHER_SCORING.fullmatch(token.text):
            self.terminator = token.text
            return True
        return False

    def remark(self) -> None:
        said = tag_of(self.record.tags, "Result")
        ended = self.record.terminator
        if said and ended and differ(said, ended.text, self.variant.first):
            reason = f"the Result tag says {said!r}, the moves end with {ended.text!r}"
            self.remarks.append(Fault(reason, ended.line, ended.column))
        for token in self.record.skipped:
            what = "is never closed" if token.kind == "unclosed" else "is no part of PDN"
            self.remarks.append(Fault(f"{token.text[:40]!r} {what}", token.line, token.column))


def step(lines: Sequence[_Line], text: str) -> list[_Line]:
    """The lines that go on with the move `text`, one for each position reached. NotationError if it is no move."""
    reached: dict[Position, _Line] = {}
    for line in lines:
        for move in candidates(line.position, text):
            after = line.position.after(move)
            if after not in reached:
                reached[after] = line.then(move, text, after)
    return list(reached.values())[:_MOST_LINES]
