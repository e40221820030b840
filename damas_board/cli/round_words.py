"""What a person sees of rounds and their results, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {}
BRAZIL: Mapping[str, str] = {}
"""Where Brazil says it otherwise."""
