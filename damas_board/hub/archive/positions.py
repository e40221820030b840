"""One way of writing a position, whatever its variant: what positions are compared and looked for by."""

from __future__ import annotations

import re

_PART = re.compile(r"([WB])(.*)")
_PIECE = re.compile(r"(K?)([a-l]\d{1,2}|\d{1,3})(?:-(K?)(\d{1,3}))?")
LONGEST = 1000


def position_key(fen: object) -> str | None:
    """`W:Wa1,Kc3:Bh8`: the side to move, each side's pieces in order, ranges written out; None for what is no FEN."""
    if not isinstance(fen, str) or len(fen) > LONGEST:
        return None
    turn, *parts = "".join(fen.split()).rstrip(".").split(":")
    pieces: dict[str, set[str]] = {"W": set(), "B": set()}
    for part in parts:
        found = _PART.fullmatch(part)
        if found is None:
            if part.startswith(("H", "F")):  # counters of other programs
                continue
            return None
        for text in found[2].split(","):
            named = _pieces(text) if text else set()
            if named is None:
                return None
            pieces[found[1]] |= named
    if turn not in pieces or len(parts) < 2:
        return None
    return f"{turn}:W{_sorted(pieces['W'])}:B{_sorted(pieces['B'])}"


def _pieces(text: str) -> set[str] | None:
    found = _PIECE.fullmatch(text)
    if found is None:
        return None
    king, first, _, last = found.groups()
    if last is None:
        return {king + first}
    if not first.isdigit() or int(last) - int(first) > LONGEST:
        return None
    return {f"{king}{number}" for number in range(int(first), int(last) + 1)}


def _sorted(pieces: set[str]) -> str:
    return ",".join(sorted(pieces, key=lambda piece: (piece.lstrip("K").zfill(3), piece)))
