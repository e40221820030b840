"""PDN, both ways: `read_games` from text or bytes, `write_pdn` and `write_game` to text.

The parts: `pdn_tokens` cuts text, `pdn_reader` walks through it and tells a visitor, `pdn_replay` is the visitor that
builds games on the rules, `pdn_game` is what a game is, `pdn_writer` writes.
"""

from damas_board.notation.pdn_game import Clocks, Fault, PassedOver, PdnGame, Ply, played, regulation_variant
from damas_board.notation.pdn_reader import Visitor, Walk, decode, walk
from damas_board.notation.pdn_replay import Records, StrictRecords, read_games
from damas_board.notation.pdn_writer import write_game, write_pdn

__all__ = [
    "Clocks",
    "Fault",
    "PassedOver",
    "PdnGame",
    "Ply",
    "Records",
    "StrictRecords",
    "Visitor",
    "Walk",
    "decode",
    "played",
    "read_games",
    "regulation_variant",
    "walk",
    "write_game",
    "write_pdn",
]
