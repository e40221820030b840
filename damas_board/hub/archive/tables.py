"""The archive's tables. What a stream told is in `events`, whole; everything else about a game is made from it.

A meeting's round is as its organiser published it last; `pairings` is that list in the order in which it was kept, and
`games` is joined to it by the game's id, so that a board that changes its table takes nobody else's result along.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()

meetings = Table("meetings", metadata, Column("meeting", Text, primary_key=True))

players = Table(
    "players",
    metadata,
    Column("meeting", Text, ForeignKey("meetings.meeting"), primary_key=True),
    Column("player", Text, primary_key=True, doc="the organiser's id, else the folded name"),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False, doc="the name without accents and case"),
    Column("public", Text, doc="the name that everybody may read; none: nobody outside the hall may read one"),
    Column("federation", Text),
    Column("rating", Text),
)

rounds = Table(
    "rounds",
    metadata,
    Column("meeting", Text, ForeignKey("meetings.meeting"), primary_key=True),
    Column("round", Text, primary_key=True),
    Column("name", Text),
    Column("regulation", Text),
    Column("clock", Text, doc="PDN TimeControl"),
    Column("state", Text),
    Column("told", Text, nullable=False, doc="the time of the payload, RFC 3339; empty where it had none"),
    Column("payload", Text, nullable=False, doc="as the organiser published it, JSON"),
)

matches = Table(
    "matches",
    metadata,
    Column("meeting", Text, primary_key=True),
    Column("round", Text, primary_key=True),
    Column("match", Text, primary_key=True),
    Column("first", Text, doc="the player who has White in its first game"),
    Column("second", Text),
    Column("games", Integer, nullable=False),
    ForeignKeyConstraint(["meeting", "round"], ["rounds.meeting", "rounds.round"], ondelete="CASCADE"),
)

pairings = Table(
    "pairings",
    metadata,
    Column("meeting", Text, primary_key=True),
    Column("round", Text, primary_key=True),
    Column("place", Integer, primary_key=True, doc="from 1; kept from the start of the round on"),
    Column("table_id", Text, nullable=False),
    Column("board", Text),
    Column("game", Text, nullable=False),
    Column("match", Text),
    Column("white", Text, nullable=False),
    Column("black", Text, doc="none: White has a bye"),
    Column("regulation", Text),
    Column("fen", Text),
    Column("opening", Text),
    Column("result", Text, doc="what the organiser entered"),
    Column("withdrawn", Boolean, nullable=False, doc="it was in the round when it began, and is not any more"),
    ForeignKeyConstraint(["meeting", "round"], ["rounds.meeting", "rounds.round"], ondelete="CASCADE"),
    Index("pairings_game", "meeting", "game"),
)

games = Table(
    "games",
    metadata,
    Column("meeting", Text, ForeignKey("meetings.meeting"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False, doc="the events 1 to seq of the epoch are what the game is made from"),
    Column("state", Text, nullable=False, doc="planned, playing or over"),
    Column("board", Text),
    Column("round", Text, doc="as the stream told it"),
    Column("table_id", Text),
    Column("match", Text),
    Column("regulation", Text),
    Column("start", Text),
    Column("start_key", Text, doc="the start position, in one way of writing it"),
    Column("fen", Text),
    Column("moves", Text, nullable=False, doc="each followed by a space"),
    Column("plies", Integer, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("players", Text, doc="as the stream told them, JSON"),
    Column("white", Text),
    Column("black", Text),
    Column("white_folded", Text, nullable=False),
    Column("black_folded", Text, nullable=False),
    Column("winner", Text),
    Column("result", Text),
    Column("reason", Text),
    Column("article", Text),
    Column("held", Boolean, nullable=False),
    Column("started", Text, doc="RFC 3339, UTC"),
    Column("ended", Text),
    Column("changed", Text),
    Column("fault", Text, doc="the first event that cannot follow, and why; it is left out"),
    Index("games_started", "meeting", "started"),
)

plies = Table(
    "plies",
    metadata,
    Column("meeting", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("side", Text, nullable=False),
    Column("move", Text, nullable=False),
    Column("fen", Text, nullable=False),
    Column("position", Text, doc="the position after it, in one way of writing it"),
    Column("captured", Text, nullable=False, doc="squares, each followed by a space"),
    Column("basis", Text),
    Column("seconds", Float),
    Column("white_left", Float),
    Column("black_left", Float),
    Column("irregular", Boolean, nullable=False),
    Column("confirmed", Boolean, nullable=False),
    ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
    Index("plies_position", "position"),
)

alerts = Table(
    "alerts",
    metadata,
    Column("meeting", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("alert", Text, nullable=False),
    Column("kind", Text),
    Column("severity", Text),
    Column("side", Text),
    Column("squares", Text, nullable=False, doc="each followed by a space"),
    Column("ply", BigInteger),
    Column("article", Text),
    Column("decides", Text),
    Column("consequence", Text),
    Column("raised", Text, nullable=False, doc="RFC 3339, UTC"),
    Column("open", Boolean, nullable=False),
    Column("closed", Text),
    Column("how", Text),
    ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
    Index("alerts_kind", "kind"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("meeting", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("command", Text),
    Column("do", Text),
    Column("outcome", Text),
    Column("reason", Text),
    Column("by", Text),
    Column("note", Text),
    Column("told", Text, nullable=False, doc="RFC 3339, UTC"),
    Column("arguments", Text, doc="JSON; what else the command says"),
    ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
)

events = Table(
    "events",
    metadata,
    Column("meeting", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("epoch", BigInteger, primary_key=True, doc="below that of the game: kept aside, of no account any more"),
    Column("seq", BigInteger, primary_key=True),
    Column("body", Text, nullable=False, doc="the payload, JSON"),
    ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
)
