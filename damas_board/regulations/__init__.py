"""Regulations: one TOML file per federation text, and how such a file is read."""

from damas_board.regulations.regulation import Regulation, RepetitionLaw, names, parse, shipped, source_text
from damas_board.regulations.tables import TableError

__all__ = ["Regulation", "RepetitionLaw", "TableError", "names", "parse", "shipped", "source_text"]
