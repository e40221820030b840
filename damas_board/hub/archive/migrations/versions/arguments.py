"""What a decision says beside its words: the alert that it is about, the ply, the move."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("decisions", sa.Column("arguments", sa.Text(), nullable=True))
