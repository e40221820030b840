"""What Alembic runs for a migration: over the connection that it is given, in the transaction that is open there."""

from __future__ import annotations

from alembic import context

context.configure(**context.config.attributes["damas"])
context.run_migrations()
