"""What a person sees at the console, by key, in English and Portuguese; alerts have theirs in messages/words.py."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: dict[str, tuple[str, str]] = {
    "page.title": ("Console", "Consola"),
}
BRAZIL: Mapping[str, str] = {
    "page.title": "Console",
}
"""Where the Portuguese of Brazil differs."""
