"""An open controller for physical draughts boards."""
