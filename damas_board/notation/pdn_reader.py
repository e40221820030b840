"""Walks through PDN text and tells a visitor what it meets: where games begin and end, tags, moves, results.

The walk knows no rules and no variant. Variations are skipped. A game begins at a tag after movetext, or at a tag or
a move after a terminator; so a fault inside one game never reaches its neighbours.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Literal, Protocol

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
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\x1a")


class Visitor(Protocol):
    def begin_game(self, line: int, column: int) -> None: ...
    def tag(self, token: Token) -> None: ...
    def move(self, token: Token) -> None: ...
    def setup(self, token: Token) -> None: ...
    def comment(self, token: Token) -> None: ...
    def result(self, token: Token) -> None: ...

    def skipped(self, token: Token) -> None:
        """Something that is no part of PDN, or a second result."""

    def end_game(self) -> None: ...


def walk(text: str, visitor: Visitor) -> None:
    """Tells `visitor` the games of `text`, in order."""
    phase: Literal["outside", "tags", "moves", "ended"] = "outside"
    depth = 0
    early: list[Token] = []  # comments before the first move of a text without tags
    for token in tokens(text):
        if token.kind == "tag":
            depth = 0  # a variation that was never closed ends with its game
            if phase in ("moves", "ended"):
                visitor.end_game()
            if phase != "tags":
                visitor.begin_game(token.line, token.column)
                phase = "tags"
            visitor.tag(token)
            continue
        if token.kind == "open":
            depth += 1
        elif token.kind == "close":
            depth = max(0, depth - 1)
        if depth or token.kind in ("close", "number", "nag"):
            continue
        if token.kind in ("move", "setup"):
            if phase == "ended":
                visitor.end_game()
            if phase in ("outside", "ended"):
                visitor.begin_game(token.line, token.column)
                for comment in early:
                    visitor.comment(comment)
                early.clear()
            phase = "moves"
            if token.kind == "move":
                visitor.move(token)
            else:
                visitor.setup(token)
        elif phase == "outside":
            if token.kind == "comment":
                early.append(token)
        elif token.kind == "comment":
            visitor.comment(token)
        elif token.kind == "result" and phase != "ended":
            phase = "ended"
            visitor.result(token)
        else:
            visitor.skipped(token)
    if phase != "outside":
        visitor.end_game()


def decode(data: bytes) -> str:
    """The text of a PDN file: UTF-8, with or without a mark, else one of the two Windows pages found in real files.

    NotationError for a file that is no text at all.
    """
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise NotationError(f"not a PDN file: it is {what}")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise NotationError(f"not a PDN file: byte {error.start} is no UTF-16 text") from error
    odd = next((i for i, byte in enumerate(data) if byte < 32 and byte not in _TEXT_CONTROLS), None)
    if odd is not None:
        raise NotationError(f"not a PDN file: byte {odd} is {data[odd]}, which no text file holds")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _windows_text(data)


def _windows_text(data: bytes) -> str:
    """In Cyrillic text high bytes stand side by side, in western text they stand alone between letters."""
    high = [byte >= 0xC0 for byte in data]
    together = sum(a and b for a, b in pairwise(high))
    page = "cp1251" if together * 2 > sum(high) else "cp1252"
    return data.decode(page, errors="replace")
