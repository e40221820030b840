"""The twelve variants. Beside each value stands where it comes from.

000-003 are the four Portuguese texts the project started from (000 a general page, 001 and 003 the Portuguese school
rules, 002 the rules of the Brazilian federation CBJD); FMJD is the rule book of the world federation.
"""

from __future__ import annotations

from dataclasses import replace

from damas_board.rules.side import Side
from damas_board.rules.variant import DIAGONALS, EIGHT, FORWARD, FORWARD_AND_SIDEWAYS, LINES, Variant

BRAZILIAN = Variant(
    name="brazilian",
    size=8,  # 002 art. 1
    corner="left",  # 002 art. 1: the great diagonal is at the left of each player
    numbering="algebraic",
    first=Side.WHITE,  # 002 art. 2
    men_rows=(0, 3),  # 002 art. 2, 000: twelve men on the first three rows
    pdn_type=26,
    man_steps=FORWARD,  # 002 art. 3
    man_jumps=DIAGONALS,  # 002 art. 7
    king_steps=DIAGONALS,  # 002 art. 4
    king_jumps=DIAGONALS,  # 002 art. 7
    king_reach="flying",  # 002 art. 4
    king_approach="flying",  # 002 art. 4, 7
    king_landing="any",  # 002 art. 7
    man_takes_king=True,  # 002 art. 6
    removal="after",  # 002 art. 11
    passing="stays_man",  # 002 art. 9
    priority=("most_pieces",),  # 002 art. 8
)

PORTUGUESE = replace(
    BRAZILIAN,
    name="portuguese",
    corner="right",  # 001: the bottom corner at each player's right is dark
    numbering="bottom-right",  # PDN type 28: N1,1
    pdn_type=28,
    man_jumps=FORWARD,  # 001 b, 003 06b give no direction; forward only as the federation's public rules
    priority=("most_pieces", "most_kings"),  # 001, 003 art. 9 b and c
)

SPANISH = replace(PORTUGUESE, name="spanish", pdn_type=24)

RUSSIAN = replace(
    BRAZILIAN,
    name="russian",
    pdn_type=25,
    passing="goes_on_as_king",  # 000 'Damas russas'; FMJD-64
    priority=(),  # FMJD-64: any capture may be chosen, it must be finished
)

ENGLISH = replace(
    BRAZILIAN,
    name="english",
    numbering="top-left",  # PDN type 21: N1,0; Black on 1-12
    first=Side.BLACK,  # WCDF
    pdn_type=21,
    man_jumps=FORWARD,  # WCDF
    king_reach="one",  # WCDF
    king_approach="one",  # WCDF
    king_landing="next",
    passing="stops",  # WCDF
    priority=(),  # WCDF: any capture may be chosen
)

ITALIAN = replace(
    ENGLISH,
    name="italian",
    corner="right",  # FID: the corner at the left is light
    numbering="top-left",  # PDN type 22: N2,1; Black on 1-12
    first=Side.WHITE,  # FID
    pdn_type=22,
    man_takes_king=False,  # FID; 000 'Damas italianas'
    priority=("most_pieces", "with_king", "most_kings", "kings_first"),  # FID
)

TURKISH = replace(
    BRAZILIAN,
    name="turkish",
    corner="all",  # 000 'Damas (turcas)'
    men_rows=(1, 2),  # 000: sixteen men on the second and third rows
    pdn_type=30,
    man_steps=FORWARD_AND_SIDEWAYS,  # 000
    man_jumps=FORWARD_AND_SIDEWAYS,  # 000
    king_steps=LINES,  # 000
    king_jumps=LINES,  # 000
    removal="at_once",  # 000: eliminated at once, during the move
    passing="stays_man",  # a flag in public rules; by default it is promoted only where it stops
    priority=("most_pieces",),  # 000
    turn_back=False,  # public federation rules: no turn of 180 degrees
)

INTERNATIONAL = replace(
    BRAZILIAN,
    name="international",
    size=10,  # 002 art. 2
    numbering="top-left",  # PDN type 20: N2,0
    men_rows=(0, 4),  # FMJD Annex 1
    pdn_type=20,
)

FRISIAN = replace(
    INTERNATIONAL,
    name="frisian",
    pdn_type=40,
    man_jumps=EIGHT,
    king_jumps=EIGHT,
    priority=("value", "with_king"),  # a king is worth just under two men; at equal value a king takes first
    king_run_limit=3,
)

POOL = replace(
    RUSSIAN,
    name="pool",
    numbering="top-left",  # PDN type 23: N1,0
    first=Side.BLACK,
    pdn_type=23,
    passing="stays_man",
)

CZECH = replace(
    BRAZILIAN,
    name="czech",
    pdn_type=29,
    man_jumps=FORWARD,
    passing="stops",
    priority=("with_king",),  # a king takes before a man; otherwise free
)

CANADIAN = replace(
    INTERNATIONAL,
    name="canadian",
    size=12,
    men_rows=(0, 5),
    pdn_type=27,
)

VARIANTS: dict[str, Variant] = {
    v.name: v
    for v in (
        BRAZILIAN,
        PORTUGUESE,
        SPANISH,
        RUSSIAN,
        ENGLISH,
        ITALIAN,
        TURKISH,
        INTERNATIONAL,
        FRISIAN,
        POOL,
        CZECH,
        CANADIAN,
    )
}
