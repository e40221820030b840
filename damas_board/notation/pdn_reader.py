"""Walks through PDN text and tells a visitor what it meets: where games begin and end, tags, moves, results.

The walk knows no rules and no variant. Variations are skipped. A game begins at a tag after movetext, or at a tag or
a move after a terminator; so a fault inside one game never reaches its neighbours. Text and files are read in pieces:
no more than one game is held at a time.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Literal, Protocol

from damas_board.notation.errors import NotationError
from damas_board.notation.pdn_tokens import Token, tokens

_MAGIC = (
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"SQLite format 3", "an SQLite database"),
)
_CONTROL = re.compile(rb"[^\t\n\r\f\x1a\x20-\xff]")
_HIGH = re.compile(rb"[\xc0-\xff]+")
_PIECE = 1 << 16


class Visitor(Protocol):
    def begin_game(self, line: int, column: int) -> None: ...
    def tag(self, token: Token) -> None: ...
    def move(self, token: Token) -> None: ...
    def setup(self, token: Token) -> None: ...
    def comment(self, token: Token) -> None: ...
    def result(self, token: Token) -> None: ...

    def passed_over(self, token: Token) -> None:
        """A mark such as `$1` or `!?`, or the opening bracket of a variation, of whose inside nothing is told."""

    def skipped(self, token: Token) -> None:
        """Something that is no part of PDN, a second result, or the bracket of what is never closed."""

    def end_game(self) -> None: ...


class Walk:
    """A walk through a text, game by game."""

    def __init__(self, text: str | Iterable[str]) -> None:
        self._tokens = tokens(text)
        self._next: Token | None = None
        """The first token of the next game, where it has been seen."""

    def game(self, visitor: Visitor) -> bool:
        """Tells `visitor` the next game; False, and nothing is told, where there is none left."""
        early: list[Token] = []  # comments before the first move of a text without tags
        first = self._next
        self._next = None
        while first is None or first.kind not in ("tag", "move", "setup"):
            if first is not None and first.kind == "comment":
                early.append(first)
            first = next(self._tokens, None)
            if first is None:
                return False
        visitor.begin_game(first.line, first.column)
        if first.kind != "tag":
            for comment in early:
                visitor.comment(comment)
        self._rest(first, visitor)
        visitor.end_game()
        return True

    def _rest(self, first: Token, visitor: Visitor) -> None:
        phase: Literal["tags", "moves", "ended"] = "tags"
        depth = 0
        outermost = first  # the bracket of the outermost variation around the present token
        token: Token | None = first
        while token is not None:
            if token.kind == "tag":
                if phase != "tags":
                    break
                depth = 0
                visitor.tag(token)
            elif token.kind == "open":
                if not depth:
                    outermost = token
                    visitor.passed_over(token)
                depth += 1
            elif token.kind == "close":
                depth = max(0, depth - 1)
            elif depth or token.kind == "number":
                pass
            elif token.kind == "nag":
                visitor.passed_over(token)
            elif token.kind in ("move", "setup"):
                if phase == "ended":
                    break
                phase = "moves"
                if token.kind == "move":
                    visitor.move(token)
                else:
                    visitor.setup(token)
            elif token.kind == "comment":
                visitor.comment(token)
            elif token.kind == "result" and phase != "ended":
                phase = "ended"
                visitor.result(token)
            else:
                visitor.skipped(token)
            token = next(self._tokens, None)
        self._next = token
        if depth:  # it ends with its game
            visitor.skipped(outermost._replace(kind="unclosed"))


def walk(text: str | Iterable[str], visitor: Visitor) -> None:
    """Tells `visitor` the games of `text`, in order."""
    games = Walk(text)
    while games.game(visitor):
        pass


class PdnText:
    """The text of a PDN file, in pieces, as often as it is asked for.

    A file is UTF-8, with or without a mark, UTF-16 with one, else one of the two Windows pages found in real files. It
    must be open in binary mode and able to seek. NotationError for a file that is no text at all.
    """

    def __init__(self, source: str | bytes | BinaryIO) -> None:
        self._text = source if isinstance(source, str) else None
        data = b"" if isinstance(source, str) else source
        self._file = io.BytesIO(data) if isinstance(data, bytes) else data
        self._encoding = _encoding(self._file)

    def pieces(self) -> Iterator[str]:
        if self._text is not None:
            yield self._text
            return
        decoder = codecs.getincrementaldecoder(self._encoding)(errors="replace")
        place = 0
        while True:
            self._file.seek(place)
            block = self._file.read(_PIECE)
            place += len(block)
            yield decoder.decode(block, final=not block)
            if not block:
                return


def decode(data: bytes) -> str:
    """The whole text of a PDN file. NotationError for a file that is no text at all."""
    return "".join(PdnText(data).pieces())


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while block := file.read(_PIECE):
        yield block


def _encoding(file: BinaryIO) -> str:
    """In Cyrillic text high bytes stand side by side, in western text they stand alone between letters."""
    file.seek(0)
    begin = file.read(32)
    for magic, what in _MAGIC:
        if begin.startswith(magic):
            raise NotationError(f"not a PDN file: it is {what}")
    if begin.startswith((b"\xff\xfe", b"\xfe\xff")):
        _must_be_utf16(file)
        return "utf-16"
    utf8: codecs.IncrementalDecoder | None = codecs.getincrementaldecoder("utf-8")()
    place = high = together = 0
    for block in _blocks(file):
        odd = _CONTROL.search(block)
        if odd is not None:
            raise NotationError(f"not a PDN file: byte {place + odd.start()} is {odd[0][0]}, which no text file holds")
        for run in _HIGH.finditer(block):
            high += len(run[0])
            together += len(run[0]) - 1
        utf8 = _still_utf8(utf8, block, final=False)
        place += len(block)
    if _still_utf8(utf8, b"", final=True) is not None:
        return "utf-8-sig"
    return "cp1251" if together * 2 > high else "cp1252"


def _still_utf8(
    decoder: codecs.IncrementalDecoder | None, block: bytes, *, final: bool
) -> codecs.IncrementalDecoder | None:
    """The decoder, or None from the first byte on that is no UTF-8."""
    if decoder is not None:
        try:
            decoder.decode(block, final)
        except UnicodeDecodeError:
            return None
    return decoder


def _must_be_utf16(file: BinaryIO) -> None:
    decoder = codecs.getincrementaldecoder("utf-16")()
    place = 0
    for block in (*_blocks(file), b""):
        try:
            held = len(decoder.getstate()[0])
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            raise NotationError(f"not a PDN file: byte {place - held + error.start} is no UTF-16 text") from error
        place += len(block)
