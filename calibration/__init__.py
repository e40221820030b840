"""Sensor thresholds, square maps and marker sheets: how a board is set up."""
