"""What a payload says, of any type and size, as what a column can hold: cleaned, cut, or None."""

from __future__ import annotations

from damas_board.messages.envelope import EnvelopeError, instant, rfc3339
from damas_board.messages.names import LINE_LENGTH, clean

LARGEST = 2**53
"""Larger numbers are none of ours."""


def text(value: object) -> str | None:
    """The text on one line; None for anything else, and for nothing."""
    return (_clean(value) or None) if isinstance(value, str) else None


def number(value: object) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST
    return value if whole else None  # type: ignore[return-value]


def seconds(value: object) -> float | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
    return float(value) if known else None  # type: ignore[arg-type]


def listed(values: object) -> str:
    """Each text followed by a space, so that whole ones can be looked for."""
    texts = values if isinstance(values, list | tuple) else ()
    return "".join(f"{_clean(value)} " for value in texts if isinstance(value, str))


def moment(ts: object) -> str | None:
    """An RFC 3339 time in one way of writing it, so that texts compare as times do; None for what is none."""
    try:
        return rfc3339(instant(ts)) if isinstance(ts, str) else None
    except (EnvelopeError, OverflowError):
        return None


def _clean(value: str) -> str:
    """As `clean`, which is slow: nearly all that comes is plain."""
    plain = len(value) <= LINE_LENGTH and value.isascii() and value.isprintable() and "  " not in value
    return value.strip(" ") if plain else clean(value, LINE_LENGTH)
