"""The game itself: squares, positions, variant rows, legal moves; no I/O, no clock."""
