"""The regulations that pages show games by: each is looked up once, and one that is not known is told once."""

from __future__ import annotations

import logging
from collections.abc import Callable

from damas_board.regulations import Regulation

log = logging.getLogger(__name__)


class KnownRegulations:
    """`regulations(name)` raises KeyError or ValueError where it knows none of that name."""

    def __init__(self, regulations: Callable[[str], Regulation]) -> None:
        self._regulations = regulations
        self._known: dict[str, Regulation | None] = {}

    def __call__(self, name: object) -> Regulation | None:
        """The regulation of that name; None where it is not known here, or what came is no name."""
        if not isinstance(name, str):
            return None
        if name not in self._known:
            try:
                self._known[name] = self._regulations(name)
            except (KeyError, ValueError) as error:
                log.warning("the regulation %s is not known: its games are shown without squares: %s", name, error)
                self._known[name] = None
        return self._known[name]
