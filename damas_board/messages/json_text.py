"""JSON from outside, read so that whatever comes out can be kept, compared and written again; pure.

Python's reader takes more than JSON, and more than can be written again: NaN, numbers beyond every float, whole numbers
that no database holds, halves of surrogate pairs that no encoder takes, UTF-16, and nesting so deep that reading works
and writing, some calls further down, does not. All of that is refused here, once, by what a text *is* rather than where
it breaks something.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

LARGEST = 4 * 1024 * 1024
"""Bytes or characters of one text; what the broker takes is a quarter of it."""
DEEPEST = 40
"""Arrays and objects in one another."""
_WHOLE = 2**63 - 1

# A string without its end goes on to the end of the text: else each quotation mark in it would be a new beginning.
_BRACKET = re.compile(r'"(?:[^"\\]|\\.|\\\Z)*(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_LARGE = re.compile(r"[0-9][eE]\+?[0-9]{2}|[0-9]{16}")


class JsonError(ValueError):
    """A text that is no JSON, or none that can be written again."""


def read_json(text: str | bytes | bytearray) -> Any:
    """The value of a JSON text (UTF-8 where it is bytes). JsonError says in one line why there is none."""
    if len(text) > LARGEST:
        raise JsonError(f"{len(text)} characters, at most {LARGEST} are read")
    if not isinstance(text, str):
        try:
            text = text.decode()
        except UnicodeDecodeError as error:
            raise JsonError(f"byte {error.start} is no UTF-8") from error
    if text.count("[") + text.count("{") > DEEPEST and _depth(text) > DEEPEST:
        raise JsonError(f"more than {DEEPEST} arrays and objects in one another")
    numbers: dict[str, Any] = {"parse_float": _finite, "parse_int": _whole} if _LARGE.search(text) else {}
    try:
        value = json.loads(text, parse_constant=_no_number, **numbers)
        if _HALF.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        elif not text.isascii():
            text.encode()
    except UnicodeEncodeError as error:
        raise JsonError("half a surrogate pair") from error
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error)) from error
    return value


def _depth(text: str) -> int:
    depth = deepest = 0
    for found in _BRACKET.finditer(text):
        if found[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif found[0] in "]}":
            depth -= 1
    return deepest


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number in JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"the number {text[:20]} is too large")
    return value


def _whole(text: str) -> int:
    if len(text) > 20 or abs(int(text)) > _WHOLE:
        raise ValueError(f"the whole number {text[:20]}... is too large")
    return int(text)
