"""The words of the pages, by key, as a browser asks for them: English, and Portuguese as in Portugal or in Brazil.

Each page's own are in a table of its own (`live_words.py`, `console/words.py`): key -> (English, Portuguese), and where
Brazil differs. A page puts them in as text, and fills the names in braces itself.
"""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "pt", "pt-BR")
Words = Mapping[str, tuple[str, str]]


def catalogue(language: str, words: Words, brazil: Mapping[str, str] = {}) -> dict[str, str]:
    """The text by key for a reader of `language`, one of LANGUAGES."""
    if language == "en":
        return {key: english for key, (english, _) in words.items()}
    portuguese = {key: text for key, (_, text) in words.items()}
    return {**portuguese, **(brazil if language == "pt-BR" else {})}
