"""Cuts PDN text into tokens, each with its line and column; never split by lines, never an error.

What is no token of PDN becomes an `other` token, so that one odd character costs itself only. Public files hold tags
with the line ends written out (`\\r` as two characters), unescaped quotes or no closing bracket, comments that are
nested or never closed, and moves with spaces inside; all of that is settled here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

Kind = Literal["tag", "comment", "move", "number", "result", "nag", "open", "close", "setup", "unclosed", "other"]


class Token(NamedTuple):
    """`text` is a tag's value, a comment's inside, a setup's FEN, a move or result without its spaces.

    `unclosed` is the bracket of a comment or variation that lacks its end, and stands behind it.
    """

    kind: Kind
    text: str
    line: int
    column: int
    name: str = ""
    """A tag's name."""


DASHES = "-\u2013\u2014\u2212"  # hyphen, en dash, em dash, minus
_SIGN = rf"(?:[ \t]*[{DASHES}x\u00d7:X][ \t]*|\*)"
_SQUARE = r"[a-lA-L]\d{1,2}"
_NAME = r"\[[ \t]*(?P<{0}>[^\s\"\[\]%][^\"\[\]\r\n]{{0,60}}?)[ \t]{{0,40}}\""

# what has no end in sight is looked for within limits: else a text full of openings takes hours
_TOKEN = re.compile(
    "|".join(
        (
            r"(?P<space>(?:[\s\ufeff]|\\[rn])+)",
            r"(?P<line_comment>(?<![^\r\n])%[^\r\n]*)",
            r"(?P<tag>" + _NAME.format("n1") + r"(?P<v1>(?:\\.|[^\"\\\r\n])*)\"[ \t]*\])",
            r"(?P<loose_tag>" + _NAME.format("n2") + r"(?P<v2>[^\r\n]{0,1000}?)\"[ \t]*\])",
            r"(?P<open_tag>" + _NAME.format("n3") + r"(?P<v3>[^\r\n]*))",
            r"(?P<brace>\{)",
            r"(?P<setup>/[ \t]*FEN\s*\"(?P<fen>[^\"]{0,2000})\"\s*/)",
            r"(?P<number>\d+[ \t]*\.(?:[ \t]*\.)*)",
            rf"(?P<result>(?:(?:1/2|\u00bd)[ \t]*[{DASHES}][ \t]*(?:1/2|\u00bd)"
            rf"|(?:[01][ \t]*[{DASHES}][ \t]*[01]|2[ \t]*[{DASHES}][ \t]*0|0[ \t]*[{DASHES}][ \t]*2)(?![\w/{DASHES}:])"
            r"|\*))",
            rf"(?P<move>(?:\d{{1,3}}(?:{_SIGN}\d{{1,3}})+|[a-lA-L](?:\d{{1,2}})?(?:{_SIGN}?{_SQUARE})+)D?(?!\w))",
            r"(?P<nag>\$\d+|[!?]+|\([ \t]*[!?]+[ \t]*\))",
            r"(?P<open>\()",
            r"(?P<close>\))",
            r"(?P<other>\[[^\[\]\r\n\"]{0,200}\]|[^\s{}()\[\]]+|.)",
        )
    )
)
_BARRIER = re.compile(r"[{}]|(?:\r\n|\r|\n)[ \t]*\[[ \t]*\w+[ \t]+\"")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ESCAPED = re.compile(r"\\([\"\\'])")
AHEAD = 1 << 16
"""How many characters are looked at together; no token is longer."""


def tokens(source: str | Iterable[str], ahead: int = AHEAD) -> Iterator[Token]:
    """The tokens of a text, whole or in pieces; white space and `%` lines are left out.

    Of a text in pieces no more than `ahead` characters and two pieces are held. Comments may be nested. One that is
    not closed before the tags of another game is taken to be flat, and one without any closing brace ends where those
    tags begin; both are told as an `unclosed` token behind the comment. Of a comment longer than `ahead` the rest is
    left out.
    """
    window = _Window((source,) if isinstance(source, str) else source, ahead)
    while window.more():
        found = _TOKEN.match(window.text, window.at)
        if found is None:  # only `.` can fail, on a line end, and those are white space
            raise AssertionError(f"no token at line {window.line}")
        kind = found.lastgroup or ""
        line, column = window.line, window.column
        if kind == "brace":
            yield from _comment(window)
            continue
        window.skip_to(found.end())
        match kind:
            case "space" | "line_comment":
                continue
            case "tag":
                value = _ESCAPED.sub(r"\1", found["v1"])
                yield Token("tag", value, line, column, found["n1"])
            case "loose_tag":
                yield Token("tag", found["v2"], line, column, found["n2"])
            case "open_tag":
                yield Token("tag", found["v3"].rstrip('"] \t'), line, column, found["n3"])
            case "setup":
                yield Token("setup", found["fen"], line, column)
            case "result":
                yield Token("result", plain_result(found[0]), line, column)
            case "move":
                yield Token("move", _plain(found[0]), line, column)
            case "number" | "nag" | "open" | "close" | "other":
                yield Token(kind, found[0], line, column)
            case _:
                raise AssertionError(f"the token {kind!r} has no meaning")


def _comment(window: _Window) -> Iterator[Token]:
    """The comment that begins at the window's place, and whether it lacks its end."""
    line, column = window.line, window.column
    end, state = window.comment_end()
    yield Token("comment", window.text[window.at + 1 : end].removesuffix("}"), line, column)
    if state != "closed":
        yield Token("unclosed", "{", line, column)
    window.skip_to(end)
    while state == "too_long" and window.more():
        stop = next((m for m in _BARRIER.finditer(window.text, window.at) if m[0] != "{"), None)
        if stop is not None:
            window.skip_to(stop.end() if stop[0] == "}" else stop.start())
            return
        window.skip_to(max(window.at + 1, window.settled))


class _Window:
    """The part of a text that is looked at; `line` and `column` are those of `at`, and count from 1.

    Where comments end is found once for all braces of a window, with a stack, so that a text full of braces without
    an end costs no more than another.
    """

    def __init__(self, pieces: Iterable[str], ahead: int) -> None:
        self._pieces = iter(pieces)
        self._ahead = ahead
        self._whole = False
        """Whether the text ends with this window."""
        self._ends: dict[int, int] = {}
        """For each opening brace where its comment ends, or where the tags begin that end it unclosed."""
        self._unclosed: set[int] = set()
        self.text = ""
        self.at = 0
        self.line = 1
        self.column = 1

    def more(self) -> bool:
        """Whether there is text left; enough of it is in the window then."""
        if not self._whole and len(self.text) - self.at < self._ahead:
            self._fill()
        return self.at < len(self.text)

    @property
    def settled(self) -> int:
        """Up to where barriers that begin in the window are seen whole."""
        return len(self.text) if self._whole else len(self.text) - self._ahead // 2

    def _fill(self) -> None:
        before = self.text[max(0, self.at - 1) : self.at]  # whether a % begins a line
        parts = [before + self.text[self.at :]]
        size = len(parts[0])
        while size < 2 * self._ahead or parts[-1].endswith("\r"):
            piece = next(self._pieces, None)
            if piece is None:
                self._whole = True
                break
            parts.append(piece)
            size += len(piece)
        self.text = "".join(parts)
        self.at = len(before)
        self._ends.clear()
        self._unclosed.clear()
        opened: list[int] = []
        for found in _BARRIER.finditer(self.text):
            if found[0] == "{":
                opened.append(found.start())
            elif found[0] != "}":
                self._leave_open(opened, found.start())
            elif opened:
                self._ends[opened.pop()] = found.end()
        if self._whole:
            self._leave_open(opened, len(self.text))

    def _leave_open(self, opened: list[int], limit: int) -> None:
        self._ends.update(dict.fromkeys(opened, limit))
        self._unclosed.update(opened)
        opened.clear()

    def comment_end(self) -> tuple[int, Literal["closed", "unclosed", "too_long"]]:
        """Where the comment at `at` ends, its closing brace included."""
        if self.at not in self._ends and not self._whole:
            self._fill()
        limit = self._ends.get(self.at)
        if limit is not None and self.at not in self._unclosed:
            return limit, "closed"
        within = min(len(self.text) if limit is None else limit, self.at + self._ahead)
        flat = self.text.find("}", self.at, within)
        if flat >= 0:
            return flat + 1, "unclosed"
        return within, "unclosed" if within == limit else "too_long"

    def skip_to(self, end: int) -> None:
        if end == self.at + 1 and self.text[self.at] not in "\r\n":
            self.column += 1
        else:
            began = None
            for found in _LINE_END.finditer(self.text, self.at, end):
                self.line += 1
                began = found.end()
            self.column = self.column + end - self.at if began is None else end - began + 1
        self.at = end


def plain_result(text: str) -> str:
    """A result without spaces, with hyphens, and halves as `1/2`."""
    return re.sub(rf"[{DASHES}]", "-", "".join(text.split())).replace("\u00bd", "1/2")


def _plain(move: str) -> str:
    return re.sub(rf"[{DASHES}]", "-", re.sub(r"[ \t]", "", move)).replace("\u00d7", "x")
