"""The arbiter's and the organiser's console: the hall as it is, and what may be done about it, behind a login."""

from damas_board.hub.console.console import Console
from damas_board.hub.console.people import ConsoleRole, Person

__all__ = ["Console", "ConsoleRole", "Person"]
