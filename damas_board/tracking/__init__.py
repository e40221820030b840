"""Observations to what happened on the board, pure."""
