"""Names as they are looked for: without accents, case and the other differences that people do not type."""

from __future__ import annotations

import unicodedata

_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "\u0131": "i",
        "ħ": "h",
        "'": None,
        "\u2019": None,
    }
)
"""Letters that have no decomposition, and apostrophes."""


def folded(name: str | None) -> str:
    """`joao davila` of `João d'Ávila`; empty for no name."""
    if name is None:
        return ""
    apart = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(character for character in apart if not unicodedata.combining(character))
    return " ".join(bare.translate(_LETTERS).replace("-", " ").split())
