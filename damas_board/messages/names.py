"""Names and other short texts from outside, made fit for a page, a game file or a terminal; what the public may read.

A name comes from whoever typed it into a pairing list. Left as it is it could move a terminal's cursor, turn the rest
of a line around (bidi controls), hide letters (zero width), pile marks over the lines above and below, or be a megabyte
long. `clean` takes all that out and leaves every letter of every script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

NAME_LENGTH = 60
"""The most characters of a name that are shown or kept."""
LINE_LENGTH = 500
"""The most characters of another text, such as a note or a reason, on a line."""

_MARKS = 4
"""Combining marks on one letter that a script needs at most; more are a pile."""
_DROPPED = frozenset(("Cc", "Cf", "Cs", "Co", "Me"))
_MARK = frozenset(("Mn", "Mc"))
_INVISIBLE = frozenset(
    (
        *range(0xFE00, 0xFE10),  # variation selectors
        *range(0xE0100, 0xE01F0),
        *range(0x180B, 0x1810),
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC),  # fillers and blanks
        *range(0xFDD0, 0xFDF0),  # no characters at all
        *(plane + low for plane in range(0, 0x110000, 0x10000) for low in (0xFFFE, 0xFFFF)),
    )
)
"""What shows nothing although its category says that it is a letter, a mark or a symbol."""
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_BLANK_CONTROLS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85")
_ENOUGH = 5
"""Characters that may become one when they are composed, marks included."""


def clean(text: str, limit: int = NAME_LENGTH) -> str:
    """`text` on one line, composed (NFC), without what is invisible or steers; at most `limit` characters.

    White space of any kind becomes one space; what was too long ends in `…`. Cleaning twice changes nothing.
    """
    kept = "".join(islice(_kept(text), (limit + 1) * _ENOUGH))
    composed = " ".join("".join(_kept(unicodedata.normalize("NFC", kept))).split(" "))
    plain = composed.strip(" ")
    if len(plain) <= limit:
        return plain
    return plain[: limit - 1].rstrip(" ") + "…"


def _kept(text: str) -> Iterator[str]:
    """The characters that stay, blanks as single spaces, none of them a mark without a letter or one too many."""
    room = 0
    blank = True
    for character in text:
        category = unicodedata.category(character)
        if character in _BLANK_CONTROLS or category in ("Zs", "Zl", "Zp"):
            if not blank:
                yield " "
            blank, room = True, 0
        elif category in _DROPPED or ord(character) in _INVISIBLE:
            continue
        elif category in _MARK:
            if room:
                room -= 1
                yield character
        else:
            blank, room = False, _MARKS
            yield character


def cleaned(value: Any, limit: int = LINE_LENGTH) -> Any:
    """A JSON value in which every text is clean; keys stay as they are."""
    if isinstance(value, str):
        return clean(value, limit)
    if isinstance(value, Mapping):
        return {key: cleaned(inner, limit) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(inner, limit) for inner in value]
    return value


def escaped(text: str) -> str:
    """`text` for a terminal: what would steer it or hide something is written out, as JSON writes it (`\\u202e`).

    Line breaks and tabs stay; a JSON text says the same as before.
    """
    return _STEERING.sub(lambda found: _written_out(ord(found[0])), text)


def _written_out(code: int) -> str:
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def player_name(player: object) -> str | None:
    """The name that the hall knows a player by, of `{name, public?, minor?}`; None where there is none to show."""
    return _text(player, "name")


def public_name(player: object) -> str | None:
    """The name of `{name, public?, minor?}` that the public may read; None: none at all.

    `public` is what a player agreed to be called in public. Who is under age (`minor`, whatever its value but false)
    and has none is not named.
    """
    if not isinstance(player, Mapping):
        return None
    if player.get("public") is not None:
        return _text(player, "public")
    return None if is_minor(player) else _text(player, "name")


PUBLIC_KEYS = ("title", "club", "federation", "rating")
"""What else the public may read of a player whose name it may read."""


def public_person(*told: object) -> dict[str, Any] | None:
    """What the public may read of a player by all that is said of one: the name and PUBLIC_KEYS, or None.

    This decides it, wherever a player is shown: a later word counts before an earlier one, but whoever says that a
    player is under age is heard, and so is a name for the public. A text is a name.
    """
    person: dict[str, Any] = {}
    for one in told:
        said = {"name": one} if isinstance(one, str) else one
        if isinstance(said, Mapping):
            minor = {"minor": True} if is_minor(person) else {}
            person |= {key: value for key, value in said.items() if value is not None} | minor
    name = public_name(person)
    return (
        None if name is None else {"name": name, **{key: cleaned(person[key]) for key in PUBLIC_KEYS if key in person}}
    )


def is_minor(*told: object) -> bool:
    """Whether one of these says that the player is under age: `minor`, whatever its value but false."""
    return any(isinstance(one, Mapping) and one.get("minor") not in (None, False) for one in told)


def about_showing(*told: object) -> dict[str, Any]:
    """What of all that is said of a player is about showing one, `{minor?, public?}`: neither name nor number."""
    public = [one["public"] for one in told if isinstance(one, Mapping) and one.get("public") is not None]
    return ({"minor": True} if is_minor(*told) else {}) | ({"public": public[-1]} if public else {})


def with_showing(player: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """A player's word with what is said elsewhere about showing one; its own name for the public counts first."""
    own = {key: value for key, value in player.items() if value is not None}
    return {**about, **own, **({"minor": True} if is_minor(player, about) else {})}


def _text(player: object, key: str) -> str | None:
    value = player.get(key) if isinstance(player, Mapping) else None
    return (clean(value) or None) if isinstance(value, str) else None
