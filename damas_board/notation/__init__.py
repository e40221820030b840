"""Text and rules: FEN, moves, PDN."""
