"""The order in which people expect what is called by numbers: rounds, tables, games."""

from __future__ import annotations

import re


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts `2` before `10`, `r2` before `r10`, and numbers before letters."""
    parts = [part for part in re.split(r"([0-9]{1,18})", name) if part]
    return [(0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in parts]
