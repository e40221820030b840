"""Cuts PDN text into tokens, each with its line and column; never split by lines, never an error.

What is no token of PDN becomes an `other` token, so that one odd character costs itself only. Public files hold tags
with the line ends written out (`\\r` as two characters), unescaped quotes or no closing bracket, comments that are
nested or never closed, and moves with spaces inside; all of that is settled here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["tag", "comment", "move", "number", "result", "nag", "open", "close", "setup", "other"]


class Token(NamedTuple):
    """`text` is a tag's value, a comment's inside, a setup's FEN, a move or result without its spaces."""

    kind: Kind
    text: str
    line: int
    column: int
    name: str = ""
    """A tag's name."""


DASHES = "-\u2013\u2014\u2212"  # hyphen, en dash, em dash, minus
_SIGN = rf"(?:[ \t]*[{DASHES}x\u00d7:X][ \t]*|\*)"
_SQUARE = r"[a-lA-L]\d{1,2}"
_NAME = r"\[[ \t]*(?P<{0}>[^\s\"\[\]%][^\"\[\]\r\n]*?)[ \t]*\""

_TOKEN = re.compile(
    "|".join(
        (
            r"(?P<space>(?:[\s\ufeff]|\\[rn])+)",
            r"(?P<line_comment>(?<![^\r\n])%[^\r\n]*)",
            r"(?P<tag>" + _NAME.format("n1") + r"(?P<v1>(?:\\.|[^\"\\\r\n])*)\"[ \t]*\])",
            r"(?P<loose_tag>" + _NAME.format("n2") + r"(?P<v2>[^\r\n]*?)\"[ \t]*\])",
            r"(?P<open_tag>" + _NAME.format("n3") + r"(?P<v3>[^\r\n]*))",
            r"(?P<brace>\{)",
            r"(?P<setup>/[ \t]*FEN\s*\"(?P<fen>[^\"]*)\"\s*/)",
            r"(?P<number>\d+[ \t]*\.(?:[ \t]*\.)*)",
            rf"(?P<result>(?:(?:1/2|\u00bd)[ \t]*[{DASHES}][ \t]*(?:1/2|\u00bd)"
            rf"|(?:[01][ \t]*[{DASHES}][ \t]*[01]|2[ \t]*[{DASHES}][ \t]*0|0[ \t]*[{DASHES}][ \t]*2)(?![\w/{DASHES}:])"
            r"|\*))",
            rf"(?P<move>(?:\d{{1,3}}(?:{_SIGN}\d{{1,3}})+|[a-lA-L](?:\d{{1,2}})?(?:{_SIGN}?{_SQUARE})+)D?(?!\w))",
            r"(?P<nag>\$\d+|[!?]+|\([ \t]*[!?]+[ \t]*\))",
            r"(?P<open>\()",
            r"(?P<close>\))",
            r"(?P<other>\[[^\]\r\n\"]*\]|[^\s{}()\[\]]+|.)",
        )
    )
)
_TAG_LINE = re.compile(r"[\r\n][ \t]*\[[ \t]*\w+[ \t]+\"")
_ESCAPED = re.compile(r"\\([\"\\'])")


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`; white space and `%` lines are left out."""
    starts = [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", text))]
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:  # only `.` can fail, on a line end, and those are white space
            raise AssertionError(f"no token at {at}")
        kind = found.lastgroup or ""
        end = found.end()
        line = bisect_right(starts, at)
        column = at - starts[line - 1] + 1
        at = end
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
            case "brace":
                at = _comment_end(text, end)
                yield Token("comment", text[end:at].removesuffix("}"), line, column)
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


def plain_result(text: str) -> str:
    """A result without spaces, with hyphens, and halves as `1/2`."""
    return re.sub(rf"[{DASHES}]", "-", "".join(text.split())).replace("\u00bd", "1/2")


def _plain(move: str) -> str:
    return re.sub(rf"[{DASHES}]", "-", re.sub(r"[ \t]", "", move)).replace("\u00d7", "x")


def _comment_end(text: str, start: int) -> int:
    """Where the comment that was opened just before `start` ends, its closing brace included.

    Comments may be nested. One that is not closed before the tags of another game is taken to be flat, and one
    without any closing brace ends where those tags begin.
    """
    next_tags = _TAG_LINE.search(text, start)
    limit = len(text) if next_tags is None else next_tags.start()
    depth = 1
    for brace in re.finditer(r"[{}]", text[start:limit]):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return start + brace.end()
    flat = text.find("}", start, limit)
    return limit if flat < 0 else flat + 1
