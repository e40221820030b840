"""What a person sees on the public pages, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: dict[str, tuple[str, str]] = {
    "page.title": ("Live draughts", "Damas em direto"),
}
BRAZIL: Mapping[str, str] = {
    "page.title": "Damas ao vivo",
}
"""Where the Portuguese of Brazil differs."""
