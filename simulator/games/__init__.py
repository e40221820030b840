"""Games to play on a simulated board: read from PDN files, shipped, or invented."""

from simulator.games.invention import invented
from simulator.games.played import PlayedGame
from simulator.games.shipped import GameFileError, games_in, shipped, shipped_names

__all__ = ["GameFileError", "PlayedGame", "games_in", "invented", "shipped", "shipped_names"]
