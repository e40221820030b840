"""What a person sees of the boards of a gateway, by key in both languages."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {}
BRAZIL: Mapping[str, str] = {}
"""Where Brazil says it otherwise."""
