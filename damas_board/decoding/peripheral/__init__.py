"""The vendor-neutral chess-peripheral text protocol with its draughts variants: lines in, what stands there out."""
