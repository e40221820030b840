"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table("meetings", sa.Column("meeting", sa.Text(), nullable=False), sa.PrimaryKeyConstraint("meeting"))
    op.create_table(
        "games",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=True),
        sa.Column("round", sa.Text(), nullable=True),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("match", sa.Text(), nullable=True),
        sa.Column("regulation", sa.Text(), nullable=True),
        sa.Column("start", sa.Text(), nullable=True),
        sa.Column("start_key", sa.Text(), nullable=True),
        sa.Column("fen", sa.Text(), nullable=True),
        sa.Column("moves", sa.Text(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.Text(), nullable=True),
        sa.Column("white", sa.Text(), nullable=True),
        sa.Column("black", sa.Text(), nullable=True),
        sa.Column("white_folded", sa.Text(), nullable=False),
        sa.Column("black_folded", sa.Text(), nullable=False),
        sa.Column("winner", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("article", sa.Text(), nullable=True),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("started", sa.Text(), nullable=True),
        sa.Column("ended", sa.Text(), nullable=True),
        sa.Column("changed", sa.Text(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["meeting"],
            ["meetings.meeting"],
        ),
        sa.PrimaryKeyConstraint("meeting", "game"),
    )
    op.create_index("games_started", "games", ["meeting", "started"], unique=False)
    op.create_table(
        "players",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("player", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("public", sa.Text(), nullable=True),
        sa.Column("federation", sa.Text(), nullable=True),
        sa.Column("rating", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["meeting"],
            ["meetings.meeting"],
        ),
        sa.PrimaryKeyConstraint("meeting", "player"),
    )
    op.create_table(
        "rounds",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("regulation", sa.Text(), nullable=True),
        sa.Column("clock", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["meeting"],
            ["meetings.meeting"],
        ),
        sa.PrimaryKeyConstraint("meeting", "round"),
    )
    op.create_table(
        "alerts",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("alert", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("severity", sa.Text(), nullable=True),
        sa.Column("side", sa.Text(), nullable=True),
        sa.Column("squares", sa.Text(), nullable=False),
        sa.Column("ply", sa.BigInteger(), nullable=True),
        sa.Column("article", sa.Text(), nullable=True),
        sa.Column("decides", sa.Text(), nullable=True),
        sa.Column("consequence", sa.Text(), nullable=True),
        sa.Column("raised", sa.Text(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("closed", sa.Text(), nullable=True),
        sa.Column("how", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("meeting", "game", "seq"),
    )
    op.create_index("alerts_kind", "alerts", ["kind"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("command", sa.Text(), nullable=True),
        sa.Column("do", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("told", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("meeting", "game", "seq"),
    )
    op.create_table(
        "events",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("meeting", "game", "epoch", "seq"),
    )
    op.create_table(
        "matches",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("match", sa.Text(), nullable=False),
        sa.Column("first", sa.Text(), nullable=True),
        sa.Column("second", sa.Text(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["meeting", "round"], ["rounds.meeting", "rounds.round"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("meeting", "round", "match"),
    )
    op.create_table(
        "pairings",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("round", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("match", sa.Text(), nullable=True),
        sa.Column("white", sa.Text(), nullable=False),
        sa.Column("black", sa.Text(), nullable=True),
        sa.Column("regulation", sa.Text(), nullable=True),
        sa.Column("fen", sa.Text(), nullable=True),
        sa.Column("opening", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["meeting", "round"], ["rounds.meeting", "rounds.round"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("meeting", "round", "place"),
    )
    op.create_index("pairings_game", "pairings", ["meeting", "game"], unique=False)
    op.create_table(
        "plies",
        sa.Column("meeting", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("side", sa.Text(), nullable=False),
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("fen", sa.Text(), nullable=False),
        sa.Column("position", sa.Text(), nullable=True),
        sa.Column("captured", sa.Text(), nullable=False),
        sa.Column("basis", sa.Text(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("white_left", sa.Float(), nullable=True),
        sa.Column("black_left", sa.Float(), nullable=True),
        sa.Column("irregular", sa.Boolean(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["meeting", "game"], ["games.meeting", "games.game"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("meeting", "game", "ply"),
    )
    op.create_index("plies_position", "plies", ["position"], unique=False)
