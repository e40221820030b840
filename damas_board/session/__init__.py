"""Inputs to events, pure: one board's game."""
